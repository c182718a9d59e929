"""Making several segments of an index into one, without what no content has any more."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping

from nodwyn.prims.retrieval.contents import MOST_CHUNKS, Layout, Postings, counted, packed, unpacked
from nodwyn.prims.retrieval.database import Damaged
from nodwyn.prims.retrieval.rows import add_postings, checksum_of, layout_row


def merge(connection: sqlite3.Connection, segments: Iterable[int]) -> None:
    """Make segments into one, without what no content has any more. Within a transaction that writes.

    Raises: Damaged.
    """
    segments = set(segments)
    moved = _Moved(connection, segments)
    marks = ",".join("?" * len(segments))
    question = f"SELECT word, segment, body, first, defined, checksum FROM postings WHERE segment IN ({marks})"
    for word, segment, *blobs, checksum in connection.execute(question, list(segments)):
        postings = Postings(*blobs)
        if checksum != checksum_of(word, postings):
            raise Damaged(f"the postings of {word!r} are not what was written")
        moved.add(word, segment, postings)
    connection.executemany("DELETE FROM segments WHERE id = ?", ((segment,) for segment in segments))
    connection.execute(f"DELETE FROM postings WHERE segment IN ({marks})", list(segments))
    moved.write()
    connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'epoch'")


class _Moved:
    """Contents on their way to new segments."""

    def __init__(self, connection: sqlite3.Connection, segments: set[int]) -> None:
        self._connection = connection
        self._targets: list[_Target] = []
        self._places: dict[int, list[tuple[int, int]]] = {}
        """By old segment and chunk: the target and the chunk there."""
        self._layouts: list[tuple[int, int, Layout]] = []
        marks = ",".join("?" * len(segments))
        question = f"SELECT id, segment, base, layout FROM contents WHERE segment IN ({marks}) ORDER BY segment, base"
        for content, segment, base, data in connection.execute(question, list(segments)):
            self._place(content, unpacked(segment, base, data))

    def _place(self, content: int, layout: Layout) -> None:
        number = len(layout.lines)
        if not self._targets or not self._targets[-1].has_room(number):
            self._targets.append(_Target())
        target = self._targets[-1]
        places = self._places.setdefault(layout.segment, [])
        places += [(-1, -1)] * (layout.base + number - len(places))
        for chunk in range(number):
            places[layout.base + chunk] = (len(self._targets) - 1, target.number + chunk)
        self._layouts.append((content, len(self._targets) - 1, layout._replace(base=target.number)))
        target.number += number

    def add(self, word: str, segment: int, postings: Postings) -> None:
        """Take over the postings of a word."""
        places = self._places.get(segment, [])
        for field, data in enumerate(postings):
            for number, count in zip(*counted(data), strict=True):
                target, chunk = places[number] if number < len(places) else (-1, -1)
                if target >= 0:
                    self._targets[target].add(word, field, chunk, count)

    def write(self) -> None:
        """Write the new segments, and where the contents are now."""
        written = []
        for target in self._targets:
            written.append(add_postings(self._connection, target.number, target.postings()))
        rows = (
            (*layout_row(layout._replace(segment=written[target])), content)
            for content, target, layout in self._layouts
        )
        self._connection.executemany(
            "UPDATE contents SET segment = ?, base = ?, layout = ?, checksum = ? WHERE id = ?", rows
        )


class _Target:
    """A segment that is made of others."""

    def __init__(self) -> None:
        self.number = 0
        self._fields: dict[str, list[dict[int, int]]] = {}

    def has_room(self, number: int) -> bool:
        return self.number + number <= MOST_CHUNKS

    def add(self, word: str, field: int, chunk: int, count: int) -> None:
        fields = self._fields.get(word)
        if fields is None:
            fields = self._fields[word] = [{}, {}, {}]
        fields[field][chunk] = count

    def postings(self) -> Iterator[tuple[str, Postings]]:
        for word in sorted(self._fields):
            yield word, Postings(*(_packed(counts) for counts in self._fields[word]))


def _packed(counts: Mapping[int, int]) -> bytes:
    numbers = sorted(counts)
    return packed(array("H", numbers), bytes(counts[number] for number in numbers))
