"""Which files of a working tree an index covers: those that git lists, or the walk of a search, and what was added."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from nodwyn.prims import surrogates
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.files import DEEPEST, FileError
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.repository import GitFailed
from nodwyn.prims.retrieval.store import State

if TYPE_CHECKING:
    from nodwyn.prims.context import Context

LARGEST_FILE: Final = 1 << 20
MOST_FILES: Final = 20_000
LARGEST_TREE: Final = 128 << 20

MOST_NAMES: Final = 500_000
"""Names that a walk looks at."""

OWN_FOLDER: Final = ".nodwyn/"
"""What is in it belongs to the tree only when git tracks it: other sessions' trees and attachments are there too."""

NO_TIME: Final = "there was no time"

GIT_SECONDS: Final = 4.0
"""How long git may take to list files, or commits."""

EVERY_NAMES: Final = 256
"""After how many names it is looked whether the time is over."""


class Listed(NamedTuple):
    """A file that an index covers."""

    path: str
    """Relative to the root, escaped (:mod:`nodwyn.prims.surrogates`)."""
    state: State


class Listing(NamedTuple):
    """The files that an index covers, in path order."""

    files: list[Listed]
    partial: str
    """Why these are not all, in words that end a sentence; nothing when they are."""


def listing(
    context: Context, added: Iterable[str], is_over: Callable[[], bool], known: dict[str, Listed] | None = None
) -> Listing:
    """Return the files of the tree.

    added: files and directories that are covered whatever git ignores, relative to the root. is_over: whether the time
    to list them is over. known: files as they were listed before, by name; those that are as they were are the same
    objects again, and what is new of the others is taken up.

    Raises: PrimitiveError when it is cancelled, Refused.
    """
    names, partial = _names(context, is_over)
    more: set[str] = set()
    for path in added:
        more.update(_below(context, path, is_over))
    if more:
        names = sorted(more.union(names))
    files: list[Listed] = []
    known = {} if known is None else known
    size = 0
    root = f"{context.session.root}/"
    # Written out, for it is done for each file at each search.
    for number, name in enumerate(names):
        if number % EVERY_NAMES == 0 and is_over():
            return Listing(files, f"{NO_TIME} to look at all files")
        try:
            status = os.lstat(root + name)
        except (OSError, ValueError):
            continue  # it is not there: deleted, or left out of a sparse checkout
        if not stat.S_ISREG(status.st_mode):
            continue
        if status.st_size <= LARGEST_FILE:
            size += status.st_size
        if len(files) == MOST_FILES or size > LARGEST_TREE:
            most = f"{MOST_FILES} files" if len(files) == MOST_FILES else f"{LARGEST_TREE >> 20} MiB"
            return Listing(files, f"of a tree it holds {most}, the first in path order")
        file = known.get(name)
        state = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        if file is None or file.state != state:
            path = name if name.isascii() else surrogates.escape(name)
            file = known[name] = Listed(path, State(*state))
        files.append(file)
    return Listing(files, partial)


def _names(context: Context, is_over: Callable[[], bool]) -> tuple[list[str], str]:
    """Return the names of files that may be covered, sorted, and why these are not all."""
    if top_of(context.session.root) is not None:
        names, partial = _listed_by_git(context)
        if names:
            return names, partial
    deep: list[str] = []
    names = list(_walked(context, ".", is_over, deep.append))
    if is_over():
        return sorted(names), f"{NO_TIME} to list all files"
    return sorted(names), f"what lies more than {DEEPEST} directories deep is left out" if deep else ""


def _listed_by_git(context: Context) -> tuple[list[str], str]:
    """Return the names that git lists; none when it is missing, does not trust the repository, or ignores the root."""
    partial = ""
    try:
        listed = context.repository.files(untracked=True, seconds=GIT_SECONDS)
    except PrimitiveError as error:
        what = error.what if isinstance(error, GitFailed) else str(error)
        partial = f"{what}, so that only the files that git tracks count"
        try:
            listed = context.repository.files(untracked=False, seconds=GIT_SECONDS)
        except PrimitiveError:
            return [], ""
    kept = (name for name, is_tracked in listed if is_tracked or not name.startswith(OWN_FOLDER))
    return [name for name in kept if name[-1] != "/"], partial


def top_of(root: str) -> str | None:
    """Return the top of the working tree around a directory, by the look of it; None outside of any repository."""
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)
    return folder


def _below(context: Context, path: str, is_over: Callable[[], bool]) -> Iterator[str]:
    """Yield the files at or below a path that was added; it may be gone meanwhile, or lead elsewhere.

    Raises: Refused when the turn's limits end it. PrimitiveError when it is cancelled.
    """
    try:
        yield from _walked(context, path, is_over, lambda name: None)
    except FileError:
        return
    except Refused as refusal:
        if refusal.layer == "budget":
            raise


def _walked(context: Context, path: str, is_over: Callable[[], bool], too_deep: Callable[[str], None]) -> Iterator[str]:
    for number, name in enumerate(context.files.walk(path, too_deep=too_deep)):
        if number == MOST_NAMES or (number % EVERY_NAMES == 0 and is_over()):
            return
        yield name
