"""Every kind of event that there is, each with its fields. Nothing else is ever recorded.

A new kind, or a new field with a default, may be added at any time: older programs read it back unchanged. A kind or
field that a released program has written is never taken away, and never means something else.

Texts are recorded after redaction. Costs are in millionths of a US dollar, durations in milliseconds by a monotonic
clock, sizes in bytes. *Labels* say where a text came from: ``external:file``, ``external:log``, ``external:shell``,
``external:model``, ``external:net``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nodwyn.prims.log.record import (
    Event,
    blocks,
    choice,
    count,
    flag,
    json,
    json_numbers,
    json_object,
    json_objects,
    ref,
    refs,
    sha256,
    string,
    strings,
)

FORMAT = 1
"""The version of the log's format that this program writes. It reads all versions up to it."""

# The session


class SessionStart(Event, kind="session.start"):
    """The first event of every log: what the session is, and the format that the log has."""

    format: int = count("version of the log's format", default=FORMAT)
    session: str = string("name of the session", default="")
    program: str = string("program and version that began it")
    project: str = string("KEY of the project", default="")
    root: str = string("the directory that the session works in, absolute")
    client: str = string("what began it: terminal, run, eval, demo, import …", default="terminal")
    redactor: str = string("version of the redaction rules", default="")
    guard: str = string("version of the guard's own policy", default="")
    hidden: bool = flag("whether lists and searches leave it out unless asked", default=False)


class SessionResume(Event, kind="session.resume"):
    """The session was opened again. Approvals, credentials and Scheme's state are gone."""

    program: str = string("program and version that opened it")
    client: str = string("what opened it", default="terminal")
    redactor: str = string("version of the redaction rules", default="")
    guard: str = string("version of the guard's own policy", default="")


class SessionEnd(Event, kind="session.end"):
    """The session was closed in good order."""

    reason: str = string("why", default="")


class SessionTitle(Event, kind="session.title"):
    """A name that the person gives the session; the latest holds."""

    title: str = string("the name")


class SessionArchive(Event, kind="session.archive"):
    """The session was put away, or taken back."""

    archived: bool = flag("true when put away")


class Recovery(Event, kind="recovery"):
    """What opening the log again had to put right."""

    size: int = count("bytes moved aside from the end, which were no whole record")
    kept: str = string("name of the file beside the log that has them")


class Interruption(Event, kind="interruption", closes="of"):
    """Ends what had begun and has no end of its own. Whether it took effect is not known, unless the reason says so."""

    of: int = ref("the tool.call, llm.req, turn.start or agent.start that it ends")
    reason: str = string("what came between: the program ended, the person stopped it …")


class Error(Event, kind="error"):
    """Something failed that is no tool's own result: a script, a limit of the program, a compaction without effect."""

    message: str = string("what happened and what to do next")
    file: str = string("file in which it happened", default="")
    line: int = count("line of that file, from 1", default=0)
    of: int = ref("the event that led to it", default=0)


class Note(Event, kind="note"):
    """Words of the program for the person, that no model sees."""

    text: str = string("the words")


# What is said


class UserMessage(Event, kind="user.msg"):
    """What the person says to the agent."""

    text: str = string("the words, as they were typed")
    source: str = choice("where they came from", "person", "scheme", "import", default="person")
    attachments: Sequence[int] = refs("attachment events that go with it", default=())
    labels: Sequence[str] = strings("labels of the words, when Scheme made them", default=())


class LoopMessage(Event, kind="loop.msg"):
    """What the loop's scripts say to a model, such as a reminder or a sub-agent's task."""

    text: str = string("the words")
    purpose: str = string("which step of the loop says it", default="")
    labels: Sequence[str] = strings("labels of the words", default=())


class Attachment(Event, kind="attachment"):
    """A file that the person attached: its text here, or its bytes as a blob."""

    name: str = string("path or name of the file")
    media: str = string("media type, such as image/png", default="text/plain")
    text: str = string("its content, when it is text", default="")
    blob: str = sha256("its content, when it is not: a file of that name in the log's blobs", default="")
    size: int = count("bytes of the content")
    labels: Sequence[str] = strings("labels of the content", default=("external:file",))


