"""What input ports draw from: bytes that arrive by and by, and the text that they are in UTF-8."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable
from typing import BinaryIO, Final

from nodwyn.interp.errors import Condition, SchemeError, failure

CHUNK: Final = 65536
"""Bytes asked of a stream at once, and the characters that a search for the end of a line looks at."""


class ByteSource:
    """Bytes that arrive by and by from a binary stream, with its errors made conditions.

    stream: read with ``read1``. before_reading: called before each read that may wait, to flush prompts.
    """

    __slots__ = ("before_reading", "name", "stream")

    def __init__(self, stream: BinaryIO, name: str, before_reading: Callable[[], None] | None = None) -> None:
        self.stream = stream
        self.name = name
        self.before_reading = before_reading

    def more(self) -> bytes:
        """Return the next bytes, waiting for them if need be; none at the end."""
        if self.before_reading is not None:
            self.before_reading()
        try:
            return self.stream.read1(CHUNK)  # type: ignore[attr-defined, no-any-return]
        except OSError as error:
            raise failure("file", None, f"cannot read {self.name}: {error.strerror}") from None

    def is_ready(self) -> bool:
        """Return whether :meth:`more` would answer at once."""
        from select import select

        try:
            return bool(select([self.stream], [], [], 0)[0])
        except (OSError, ValueError):
            # What has no file descriptor to ask about is in memory.
            return True

    def close(self) -> None:
        """Close the stream."""
        self.stream.close()


class NotText(SchemeError):
    """Bytes where text is wanted are none."""


class TextSource:
    """Text decoded from a :class:`ByteSource`: UTF-8, with a condition that names the first byte that is not."""

    __slots__ = ("_decoder", "_failure", "_taken", "bytes_from")

    def __init__(self, bytes_from: ByteSource) -> None:
        self.bytes_from = bytes_from
        self._decoder = getincrementaldecoder("utf-8")()
        self._taken = 0
        self._failure: SchemeError | None = None

    def more(self) -> str:
        """Return the next characters, waiting for them if need be; none at the end."""
        if self._failure is not None:
            raise self._failure
        while True:
            octets = self.bytes_from.more()
            text = self._decode(octets)
            if text or not octets:
                return text

    def _decode(self, octets: bytes) -> str:
        pending = self._decoder.getstate()[0]
        try:
            text = self._decoder.decode(octets, final=not octets)
        except UnicodeDecodeError as error:
            # What stands before the fault is still delivered; the next call fails.
            place = self._taken - len(pending) + error.start
            message = f"{self.bytes_from.name} is not UTF-8 text: byte {place} (counted from 0) starts no character"
            self._failure = NotText(Condition("file", message))
            if error.start == 0:
                raise self._failure from None
            return (pending + octets)[: error.start].decode("utf-8")
        self._taken += len(octets)
        return text
