"""Files that a program writes and may never close: what their ports still hold is not lost.

Python writes out a stream that it drops, but not one that is part of a cycle of garbage or still there as the process
ends, and it says nothing of an error. So a stream is kept here as long as its port is.
"""

from __future__ import annotations

import atexit
import sys
import weakref
from typing import BinaryIO, Final, TextIO

from nodwyn.interp.errors import failure
from nodwyn.interp.ports import BinaryOutput, TextOutput

_holding: Final[set[OpenFiles]] = set()
"""Those that have streams: they outlive their hosts, so that what is dropped together with a host is written too."""


class OpenFiles:
    """The files that the ports of one host write."""

    def __init__(self) -> None:
        self._streams: dict[int, tuple[weakref.ref[TextOutput | BinaryOutput], TextIO | BinaryIO, str]] = {}
        self._failures: list[str] = []

    def add(self, port: TextOutput | BinaryOutput, stream: TextIO | BinaryIO) -> None:
        """Have ``stream`` closed when ``port``, which writes to it, is gone, or else by :meth:`close`."""
        number = id(port)

        def close(reference: object) -> None:
            self._close(number)

        if not _holding:
            atexit.register(_close_all)
        _holding.add(self)
        self._streams[number] = weakref.ref(port, close), stream, port.name

    def close(self) -> None:
        """Close all streams, which writes what they hold.

        Raises: SchemeError of kind "file" that names each file that could not be written, also of those closed before.
        """
        for number in list(self._streams):
            self._close(number)
        if self._failures:
            failures, self._failures = self._failures, []
            raise failure("file", None, "; ".join(failures))

    def _close(self, number: int) -> None:
        entry = self._streams.pop(number, None)
        if entry is None:
            # Its port was found to be garbage while another was closed.
            return
        _, stream, name = entry
        if not self._streams:
            _holding.discard(self)
        try:
            stream.close()
        except OSError as error:
            self._failures.append(f"cannot write {name}: {error.strerror}")


def _close_all() -> None:
    """Close what the hosts of a process have left open, as it ends."""
    from nodwyn.interp.errors import SchemeError
    from nodwyn.interp.report import report

    for files in list(_holding):
        try:
            files.close()
        except SchemeError as error:
            if sys.stderr is not None:
                sys.stderr.write(report(error) + "\n")
