"""SESSION.mem: what a log's whole turns say, kept beside it. docs/memory.md describes the layout.

It is derived: checked against the log when it is read, each part against its own checksum when that part is read, made
again on any mismatch, and safe to delete. Reading allocates no more than the file has bytes.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import Any, Final, NamedTuple, TypeVar
from zlib import crc32

from nodwyn.prims.log.line import SUM_LENGTH, NotARecord, Position, unseal
from nodwyn.prims.memory.cards import Card
from nodwyn.prims.memory.fold import MOST_COUNT, Note
from nodwyn.prims.private import open_private, replace_file
from nodwyn.prims.retrieval.words import VERSION as WORDS_VERSION

LAYOUT: Final = b"nodwyn-mem-2"
"""The number stands for the layout and for what is kept: which events are ranked, and what a card says."""

MOST_HEADER: Final = 4096

MOST_GROWTH: Final = 64
ALWAYS_FITS: Final = 1 << 20
"""A file of more than so many times its log's bytes and so many besides is not one of ours."""

SECTIONS: Final = ("seqs", "lengths", "cards", "card_texts", "notes", "note_texts", "buckets", "words", "postings")
"""The parts of the file in their order."""

ROW = Struct("<QII")  # of a card or note: its first seq, the size of its text, the checksum of that
BUCKET = Struct("<Q")  # where a bucket's words begin
BUCKET_HEAD = Struct("<IQ")  # checksum of the rest of the bucket, where its postings begin
WORD = Struct("<IBBI")  # events, bytes of an event's number and of a count, checksum of the postings
CODES: Final = {1: "B", 2: "H", 4: "I", 8: "Q"}

Item = TypeVar("Item", bound=tuple[Any, ...])


class Unusable(Exception):
    """The file, or the part of it that was to be read, is not what was written for this log."""


class Postings(NamedTuple):
    """The events that have a word."""

    events: array[int]
    """Their numbers, from 0, ascending."""
    counts: array[int]
    """How often each has it."""


