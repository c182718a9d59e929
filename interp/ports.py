"""Ports: section 6.13. Text and bytes, read from and written to memory or the streams that a host opens.

The hot operations are bound to what does the work: ``write`` of a string port is its list's
``append``. A closed port has lost that attribute, so that builtins need no test on their fast path.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, Final, NoReturn, TextIO

from nodwyn.interp.data import EOF, UNLABELLED, Origin, Value
from nodwyn.interp.datum import Datum
from nodwyn.interp.errors import failure
from nodwyn.interp.sources import CHUNK, ByteSource, TextSource

_LEAST_AHEAD: Final = 64
_MOST_AHEAD: Final = 4096
"""How many characters are made ready at once for reading them one by one: more each time, as long as nothing else
is done with the port."""

_SHORT_LINE: Final = 1024

MANY_PIECES: Final = 256
"""Beyond it a string port keeps what was written to it as one piece when it is asked for it."""


class Disconnected(BaseException):
    """Nobody reads the standard output any more: the program is to end without a word about it."""


class Port(Datum):
    """Base of all ports. ``name`` says in errors what it reads or writes."""

    __slots__ = ("is_open", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_open = True

    def close(self) -> None:
        """Close the port; a closed one stays closed."""
        raise NotImplementedError


class TextInput(Port):
    """A textual input port: text in ``buffer`` from ``position`` on, and then what ``source`` still gives.

    ``waiting`` holds the texts of the characters just before ``position`` that are still to be read, the next one
    last: the next is ``(port.waiting or port.look_ahead()).pop()``, and it is ``EOF`` at the end. Everything but
    reading and peeking single characters begins with :meth:`settle`.
    ``origin`` is that of all text read from it; ``fold_case`` is what ``#!fold-case`` has set for ``read``.
    """

    __slots__ = ("ahead", "buffer", "fold_case", "origin", "position", "skips_linefeed", "source", "waiting")

    waiting: list[Value]

    def __init__(self, text: str, origin: Origin, name: str = "a string", source: TextSource | None = None) -> None:
        self.name = name
        self.is_open = True
        self.buffer = text
        self.position = 0
        self.waiting = []
        self.ahead = _LEAST_AHEAD
        self.origin = origin
        self.fold_case = False
        self.source = source
        self.skips_linefeed = False

    def _more(self) -> str:
        if self.source is None:
            return ""
        text = self.source.more()
        if self.skips_linefeed:
            # The line before it ended in the carriage return that was the last of the buffer.
            self.skips_linefeed = False
            if text.startswith("\n"):
                text = text[1:] or self.source.more()
        return text

    def fill(self) -> bool:
        """Append text to the buffer, waiting for it if need be; False at the end."""
        text = self._more()
        self.buffer += text
        return text != ""

    def _refill(self) -> bool:
        """Replace the buffer, all of which was used; False at the end."""
        text = self._more()
        self.buffer = text
        self.position = 0
        return text != ""

    def look_ahead(self) -> list[Value]:
        """Return ``waiting``, which is empty, with more characters in it; at the end, a list of ``EOF`` alone."""
        if self.position == len(self.buffer) and not self._refill():
            return [EOF]
        ahead = self.ahead
        if ahead < _MOST_AHEAD:
            self.ahead = 2 * ahead
        text = self.buffer[self.position : self.position + ahead]
        self.position += len(text)
        self.waiting = list(text[::-1])
        return self.waiting

    def settle(self) -> None:
        """Let ``position`` be where the next character is."""
        if self.waiting:
            self.position -= len(self.waiting)
            self.waiting = []
            self.ahead = _LEAST_AHEAD

    def read(self) -> str:
        """Return the next character, which is taken, or ``""`` at the end."""
        self.settle()
        position = self.position
        buffer = self.buffer
        if position < len(buffer):
            self.position = position + 1
            return buffer[position]
        return self.read() if self._refill() else ""

    def peek(self) -> str:
        """Return the next character, which stays, or ``""`` at the end."""
        self.settle()
        position = self.position
        buffer = self.buffer
        if position < len(buffer):
            return buffer[position]
        return self.peek() if self._refill() else ""

    def next_line(self) -> str | None:
        """Return what :meth:`read_line` does of a short line in the buffer that ends in a linefeed, else None."""
        if not self.is_open or self.waiting:
            return None
        start = self.position
        end = self.buffer.find("\n", start, start + _SHORT_LINE)
        if end < 0 or self.buffer.find("\r", start, end) >= 0:
            return None
        self.position = end + 1
        return self.buffer[start:end]

    def read_line(self) -> str | None:
        """Return the text up to the next line end (linefeed, carriage return or both), or None at the end.

        The line end is taken, and is no part of the result.
        """
        if self.waiting:
            self.settle()
        pieces: list[str] = []
        while True:
            buffer, start = self.buffer, self.position
            if start == len(buffer):
                if self._refill():
                    continue
                return "".join(pieces) if pieces else None
            limit = min(len(buffer), start + CHUNK)
            linefeed = buffer.find("\n", start, limit)
            end = buffer.find("\r", start, limit if linefeed < 0 else linefeed)
            if end < 0:
                end = linefeed
            if end >= 0:
                pieces.append(buffer[start:end])
                self.position = end
                self._take_line_end()
                return "".join(pieces)
            pieces.append(buffer[start:limit])
            self.position = limit

    def _take_line_end(self) -> None:
        buffer, end = self.buffer, self.position
        self.position = end + 1
        if buffer[end] == "\r":
            if end + 1 == len(buffer):
                self.skips_linefeed = True
            elif buffer[end + 1] == "\n":
                self.position = end + 2

    def read_text(self, count: int) -> str:
        """Return the next ``count`` characters, or as many as there are; ``""`` at the end."""
        self.settle()
        pieces = []
        while count > 0:
            piece = self.buffer[self.position : self.position + count]
            if piece:
                self.position += len(piece)
                count -= len(piece)
                pieces.append(piece)
            elif not self._refill():
                break
        return "".join(pieces)

    def is_ready(self) -> bool:
        """Return whether a character, or the end, can be read without waiting."""
        self.settle()
        return self.position < len(self.buffer) or self.source is None or self.source.bytes_from.is_ready()

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            del self.buffer, self.waiting
            if self.source is not None:
                self.source.bytes_from.close()


class BinaryInput(Port):
    """A binary input port: bytes in ``octets_left`` from ``place`` on, and then what ``byte_source`` still gives.

    ``origin`` is that of all that is read from it.
    """

    __slots__ = ("byte_source", "octets_left", "origin", "place")

    def __init__(
        self,
        octets: bytes,
        name: str = "a bytevector",
        byte_source: ByteSource | None = None,
        origin: Origin = UNLABELLED,
    ) -> None:
        super().__init__(name)
        self.origin = origin
        self.octets_left = octets
        self.place = 0
        self.byte_source = byte_source

    def _fill(self) -> bool:
        if self.byte_source is None:
            return False
        self.octets_left = self.byte_source.more()
        self.place = 0
        return self.octets_left != b""

    def read_octet(self) -> int:
        """Return the next byte, which is taken, or -1 at the end."""
        octet = self.peek_octet()
        if octet >= 0:
            self.place += 1
        return octet

    def peek_octet(self) -> int:
        """Return the next byte, which stays, or -1 at the end."""
        if self.place < len(self.octets_left) or self._fill():
            return self.octets_left[self.place]
        return -1

    def read_octets(self, count: int) -> bytes:
        """Return the next ``count`` bytes, or as many as there are; none at the end."""
        pieces = []
        while count > 0:
            piece = self.octets_left[self.place : self.place + count]
            if piece:
                self.place += len(piece)
                count -= len(piece)
                pieces.append(piece)
            elif not self._fill():
                break
        return b"".join(pieces)

    def is_octet_ready(self) -> bool:
        """Return whether a byte, or the end, can be read without waiting."""
        return self.place < len(self.octets_left) or self.byte_source is None or self.byte_source.is_ready()

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            del self.octets_left
            if self.byte_source is not None:
                self.byte_source.close()


def _raise_output_error(error: OSError, name: str, is_standard: bool) -> NoReturn:
    if is_standard and isinstance(error, BrokenPipeError):
        raise Disconnected from None
    raise failure("file", None, f"cannot write {name}: {error.strerror}") from None


def _hand_on(stream: TextIO | BinaryIO | Nowhere, name: str, is_standard: bool, closes: bool) -> None:
    """Flush a stream, and close it if asked to, also where it cannot be flushed: no other attempt is made then."""
    try:
        stream.flush()
        if closes:
            stream.close()
    except OSError as error:
        if closes:
            with suppress(OSError):
                stream.close()
        _raise_output_error(error, name, is_standard)


class Nowhere:
    """A stream that drops what it is given."""

    def write(self, text: str) -> None:
        """Take text."""

    def flush(self) -> None:
        """Do nothing: nothing is kept."""

    def close(self) -> None:
        """Do nothing: nothing is held."""


def joined_pieces(pieces: list[str]) -> str:
    """Return the text of the pieces that were written to a string port; many become one."""
    text = "".join(pieces)
    if len(pieces) > MANY_PIECES:
        pieces[:] = (text,)
    return text


class TextOutput(Port):
    """A textual output port: ``write`` takes a ``str``.

    ``origin`` is the union of the origins of what was written; who writes text that has one adds it there.
    ``pieces`` holds what was written to a string port, and is None for one that writes to a stream.
    """

    __slots__ = ("__weakref__", "is_standard", "origin", "pieces", "stream", "write")

    pieces: list[str] | None
    write: Callable[[str], object]

    def __init__(
        self, stream: TextIO | Nowhere | None = None, name: str = "a string", is_standard: bool = False
    ) -> None:
        # Written out, as in TextInput: programs make many string ports.
        self.name = name
        self.is_open = True
        self.origin = UNLABELLED
        self.stream = stream
        self.is_standard = is_standard
        if stream is None:
            pieces: list[str] = []
            self.pieces = pieces
            self.write = pieces.append
        else:
            self.pieces = None
            self.write = self._writer(stream)

    def _writer(self, stream: TextIO | Nowhere) -> Callable[[str], object]:
        name, is_standard = self.name, self.is_standard

        def write(text: str) -> None:
            try:
                stream.write(text)
            except OSError as error:
                _raise_output_error(error, name, is_standard)

        return write

    def contents(self) -> str:
        """Return what was written to a string port so far."""
        assert self.pieces is not None
        return joined_pieces(self.pieces)

    def flush(self) -> None:
        """Hand what was written to the stream on to where it goes."""
        if self.stream is not None:
            _hand_on(self.stream, self.name, self.is_standard, closes=False)

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            del self.write
            if self.stream is not None:
                # A program that closes the standard output must not close the host's.
                _hand_on(self.stream, self.name, self.is_standard, closes=not self.is_standard)


class BinaryOutput(Port):
    """A binary output port: ``emit`` takes bytes. ``collected`` is None for one that writes to a stream.

    ``origin`` is the union of the origins of what was written; who writes bytes that have one adds it there.
    """

    __slots__ = ("__weakref__", "binary_stream", "collected", "emit", "origin")

    emit: Callable[[bytes], object]

    def __init__(self, stream: BinaryIO | None = None, name: str = "a bytevector") -> None:
        super().__init__(name)
        self.origin = UNLABELLED
        self.binary_stream = stream
        self.collected: bytearray | None = None
        if stream is None:
            self.collected = bytearray()
            self.emit = self.collected.extend
        else:
            self.emit = self._emitter(stream)

    def _emitter(self, stream: BinaryIO) -> Callable[[bytes], object]:
        name = self.name

        def emit(octets: bytes) -> None:
            try:
                stream.write(octets)
            except OSError as error:
                _raise_output_error(error, name, False)

        return emit

    def flush(self) -> None:
        """Hand what was written to the stream on to where it goes."""
        if self.binary_stream is not None:
            _hand_on(self.binary_stream, self.name, False, closes=False)

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            del self.emit
            if self.binary_stream is not None:
                _hand_on(self.binary_stream, self.name, False, closes=True)


def file_input(stream: BinaryIO, name: str, origin: Origin = UNLABELLED) -> TextInput:
    """Return a textual port that reads UTF-8 from ``stream``. name: for errors. origin: of all that is read."""
    return TextInput("", origin, name, TextSource(ByteSource(stream, name)))
