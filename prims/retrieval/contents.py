"""What an index keeps of a text: how many lines each chunk has, and which words are in it how often. No text."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from nodwyn.prims.retrieval import chunks, definitions, stems, words

VERSION: Final = f"1.{words.VERSION}.{chunks.VERSION}.{definitions.VERSION}.{stems.VERSION}.{sys.byteorder}"
"""Of all that decides what is kept. What was kept under another is made anew."""

MOST_CHUNKS: Final = 1 << 16
"""Chunks of a segment; each has a number of two bytes."""

LARGEST_COUNT: Final = 255
LARGEST_LENGTH: Final = (1 << 16) - 1


class Chunk(NamedTuple):
    """The words of a chunk, each with how often they are in it."""

    lines: int
    body: Mapping[str, int]
    first: Mapping[str, int]
    """Of its first line."""
    defined: Mapping[str, int]
    """Of the names that are defined in it."""


class Layout(NamedTuple):
    """Where the chunks of a content are, and how long."""

    segment: int
    base: int
    """The number of its first chunk in the segment."""
    lines: bytes
    """How many lines each has."""
    defined: bytes
    """How many words of names that it defines each has, at most 255."""
    lengths: array[int]
    """How many words each has, at most 65535."""

    def packed(self) -> bytes:
        """Return what :func:`unpacked` takes."""
        return self.lines + self.defined + self.lengths.tobytes()


def unpacked(segment: int, base: int, data: bytes) -> Layout:
    """Return the layout that was packed.

    Raises: ValueError for what was not.
    """
    number, rest = divmod(len(data), 4)
    if rest:
        raise ValueError("a layout has four bytes a chunk")
    lengths = array("H")
    lengths.frombytes(data[2 * number :])
    return Layout(segment, base, data[:number], data[number : 2 * number], lengths)


class Postings(NamedTuple):
    """In which chunks of a segment a word is, and how often: in their text, first lines, and defined names."""

    body: bytes
    first: bytes
    defined: bytes


def analyse(text: str) -> list[Chunk]:
    """Return the chunks of a text, in order."""
    octets = text.encode("utf-8", "surrogatepass")
    names = definitions.definitions(octets)
    place, name = next(names, (len(octets), b""))
    found = []
    end = 0
    for lines in chunks.cut(octets):
        start, end = end, _behind(octets, end, lines)
        defined = []
        while name and place < end:
            defined.append(name)
            place, name = next(names, (len(octets), b""))
        body = octets[start:end]
        first = body.partition(b"\n")[0]
        found.append(
            Chunk(
                lines,
                words.counts_of(body),
                words.counts_of(first),
                words.counts_of(b" ".join(defined)) if defined else {},
            )
        )
    return found


def _behind(octets: bytes, start: int, lines: int) -> int:
    """Return the place behind so many lines."""
    for _ in range(lines):
        start = octets.find(b"\n", start) + 1
        if not start:
            return len(octets)
    return start


class Segment:
    """Contents that are added to an index together, turned from words by chunk to chunks by word."""

    def __init__(self) -> None:
        self.number = 0
        """How many chunks it has."""
        self._body: dict[str, tuple[array[int], bytearray]] = {}
        self._first: dict[str, tuple[array[int], bytearray]] = {}
        self._defined: dict[str, tuple[array[int], bytearray]] = {}

    def has_room(self, content: Sequence[Chunk]) -> bool:
        """Whether a content still goes in."""
        return self.number + len(content) <= MOST_CHUNKS

    def add(self, content: Sequence[Chunk]) -> Layout:
        """Take a content in; return where it is. The layout's segment is not known yet, and 0."""
        base = self.number
        for chunk in content:
            for into, counted in ((self._body, chunk.body), (self._first, chunk.first), (self._defined, chunk.defined)):
                for word, count in counted.items():
                    numbers, counts = into.get(word) or into.setdefault(word, (array("H"), bytearray()))
                    numbers.append(self.number)
                    counts.append(min(count, LARGEST_COUNT))
            self.number += 1
        return Layout(
            0,
            base,
            bytes(chunk.lines for chunk in content),
            bytes(min(sum(chunk.defined.values()), LARGEST_COUNT) for chunk in content),
            array("H", [min(sum(chunk.body.values()), LARGEST_LENGTH) for chunk in content]),
        )

    def postings(self) -> list[tuple[str, Postings]]:
        """Return the postings of each word, sorted by word."""
        nothing = (array("H"), bytearray())
        return [
            (
                word,
                Postings(
                    packed(*self._body.get(word, nothing)),
                    packed(*self._first.get(word, nothing)),
                    packed(*self._defined.get(word, nothing)),
                ),
            )
            for word in sorted(self._body.keys() | self._first.keys() | self._defined.keys())
        ]


def packed(numbers: array[int], counts: bytes | bytearray) -> bytes:
    """Return chunks' numbers and counts in three bytes each."""
    return numbers.tobytes() + bytes(counts)


def counted(data: bytes) -> tuple[array[int], bytes]:
    """Return chunks' numbers and counts as they were packed.

    Raises: ValueError for what was not.
    """
    number, rest = divmod(len(data), 3)
    if rest:
        raise ValueError("a posting has three bytes")
    numbers = array("H")
    numbers.frombytes(data[: 2 * number])
    return numbers, data[2 * number :]
