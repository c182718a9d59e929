"""What a project's index holds, and forgetting it: for the person, without a session."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nodwyn.prims.retrieval.added import Added
from nodwyn.prims.retrieval.database import Damaged, Database, Unwritable
from nodwyn.prims.retrieval.index import index_directory


class Tree(NamedTuple):
    """A working tree in an index."""

    root: str
    """As it was recorded: escaped (:mod:`nodwyn.prims.surrogates`)."""
    files: int
    changed: float
    """When the index of it last changed, in seconds since 1970."""


class Status(NamedTuple):
    """What an index holds."""

    directory: Path
    size: int
    """Bytes on the disk."""
    contents: int
    chunks: int
    trees: Sequence[Tree]
    added: Sequence[str]
    """The paths that are covered whatever git ignores."""


def status(root: Path) -> Status | None:
    """Return what the index of a project holds, or None when it has none, or one that is not whole.

    root: a directory of the project.

    Raises: NotPrivate, OSError.
    """
    directory = index_directory(root)
    database = Database(directory)
    if not database.exists():
        return None
    try:
        with database.transaction(writes=False) as connection:
            contents, chunks = connection.execute("SELECT count(*), sum(length(layout)) / 4 FROM contents").fetchone()
            held = "(SELECT count(content) FROM files WHERE tree = trees.id)"
            question = f"SELECT root, {held}, changed FROM trees ORDER BY root"
            trees = [Tree(root, files, changed / 1e9) for root, files, changed in connection.execute(question)]
    except (Unwritable, Damaged):
        return None
    finally:
        database.close()
    return Status(directory, database.size(), contents, chunks or 0, trees, added(root))


def added(root: Path) -> list[str]:
    """Return the paths that were added to the index of a project.

    Raises: NotPrivate, OSError.
    """
    return Added(index_directory(root).parent).paths()


def forget(root: Path, *, paths: bool) -> bool:
    """Remove the index of a project; return whether there was one.

    paths: whether the paths that were added are forgotten, too.

    Raises: NotPrivate, OSError.
    """
    directory = index_directory(root)
    database = Database(directory)
    was = database.exists()
    database.remove_all()
    if paths:
        Added(directory.parent).forget()
    return was
