"""What a project's index holds, and how it changes: contents by their hashes, words, and the files of each tree.

Each change is one transaction. Contents are shared by all trees; one that no tree names any more stays for seven days.
The postings of contents that came together are a *segment*; where there are many, the small ones are made into one.
"""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from nodwyn.prims.retrieval.contents import Chunk, Layout, Postings, Segment, counted, unpacked
from nodwyn.prims.retrieval.database import Damaged, Database
from nodwyn.prims.retrieval.past import Commit
from nodwyn.prims.retrieval.stems import stem

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


class Loaded(NamedTuple):
    """A tree as the index has it."""

    generation: int
    epoch: int
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
            if known is not None and (known.generation, known.epoch) == (generation, epoch):
                return known
            return _loaded(connection, tree, generation, epoch)

    def has(self, hashes: Sequence[bytes]) -> set[bytes]:
        """Return those contents that the index has."""
        with self.database.transaction(writes=False) as connection:
            return set(_ids(connection, hashes))

    def write(self, root: str, batch: Batch) -> Loaded:
        """Write changes of a tree; return it. A file whose content went meanwhile is left as it was.

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
            sizes = dict(connection.execute("SELECT id, size FROM segments"))
            if len(sizes) > MOST_SEGMENTS:
                merge(connection, sorted(sizes, key=lambda segment: -sizes[segment])[MERGED_SEGMENTS:])
            return _loaded(connection, tree, generation + 1, _meta(connection, "epoch"))

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
                if checksum != _checksum(word, postings):
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


def _where(connection: sqlite3.Connection, question: str, values: Sequence[str] | Sequence[bytes]) -> Iterator[tuple]:
    """Yield the rows of a question that ends in IN, for any number of values."""
    for place in range(0, len(values), MOST_PARAMETERS):
        some = values[place : place + MOST_PARAMETERS]
        yield from connection.execute(f"{question} ({','.join('?' * len(some))})", list(some))


def _ids(connection: sqlite3.Connection, hashes: Sequence[bytes]) -> dict[bytes, int]:
    return dict(_where(connection, "SELECT hash, id FROM contents WHERE hash IN", hashes))


def _loaded(connection: sqlite3.Connection, tree: int, generation: int, epoch: int) -> Loaded:
    try:
        return Loaded(
            generation,
            epoch,
            _files(connection, tree),
            _layouts(connection, tree, sizes := dict(connection.execute("SELECT id, size FROM segments"))),
            sizes,
        )
    except (TypeError, ValueError, KeyError) as error:
        raise Damaged(f"a value is not of its type, or missing: {error}") from error


def _files(connection: sqlite3.Connection, tree: int) -> dict[str, Known]:
    question = "SELECT path, size, modified, changed, inode, checked, content FROM files WHERE tree = ?"
    found = {}
    for path, size, modified, changed, inode, checked, content in connection.execute(question, (tree,)):
        _ = size + modified + changed + inode + checked  # numbers all, or a TypeError
        found[path] = Known(State(size, modified, changed, inode), checked, content)
    return found


def _layouts(connection: sqlite3.Connection, tree: int, sizes: Mapping[int, int]) -> dict[int, Layout]:
    question = (
        "SELECT id, segment, base, layout, checksum FROM contents"
        " WHERE id IN (SELECT content FROM files WHERE tree = ?)"
    )
    found = {}
    for content, segment, base, data, checksum in connection.execute(question, (tree,)):
        if checksum != _layout_checksum(segment, base, data):
            raise Damaged(f"content {content} is not what was written")
        found[content] = layout = unpacked(segment, base, data)
        if base + len(layout.lines) > sizes[segment]:
            raise Damaged(f"content {content} lies beyond its segment")
    named = connection.execute("SELECT DISTINCT content FROM files WHERE tree = ? AND content IS NOT NULL", (tree,))
    for (content,) in named:
        _ = found[content]
    return found


def _add_contents(connection: sqlite3.Connection, batch: Batch, now: int) -> None:
    known = _ids(connection, list(batch.layouts))
    for number, segment in enumerate(batch.segments):
        new = [(hash, each) for hash, each in batch.layouts.items() if each.segment == number and hash not in known]
        if new:
            written = _add_segment(connection, segment)
            rows = ((hash, *_layout_row(layout._replace(segment=written)), now) for hash, layout in new)
            connection.executemany(
                "INSERT INTO contents (hash, segment, base, layout, checksum, used) VALUES (?, ?, ?, ?, ?, ?)", rows
            )


def _add_segment(connection: sqlite3.Connection, segment: Segment) -> int:
    connection.execute("INSERT INTO segments (size) VALUES (?)", (segment.number,))
    number = int(connection.execute("SELECT last_insert_rowid()").fetchone()[0])
    postings = segment.postings()
    rows = ((word, number, *each, _checksum(word, each)) for word, each in postings)
    connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?, ?)", rows)
    others = ((stem(word), word) for word, _ in postings)
    connection.executemany(
        "INSERT OR IGNORE INTO stems VALUES (?, ?)", ((each, word) for each, word in others if each != word)
    )
    return number


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


def merge(connection: sqlite3.Connection, segments: Iterable[int]) -> None:
    """Make segments into one, without what no content has any more. Within a transaction that writes.

    Raises: Damaged.
    """
    segments = set(segments)
    moved = _Moved(connection, segments)
    rows = connection.execute("SELECT word, segment, body, first, defined, checksum FROM postings ORDER BY word")
    for word, segment, *blobs, checksum in rows:
        if segment in segments:
            postings = Postings(*blobs)
            if checksum != _checksum(word, postings):
                raise Damaged(f"the postings of {word!r} are not what was written")
            moved.add(word, segment, postings)
    connection.executemany("DELETE FROM segments WHERE id = ?", ((segment,) for segment in segments))
    marks = ",".join("?" * len(segments))
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
            self._connection.execute("INSERT INTO segments (size) VALUES (?)", (target.number,))
            written.append(int(self._connection.execute("SELECT last_insert_rowid()").fetchone()[0]))
            rows = ((word, written[-1], *each, _checksum(word, each)) for word, each in target.postings())
            self._connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?, ?)", rows)
        rows = (
            (*_layout_row(layout._replace(segment=written[target])), content)
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
        from nodwyn.prims.retrieval.contents import MOST_CHUNKS

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
    return array("H", numbers).tobytes() + bytes(counts[number] for number in numbers)


def _layout_row(layout: Layout) -> tuple[int, int, bytes, int]:
    data = layout.packed()
    return layout.segment, layout.base, data, _layout_checksum(layout.segment, layout.base, data)


def _layout_checksum(segment: int, base: int, data: bytes) -> int:
    return _sum(f"{segment} {base}".encode(), data)


def _checksum(word: str, postings: Postings) -> int:
    return _sum(word.encode("utf-8", "surrogatepass"), *postings)


def _sum(*pieces: bytes) -> int:
    """Return a checksum of what was written; of what has not the type of that, one that nothing has."""
    total = 0
    for piece in pieces:
        if not isinstance(piece, bytes):
            return -1
        total = crc32(piece, total)
    return total
