"""JSON that a server or a model wrote: read within bounds, and as texts that UTF-8 can hold.

What is read here goes into the log, which holds no NaN, no endless integer and no endless nesting. A text that breaks a
bound is malformed. The bounds are looked at before the text is parsed: while Scheme runs, Python's own limit on depth
is too high to stop a parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from nodwyn.prims.surrogates import escape

JSON = Any

DEEPEST = 100
"""Levels of nesting, far above what tools and wires have, and within what an event may hold."""

LONGEST_NUMBER = 1000
"""Digits of a number."""

_strings = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


def parse(text: str | bytes) -> JSON:
    """Return the data that a JSON text writes.

    Raises: ValueError when it is malformed, or breaks a bound.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    if is_deeper(text, DEEPEST):
        raise ValueError(f"it is nested deeper than {DEEPEST}")
    return (_careful if len(text) > LONGEST_NUMBER else _quick)(text)


def sendable(value: JSON) -> JSON:
    """Return data with each text that UTF-8 cannot hold escaped, by :mod:`nodwyn.prims.surrogates`."""
    if isinstance(value, str):
        return sendable_text(value)
    if isinstance(value, dict):
        return {sendable_text(name): sendable(item) for name, item in value.items()}
    if isinstance(value, list):
        return [sendable(item) for item in value]
    return value


def sendable_text(text: str) -> str:
    """Return a text as it is when UTF-8 can hold it, else escaped."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return escape(text)
    return text


def encode(value: JSON) -> bytes:
    """Return data as a JSON text in UTF-8; lone surrogates, which that cannot hold, as escapes of JSON."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def texts_in(value: JSON) -> Iterator[str]:
    """Yield the texts in data, from front to back; keys of objects are none."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, (list, tuple)):
            pending.extend(reversed(each))
        elif isinstance(each, dict):
            pending.extend(reversed(each.values()))


def is_deeper(text: str, levels: int) -> bool:
    """Return whether a JSON text is nested deeper than so many levels."""
    return text.count("[") + text.count("{") > levels and _depth(text) > levels


def _depth(text: str) -> int:
    deepest = depth = 0
    for character in _strings.sub("", text):
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"it has a number of more than {LONGEST_NUMBER} digits")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if value - value != 0:
        raise ValueError(f"it has a number that is too large: {digits[:30]}")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_quick = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite).decode
_careful = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite, parse_int=_integer).decode
