"""What a project's index holds, and how it changes: contents by their hashes, words, and the files of each tree.

Each change is one transaction. Contents are shared by all trees; one that no tree names any more stays for seven days.
The postings of contents that came together are a *segment*; where there are many, the small ones are made into one.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from nodwyn.prims.retrieval.contents import Chunk, Layout, Postings, Segment, unpacked
from nodwyn.prims.retrieval.database import Damaged, Database
from nodwyn.prims.retrieval.merging import merge
from nodwyn.prims.retrieval.past import Commit
from nodwyn.prims.retrieval.rows import add_segment, checksum_of, layout_checksum, layout_row

MOST_SEGMENTS: Final = 32

MERGED_SEGMENTS: Final = 8
"""How many stay, the largest, when segments are made into one."""

MOST_PARAMETERS: Final = 500
"""Values in one question to SQLite."""


class State(NamedTuple):
    """What a file was when it was looked at. Times are in nanoseconds."""

    size: int
    modified: int
    changed: int
    inode: int


class Known(NamedTuple):
    """What is known of a file."""

    state: State
    checked: int
    """When it was looked at."""
    content: int | None
    """Its content, or None when it is no text, or too large."""


class Standing(NamedTuple):
    """What differs when a tree is not as it was."""

    database: str
    """The name of the database: another one may count as far."""
    generation: int
    """How often the tree was written."""
    epoch: int
    """How often segments were made into one."""


class Loaded(NamedTuple):
    """A tree as the index has it."""

    standing: Standing
    files: dict[str, Known]
    layouts: dict[int, Layout]
    """By content."""
    sizes: dict[int, int]
    """By segment: how many chunks it has."""


class Batch:
    """Changes of a tree that are gathered before they are written."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[State, int, bytes | None]] = {}
        """By path: its state, when it was looked at, and the hash of its content."""
        self.removed: list[str] = []
        self.segments: list[Segment] = []
        self.layouts: dict[bytes, Layout] = {}
        """New contents; the segment is a place in ``segments``."""
        self.size = 0
        """Characters of the new contents."""

    def add(self, hash: bytes, chunks: Sequence[Chunk], size: int) -> None:
        """Take in a new content."""
        if not self.segments or not self.segments[-1].has_room(chunks):
            self.segments.append(Segment())
        self.layouts[hash] = self.segments[-1].add(chunks)._replace(segment=len(self.segments) - 1)
        self.size += size


