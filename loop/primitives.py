"""What the loop's scripts can do beyond the primitives that everybody has: requests, calls, the window, sub-agents.

None of it gets round what is guaranteed beneath: a request is budgeted and on record before it leaves, a call of a tool
is the same as anybody's, and what the window shows is decided by events alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from nodwyn.interp.data import Value
from nodwyn.loop.results import Came, Replied, calls_of, came
from nodwyn.loop.window.canonical import canonical
from nodwyn.prims.context import Context
from nodwyn.prims.declare import REQUIRED, Parameter, PrimitiveError, primitive
from nodwyn.prims.effects import SCHEME, Effect
from nodwyn.prims.guard.budget import LIMITS
from nodwyn.prims.kinds import Choice, Flag, Kind, NameText, Parts, Several, Text, Whole
from nodwyn.prims.log.events import Elide, Fold, LoopMessage, ModelResponse, Note, ToolResult, UserMessage
from nodwyn.prims.parameters import EventNumber, Name, Procedure, SchemeText, Texts

if TYPE_CHECKING:
    from nodwyn.loop.conversation import Conversation

Names = Annotated[Sequence[str], Several(NameText(empty=False), "a list of names")]
"""Names: in Scheme symbols or strings."""

EventNumbers = Annotated[Sequence[int], Several(Whole("an event's number", 1), "a list of events' numbers")]
"""The seqs of events."""

LIMIT_PARTS = Parts(dict, "limits", {name: (Whole("a number", 0), f"limit of {name}") for name in LIMITS}, 0)

OFFERED: Mapping[str, Kind] = {"string": Text(), "integer": Whole(), "boolean": Flag()}
"""The kinds of parameters of a tool that is a procedure of the scripts."""

PARAMETERS = Several(
    Parts(
        dict,
        "a parameter",
        {
            "name": (NameText(empty=False), "its name"),
            "type": (Choice(*OFFERED), "what it is"),
            "description": (Text(empty=False), "what it is for"),
            "optional": (Flag(), "whether it may be left out"),
        },
        required=3,
    ),
    "a list of parameters",
)


def driver(context: Context) -> Conversation:
    """Return the conversation that a call belongs to.

    Raises: PrimitiveError when the session has none.
    """
    conversation: Conversation | None = context.session.driver
    if conversation is None:
        raise PrimitiveError("there is no conversation in this session; `nodwyn` and `nodwyn run` begin one")
    return conversation


@primitive("use-recipe", effect=Effect.NONE, callers=SCHEME)
def use_recipe(
    context: Context,
    system: Annotated[str, "the system prompt"],
    tools: Annotated[Names, "the names of the tools that the model is offered"],
) -> int:
    """Say what the next requests are built with; return the number of the recipe, which is recorded when it is new."""
    from nodwyn.loop.recipes import recipe

    conversation = driver(context)
    return conversation.agent.use(recipe(conversation.require_model(), system, conversation.tools.definitions(tools)))


@primitive("tool?", effect=Effect.NONE, callers=SCHEME)
def is_tool(context: Context, name: Annotated[Name, "a name"]) -> bool:
    """Return whether this is the name of a tool that a model can be offered here."""
    return driver(context).tools.has(name)


@primitive("model-call", effect=Effect.SEND, provenance="external:model", callers=("loop",), is_recorded=False)
def model_call(context: Context) -> Replied:
    """Send what the window holds to the model. Return its reply: seq, stop, text and calls.

    When there is none, failed says which kind of failure it was, and text what happened: overflow (the request is too
    long), budget (the turn may not), key, refused, bad-request, busy, unreachable, broken.
    """
    from nodwyn.loop.requests import request

    return request(driver(context))


@primitive("call-tools", effect=Effect.NONE, provenance="external:model", callers=("loop",))
def call_tools(
    context: Context,
    reply: Annotated[EventNumber, "the seq of the reply"],
    ids: Annotated[Texts, "which of its calls, by their ids"],
) -> list[Came]:
    """Run calls of a reply: side by side when all of them only read, else one after the other.

    Return what each came to, in the order of the ids: id, name, seq, ok, value, refused, unanswered. A call that cannot
    be made, is refused or fails has a result too, which says so to the model.
    """
    conversation = driver(context)
    event = context.session.log.event(reply)
    if not isinstance(event, ModelResponse):
        raise PrimitiveError(f"event {reply} is no reply of a model")
    asked = {call.id: call for call in calls_of(event)}
    missing = [id for id in ids if id not in asked]
    if missing:
        raise PrimitiveError(f"reply {reply} has no call {missing[0]}")
    agent = conversation.agent
    results = conversation.tools.run([asked[id] for id in ids], reply, agent.name, agent.offered)
    return [came(context.session.log, seq) for seq in results]


@primitive("window-size", effect=Effect.NONE, callers=SCHEME)
def window_size(context: Context) -> int:
    """Return how many tokens the next request has, by our estimate."""
    return driver(context).agent.built().tokens


@primitive("window-entries", effect=Effect.NONE, callers=SCHEME, provenance="external:log")
def window_entries(context: Context) -> list[Any]:
    """Return what the window holds, the oldest first.

    Each entry has seq, kind, tokens, name and arguments of a call, and whether it was answered (the model has replied
    to it), elided and folded, and the turn that it belongs to.
    """
    entries = (entry._asdict() for entry in driver(context).agent.window.entries())
    return [{"arguments": entry.pop("call_arguments"), **entry} for entry in entries]


@primitive("window-policy", effect=Effect.NONE, callers=SCHEME)
def window_policy(context: Context) -> dict[str, Any]:
    """Return the numbers of the window: context, high_water, low_water and the caps, in tokens and characters."""
    from nodwyn.loop.recipes import policy

    return policy(driver(context).model)


@primitive("fold-result", effect=Effect.NONE, callers=SCHEME)
def fold_result(
    context: Context,
    result: Annotated[EventNumber, "the seq of a tool's result"],
    text: Annotated[SchemeText, "what is shown in its place"],
    rule: Annotated[Name, "why, in a word"],
) -> None:
    """Show a result as another text from now on. The log keeps the result; recall brings it back."""
    event = _result(context, result)
    context.session.log.append(Fold(result=result, text=text.text(), rule=rule, agent=event.agent))


@primitive("result-text", effect=Effect.NONE, callers=SCHEME, provenance="external:log")
def result_text(context: Context, result: Annotated[EventNumber, "the seq of a tool's result"]) -> str:
    """Return what a tool returned, whole, as text: JSON where it is no text."""
    event = _result(context, result)
    if isinstance(event.value, str):
        return event.value
    return canonical(event.value).decode()


@primitive("elide", effect=Effect.NONE, callers=SCHEME)
def elide(
    context: Context,
    events: Annotated[EventNumbers, "the seqs of results and replies"],
    rule: Annotated[Name, "why, in a word"],
) -> None:
    """Show results and replies as stubs from now on. One to which the model has not yet replied is refused."""
    agent = driver(context).agent
    entries = {entry.seq: entry for entry in agent.window.entries()}
    for seq in events:
        if seq not in entries:
            raise PrimitiveError(f"event {seq} is not in the window")
        if not entries[seq].answered:
            raise PrimitiveError(f"the model has not yet replied to event {seq}; it is elided after that")
    if events:
        context.session.log.append(Elide(events=list(events), rule=rule, agent=agent.name))


@primitive("narrow", effect=Effect.NONE, callers=SCHEME)
def narrow(
    context: Context,
    first: Annotated[EventNumber, "the first event of the span"],
    through: Annotated[EventNumber, "its last event"],
    note: Annotated[SchemeText, "the handover note"],
) -> int:
    """Go on from a note in place of a span; return the note's seq. The log keeps the span; note-drop takes it back."""
    from nodwyn.prims.compaction import narrow as record

    return record(context.session, driver(context).agent.name, first, through, note.text())


