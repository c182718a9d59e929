"""How postings and layouts are rows of the database, each with a checksum: SQLite has none of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from zlib import crc32

from nodwyn.prims.retrieval.contents import Layout, Postings, Segment
from nodwyn.prims.retrieval.stems import stem


def add_segment(connection: sqlite3.Connection, segment: Segment) -> int:
    """Write a segment, its postings and the stems of its words; return its number."""
    postings = segment.postings()
    number = add_postings(connection, segment.number, postings)
    others = ((stem(word), word) for word, _ in postings)
    connection.executemany(
        "INSERT OR IGNORE INTO stems VALUES (?, ?)", ((each, word) for each, word in others if each != word)
    )
    return number


def add_postings(connection: sqlite3.Connection, size: int, postings: Iterable[tuple[str, Postings]]) -> int:
    """Write a segment with its postings; return its number. size: how many chunks it has."""
    connection.execute("INSERT INTO segments (size) VALUES (?)", (size,))
    number = int(connection.execute("SELECT last_insert_rowid()").fetchone()[0])
    rows = ((word, number, *each, checksum_of(word, each)) for word, each in postings)
    connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?, ?)", rows)
    return number


def layout_row(layout: Layout) -> tuple[int, int, bytes, int]:
    """Return a layout's segment, base, data and checksum."""
    data = layout.packed()
    return layout.segment, layout.base, data, layout_checksum(layout.segment, layout.base, data)


def layout_checksum(segment: int, base: int, data: bytes) -> int:
    """Return the checksum of a layout."""
    return _sum(f"{segment} {base}".encode(), data)


def checksum_of(word: str, postings: Postings) -> int:
    """Return the checksum of a word's postings."""
    return _sum(word.encode("utf-8", "surrogatepass"), *postings)


def _sum(*pieces: bytes) -> int:
    """Return a checksum of what was written; of what has not the type of that, one that nothing has."""
    total = 0
    for piece in pieces:
        if not isinstance(piece, bytes):
            return -1
        total = crc32(piece, total)
    return total
