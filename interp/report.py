"""What a person reads of an error: place, line with a caret, what was wrong, a hint, the Scheme stack."""

from __future__ import annotations

from typing import Any

from nodwyn.interp.data import String, Value
from nodwyn.interp.errors import ELIDED, TOP_LEVEL, Condition, SchemeError

SHOWN = 10
"""Entries of the stack that are shown."""

LONGEST = 4
"""Entries of a recursion, such as that of two procedures that call each other, that are shown once for all times."""


def message_of(condition: Condition) -> str:
    """Return a condition's message with its irritants, in one line."""
    from nodwyn.interp.printer import abbreviated, display

    message = condition.message
    text = message if isinstance(message, str) else message.text() if isinstance(message, String) else display(message)
    if condition.kind in ("error", "syntax") and condition.irritants:
        text = " ".join([text, *(abbreviated(irritant) for irritant in condition.irritants)])
    return text


def summary(payload: Value) -> str:
    """Return what was raised in one line, without a place."""
    from nodwyn.interp.printer import abbreviated

    if not isinstance(payload, Condition):
        return f"uncaught object raised: {abbreviated(payload)}"
    text = message_of(payload)
    return f"{payload.procedure}: {text}" if payload.procedure else text


def place_of(span: Any) -> str:
    """Return ``file:line:column``."""
    return f"{span.source.name}:{span.line}:{span.column}"


def quoted_line(span: Any) -> list[str]:
    """Return the source line of a span, and a caret below its start."""
    line = span.source.line(span.line)
    if not line:
        return []
    start = span.column - 1
    width = max(1, min(span.end - span.start, len(line) - start))
    begin = max(0, start - 60)
    shown = line[begin : begin + 120]
    lead = "".join("\t" if char == "\t" else " " for char in shown[: start - begin])
    return [f"  {shown}", f"  {lead}{'^' * min(width, max(1, len(shown) - (start - begin)))}"]


def report(error: SchemeError) -> str:
    """Return an error as a text of several lines, without a final newline."""
    payload = error.payload
    span = payload.span if isinstance(payload, Condition) else None
    if span is None and error.stack:
        span = error.stack[0][1]
    head = f"error: {summary(payload)}"
    lines = [f"{place_of(span)}: {head}" if span is not None else head]
    if span is not None:
        lines.extend(quoted_line(span))
    if isinstance(payload, Condition) and payload.hint:
        lines.append(f"  hint: {payload.hint}")
    lines.extend(_stack_lines(error.stack))
    return "\n".join(lines)


def _stack_lines(stack: list[tuple[str, Any]]) -> list[str]:
    entries = [(name, span) for name, span in stack if span is not None or name == ELIDED]
    lines: list[str] = []
    place = shown = 0
    while place < len(entries) and shown < SHOWN:
        length, times = _repeated(entries, place)
        lines.extend(map(_stack_line, entries[place : place + length]))
        place += length * times
        if times > 1:
            # Of a deep stack the outer part is not kept.
            least = "at least " if place == len(entries) and entries[-1][0] != TOP_LEVEL else ""
            lines.append(f"  … {'this' if length == 1 else f'these {length}'} again, {least}{_times(times - 1)}")
        shown += length
    if place < len(entries):
        lines.append(f"  … {len(entries) - place} more")
    return lines


def _repeated(entries: list[tuple[str, Any]], place: int) -> tuple[int, int]:
    """Return how many entries from a place on come again at once, and how often they are there: 1 and 1 for none."""
    for length in range(1, LONGEST + 1):
        part = entries[place : place + length]
        end = place + length
        while entries[end : end + length] == part:
            end += length
        if end > place + length:
            return length, (end - place) // length
    return 1, 1


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _stack_line(entry: tuple[str, Any]) -> str:
    name, span = entry
    if span is None:
        return "  … tail calls elided"
    where = f"at the {name}" if name == TOP_LEVEL else f"in {name or 'a procedure'}"
    line = span.source.line(span.line).strip()
    return f"  {where} ({place_of(span)})  {line[:80]}"
