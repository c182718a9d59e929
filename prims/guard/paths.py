"""The files of a session: opened beneath the root and beneath what the person added, judged by what was opened.

What is opened is what is judged: its kind, its number of names, the denylist on its real name. So nothing that happens
to the names meanwhile can put another file in its place.
"""

from __future__ import annotations

import errno
import os
import stat
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import NamedTuple

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.denylist import Denylist
from nodwyn.prims.guard.proposal import Finding
from nodwyn.prims.guard.replace import (
    SEARCH,
    Changed,
    Version,
    made_directories,
    read_version,
    remove_directory,
    replace_content,
)
from nodwyn.prims.guard.repositories import takes_part_in_bare
from nodwyn.prims.guard.resolve import Base, Outside, Walk, base_of, open_beneath, point_at, real_path, reopen

_NOTHING = os.stat_result((0,) * 10)


class Opened(NamedTuple):
    """A file, a directory, or something else that a path led to."""

    descriptor: int
    """Open for reading when it is a regular file or a directory that nothing forbids; -1 when it was not reached."""
    path: str
    """The real path, or where an outside path leads."""
    status: os.stat_result
    findings: tuple[Finding, ...]
    """What stands against reading it."""
    outside: bool
    """Whether it is outside of the root."""


class Target(NamedTuple):
    """What a path to be written leads to, existing or not."""

    path: str
    """The real path."""
    findings: tuple[Finding, ...]
    """What stands against writing it."""
    outside: bool
    """Whether it is outside of the root."""


