"""The words that the window itself puts in a request: stubs, marks where something was cut, headings of notes.

They are part of what is recorded by digest: changing one is a new version of the rules (see policy.py).
"""

from __future__ import annotations

import json
from typing import Any

from nodwyn.loop.window.canonical import well_formed
from nodwyn.prims.memory.texts import lines_of

SHOWN_ARGUMENTS = 120
"""Characters of a call's arguments in the stub of its result."""

NEVER_ENDED = "This call has no result: it has not ended."
NEVER_RUN = "This call was not run."


def value_text(value: Any) -> str:
    """Return what a tool returned as text: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return well_formed(value)
    if value is None:
        return ""
    return well_formed(json.dumps(value, ensure_ascii=False))


def spelled_out(text: str) -> str:
    """Return a text that no wire refuses as blank: a blank one is described."""
    if text.strip():
        return text
    return f"(nothing but white space, {len(text):,} characters)" if text else "(nothing)"


def interrupted(reason: str) -> str:
    """Return the result of a call that an interruption ended."""
    return f"This call was interrupted and has no result: {well_formed(reason)}"


def elided(seq: int, what: str, size: int) -> str:
    """Return what stands for an event that was elided."""
    return f"[elided seq={seq} {what}, {size:,} characters]"


def call_in_words(name: str, arguments: Any) -> str:
    """Return a call as a stub names it, its arguments cut."""
    text = value_text(arguments)
    shown = text if len(text) <= SHOWN_ARGUMENTS else f"{text[:SHOWN_ARGUMENTS]}…"
    return f"{well_formed(name)} {shown}".replace("\n", " ")


def cut(text: str, most: int, tail: int, seq: int, *, numbered: bool) -> str:
    """Return a text's head and tail with a mark between, when it has more than ``most`` characters.

    tail: of the characters kept, how many are from the end. seq: of the event that has it all. numbered: whether
    recall counts the lines of this very text.
    """
    if len(text) <= most:
        return text
    head, rest = _at_line_end(text[: max(0, most - tail)]), _at_line_start(text[len(text) - min(tail, most) :])
    left_out = len(text) - len(head) - len(rest)
    first = len(lines_of(text[: len(head) + 1]))
    lines = len(lines_of(text[: len(text) - len(rest)])) - first + 1
    how = f"(recall {seq} {first} {lines})" if numbered else f"(recall {seq})"
    return f"{head}\n[{left_out:,} characters of seq {seq} left out here; {how} reads them]\n{rest}"


def cut_message(text: str, most: int, seq: int) -> str:
    """Return a message's head and tail with a stub between, when it has more than ``most`` bytes."""
    octets = text.encode()
    if len(octets) <= most:
        return text
    head = octets[: most // 2].decode(errors="ignore")
    tail = octets[len(octets) - most // 4 :].decode(errors="ignore")
    left_out = len(text) - len(head) - len(tail)
    return f"{head}\n[{left_out:,} characters of this message left out here; (recall {seq}) reads it whole]\n{tail}"


def attached(seq: int, name: str, media: str, size: int, text: str) -> str:
    """Return an attached file as a block: its name, and its text if it has one."""
    heading = f"[attached file seq={seq}: {well_formed(name)}, {well_formed(media)}, {size:,} bytes]"
    return f"{heading}\n{text}" if text.strip() else heading


def narrowed(seq: int, first: int, through: int) -> str:
    """Return what stands before the messages that a note carries."""
    return (
        f"[context note seq={seq}: the conversation from seq {first} to {through} was replaced by a note. What the"
        f" person said in it follows word for word, then the note; recall reads any event of it.]"
    )


def note(seq: int, text: str) -> str:
    """Return a note in place of the span that it covers."""
    return f"[the note of seq={seq}, written by the model and not by the person]\n{well_formed(text)}"


def pinned(event: int, text: str) -> str:
    """Return what the person keeps of a span that a note replaced."""
    return f"[kept by the person from seq={event}]\n{well_formed(text)}"


def summarised(seq: int, first: int, through: int, text: str) -> str:
    """Return the person's own summary in place of the span that it covers."""
    return (
        f"[revocable summary seq={seq}, written by the person in place of the conversation from seq {first} to"
        f" {through}]\n{well_formed(text)}"
    )


def _at_line_end(head: str) -> str:
    """Return a head without its last line, if that is broken off and not most of it."""
    end = head.rfind("\n") + 1
    return head[:end] if end > len(head) // 2 else head


def _at_line_start(tail: str) -> str:
    """Return a tail without its first line, if that is broken off and not most of it."""
    start = tail.find("\n") + 1
    return tail[start:] if 0 < start < len(tail) // 2 else tail
