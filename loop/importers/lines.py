"""Files of JSON lines that somebody else wrote: read line by line, whatever is in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO, Final, NamedTuple, NoReturn

from nodwyn.prims.json_text import is_deeper
from nodwyn.prims.log import LogError

LONGEST_LINE: Final = 64 << 20
"""Bytes of a line. A longer one is no line of a session: images in them have a few million."""

DEEPEST: Final = 100
"""How deep JSON may be nested: no session has any as deep, and it stays far below what a log can hold."""

LONGEST_NUMBER: Final = 300
"""Digits of a whole number; a longer one is kept as text."""


class ImportRefused(LogError):
    """A file cannot be imported; the message says why. Nothing was recorded."""


class Line(NamedTuple):
    """A line of a file."""

    number: int
    """From 1."""
    text: str
    """As it stands there; bytes that are not UTF-8 as lone surrogates."""
    value: dict[str, Any] | None
    """The object that it is, or None when it is none."""


def read_lines(file: BinaryIO, name: str) -> Iterator[Line]:
    """Yield the lines of a file, but for empty ones.

    name: of the file, for messages.

    Raises: ImportRefused, OSError.
    """
    number = 0
    while data := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(data) > LONGEST_LINE:
            raise ImportRefused(
                f"{name}, line {number} is longer than {LONGEST_LINE >> 20} MiB: it is no line of a session"
            )
        text = data.decode("utf-8", "surrogateescape").rstrip("\r\n")
        if text.strip():
            yield Line(number, text, parsed(text))


def parsed(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is, or None when it is none, or one that no log could hold."""
    if is_deeper(text, DEEPEST):
        return None
    try:
        value = json.loads(text, parse_int=_whole, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not _is_deep(value) else None


def time_of(value: Any) -> str:
    """Return a time as events have it: UTC, RFC 3339, milliseconds. Nothing for what is none.

    value: RFC 3339, or seconds or milliseconds since 1970.
    """
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        else:
            return ""
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z" if moment.year >= 1970 else ""


def text_in(value: Any) -> str:
    """Return a member that should be text, or nothing when it is none."""
    return value if isinstance(value, str) else ""


def count_in(value: Any) -> int:
    """Return a member that should be a count, or 0 when it is none."""
    return value if type(value) is int and 0 <= value < 1 << 60 else 0


def dollars_in(value: Any) -> int | None:
    """Return an amount of US dollars in millionths, or None when it is none."""
    is_amount = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e9
    return round(value * 1_000_000) if is_amount else None


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_NUMBER else digits


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _is_deep(value: dict[str, Any]) -> bool:
    """Return whether JSON is nested deeper than may be, or holds an infinite number."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            elif isinstance(item, float) and item in (float("inf"), float("-inf")):
                return True
        if not below:
            return False
        level = below
    return True