# Turns, sub-agents and what they run with


class Scripts(Event, kind="scripts"):
    """The loop's scripts and advice, recorded when a turn begins with others than the one before."""

    scripts: Any = json_object("object from each script's path to the SHA-256 of its text")
    advice: Any = json("list of objects: procedure advised, name and SHA-256 of the advice", default=None)


class TurnStart(Event, kind="turn.start", opens=True):
    """The work on a message begins."""

    message: int = ref("the user.msg, or 0 when Scheme began the turn", default=0)
    scripts: int = ref("the scripts event that holds", default=0)
    limits: Any = json_numbers(
        "object of the turn's limits: tokens, cost, seconds, rounds, actions, reads", default=None
    )


class TurnEnd(Event, kind="turn.end", closes="turn"):
    """The work on a message is over."""

    turn: int = ref("its turn.start")
    how: str = choice("how it ended", "done", "stopped", "budget", "error", "unanswered", "idle")
    reason: str = string("what a person should know about that", default="")
    milliseconds: int = count("how long it took", default=0)
    spent: Any = json_numbers("object of what was used of each limit", default=None)


class AgentStart(Event, kind="agent.start", opens=True):
    """A sub-agent begins. Its own events carry its name as their agent; this one carries its caller's."""

    name: str = string("name of its context, unique in the log")
    task: str = string("what it is asked to do")
    tools: Sequence[str] = strings("names of the tools that it is offered", default=())
    limits: Any = json_numbers("object of its limits, within the turn's", default=None)


class AgentEnd(Event, kind="agent.end", closes="start"):
    """The work of a sub-agent is over."""

    start: int = ref("its agent.start")
    how: str = choice("how it ended", "done", "stopped", "budget", "error", "unanswered", "idle")
    answer: str = string("what it answered", default="")


class BudgetReached(Event, kind="budget"):
    """A limit was reached, and what it would have allowed was not done."""

    limit: str = choice("which", "tokens", "cost", "seconds", "rounds", "actions", "reads")
    allowed: int = count("the limit, in its own unit")
    spent: int = count("what was used")
    refused: str = string("what was not done", default="")


# The model


class Recipe(Event, kind="recipe"):
    """What a request is built with besides the log, recorded when it takes effect for its agent."""

    version: int = count("version of the window's rules")
    system: str = string("system prompt")
    tools: Any = json("list of tool definitions: name, description, schema")
    policy: Any = json("object: the window's numbers, such as token budget and caps")
    provider: str = string("name of the provider")
    model: str = string("name of the model")
    parameters: Any = json("object of sampling and output parameters", default=None)


class ModelRequest(Event, kind="llm.req", opens=True):
    """A request to a model. It is rebuilt from the events before it and the recipe that it names."""

    recipe: int = ref("its recipe")
    digest: str = sha256("of the canonical provider-neutral request")
    body: str = sha256("of the body as it was sent", default="")
    tokens: int = count("its tokens, by our estimate", default=0)
    broken: str = string("why its beginning is not that of the agent's last request; nothing when it is", default="")


class ModelResponse(Event, kind="llm.resp", closes="request"):
    """A model's whole reply."""

    request: int = ref("the llm.req that it answers; 0 in a session that was imported", default=0)
    content: Any = blocks(
        "list of blocks: {type: text, text}, {type: call, id, name, arguments}, {type: thinking, …} as it came"
    )
    stop: str = string("why it ended: end, calls, length, refusal …")
    model: str = string("the model that answered, as it names itself", default="")
    id: str = string("the provider's name of the reply", default="")
    usage: Any = json_numbers("object of tokens: input, output, cache_read, cache_write", default=None)
    cost: int = count("what it cost", default=0)
    unpriced: bool = flag("whether its price is not known, and cost says nothing", default=False)
    milliseconds: int = count("from sending the request to the reply's end", default=0)
    first: int = count("milliseconds to the first piece of the reply", default=0)


class ModelRetry(Event, kind="llm.retry"):
    """An attempt at a request failed, and another one follows."""

    request: int = ref("the llm.req")
    status: int = count("HTTP status, or 0 when there was none", default=0)
    message: str = string("what went wrong")
    wait: int = count("milliseconds until the next attempt")
    partial: Any = blocks("list of the blocks that had arrived", default=None)


