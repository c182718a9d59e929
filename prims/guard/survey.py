"""Looking through the root for what commands may not reach, and for where git keeps things.

A directory that did not change since the last look is not read again, so that only the first look costs much.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.confinement import PathCheck, covered
from nodwyn.prims.guard.denylist import Identities
from nodwyn.prims.guard.repositories import looks_like_repository

SETTLED_NANOSECONDS = 1_000_000_000
"""A directory that changed less than this before it was read is read again: another change may bear the same time."""

MOST_HIDDEN_FILES = 100
"""A directory with more hidden files is hidden as a whole: a sandbox takes longer for each than for the one before."""

_MADE_ANEW = ("/dev", "/proc")
"""Of these every sandbox has its own, in which what a link leads to is another thing or missing."""


class Survey(NamedTuple):
    """What was found in the root."""

    hidden: tuple[str, ...]
    """What may neither be read nor written; real paths."""
    frozen: tuple[str, ...]
    """What may be read and not written."""
    repositories: tuple[str, ...]
    """The directories of git, bare ones included."""
    asked: dict[str, tuple[int, int, int]]
    """What is written only after a question of its own, as it is now: number, size and time of the last change."""


class _Folder(NamedTuple):
    """What one directory has."""

    identity: tuple[int, int, int]
    """Device, number and time of the last change."""
    folders: list[str]
    hidden: list[str]
    frozen: list[str]
    repositories: list[str]
    asked: list[str]
    files: dict[int, list[str]]
    """The regular files by their numbers."""


class Surveyor:
    """Looks through one root again and again."""

    def __init__(
        self,
        root: str,
        is_denied: PathCheck,
        is_unwritable: PathCheck,
        is_asked: PathCheck = lambda path: None,
        *,
        identities: Callable[[], Identities] = Identities,
        apart: str | None = None,
        skips_repositories: bool = True,
    ) -> None:
        """Judge paths beneath a real path, ``root``: neither read nor written, not written, written when asked.

        identities: returns what files elsewhere are that are protected, under the names too that they have here.
        apart: a directory that is another's to look through, and no part of what is hidden as a whole.
        skips_repositories: whether directories of git are told and not looked into.
        """
        self._root = root
        self._identities = identities
        self._apart = apart
        self._skips_repositories = skips_repositories
        self._is_denied = is_denied
        self._is_unwritable = is_unwritable
        self._is_asked = is_asked
        self._known: dict[str, _Folder] = {}

    def look(self) -> Survey:
        """Return what is in the root now.

        Links are not followed; one that leads to what may not be reached hides that. What is hidden or not written is
        so under all the names that it has in the root.
        """
        folders: dict[str, _Folder] = {}
        pending = [self._root]
        while pending:
            path = pending.pop()
            folder = self._folder(path) if path != self._apart else None
            if folder is not None:
                folders[path] = folder
                pending += folder.folders
        self._known = folders
        hidden = [path for folder in folders.values() for path in folder.hidden]
        frozen = [path for folder in folders.values() for path in folder.frozen]
        elsewhere = self._identities()
        return Survey(
            tuple(self._together(dict.fromkeys(hidden + self.other_names(hidden, elsewhere.secrets)))),
            tuple(dict.fromkeys(frozen + self.other_names(frozen, elsewhere.programs))),
            tuple(path for folder in folders.values() for path in folder.repositories),
            _states(path for folder in folders.values() for path in folder.asked),
        )

    def _folder(self, path: str) -> _Folder | None:
        try:
            status = os.lstat(path)
            identity = (status.st_dev, status.st_ino, status.st_mtime_ns)
            known = self._known.get(path)
            if known and known.identity == identity and time.time_ns() - status.st_mtime_ns > SETTLED_NANOSECONDS:
                return known
            return self._read(path, identity)
        except OSError:
            return None

    def _read(self, path: str, identity: tuple[int, int, int]) -> _Folder:
        folder = _Folder(identity, [], [], [], [], [], {})
        with os.scandir(path) as scan:
            entries = list(scan)
        if self._skips_repositories and path != self._root and looks_like_repository(entry.name for entry in entries):
            folder.repositories.append(path)
            return folder
        for entry in entries:
            self._sort(entry, folder)
        return folder

    def _sort(self, entry: os.DirEntry[str], folder: _Folder) -> None:
        path = entry.path
        if entry.is_symlink():
            target = os.path.realpath(path)
            if os.path.exists(target) and not covered(target, _MADE_ANEW) and self._is_denied(target):
                folder.hidden.append(target)
        elif self._skips_repositories and entry.name.lower() == ".git":
            (folder.repositories if entry.is_dir(follow_symlinks=False) else folder.frozen).append(path)
        elif self._is_denied(path):
            folder.hidden.append(path)
        else:
            if self._is_unwritable(path):
                folder.frozen.append(path)
            if entry.is_dir(follow_symlinks=False):
                folder.folders.append(path)
            else:
                folder.files.setdefault(entry.inode(), []).append(path)
        is_folder = entry.is_dir(follow_symlinks=False)
        if not is_folder and entry.name.lower() != ".git" and self._is_asked(path):
            folder.asked.append(path)

    def _together(self, hidden: Iterable[str]) -> list[str]:
        """Return the hidden paths, with one for all those in a directory that has very many, the root excepted."""
        by_folder: dict[str, list[str]] = {}
        for path in hidden:
            by_folder.setdefault(os.path.dirname(path), []).append(path)
        together: list[str] = []
        for folder, paths in by_folder.items():
            whole = folder != self._root and not (self._apart and is_within(self._apart, folder))
            together += [folder] if len(paths) > MOST_HIDDEN_FILES and whole else paths
        return together

    def other_names(self, paths: Iterable[str], elsewhere: Collection[tuple[int, int]] = ()) -> list[str]:
        """Return the names that files have in the root, as it was at the last look, besides these paths.

        elsewhere: device and number of other files that are meant.
        """
        wanted = set(elsewhere)
        for path in paths:
            status = _status(path)
            if status is not None and status.st_nlink > 1 and not stat.S_ISDIR(status.st_mode):
                wanted.add((status.st_dev, status.st_ino))
        numbers = {number for _, number in wanted}
        named_so = (
            path
            for folder in self._known.values()
            for number in folder.files.keys() & numbers
            for path in folder.files[number]
        )
        return [path for path in named_so if (found := _status(path)) and (found.st_dev, found.st_ino) in wanted]


def _states(paths: Iterable[str]) -> dict[str, tuple[int, int, int]]:
    """Return what changes when a file does, for those that are there."""
    found = {}
    for path in paths:
        status = _status(path)
        if status is not None:
            found[path] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return found


def _status(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None