class Stored:
    """A stored memory that fits its log. What is asked of it is read then, and checked."""

    def __init__(self, size: int, read: Callable[[int, int], bytes], log: int) -> None:
        """Take up a file.

        size: its bytes. read: given a number of bytes and an offset, returns them. log: descriptor of the log.

        Raises: Unusable.
        """
        log_size = os.fstat(log).st_size
        if size > ALWAYS_FITS + MOST_GROWTH * log_size:
            raise Unusable("too large for its log")
        self._read = read
        header, start = _header(read(min(MOST_HEADER, size), 0))
        try:
            self._sizes: dict[str, int] = dict(zip(SECTIONS, header["sizes"], strict=True))
            self._sums: dict[str, int] = dict(header["sums"])
            self.position = Position(header["offset"], header["seq"], header["sum"].encode())
            self.line: int = header["line"]
            self.hidden: bool = header["hidden"]
            self._buckets: int = header["buckets"]
            if not all(type(each) is int and each >= 0 for each in (*self._sizes.values(), self.line, self._buckets)):
                raise ValueError("no sizes")
            _check_line(log, log_size, self.line, self.position)
        except (KeyError, TypeError, ValueError, AttributeError, NotARecord) as error:
            raise Unusable(str(error)) from None
        self._starts: dict[str, int] = {}
        for name in SECTIONS:
            self._starts[name] = start
            start += self._sizes[name]
        if start != size or self._sizes["buckets"] != BUCKET.size * (self._buckets + 1) or not self._buckets:
            raise Unusable("its parts are not as large as the whole")

    def lengths(self) -> array[int]:
        """Return how many words each event has.

        Raises: Unusable.
        """
        return _column(self._section("lengths"), 4, most=MOST_COUNT)

    def seqs(self) -> array[int]:
        """Return the seqs of the events.

        Raises: Unusable.
        """
        return _column(self._section("seqs"), 8)

    def postings(self, word: str, events: int) -> Postings | None:
        """Return the events that have a word, or None when none has.

        events: how many there are.

        Raises: Unusable.
        """
        wanted = word.encode()
        for each in self._bucket(crc32(wanted) % self._buckets):
            if each.word == wanted:
                data = self._part("postings", each.start, each.size)
                if crc32(data) != each.sum:
                    raise Unusable("the postings of a word are damaged")
                return unpacked(each, data, events)
        return None

    def all_postings(self) -> Iterator[tuple[str, PackedWord, bytes]]:
        """Yield every word with its postings as they are stored.

        Raises: Unusable.
        """
        everything = self._section("postings")
        for number in range(self._buckets):
            for each in self._bucket(number):
                data = everything[each.start : each.start + each.size]
                if len(data) != each.size or crc32(data) != each.sum:
                    raise Unusable("the postings of a word are damaged")
                yield _word(each.word), each, data

    def card(self, seq: int) -> Card | None:
        """Return the card of the turn that had begun last before or with an event.

        Raises: Unusable.
        """
        rows = list(ROW.iter_unpack(self._whole_rows("cards")))
        number = bisect_right(rows, seq, key=lambda row: row[0]) - 1
        if number < 0:
            return None
        return self._item("card_texts", sum(row[1] for row in rows[:number]), rows[number], Card)

    def cards(self) -> list[Card]:
        """Return all cards.

        Raises: Unusable.
        """
        return list(self._items("cards", "card_texts", Card))

    def notes(self) -> list[Note]:
        """Return all notes.

        Raises: Unusable.
        """
        return list(self._items("notes", "note_texts", Note))

    def _items(self, rows: str, texts: str, form: Callable[..., Item]) -> Iterator[Item]:
        start = 0
        for row in ROW.iter_unpack(self._whole_rows(rows)):
            yield self._item(texts, start, row, form)
            start += row[1]

    def _item(self, texts: str, start: int, row: tuple[Any, ...], form: Callable[..., Item]) -> Item:
        data = self._part(texts, start, row[1])
        if crc32(data) != row[2]:
            raise Unusable("a text is damaged")
        try:
            return form(*json.loads(data))
        except (ValueError, TypeError, RecursionError) as error:
            raise Unusable(str(error)) from None

    def _whole_rows(self, name: str) -> bytes:
        data = self._section(name)
        if len(data) % ROW.size:
            raise Unusable(f"half a row in {name}")
        return data

    def _section(self, name: str) -> bytes:
        """Return a whole part. Raises: Unusable."""
        data = self._part(name, 0, self._sizes[name])
        if name in self._sums and crc32(data) != self._sums[name]:
            raise Unusable(f"{name} are damaged")
        return data

    def _part(self, name: str, start: int, size: int) -> bytes:
        """Return some bytes of a part. Raises: Unusable when it does not have them."""
        if start + size > self._sizes[name]:
            raise Unusable(f"{name} end early")
        data = self._read(size, self._starts[name] + start)
        if len(data) != size:
            raise Unusable("the file ends early")
        return data

    def _bucket(self, number: int) -> Iterator[PackedWord]:
        """Yield the words of a bucket. Raises: Unusable."""
        bounds = self._part("buckets", number * BUCKET.size, 2 * BUCKET.size)
        begin, end = BUCKET.unpack_from(bounds)[0], BUCKET.unpack_from(bounds, BUCKET.size)[0]
        if not begin + BUCKET_HEAD.size <= end:
            raise Unusable("a bucket ends before it begins")
        data = self._part("words", begin, end - begin)
        sum, start = BUCKET_HEAD.unpack_from(data)
        if crc32(data[4:], number) != sum:
            raise Unusable("a bucket is damaged")
        place = BUCKET_HEAD.size
        while place < len(data):
            length = data[place]
            place += 1 + length + WORD.size
            if place > len(data):
                raise Unusable("half a word")
            events, wide, high, posting_sum = WORD.unpack_from(data, place - WORD.size)
            size = events * (wide + high)
            word = data[place - WORD.size - length : place - WORD.size]
            yield PackedWord(word, events, wide, high, posting_sum, start, size)
            start += size


