"""Streams of bytes cut into the messages that they carry: server-sent events, or lines of JSON.

Pure: bytes in any pieces go in, messages come out. What stands at the end of a stream without its mark comes out last,
whole or not: whoever parses it sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

LARGEST = 16 << 20
"""Bytes of one message."""

MARK = b"\xef\xbb\xbf"
"""What may stand at the beginning of a stream, by which some programs say that it is UTF-8."""


class TooLarge(Exception):
    """A message is larger than any should be."""


class Frames(Protocol):
    """A way of cutting."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the data of each message that is whole now.

        Raises: TooLarge.
        """
        ...

    def close(self) -> Iterator[bytes]:
        """Yield what stands at the end of the stream."""
        ...


class Lines:
    """Lines that end with a newline, each a message. An empty one is none."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._size = 0
        self._mark = MARK
        """What is taken off the next line: the mark from the first one, and nothing from others."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        *whole, rest = data.split(b"\n")
        for piece in whole:
            line = b"".join([*self._rest, piece]) if self._rest else piece
            self._rest.clear()
            self._size = 0
            if len(line) > LARGEST:
                raise TooLarge
            yield self._unmarked(line)
        if rest:
            self._rest.append(rest)
            self._size += len(rest)
            if self._size > LARGEST:
                raise TooLarge

    def close(self) -> Iterator[bytes]:
        if self._rest:
            yield self._unmarked(b"".join(self._rest))
        self._rest.clear()

    def _unmarked(self, line: bytes) -> bytes:
        mark, self._mark = self._mark, b""
        return line.removeprefix(mark)


class Events:
    """Server-sent events: the data of each is a message (HTML Living Standard, section 9.2.6).

    Names of events are left out: each wire's data says itself what it is.
    """

    def __init__(self) -> None:
        self._lines = Lines()
        self._data: list[bytes] = []
        self._size = 0
        self._ends_with_return = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if b"\r" in data or self._ends_with_return:
            data = self._with_newlines(data)
        for line in self._lines.feed(data):
            if not line:
                yield from self._event()
            elif line.startswith(b"data:"):
                self._take(line[5:])

    def close(self) -> Iterator[bytes]:
        for line in self._lines.close():
            if line.startswith(b"data:"):
                self._take(line[5:])
        yield from self._event()

    def _event(self) -> Iterator[bytes]:
        if self._data:
            data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
            self._data = []
            self._size = 0
            yield data

    def _take(self, value: bytes) -> None:
        self._data.append(value.removeprefix(b" "))
        self._size += len(value)
        if self._size > LARGEST:
            raise TooLarge

    def _with_newlines(self, data: bytes) -> bytes:
        """Return data in which every end of a line is a newline; a return at the end of the data waits for the rest."""
        if self._ends_with_return:
            data = b"\r" + data
        self._ends_with_return = data.endswith(b"\r")
        if self._ends_with_return:
            data = data[:-1]
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
