"""Where each event of a log stands, and what is open in it, so that nobody must read the whole log.

SESSION.idx holds it beside the log. It is derived: checked against the log when it is read, made again on any
mismatch, and safe to delete. Its layout, known to this module alone, is a line with the version and the hash of the
next line; that line, a JSON object; then three arrays of native integers, whose hash the object holds: for each event
its offset, the number of its kind, the number of its agent.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections.abc import Container, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from nodwyn.prims.log.errors import Damaged
from nodwyn.prims.log.line import START, SUM_LENGTH, NotARecord, Position, unseal
from nodwyn.prims.log.overview import Overview
from nodwyn.prims.log.record import KINDS
from nodwyn.prims.log.scan import scan
from nodwyn.prims.private import open_private, replace_file

LAYOUT = b"nodwyn-idx-2"
MAXIMUM_LAG = 1024
"""How many events a stored index may lag behind before it is worth writing it again."""

_MISFORMED = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)
"""What comes of reading a header that has its hash, and something else than an index has in it."""


class Index:
    """An index in memory: of all events up to :attr:`position`."""

    def __init__(self) -> None:
        self.position = START
        self.offsets = array("Q")
        self.kinds = Names()
        self.agents = Names()
        self.open: set[int] = set()
        """The events with which something began that has not ended."""
        self.overview = Overview()
        self.stored = 0
        """How many events the stored index covers."""

    def add(self, members: dict[str, Any], end: int, checksum: bytes) -> None:
        """Take up the next event.

        end: offset of its line's end.
        """
        seq, kind = members["seq"], members["kind"]
        self.offsets.append(self.position.offset)
        self.kinds.append(kind)
        self.agents.append(members["agent"])
        known = KINDS.get(kind)
        if known is not None:
            if known.opens:
                self.open.add(seq)
            elif known.closes:
                self.open.discard(members.get(known.closes, 0))
        self.overview.add(members)
        self.position = Position(end, seq, checksum)

    def catch_up(self, path: Path, descriptor: int) -> Damaged | None:
        """Take up the events that the log has gained; return the damage at which that ended, if it did.

        Raises: OSError.
        """
        try:
            for members, end, checksum in scan(path, descriptor, self.position):
                self.add(members, end, checksum)
        except Damaged as damage:
            return damage
        return None

    def span(self, seq: int) -> tuple[int, int]:
        """Return the offsets of an event's line and of its end."""
        last = self.position.seq
        return self.offsets[seq - 1], self.offsets[seq] if seq < last else self.position.offset

    def position_before(self, descriptor: int, seq: int) -> Position:
        """Return the position between the events ``seq - 1`` and ``seq``, of which the first is in the log.

        descriptor: of the log.

        Raises: OSError.
        """
        if seq == 1:
            return START
        if seq > self.position.seq:
            return self.position
        start = self.offsets[seq - 1]
        ending = os.pread(descriptor, SUM_LENGTH, start - SUM_LENGTH - len(b'"}\n'))
        return Position(start, seq - 1, ending)

    def seqs(self, kinds: Container[str], agent: str | None, start: int) -> Iterator[int]:
        """Yield the seqs from ``start`` on of events of these kinds, of one agent or of all."""
        wanted = {number for number, name in enumerate(self.kinds.names) if name in kinds}
        of_agent = None if agent is None else self.agents.numbers.get(agent, -1)
        for seq in range(max(start, 1), self.position.seq + 1):
            if self.kinds.column[seq - 1] in wanted and of_agent in (None, self.agents.column[seq - 1]):
                yield seq

    def to_bytes(self) -> bytes:
        """Return what is stored."""
        columns = b"".join(column.tobytes() for column in (self.offsets, self.kinds.column, self.agents.column))
        header = {
            "byteorder": sys.byteorder,
            "offset": self.position.offset,
            "seq": self.position.seq,
            "sum": self.position.checksum.decode(),
            "kinds": self.kinds.names,
            "agents": self.agents.names,
            "open": sorted(self.open),
            "overview": self.overview.members(),
            "columns": sha256(columns).hexdigest(),
        }
        line = json.dumps(header, separators=(",", ":")).encode()
        return b"%b %b\n%b\n%b" % (LAYOUT, sha256(line).hexdigest().encode(), line, columns)

    def store(self, path: Path) -> None:
        """Write the index beside its log, unless that fails: it can be made again.

        path: of the log.
        """
        with suppress(OSError):
            replace_file(index_path(path), self.to_bytes())
            self.stored = self.position.seq