class Store:
    """The index of a project."""

    def __init__(self, directory: Path) -> None:
        self.database = Database(directory)

    def load(self, root: str, known: Loaded | None) -> Loaded:
        """Return a tree; ``known`` itself when it is still what the index has.

        Raises: Unwritable, Damaged.
        """
        with self.database.transaction(writes=False) as connection:
            tree, generation = _tree(connection, root)
            epoch = _meta(connection, "epoch")
            standing = Standing(self.database.name, generation, epoch)
            return known if known is not None and known.standing == standing else _loaded(connection, tree, standing)

    def hashes(self) -> set[bytes]:
        """Return the hashes of all contents that the index has.

        Raises: Unwritable, Damaged.
        """
        with self.database.transaction(writes=False) as connection:
            return {hash for (hash,) in connection.execute("SELECT hash FROM contents")}

    def has(self, hash: bytes) -> bool:
        """Return whether the index has a content.

        Raises: Unwritable, Damaged.
        """
        with self.database.transaction(writes=False) as connection:
            return bool(_ids(connection, [hash]))

    def write(self, root: str, batch: Batch, known: Loaded | None = None) -> Loaded:
        """Write changes of a tree; return it. A file whose content went meanwhile is left as it was.

        known: the tree as it was last loaded; if nobody changed it since, only what changes now is read.

        Raises: Unwritable, Damaged.
        """
        now = time.time_ns()
        with self.database.transaction(writes=True) as connection:
            tree, generation = _tree(connection, root)
            if not tree:
                connection.execute("INSERT INTO trees (root, generation, changed) VALUES (?, 0, 0)", (root,))
                tree = connection.execute("SELECT last_insert_rowid()").fetchone()[0]
            _add_contents(connection, batch, now)
            _name_files(connection, tree, batch, now)
            connection.execute("UPDATE trees SET generation = ?, changed = ? WHERE id = ?", (generation + 1, now, tree))
            sizes = _sizes(connection)
            if len(sizes) > MOST_SEGMENTS:
                merge(connection, sorted(sizes, key=lambda segment: -sizes[segment])[MERGED_SEGMENTS:])
            before = Standing(self.database.name, generation, _meta(connection, "epoch"))
            standing = before._replace(generation=generation + 1)
            if known is not None and known.standing == before:
                return _changed(connection, tree, standing, known, [*batch.removed, *batch.files])
            return _loaded(connection, tree, standing)

    def forms(self, stems: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Return the words that have each of these stems."""
        found: dict[str, list[str]] = {each: [each] for each in stems}
        with self.database.transaction(writes=False) as connection:
            for each, word in _where(connection, "SELECT stem, word FROM stems WHERE stem IN", stems):
                found[each].append(word)
        return found

    def postings(self, words: Sequence[str]) -> Mapping[str, Sequence[tuple[int, Postings]]]:
        """Return where each word is.

        Raises: Unwritable, Damaged.
        """
        found: dict[str, list[tuple[int, Postings]]] = {}
        question = "SELECT word, segment, body, first, defined, checksum FROM postings WHERE word IN"
        with self.database.transaction(writes=False) as connection:
            for word, segment, *blobs, checksum in _where(connection, question, list(dict.fromkeys(words))):
                postings = Postings(*blobs)
                if checksum != checksum_of(word, postings):
                    raise Damaged(f"the postings of {word!r} are not what was written")
                found.setdefault(word, []).append((segment, postings))
        return found

    def history(self, root: str) -> tuple[str, list[str]]:
        """Return by what a tree's history was known, and the hashes of its commits; nothing when none was read."""
        with self.database.transaction(writes=False) as connection:
            row = connection.execute(
                "SELECT signature, commits FROM histories WHERE tree = (SELECT id FROM trees WHERE root = ?)", (root,)
            ).fetchone()
            return (row[0], row[1].split()) if row else ("", [])

    def commits(self, hashes: Sequence[str]) -> dict[str, Commit]:
        """Return those of these commits that the index has."""
        found = {}
        with self.database.transaction(writes=False) as connection:
            question = "SELECT hash, words, paths FROM commits WHERE hash IN"
            for hash, words, paths in _where(connection, question, hashes):
                counts: dict[str, int] = {}
                for word in words.split():
                    counts[word] = counts.get(word, 0) + 1
                found[hash] = Commit(counts, paths.split("\0") if paths else [])
        return found

    def write_history(self, root: str, signature: str, hashes: Sequence[str], new: Mapping[str, Commit]) -> None:
        """Write which commits a tree's history has, and what is new of them."""
        now = time.time_ns()
        with self.database.transaction(writes=True) as connection:
            rows = ((hash, _spelled(commit.words), "\0".join(commit.paths), now) for hash, commit in new.items())
            connection.executemany("INSERT OR REPLACE INTO commits VALUES (?, ?, ?, ?)", rows)
            tree, _ = _tree(connection, root)
            if tree:
                connection.execute(
                    "INSERT OR REPLACE INTO histories VALUES (?, ?, ?)", (tree, signature, " ".join(hashes))
                )


def _spelled(words: Mapping[str, int]) -> str:
    """Return words, each as often as it counts, sorted: the message cannot be read from them."""
    return " ".join(word for word, count in sorted(words.items()) for _ in range(count))


def _tree(connection: sqlite3.Connection, root: str) -> tuple[int, int]:
    """Return a tree's number and generation, or zeros when it is not known."""
    row = connection.execute("SELECT id, generation FROM trees WHERE root = ?", (root,)).fetchone()
    return row or (0, 0)


def _meta(connection: sqlite3.Connection, name: str) -> int:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise Damaged(f"the value of {name} is missing")
    return int(row[0])


def _where(
    connection: sqlite3.Connection, question: str, values: Sequence[str] | Sequence[bytes] | Sequence[int]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a question that ends in IN, for any number of values."""
    for place in range(0, len(values), MOST_PARAMETERS):
        some = values[place : place + MOST_PARAMETERS]
        yield from connection.execute(f"{question} ({','.join('?' * len(some))})", list(some))


def _ids(connection: sqlite3.Connection, hashes: Sequence[bytes]) -> dict[bytes, int]:
    return dict(_where(connection, "SELECT hash, id FROM contents WHERE hash IN", hashes))


def _sizes(connection: sqlite3.Connection) -> dict[int, int]:
    """Return how many chunks each segment has."""
    return dict(connection.execute("SELECT id, size FROM segments"))


@contextmanager
def _read() -> Iterator[None]:
    """Take what cannot be read for damage."""
    try:
        yield
    except (TypeError, ValueError, KeyError) as error:
        raise Damaged(f"a value is not of its type, or missing: {error}") from error


def _loaded(connection: sqlite3.Connection, tree: int, standing: Standing) -> Loaded:
    with _read():
        sizes = _sizes(connection)
        files = _files(connection.execute(f"SELECT {_FILE} FROM files WHERE tree = ?", (tree,)))
        question = f"SELECT {_CONTENT} FROM contents WHERE id IN (SELECT content FROM files WHERE tree = ?)"
        layouts = _layouts(connection.execute(question, (tree,)), sizes)
        for known in files.values():
            if known.content is not None:
                _ = layouts[known.content]
        return Loaded(standing, files, layouts, sizes)


def _changed(
    connection: sqlite3.Connection, tree: int, standing: Standing, known: Loaded, paths: Sequence[str]
) -> Loaded:
    """Return a tree of which only these paths changed since it was loaded."""
    with _read():
        sizes = _sizes(connection)
        question = f"SELECT {_FILE} FROM files WHERE tree = {tree} AND path IN"
        changed = _files(_where(connection, question, paths))
        files = {**known.files, **changed}
        for path in paths:
            if path not in changed:
                files.pop(path, None)
        new = {each.content for each in changed.values() if each.content is not None} - known.layouts.keys()
        found = _layouts(_where(connection, f"SELECT {_CONTENT} FROM contents WHERE id IN", sorted(new)), sizes)
        if len(found) != len(new):
            raise Damaged("a content is missing")
        return Loaded(standing, files, {**known.layouts, **found}, sizes)


_FILE: Final = "path, size, modified, changed, inode, checked, content"
_CONTENT: Final = "id, segment, base, layout, checksum"


def _files(rows: Iterable[tuple[Any, ...]]) -> dict[str, Known]:
    found = {}
    for path, size, modified, changed, inode, checked, content in rows:
        _ = size + modified + changed + inode + checked  # numbers all, or a TypeError
        found[path] = Known(State(size, modified, changed, inode), checked, content)
    return found


def _layouts(rows: Iterable[tuple[Any, ...]], sizes: Mapping[int, int]) -> dict[int, Layout]:
    found = {}
    for content, segment, base, data, checksum in rows:
        if checksum != layout_checksum(segment, base, data):
            raise Damaged(f"content {content} is not what was written")
        found[content] = layout = unpacked(segment, base, data)
        if base + len(layout.lines) > sizes[segment]:
            raise Damaged(f"content {content} lies beyond its segment")
    return found


def _add_contents(connection: sqlite3.Connection, batch: Batch, now: int) -> None:
    known = _ids(connection, list(batch.layouts))
    for number, segment in enumerate(batch.segments):
        new = [(hash, each) for hash, each in batch.layouts.items() if each.segment == number and hash not in known]
        if new:
            written = add_segment(connection, segment)
            rows = ((hash, *layout_row(layout._replace(segment=written)), now) for hash, layout in new)
            connection.executemany(
                "INSERT INTO contents (hash, segment, base, layout, checksum, used) VALUES (?, ?, ?, ?, ?, ?)", rows
            )


def _name_files(connection: sqlite3.Connection, tree: int, batch: Batch, now: int) -> None:
    changed = [*batch.removed, *batch.files]
    for path in changed:
        connection.execute(
            "UPDATE contents SET used = ? WHERE id = (SELECT content FROM files WHERE tree = ? AND path = ?)",
            (now, tree, path),
        )
    connection.executemany("DELETE FROM files WHERE tree = ? AND path = ?", ((tree, path) for path in batch.removed))
    ids = _ids(connection, list({hash for _, _, hash in batch.files.values() if hash is not None}))
    rows = (
        (tree, path, *state, checked, None if hash is None else ids[hash])
        for path, (state, checked, hash) in batch.files.items()
        if hash is None or hash in ids
    )
    connection.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
