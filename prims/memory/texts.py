"""What an event says: as text with numbered lines, and in words what it is.

The one place that knows, so that a search ranks what :mod:`recall <nodwyn.prims.recall>` shows, and the lines that a
search names have the numbers by which they are recalled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from json import JSONEncoder
from typing import Any, Final

from nodwyn.prims.log import Event
from nodwyn.prims.log.events import (
    Attachment,
    LoopMessage,
    ModelResponse,
    Narrow,
    Plan,
    Summary,
    ToolCall,
    ToolResult,
    UserMessage,
)
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.replies import Block, blocks_of

RANKED: Final = (UserMessage, LoopMessage, Attachment, Plan, Summary, Narrow, ModelResponse, ToolResult)
"""What a model may have seen, and a search ranks: no records of guard, requests or egress, and no thinking."""

REPEATERS: Final = frozenset({"index-search", "recall"})
"""Tools whose calls and results repeat other events: a search would find itself."""

LONGEST_LINE: Final = 1000
"""Characters of a line that has one number; a longer one is several, so that each part can be recalled."""

MOST_OF_CALL: Final = 200
"""Characters of a call's arguments in a heading."""

_compact = JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
_indented = JSONEncoder(ensure_ascii=False, indent=2, check_circular=False).encode


def is_ranked(event: Event) -> bool:
    """Return whether a search ranks an event, unless it is one of a search or of a recall.

    What the loop tells a sub-agent repeats the request, with instructions around it, and is left out.
    """
    return isinstance(event, RANKED) and not (isinstance(event, LoopMessage) and event.agent != MAIN)


def text_of(event: Event, after_call: Callable[[str], str] = lambda id: "") -> str:
    """Return the text of an event of a kind that is ranked.

    after_call: given a call's id in a reply, returns what stands behind the call's name.
    """
    match event:
        case UserMessage() | LoopMessage() | Summary():
            return str(event.text)
        case Attachment():
            return str(event.text)
        case Narrow():
            return str(event.note)
        case Plan():
            return "\n".join(plan_lines(event.items))
        case ModelResponse():
            return "\n".join(_reply_lines(blocks_of(event), after_call))
        case ToolResult():
            return value_text(event.value)
    return ""


def ranked_texts(event: Event, name: str = "", arguments: Any = None) -> Iterator[tuple[str, int]]:
    """Yield the texts by which an event is found, each with how often its words count.

    name, arguments: of the call, for a result.
    """
    if isinstance(event, ModelResponse):
        yield "\n".join(_reply_lines(blocks_of(event), lambda id: "", REPEATERS)), 1
    else:
        yield text_of(event), 1
    if isinstance(event, Attachment):
        yield event.name, 1
    elif isinstance(event, ToolResult):
        yield "\n".join((name, *argument_lines(arguments))), 3


def what_of(event: Event, call: Event | None = None) -> str:
    """Return what an event is, and in whose context: "the result of fs-read {…}, which failed".

    call: the tool.call, for a result.
    """
    said = _KINDS.get(type(event), event.kind)
    if isinstance(event, Attachment):
        said = f"the attached file {event.name}"
    elif isinstance(event, UserMessage) and event.source == "scheme":
        said = "a message that Scheme made"
    elif isinstance(event, ToolResult):
        of = call_text(call.name, call.arguments) if isinstance(call, ToolCall) else "a call"
        said = f"the result of {of}{'' if event.ok else ', which failed'}"
    return said if event.agent == MAIN else f"{said}, in the context of {event.agent}"


def time_of(event: Event) -> str:
    """Return when an event happened: one of an imported session was recorded later than that."""
    return event.when or event.at


def call_text(name: str, arguments: Any) -> str:
    """Return a call in one line."""
    text = arguments if isinstance(arguments, str) else _compact(arguments)
    return f"{name} {text if len(text) <= MOST_OF_CALL else f'{text[: MOST_OF_CALL - 1]}…'}".replace("\n", " ")


def value_text(value: Any) -> str:
    """Return what a call returned, as text: a shell's as lines, other JSON indented."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, dict) and {"exit", "output", "errors"} <= value.keys():
        return _shell_text(value)
    return _indented(value)


def lines_of(text: str) -> list[str]:
    """Return the numbered lines of a text, with their ends; joined they are the text."""
    lines: list[str] = []
    rest = text.split("\n")
    last = rest.pop()
    for line in (*(f"{line}\n" for line in rest), *((last,) if last else ())):
        if len(line) <= LONGEST_LINE:
            lines.append(line)
        else:
            lines += [line[start : start + LONGEST_LINE] for start in range(0, len(line), LONGEST_LINE)]
    return lines


def plan_lines(items: Any) -> Iterator[str]:
    """Yield a line for each item of a plan: its mark and its text."""
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict):
            yield f"[{item.get('mark', 'open')}] {item.get('text', '')}"


def argument_lines(arguments: Any) -> Iterator[str]:
    """Yield the arguments of a call as lines: each with its name, texts as they are."""
    if isinstance(arguments, str):
        yield from arguments.split("\n")
    elif isinstance(arguments, dict):
        for name, value in arguments.items():
            if not isinstance(value, str):
                yield f"{name}: {_compact(value)}"
            elif "\n" in value:
                yield f"{name}:"
                yield from value.split("\n")
            else:
                yield f"{name}: {value}"
    elif arguments is not None:
        yield _compact(arguments)


def _reply_lines(
    blocks: list[Block], after_call: Callable[[str], str], but: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Yield what a reply says and calls, without its thinking. but: tools whose calls are left out."""
    for block in blocks:
        if block["type"] == "text":
            yield from str(block.get("text", "")).split("\n")
        elif block["type"] == "call" and block.get("name") not in but:
            yield f"→ {block.get('name', '')}{after_call(str(block.get('id', '')))}"
            yield from (f"  {line}" for line in argument_lines(block.get("arguments")))


def ended(value: Mapping[str, Any]) -> str:
    """Return how a command ended, by what it returned: its exit status, or the first note on it; nothing if neither."""
    status, notes = value.get("exit"), value.get("notes")
    if status is not None:
        return f"exit {status}"
    return str(notes[0]) if isinstance(notes, list) and notes else ""


def _shell_text(value: Mapping[str, Any]) -> str:
    status = value["exit"]
    parts = [f"exit {status}\n" if status is not None else "no exit status\n", _ended(str(value["output"]))]
    if value["errors"]:
        parts += ["[stderr]\n", _ended(str(value["errors"]))]
    notes = value.get("notes")
    parts += [f"[{note}]\n" for note in (notes if isinstance(notes, list) else ())]
    return "".join(parts)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


_KINDS: Final[Mapping[type[Event], str]] = {
    UserMessage: "the person's message",
    LoopMessage: "nodwyn's message",
    Plan: "the plan",
    Summary: "the person's summary",
    Narrow: "a compaction's note",
    ModelResponse: "a reply",
}