class ModelError(Event, kind="llm.error", closes="request"):
    """A request failed for good, or its reply broke off."""

    request: int = ref("the llm.req")
    status: int = count("HTTP status, or 0 when there was none", default=0)
    message: str = string("what went wrong")
    partial: Any = blocks("list of the blocks that had arrived", default=None)
    usage: Any = json_numbers("object of tokens, when the provider said", default=None)
    cost: int = count("what it cost", default=0)
    unpriced: bool = flag("whether its price is not known, and cost says nothing", default=False)


# Tools


class ToolCall(Event, kind="tool.call", opens=True):
    """A primitive or tool is called, by a model, the person's Scheme or the loop."""

    name: str = string("name of the tool")
    arguments: Any = json("object of its arguments; the text itself when the model's JSON is malformed")
    by: str = choice("who calls", "model", "person", "loop")
    reply: int = ref("the llm.resp that holds the call", default=0)
    id: str = string("the call's id in that reply, made unique", default="")
    labels: Sequence[str] = strings("labels of the arguments, all together", default=())


class ToolResult(Event, kind="tool.result", closes="call"):
    """What a call came to."""

    call: int = ref("the tool.call")
    ok: bool = flag("whether it succeeded")
    value: Any = json("what it returned, whole: text, or an object such as a shell's exit, output and errors")
    labels: Sequence[str] = strings("where the value came from", default=())
    decisions: Sequence[int] = refs("guard.decision events that it rests on", default=())
    blobs: Sequence[str] = strings("digests of binary content that belongs to it", default=())
    milliseconds: int = count("how long it took, questions to the person left out", default=0)


class SchemeInput(Event, kind="scheme.input"):
    """Scheme that the person entered."""

    text: str = string("the program text")


class SchemeValue(Event, kind="scheme.value"):
    """What came of it."""

    input: int = ref("the scheme.input")
    ok: bool = flag("whether it has a value; otherwise the text is the error")
    text: str = string("the value as written, or the error")
    labels: Sequence[str] = strings("labels of the value", default=())


# The guard


class GuardDecision(Event, kind="guard.decision"):
    """What the guard says to an effect, before it."""

    effect: str = choice("what would be done", "read", "write", "run", "send", "other")
    subject: str = string("the path, command line or address")
    decision: str = choice("the answer", "allow", "deny", "confirm")
    layer: str = string("the layer that gave it: pin, denylist, checker NAME, provenance, approval, budget, error")
    reason: str = string("why")
    call: int = ref("the tool.call that it belongs to", default=0)
    digest: str = sha256("of all that was shown for approval", default="")
    sandbox: str = string("what the command runs in: bubblewrap, landlock, seatbelt, unsandboxed", default="")


class Approval(Event, kind="approval"):
    """An answer to a question: to a decision ``confirm``, or to another that the program asks."""

    decision: int = ref("the guard.decision that asked", default=0)
    digest: str = sha256("of what was shown", default="")
    question: str = string("what was shown, complete")
    answer: str = choice("the answer", "yes", "no")
    scope: str = choice("what the answer covers", "once", "session", default="once")
    actor: str = string("who answered: person, --approve KIND, not asked")


class Grant(Event, kind="grant"):
    """The person allows something for this session, or takes it back."""

    what: str = choice("what it is about", "path", "command", "network", "key", "trust", "other")
    subject: str = string("the path, pattern, host or content's digest")
    given: bool = flag("false when it is taken back")


class CheckerChange(Event, kind="checker"):
    """A checker of the person's Scheme joins the guard, or leaves it."""

    name: str = string("its name")
    extension: str = string("the file extension that it is for; nothing for any effect", default="")
    registered: bool = flag("false when it is taken away")


class Vouch(Event, kind="vouch"):
    """The person clears a text of its labels."""

    digest: str = sha256("of the text")
    size: int = count("bytes of the text")
    labels: Sequence[str] = strings("the labels that it had")