class Names:
    """A column of names: each event has a number, each number stands for a name."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.column = array("I")

    def append(self, name: str) -> None:
        """Add an event's name."""
        number = self.numbers.get(name)
        if number is None:
            number = self.numbers[name] = len(self.names)
            self.names.append(name)
        self.column.append(number)

    def __getitem__(self, seq: int) -> str:
        """Return the name of the event ``seq``."""
        return self.names[self.column[seq - 1]]

    def load(self, names: list[str], column: bytes) -> None:
        """Take over a stored column.

        Raises: ValueError when it does not fit.
        """
        self.names = names
        self.numbers = {name: number for number, name in enumerate(names)}
        self.column.frombytes(column)
        if len(self.numbers) != len(names) or max(self.column, default=-1) >= len(names):
            raise ValueError("numbers without a name")


def index_path(path: Path) -> Path:
    """Return the path of the index of the log at ``path``."""
    return path.with_suffix(".idx")


def load_index(path: Path, descriptor: int) -> Index:
    """Return the stored index of a log if it fits the log, else an empty one. Events after it are not yet in it.

    path: of the log.
    descriptor: of the log.
    """
    try:
        header, columns = _read_stored(path)
        index = Index()
        count = header["seq"]
        if header["byteorder"] != sys.byteorder or sha256(columns).hexdigest() != header["columns"]:
            return Index()
        index.offsets.frombytes(columns[: 8 * count])
        index.kinds.load(header["kinds"], columns[8 * count : 12 * count])
        index.agents.load(header["agents"], columns[12 * count :])
        index.open = set(header["open"])
        index.overview = Overview.of(header["overview"])
        index.position = _position_in(header)
        index.stored = count
        _check_last_line(index, descriptor)
    except (OSError, *_MISFORMED, NotARecord):
        return Index()
    return index


def load_overview(path: Path, descriptor: int) -> Overview | None:
    """Return what the stored index says of the whole log, reading no more of either than it must.

    Returns None when there is no index, or it does not fit the log or lags behind it.
    """
    try:
        header = _read_header(path)
        position = _position_in(header)
        ending = os.pread(descriptor, SUM_LENGTH, position.offset - SUM_LENGTH - len(b'"}\n'))
        if os.fstat(descriptor).st_size != position.offset or ending != position.checksum:
            return None
        return Overview.of(header["overview"])
    except (OSError, *_MISFORMED):
        return None


def _read_header(path: Path) -> dict[str, Any]:
    """Return the header of the stored index of a log.

    Raises: OSError, ValueError.
    """
    with open(open_private(index_path(path), os.O_RDONLY), "rb") as file:
        return _checked_header(file.readline(), file.readline())


def _read_stored(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the header and the columns of the stored index of a log.

    Raises: OSError, ValueError.
    """
    with open(open_private(index_path(path), os.O_RDONLY), "rb") as file:
        return _checked_header(file.readline(), file.readline()), file.read()


def _checked_header(first: bytes, second: bytes) -> dict[str, Any]:
    line = second.removesuffix(b"\n")
    if first != b"%b %b\n" % (LAYOUT, sha256(line).hexdigest().encode()):
        raise ValueError("another layout, or damaged")
    header: dict[str, Any] = json.loads(line)
    return header


def _position_in(header: dict[str, Any]) -> Position:
    """Return up to where a stored index reaches.

    Raises: ValueError for one of a log without an event, which says nothing.
    """
    if header["seq"] < 1:
        raise ValueError("of no event")
    return Position(header["offset"], header["seq"], header["sum"].encode())


def _check_last_line(index: Index, descriptor: int) -> None:
    """Read the line that the index ends with, and the end of the one before.

    Raises: NotARecord when the log has another line there. ValueError, OSError.
    """
    seq = index.position.seq
    start, end = index.span(seq)
    before = index.position_before(descriptor, seq).checksum
    _, checksum = unseal(os.pread(descriptor, end - start, start)[:-1], before, seq)
    if checksum != index.position.checksum:
        raise NotARecord("it is another log's")