class Places:
    """What file primitives reach: the root, fixed when this is made, and what the person added."""

    def __init__(self, root: str, *, own: Sequence[str] | None = None, home: str | None = None) -> None:
        """Make the places of a session.

        root: a directory. own: the directories of nodwyn itself; those of this process when not given. home: the
            person's; this process's when not given.
        """
        self.root = os.path.realpath(root)
        self._beneath = f"{self.root.rstrip('/')}/"
        self._own = own
        self._home = home
        self._added: list[Base] = []

    @cached_property
    def denylist(self) -> Denylist:
        """What is not reached whatever was allowed."""
        own = _own_directories() if self._own is None else tuple(map(os.path.realpath, self._own))
        return Denylist(own, os.path.realpath(self._home or os.path.expanduser("~")))

    @cached_property
    def _base(self) -> Base:
        return self._held(Base(self.root, os.open(self.root, SEARCH)))

    @property
    def _bases(self) -> list[Base]:
        return [self._base, *self._added]

    @property
    def added(self) -> list[str]:
        """The real paths that the person added."""
        return [os.path.join(base.path, base.only) if base.only else base.path for base in self._added]

    def add(self, name: str) -> str:
        """Let a directory, or one file, outside of the root be reached; return its real path.

        Raises: OSError.
        """
        path = os.path.realpath(self._named(name))
        folder, only = (path, "") if os.path.isdir(path) else os.path.split(path)
        self._added.append(self._held(Base(folder, os.open(folder, SEARCH), only)))
        return path

    def forget_added(self) -> None:
        """Take back all that was added."""
        self._added.clear()

    def absolute(self, name: str) -> str:
        """Return the absolute form of a path that is relative to the root or begins with ``~``; links are not read."""
        return os.path.normpath(os.path.join(self.root, os.path.expanduser(name)))

    def shown(self, path: str) -> str:
        """Return an absolute path as people see it: relative to the root when it is beneath it."""
        if path.startswith(self._beneath):
            return path[len(self._beneath) :].lstrip("/") or "."
        return "." if path == self.root else path

    def denied(self, path: str) -> str | None:
        """Return why an absolute real path is neither read nor written, whatever was allowed, or None."""
        return self.denylist.secret(path)

    def unwritable(self, path: str) -> str | None:
        """Return why an absolute real path is not written, whatever was allowed, or None."""
        return self.denylist.program(path)

    def open(self, name: str, directory: bool = False) -> Opened:
        """Open what a path leads to for reading, unless something forbids it.

        Something else than a regular file or a directory is pointed at and never opened: no primitive reads it. The
        caller closes the descriptor.

        directory: whether it must be one.

        Raises: OSError.
        """
        path = self._named(name)
        found = None if directory or not _is_file(path) else self._open_at_once(path)
        if found is not None:
            return found
        try:
            descriptor = point_at(self._bases, path)
        except Outside as outside:
            return Opened(-1, outside.path, _NOTHING, (self._is_outside(),), True)
        try:
            opened = self._judged(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        if opened.descriptor != descriptor:
            os.close(descriptor)
        if directory and opened.descriptor >= 0 and not stat.S_ISDIR(opened.status.st_mode):
            os.close(opened.descriptor)
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return opened

    def open_found(self, name: str) -> Opened:
        """Open for reading what a listing of its directory has shown to be a regular file; see :meth:`open`.

        It is opened at once, and judged as what it is.

        Raises: OSError.
        """
        return self._open_at_once(self._named(name)) or self.open(name)

    def _open_at_once(self, path: str) -> Opened | None:
        """Open for reading what was seen to be a regular file a moment ago; None when that takes a closer look.

        No link is followed, so that the path is the real one.
        """
        if path != os.path.normpath(path):
            return None
        if not self._added and path.startswith(self._beneath):
            base, rest = self._base, path[len(self._beneath) :]
        elif found := base_of(self._bases, path):
            base, rest = found
        else:
            return None
        try:
            descriptor = open_beneath(base, rest)
        except PermissionError:
            return None
        if descriptor is None:
            return None
        try:
            opened = self._judge_reached(descriptor, path, os.fstat(descriptor))
        except BaseException:
            os.close(descriptor)
            raise
        if opened.descriptor < 0:
            os.close(descriptor)
        return opened

    def _judged(self, descriptor: int) -> Opened:
        """Return what a descriptor points at, opened unless it is forbidden."""
        opened = self._judge(descriptor, real_path(descriptor))
        if opened.descriptor < 0:
            return opened
        if stat.S_ISREG(opened.status.st_mode):
            return opened._replace(descriptor=reopen(descriptor, os.O_RDONLY))
        if stat.S_ISDIR(opened.status.st_mode):
            return opened._replace(descriptor=reopen(descriptor, os.O_RDONLY | os.O_DIRECTORY))
        return opened

    def _judge(self, descriptor: int, path: str) -> Opened:
        """Return what an open descriptor is and what stands against reading it; without the descriptor if anything
        forbids it.

        path: the real one.
        """
        status = os.fstat(descriptor)
        if base_of(self._bases, path) is None:
            return Opened(-1, path, status, (self._is_outside(),), True)
        return self._judge_reached(descriptor, path, status)

    def _judge_reached(self, descriptor: int, path: str, status: os.stat_result) -> Opened:
        """Do the same for what lies beneath what may be reached."""
        outside = not (path.startswith(self._beneath) or path == self.root)
        if reason := self.denylist.secret(path):
            return Opened(-1, path, status, (_denial(reason),), outside)
        if status.st_nlink > 1 and stat.S_ISREG(status.st_mode):
            finding = self._of_several_names(path, status, "reads")
            return Opened(-1 if finding.verdict == "deny" else descriptor, path, status, (finding,), outside)
        return Opened(descriptor, path, status, (), outside)

    def judge_write(self, name: str) -> Target:
        """Return what a path to be written leads to, links followed, and what stands against writing it.

        Raises: OSError.
        """
        try:
            with Walk(self._bases).to(self._named(name)) as end:
                status = None if end.missing else os.stat(end.name, dir_fd=end.directory, follow_symlinks=False)
                path = end.path
        except Outside as outside:
            return Target(outside.path, (self._is_outside(),), True)
        if name.endswith("/") and (status is None or not stat.S_ISDIR(status.st_mode)):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return Target(path, tuple(self._against_writing(path, status)), not is_within(path, self.root))

    def _against_writing(self, path: str, status: os.stat_result | None) -> Iterator[Finding]:
        if reason := self.denylist.secret(path) or self.denylist.program(path):
            yield _denial(reason)
        elif takes_part_in_bare(path, self.root):
            yield _denial("it would be part of a git repository that makes git run programs, and is not written")
        elif reason := self.denylist.asks(path):
            yield Finding("confirm", "denylist", reason)
        if status is not None and stat.S_ISDIR(status.st_mode):
            yield Finding("deny", "pin", "it is a directory")
        elif status is not None and not stat.S_ISREG(status.st_mode):
            yield Finding("deny", "pin", "it is no regular file")
        elif status is not None and status.st_nlink > 1:
            yield self._of_several_names(path, status, "edits")

    def version(self, path: str) -> Version | None:
        """Return what the file at a real path holds now, or None when there is none.

        Raises: OSError, also when a link stands on the path: it was none when the path was resolved.
        """
        try:
            with self._walk(path) as end:
                return None if end.missing else read_version(end.directory, end.name)[0]
        except FileNotFoundError:
            return None

    def replace(self, path: str, data: bytes | None, expected: Version | None, mode: int | None = None) -> None:
        """Put new content in place of what the file at a real path holds, in one step, never through a link.

        Directories that are missing are made. The file keeps its permissions.

        data: None to delete it. expected: what it holds, None when there is no file. mode: permission bits; those that
            it has, or the usual ones of a new file, when not given.

        Raises: Changed when it holds something else. OSError.
        """
        with self._walk(path) as end:
            around = end.missing[:-1]
            if around and data is None:
                if expected is not None:
                    raise Changed
                return
            with made_directories(end.directory, around) as directory:
                replace_content(directory, end.name, data, expected, mode)

    def missing_directories(self, path: str) -> int:
        """Return how many of the directories around the file at a real path would be made for it.

        Raises: OSError.
        """
        with self._walk(path) as end:
            return max(len(end.missing) - 1, 0)

    def lone_directories(self, path: str, most: int) -> int:
        """Return how many of the directories around the file at a real path, from the innermost, hold nothing else.

        most: how many are looked at. One that cannot be listed counts as holding something, one that is not there as
            holding nothing.
        """
        alone = 0
        with suppress(OSError):
            while alone < most:
                path, name = os.path.split(path)
                with self._walk(path) as end:
                    if not end.missing and not _names(end.directory) <= {name}:
                        break
                alone += 1
        return alone

    def remove_directories(self, path: str, number: int) -> None:
        """Remove directories around what was the file at a real path, from the innermost, but for those that are gone.

        One that is not empty, or cannot be removed, stays, and so do those around it.
        """
        with suppress(OSError):
            for _ in range(number):
                path, name = os.path.split(os.path.dirname(path))
                with self._walk(path) as end, suppress(FileNotFoundError):
                    if not end.missing:
                        remove_directory(end.directory, name)
                path = os.path.join(path, name)

    @contextmanager
    def _walk(self, path: str) -> Iterator[_End]:
        try:
            with Walk(self._bases, links=False).to(path) as end:
                yield _End(end.directory, end.name, end.missing)
        except Outside as outside:
            raise OSError(errno.EXDEV, f"it leads out of the root, to {outside.path}") from None

    def _named(self, name: str) -> str:
        """Return the absolute form of a path with its ``..``, which mean another thing behind a link."""
        if not name.isascii():
            try:
                os.fsencode(name)
            except UnicodeEncodeError:
                raise FileNotFoundError(errno.ENOENT, "no file system can hold such a name") from None
        if "\0" in name:
            raise OSError(errno.EINVAL, "a path has no NUL in it")
        if name[:1] in ("/", "~", ""):
            return os.path.join(self.root, os.path.expanduser(name))
        return self._beneath + name

    def _is_outside(self) -> Finding:
        return Finding("deny", "pin", f"it is outside of {self.root}, which the person has not allowed (allow-path)")

    def _of_several_names(self, path: str, status: os.stat_result, kind: str) -> Finding:
        """Return what is against a file that has other names, of which any may be anywhere."""
        if self.denylist.is_alias(status, (self.root, os.path.dirname(path))):
            return _denial("it is another name of a file that holds secrets, and is neither read nor written")
        names = f"it has {status.st_nlink} names (hard links), of which others may lie elsewhere"
        if kind == "reads":
            return Finding("confirm", "pin", names, "reads")
        return Finding("confirm", "pin", f"{names}; they keep what it holds now", "edits")

    def _held(self, base: Base) -> Base:
        weakref.finalize(self, os.close, base.descriptor)
        return base


class _End(NamedTuple):
    """Where a real path leads: a directory, and a name in it."""

    directory: int
    name: str
    missing: tuple[str, ...]


def _names(directory: int) -> set[str]:
    """Return the names in an open directory."""
    descriptor = reopen(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return set(os.listdir(descriptor))
    finally:
        os.close(descriptor)


def _is_file(path: str) -> bool:
    """Return whether a path is a regular file's just now, and no link: only a hint how it is opened fastest."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _own_directories() -> tuple[str, ...]:
    from nodwyn.prims.directories import config_directory, data_directory

    return os.path.realpath(data_directory()), os.path.realpath(config_directory())


def _denial(reason: str) -> Finding:
    return Finding("deny", "denylist", reason)