class Egress(Event, kind="egress"):
    """Something is about to leave this machine."""

    purpose: str = string("what for: llm, shell …")
    method: str = string("HTTP method, or nothing", default="")
    address: str = string("where to, without any key")
    size: int = count("bytes sent")
    body: str = sha256("of the body", default="")
    key: str = string("name of the key that goes with it, never its value", default="")
    decision: int = ref("the guard.decision that allowed it", default=0)


# Files


class FileVersion(Event, kind="file.version"):
    """A file is about to be written; what it replaces is kept apart, so that it can be undone."""

    path: str = string("the file, as the guard resolved it")
    before: str = sha256("of the content replaced; nothing when there was no file", default="")
    after: str = sha256("of the new content; nothing when the file is deleted", default="")
    mode: int = count("the file's permission bits", default=0)
    call: int = ref("the tool.call that writes", default=0)
    directories: int = count(
        "how many of the directories around it, from the innermost, are made for it, or go with it when it is deleted",
        default=0,
    )


class Undo(Event, kind="undo"):
    """File changes were taken back."""

    versions: Sequence[int] = refs("the file.version events that were undone")
    conflicts: Sequence[str] = strings("paths left alone because they changed since", default=())


# What the window holds


class Fold(Event, kind="fold"):
    """A result is shown shorter from now on."""

    result: int = ref("the tool.result")
    text: str = string("what is shown in its place")
    rule: str = string("why", default="")


class Elide(Event, kind="elide"):
    """Results and replies are shown as stubs from now on."""

    events: Sequence[int] = refs("the events")
    rule: str = string("why", default="")


class Narrow(Event, kind="context.narrow"):
    """The conversation goes on from a note in place of a span. Not a summary: a model or the loop wrote it."""

    first: int = ref("the span's first event")
    through: int = ref("its last")
    note: str = string("the note")
    lost: Any = json_objects(
        "the loss audit: list of objects, what the span held that note and cards do not",
        default=None,
        what=str,
        text=str,
        seq=int,
    )


class NarrowDrop(Event, kind="context.drop"):
    """A note is dropped; the conversation is back."""

    narrow: int = ref("the context.narrow")


class Pin(Event, kind="pin"):
    """The person keeps something of a span that a note replaced in the window."""

    narrow: int = ref("the context.narrow")
    event: int = ref("the event that holds it")
    text: str = string("the words kept")


class Summary(Event, kind="summary"):
    """The person's own text in place of a span."""

    first: int = ref("the user.msg that the span begins with")
    through: int = ref("the llm.resp that it ends with")
    text: str = string("the summary")
    digest: str = sha256("of the span's redacted source")


class SummaryDrop(Event, kind="summary.drop"):
    """A summary is revoked."""

    summary: int = ref("the summary")


class Plan(Event, kind="plan"):
    """The plan as it is now."""

    items: Any = json("list of objects: text, and mark, one of open, doing, done, dropped")


# Retrieval, notes, imports


class ProjectNotes(Event, kind="project.notes"):
    """The project's notes were saved."""

    text: str = string("all of the notes")


class IndexUpdate(Event, kind="index.update"):
    """The repository's index was built or brought up to date; no content."""

    files: int = count("files that it holds now")
    read: int = count("files read")
    removed: int = count("files dropped")
    skipped: int = count("files left out as binary, not UTF-8 or too large")
    refused: Sequence[str] = strings("paths that the guard refused or would have asked about", default=())
    left: int = count("changed files not yet read")
    milliseconds: int = count("how long it took", default=0)


class Import(Event, kind="import"):
    """Another program's session was read into this log. Its events carry the times at which they happened."""

    program: str = string("the program that wrote it")
    source: str = string("the file")
    digest: str = sha256("of the file")
    lines: int = count("lines read")
    unknown: int = count("lines that were kept as import.line")
    session: str = string("what that program calls the session", default="")
    repeated: int = count("lines left out because the file has them twice", default=0)
    replaces: str = string("name of the session that an earlier state of the file was read into", default="")


class ImportLine(Event, kind="import.line"):
    """A line of an imported file that has no meaning here, kept as it was."""

    line: int = count("its number in the file, from 1")
    text: str = string("the line")
