"""The one text of a request, so that its digest is the same on every machine and with every version of Python.

Sorted keys, no spaces, UTF-8, integral floats as integers, no NaN. Other floats are written as the shortest decimal
that reads back the same, which has been Python's own form since 3.1.
"""

from __future__ import annotations

from hashlib import sha256
from json import JSONEncoder
from typing import Any

from nodwyn.prims.surrogates import escape

_encode = JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode


def canonical(value: Any) -> bytes:
    """Return the canonical text of a request, or of a part of one.

    value: JSON data.

    Raises: ValueError when it holds NaN or an infinity. TypeError when it is not JSON.
    """
    return canonical_of_plain(plain(value))


def canonical_of_plain(value: Any) -> bytes:
    """Return the canonical text of what :func:`plain` returned."""
    return _encode(value).encode()


def digest(request: Any) -> str:
    """Return the SHA-256 of a request's canonical text, in hexadecimal."""
    return sha256(canonical(request)).hexdigest()


def well_formed(text: str) -> str:
    """Return a text that UTF-8 can hold: each lone surrogate is escaped as in the log.

    What is well-formed stays as it is, the mark of the escape too: a request reads the same however often it is passed
    through this.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(escape(char) if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def plain(value: Any) -> Any:
    """Return JSON data in which every text is one that UTF-8 can hold, and no float is integral.

    Raises: ValueError for NaN and infinities.
    """
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {well_formed(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError(f"{value} is not JSON")
        return int(value) if value.is_integer() else value
    return value
