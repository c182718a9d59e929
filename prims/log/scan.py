"""Reading a log from front to back, and telling a torn end from damage.

A torn end is what a crash leaves: part of a line, bytes that never were a line, or, after a loss of power, lines
between which blocks never reached the disk. It can only lie past the last barrier. Everything else that is not as it
was written is damage.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nodwyn.prims.log.errors import Damaged
from nodwyn.prims.log.line import NotARecord, Position, unseal

CHUNK = 1 << 20
BLOCK = 512
"""Bytes of the smallest block that a disk writes, or does not."""

# A record's end, or one at the very end of the file whose line end was altered.
_record_end = re.compile(rb',"sum":"[0-9a-f]{32}"}(?:\n|.\Z)', re.DOTALL)
# A block that was not written reads as NUL, from its beginning or from where the file ended when it was last written.
# A single NUL elsewhere is rather a flipped bit.
_hole = re.compile(rb"\0{2,}|(?<![^\n])\0")
_barrier = re.compile(
    rb'^\{"seq":\d+,"at":"[^"]*","kind":"[^"]*","agent":"(?:[^"\\]|\\.)*","barrier":(\d+),', re.MULTILINE
)


def scan(path: Path, descriptor: int, start: Position) -> Iterator[tuple[dict[str, Any], int, bytes]]:
    """Yield for each event after ``start``: its members, the offset of the line's end, its checksum.

    Ends at the end of the file or at a torn end, which lies between the last offset and the file's end.

    Raises: Damaged after the last event that is whole. OSError.
    """
    offset, seq, checksum = start
    rest = b""
    while chunk := os.pread(descriptor, max(CHUNK, len(rest)), offset + len(rest)):
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        for line in lines:
            try:
                members, checksum = unseal(line, checksum, seq + 1)
            except NotARecord as error:
                _raise_if_damaged(path, descriptor, Position(offset, seq, checksum), str(error))
                return
            seq += 1
            offset += len(line) + 1
            yield members, offset, checksum
    if rest:
        _raise_if_damaged(path, descriptor, Position(offset, seq, checksum), "the line's end is not a line end")


def read_rest(descriptor: int, offset: int) -> bytes:
    """Return all that a file holds from ``offset`` on."""
    pieces = []
    while piece := os.pread(descriptor, CHUNK, offset):
        pieces.append(piece)
        offset += len(piece)
    return b"".join(pieces)


def _raise_if_damaged(path: Path, descriptor: int, last: Position, reason: str) -> None:
    """Raise Damaged unless what follows the last whole event is a torn end."""
    rest = read_rest(descriptor, last.offset)
    if _holds_a_record(rest, last.seq + 1) and not _never_reached_the_disk(rest, last):
        raise Damaged(path, last.seq + 1, last.offset, reason)


def _holds_a_record(rest: bytes, seq: int) -> bool:
    """Return whether a record was once complete here: a torn line has no line end, and noise does not begin so."""
    return _record_end.search(rest) is not None or (rest.startswith(b'{"seq":%d,"at":"' % seq) and b"\n" in rest)


def _never_reached_the_disk(rest: bytes, last: Position) -> bool:
    """Return whether blocks are missing here that no barrier had promised."""
    promised = max((int(mark) for mark in _barrier.findall(rest)), default=0)
    return promised <= last.seq and any(
        (last.offset + hole.end()) % BLOCK == 0 or hole.end() == len(rest) for hole in _hole.finditer(rest)
    )