@primitive("say", effect=Effect.NONE, callers=SCHEME)
def say(
    context: Context,
    text: Annotated[SchemeText, "the words"],
    purpose: Annotated[Name, "which step of the loop says it"] = "reminder",
) -> int:
    """Say something to the model in the loop's name; return the seq of the message."""
    labels = sorted(text.origin.labels)
    given: dict[str, Any] = {"labels": labels} if labels else {}
    agent = driver(context).agent.name
    return context.session.log.append(LoopMessage(text=text.text(), purpose=purpose, agent=agent, **given))


@primitive("note", effect=Effect.NONE, callers=SCHEME)
def note(context: Context, text: Annotated[str, "the words"]) -> None:
    """Say something to the person. No model sees it."""
    context.session.log.append(Note(text=text, agent=driver(context).agent.name))


@primitive("turn-message", effect=Effect.NONE, callers=SCHEME)
def turn_message(context: Context) -> str | None:
    """Return the person's message that the turn works on, or nothing when there is none."""
    turn = driver(context).turn
    event = context.session.log.event(turn.message) if turn is not None and turn.message else None
    return event.text if isinstance(event, UserMessage) else None


@primitive("remaining", effect=Effect.NONE, callers=SCHEME)
def remaining(
    context: Context,
    limit: Annotated[Literal["tokens", "cost", "seconds", "rounds", "actions", "reads"], "which limit"],
) -> int | bool:
    """Return how much the turn, or the sub-agent, may still use of something; #f when nothing bounds it."""
    left = driver(context).agent.budget.remaining(limit)
    return False if left is None else left


