"""One event, one line: JSON in UTF-8 that ends in a checksum over itself and the checksum of the line before.

    {"seq":2,"at":"2026-10-09T03:48:03.123Z","kind":"note","agent":"main","text":"…","sum":"<32 digits>"}

The checksum is the first 32 hexadecimal digits of SHA-256 over the previous line's 32 digits (zeros before the first
line) and this line up to ``,"sum":``. It finds damage. It is no seal: whoever can write the file can compute it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from json import JSONDecoder, JSONEncoder
from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]
from math import isinf
from typing import Any, NamedTuple, NoReturn

from nodwyn.prims.json_text import is_deeper
from nodwyn.prims.log.errors import EventError
from nodwyn.prims.log.record import check
from nodwyn.prims.surrogates import MARK_BYTES, escape, unescape

SUM_LENGTH = 32
ENDING = b',"sum":"'
ENDING_LENGTH = len(ENDING) + SUM_LENGTH + len(b'"}')

DEEPEST_LINE = 500
"""Levels of nesting of a line that is read, far above those of any that is written."""


class Position(NamedTuple):
    """A place between two lines, and what the next line needs of those before."""

    offset: int
    """Bytes before it."""
    seq: int
    """The seq of the event before it."""
    checksum: bytes
    """That event's checksum, in hexadecimal digits."""


START = Position(0, 0, b"0" * SUM_LENGTH)


class NotARecord(Exception):
    """A line is not what was written; the message says how one can tell."""


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise ValueError(f"{digits} is not JSON that can be written again")
    return number


def _encoder_of(encoder: JSONEncoder) -> Callable[[Any], str]:
    """Return what encodes as an encoder does, without setting itself up for each text: that takes as long as a line."""
    if c_make_encoder is None:
        return encoder.encode
    pieces = c_make_encoder(
        None,
        encoder.default,
        encode_basestring,
        None,
        encoder.key_separator,
        encoder.item_separator,
        False,
        False,
        False,
    )
    return lambda value: "".join(pieces(value, 0))


_encode = _encoder_of(JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False))
_decoder = JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_decode: Callable[[str, int], tuple[Any, int]] = _decoder.scan_once  # type: ignore[attr-defined]


def checksum_of(body: bytes, previous: bytes) -> bytes:
    """Return the checksum of a line with this body after a line with the checksum ``previous``."""
    return sha256(previous + body).hexdigest()[:SUM_LENGTH].encode()


def seal(members: dict[str, Any], previous: bytes) -> tuple[bytes, bytes]:
    """Return the line that records these members, and its checksum.

    previous: checksum of the line before.

    Raises: EventError when they cannot be JSON.
    """
    try:
        text = _encode(members)
    except (ValueError, TypeError, RecursionError) as error:
        raise EventError(f"{members['kind']} cannot be recorded: {error}") from None
    try:
        body = text[:-1].encode()
        if MARK_BYTES in body:
            raise ValueError
    except ValueError:
        body = escape(text[:-1]).encode()
    checksum = checksum_of(body, previous)
    return b'%b%b%b"}\n' % (body, ENDING, checksum), checksum


def unseal(line: bytes, previous: bytes, seq: int) -> tuple[dict[str, Any], bytes]:
    """Return the members that a line records, and its checksum.

    line: without its line end.
    previous: checksum of the line before.
    seq: of the event that the line should record.

    Raises: NotARecord.
    """
    body = line[:-ENDING_LENGTH]
    checksum = checksum_of(body, previous)
    if line[-ENDING_LENGTH:] != b'%b%b"}' % (ENDING, checksum):
        raise NotARecord("the checksum is not that of the line")
    try:
        text = unescape(str(body, "utf-8") + "}")
        if is_deeper(text, DEEPEST_LINE):
            raise ValueError
        members, end = _decode(text, 0)
        found = members["seq"]
        if found == seq and type(found) is int and end == len(text):
            check(members)
            return members, checksum
    except EventError as error:
        raise NotARecord(f"the checksum is right, but the line is no event as nodwyn records it: {error}") from None
    except (ValueError, KeyError, TypeError, StopIteration, RecursionError):
        raise NotARecord("the checksum is right, but the line is no event") from None
    raise NotARecord(f"the checksum is right, but the line is not event {seq}")


def timestamp() -> str:
    """Return the time now: UTC, RFC 3339, milliseconds."""
    return _time_of(time.time_ns() // 1_000_000)


@lru_cache(maxsize=1)
def _time_of(millisecond: int) -> str:
    """Return a millisecond of the clock as text; many decisions on reads share theirs."""
    second, rest = divmod(millisecond, 1000)
    return f"{_second_of(second)}.{rest:03}Z"


@lru_cache(maxsize=1)
def _second_of(second: int) -> str:
    """Return a second of the clock as text; most events share theirs with the one before."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