class PackedWord(NamedTuple):
    """A word as a bucket has it."""

    word: bytes
    events: int
    wide: int
    high: int
    sum: int
    start: int
    size: int


def store(path: Path, data: bytes) -> None:
    """Put a memory beside its log, unless that fails: it can be made again.

    path: of the log.
    """
    place = mem_path(path)
    with suppress(OSError):
        replace_file(place, data)
        if not path.exists():
            place.unlink()  # the session was deleted meanwhile, and this would be left of it


def mem_path(path: Path) -> Path:
    """Return the path of the memory of the log at ``path``."""
    return path.with_suffix(".mem")


def open_stored(path: Path, log: int) -> tuple[Stored, int]:
    """Return the memory stored beside the log at ``path``, and the file's descriptor, which the caller closes.

    log: descriptor of the log.

    Raises: Unusable. OSError when there is none.
    """
    descriptor = open_private(mem_path(path), os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        return Stored(size, lambda count, offset: os.pread(descriptor, count, offset), log), descriptor
    except BaseException:
        os.close(descriptor)
        raise


def in_memory(data: bytes, log: int) -> Stored:
    """Return what :func:`encode` made as if it had been read.

    Raises: Unusable.
    """
    return Stored(len(data), lambda count, offset: data[offset : offset + count], log)


def _header(data: bytes) -> tuple[dict[str, Any], int]:
    """Return the header and where it ends. Raises: Unusable."""
    lines = data.split(b"\n", 2)
    if len(lines) != 3 or lines[0] != b"%b %b" % (LAYOUT, sha256(lines[1]).hexdigest().encode()):
        raise Unusable("another layout, or damaged")
    try:
        header = json.loads(lines[1])
    except (ValueError, RecursionError) as error:
        raise Unusable(str(error)) from None
    if not isinstance(header, dict) or header.get("words") != WORDS_VERSION:
        raise Unusable("words were told apart by other rules")
    return header, len(lines[0]) + len(lines[1]) + 2


def _check_line(log: int, size: int, line: int, position: Position) -> None:
    """Read the line that the whole turns end with.

    Raises: NotARecord when the log has another there. ValueError.
    """
    if not 0 <= line < position.offset <= size:
        raise ValueError("the log is shorter")
    before = os.pread(log, SUM_LENGTH, line - SUM_LENGTH - len(b'"}\n')) if line else b"0" * SUM_LENGTH
    text = os.pread(log, position.offset - line, line)
    _, checksum = unseal(text[:-1], before, position.seq)
    if checksum != position.checksum or not text.endswith(b"\n"):
        raise NotARecord("it is another log's")


def unpacked(word: PackedWord, data: bytes, events: int) -> Postings:
    """Return what a word's stored postings say. Raises: Unusable."""
    if word.wide not in (1, 2, 4) or word.high not in (1, 2, 4) or not 0 < word.events <= events:
        raise Unusable("postings of another form")
    columns = _column(data[: word.events * word.wide], word.wide), _column(data[word.events * word.wide :], word.high)
    if max(columns[0]) >= events or max(columns[1]) > MOST_COUNT:
        raise Unusable("postings out of range")
    return Postings(*columns)


def _word(stored: bytes) -> str:
    try:
        return stored.decode()
    except UnicodeDecodeError:
        raise Unusable("a word is no text") from None


def _column(data: bytes, width: int, *, most: int | None = None) -> array[int]:
    column = array(CODES[width])
    if len(data) % width:
        raise Unusable("half a number")
    column.frombytes(data)
    if sys.byteorder == "big":
        column.byteswap()
    if most is not None and max(column, default=0) > most:
        raise Unusable("a number out of range")
    return column