@primitive("call-as-agent", effect=Effect.NONE, provenance="external:model", callers=SCHEME)
def call_as_agent(
    context: Context,
    name: Annotated[Name, "what its context is called"],
    task: Annotated[SchemeText, "what it is asked to do"],
    tools: Annotated[Names, "the tools that it will be offered"],
    limits: Annotated[dict[str, int], LIMIT_PARTS, "its limits, within the turn's"],
    thunk: Annotated[Procedure, "does its work, and returns its answer, or a list of how it ended and the answer"],
) -> Value:
    """Call a procedure in a context of its own: a sub-agent's, with its own window and a part of the budget.

    Return the answer. How it ended is on record: done, stopped, budget, error, unanswered or idle, as with a turn.
    """
    from nodwyn.loop.subagents import work_as_agent

    return work_as_agent(driver(context), name, task.text(), tools, limits, lambda: context.apply(thunk))


@primitive("offer-tool", effect=Effect.NONE, callers=SCHEME)
def offer_tool(
    context: Context,
    name: Annotated[Name, "the tool's name"],
    description: Annotated[str, "what it does and when to use it, for the model"],
    parameters: Annotated[Sequence[dict[str, Any]], PARAMETERS, "lists of name, type, description, and #t if optional"],
    procedure: Annotated[Procedure, "takes the arguments as an association list, and returns the result"],
) -> None:
    """Make a tool of a procedure of yours. A recipe that names it offers it to the model."""
    declared = [
        Parameter(each["name"], OFFERED[each["type"]], each["description"], None if each.get("optional") else REQUIRED)
        for each in parameters
    ]
    driver(context).tools.offer(name, description, declared, procedure)


@primitive("advise!", effect=Effect.NONE, callers=SCHEME)
def advise(
    context: Context,
    name: Annotated[Name, "a procedure of the loop"],
    advice: Annotated[Procedure, "called in its place, with the procedure as it was and then the arguments"],
) -> None:
    """Put a procedure of yours around one of the loop's, from the next call on."""
    driver(context).advice.add(name, advice)


@primitive("unadvise!", effect=Effect.NONE, callers=SCHEME)
def unadvise(context: Context, name: Annotated[Name, "the procedure advised"]) -> None:
    """Take off the latest advice of a procedure."""
    driver(context).advice.remove(name)


@primitive("advice", effect=Effect.NONE, callers=SCHEME)
def advice(context: Context) -> list[str]:
    """Return the names of the procedures that have advice, one for each piece, the latest last."""
    return [piece.name for piece in driver(context).advice.standing()]


@primitive("restore!", effect=Effect.NONE, callers=SCHEME)
def restore(
    context: Context,
    name: Annotated[Name | None, "a name that the loop uses; all that were changed when not given"] = None,
) -> None:
    """Give a name that the loop uses the meaning that it had when the conversation began, before anything was typed."""
    driver(context).meanings.restore(name)


def _result(context: Context, seq: int) -> ToolResult:
    event = context.session.log.event(seq)
    if not isinstance(event, ToolResult):
        raise PrimitiveError(f"event {seq} is no result of a tool")
    return event


PRIMITIVES = (
    use_recipe,
    is_tool,
    model_call,
    call_tools,
    result_text,
    window_size,
    window_entries,
    window_policy,
    fold_result,
    elide,
    narrow,
    say,
    note,
    turn_message,
    remaining,
    call_as_agent,
    offer_tool,
    advise,
    unadvise,
    advice,
    restore,
)
