"""Taking out of an index what nothing needs any more: gone working trees, and contents that no tree has named for
seven days."""

from __future__ import annotations

import os
import sqlite3
import time
from typing import Final

from nodwyn.prims import surrogates
from nodwyn.prims.retrieval.merging import merge
from nodwyn.prims.retrieval.store import Store

KEPT: Final = 7 * 86_400 * 10**9
"""Nanoseconds that a content stays which no tree names."""

INTERVAL: Final = 3600 * 10**9
"""Nanoseconds from one collection to the next at least, but for those that an update of the index makes."""


def collect(store: Store, *, now: int | None = None, at_once: bool = False) -> None:
    """Take out what nothing needs, in one transaction.

    now: nanoseconds since 1970; the clock's when not given. at_once: however short ago the last one was.

    Raises: Unwritable, Damaged.
    """
    now = time.time_ns() if now is None else now
    with store.database.transaction(writes=False) as connection:
        (last,) = connection.execute("SELECT value FROM meta WHERE name = 'collected'").fetchone()
    if not at_once and 0 <= now - last < INTERVAL:
        return
    with store.database.transaction(writes=True) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = 'collected'", (now,))
        _drop_trees(connection, now)
        _drop_contents(connection, now)
        connection.execute("PRAGMA incremental_vacuum")
    store.database.remove_old((now - KEPT) / 10**9)


def _drop_trees(connection: sqlite3.Connection, now: int) -> None:
    for tree, root in connection.execute("SELECT id, root FROM trees").fetchall():
        if not os.path.isdir(surrogates.unescape(root)):
            connection.execute(
                "UPDATE contents SET used = ? WHERE id IN (SELECT content FROM files WHERE tree = ?)", (now, tree)
            )
            connection.execute("DELETE FROM files WHERE tree = ?", (tree,))
            connection.execute("DELETE FROM histories WHERE tree = ?", (tree,))
            connection.execute("DELETE FROM trees WHERE id = ?", (tree,))


def _drop_contents(connection: sqlite3.Connection, now: int) -> None:
    gone = connection.execute(
        "DELETE FROM contents WHERE used < ? AND id NOT IN (SELECT content FROM files WHERE content IS NOT NULL)",
        (now - KEPT,),
    ).rowcount
    named = {hash for (hashes,) in connection.execute("SELECT commits FROM histories") for hash in hashes.split()}
    old = connection.execute("SELECT hash FROM commits WHERE used < ?", (now - KEPT,)).fetchall()
    connection.executemany("DELETE FROM commits WHERE hash = ?", (row for row in old if row[0] not in named))
    if gone:
        merge(connection, _half_empty(connection))
        connection.execute("DELETE FROM stems WHERE word NOT IN (SELECT word FROM postings)")


def _half_empty(connection: sqlite3.Connection) -> list[int]:
    """Return the segments of whose chunks less than half belong to a content."""
    used: dict[int, int] = {}
    for segment, size in connection.execute("SELECT segment, length(layout) / 4 FROM contents"):
        used[segment] = used.get(segment, 0) + size
    return [
        segment
        for segment, size in connection.execute("SELECT id, size FROM segments").fetchall()
        if 2 * used.get(segment, 0) < size
    ]
