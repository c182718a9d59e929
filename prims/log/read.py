"""Reading a log: any number of processes may, while one owns it or none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from nodwyn.prims.log.blobs import read_blob
from nodwyn.prims.log.errors import Damaged, LogError, NoSuchEvent
from nodwyn.prims.log.index import MAXIMUM_LAG, Index, load_index
from nodwyn.prims.log.line import START, NotARecord, unseal
from nodwyn.prims.log.overview import Overview
from nodwyn.prims.log.record import Event, restore
from nodwyn.prims.log.scan import scan
from nodwyn.prims.private import open_private


def read(path: Path) -> Iterator[Event]:
    """Yield every event of the log at ``path``, from the first. A torn end is not an event and is passed over.

    Raises: Damaged after the last event that is whole. LogError when the log cannot be opened. OSError.
    """
    descriptor = open_to_read(path)
    try:
        for members, _, _ in scan(path, descriptor, START):
            yield restore(members)
    finally:
        os.close(descriptor)


class OpenLog:
    """What can be asked of a log that is open, to read or to append."""

    def __init__(self, path: Path, descriptor: int, index: Index) -> None:
        self.path = path
        self._descriptor = descriptor
        self._index = index

    @property
    def last(self) -> int:
        """The seq of the last event, or 0."""
        return self._index.position.seq

    @property
    def overview(self) -> Overview:
        """What the events say of their session, for a list."""
        return self._index.overview

    def event(self, seq: int) -> Event:
        """Return the event ``seq``.

        Raises: NoSuchEvent, Damaged, OSError.
        """
        if not 1 <= seq <= self.last:
            raise NoSuchEvent(seq, self.last)
        start, end = self._index.span(seq)
        line = os.pread(self._descriptor, end - start, start)[:-1]
        try:
            members, _ = unseal(line, self._index.position_before(self._descriptor, seq).checksum, seq)
        except NotARecord as error:
            raise Damaged(self.path, seq, start, str(error)) from None
        return restore(members)

    def events(self, start: int = 1) -> Iterator[Event]:
        """Yield the events from the seq ``start`` on, and those that the log gains meanwhile.

        Raises: NoSuchEvent. Damaged after the last event that is whole. OSError.
        """
        if not 1 <= start <= self.last + 1:
            raise NoSuchEvent(start, self.last)
        position = self._index.position_before(self._descriptor, start)
        for members, _, _ in scan(self.path, self._descriptor, position):
            yield restore(members)

    def seqs(self, *kinds: str, agent: str | None = None, start: int = 1) -> Iterator[int]:
        """Yield the seqs from ``start`` on of the events of these kinds, of one agent or of all."""
        return self._index.seqs(kinds, agent, start)

    def blob(self, digest: str) -> bytes:
        """Return the binary content that an event names.

        Raises: LogError when it is missing or damaged.
        """
        return read_blob(self.path, digest)

    def close(self) -> None:
        """Close the file. A second time does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Reader(OpenLog):
    """A log that is open for reading, by seq or from front to back.

    It knows the events that were there when it was opened, and after :meth:`refresh` those that came since.
    """

    def __init__(self, path: Path) -> None:
        """Open the log at ``path``.

        Raises: LogError when it cannot be opened. OSError.
        """
        descriptor = open_to_read(path)
        super().__init__(path, descriptor, load_index(path, descriptor))
        self.damage: Damaged | None = None
        """The damage behind the last event that is whole, if there is any."""
        self.refresh()
        if self.last - self._index.stored > MAXIMUM_LAG:
            self.keep_index()

    def refresh(self) -> int:
        """Take up the events that the log has gained; return the seq of the last one.

        Raises: OSError.
        """
        self.damage = self._index.catch_up(self.path, self._descriptor)
        return self.last

    def keep_index(self) -> None:
        """Store the index beside a log of ours, so that the next reader need not make it again."""
        if self.damage is None and os.fstat(self._descriptor).st_uid == os.geteuid():
            self._index.store(self.path)


def open_to_read(path: Path) -> int:
    """Open a log for reading; return its descriptor.

    Raises: LogError.
    """
    try:
        return open_private(path, os.O_RDONLY)
    except OSError as error:
        raise LogError(f"the log {path} cannot be read: {error.strerror}") from error
