"""Opening what lies beneath directories, however paths and links lead, while others move things about.

On Linux one system call, ``openat2``, finds the object and does not leave the directory. Where the kernel has none,
where a link names its target from the top, and where nothing may stand at the end yet, the path is walked: each
component is opened in the directory that the last one opened, never through a link; links are read and followed here.

What is found is first only pointed at, not opened: a FIFO does not block, and a device does nothing.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from nodwyn.prims.environment import is_within

MOST_LINKS = 40
"""As many links as Linux follows on one path."""

_ATTEMPTS = 100
"""How often what changes while it is looked at is looked at again."""

_POINT = os.O_PATH | os.O_CLOEXEC if sys.platform == "linux" else os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_DIRECTORY = _POINT | os.O_DIRECTORY | os.O_NOFOLLOW


class Outside(Exception):
    """A path leads out of the directories that it may lead to."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path
        """Where it leads, as far as it was followed."""


class Base(NamedTuple):
    """A directory beneath which things may be reached."""

    path: str
    """Absolute and real."""
    descriptor: int
    only: str = ""
    """The one name in it that may be, if it is not all."""


class Found(NamedTuple):
    """Where a path leads."""

    path: str
    """The real path."""
    directory: int
    """A descriptor of the directory that the last component is in."""
    name: str
    """The last component; ``.`` for a base itself."""
    missing: tuple[str, ...]
    """The components that do not exist, from the first one on, the last component included."""


class Walk:
    """Follows paths through directories that stay open, so that renaming one of them changes nothing."""

    def __init__(self, bases: Sequence[Base], *, links: bool = True) -> None:
        """Walk beneath any of ``bases``.

        links: whether links are followed; else one is an error.
        """
        self._bases = bases
        self._links = MOST_LINKS if links else 0
        self._base = bases[0]
        self._stack: list[tuple[str, int]] = []
        self._pending: list[str] = []

    @contextmanager
    def to(self, path: str) -> Iterator[Found]:
        """Follow an absolute path; the descriptor of its directory is open within the context.

        Raises: Outside, OSError.
        """
        try:
            self._start(path)
            yield self._follow()
        finally:
            self._leave()

    def _start(self, path: str) -> None:
        self._leave()
        base = base_of(self._bases, path) or base_of(self._bases, os.path.normpath(path))
        if base is None:
            raise Outside(os.path.normpath(path))
        self._base, rest = base
        self._pending = [part for part in reversed(rest.split("/")) if part not in ("", ".")]

    def _leave(self) -> None:
        while self._stack:
            os.close(self._stack.pop()[1])

    @property
    def _here(self) -> int:
        return self._stack[-1][1] if self._stack else self._base.descriptor

    def _path(self, *more: str) -> str:
        return "/".join([self._base.path.rstrip("/"), *(name for name, _ in self._stack), *more]) or "/"

    def _follow(self) -> Found:
        while self._pending:
            name = self._pending.pop()
            if name == "..":
                self._climb()
                continue
            try:
                status = os.stat(name, dir_fd=self._here, follow_symlinks=False)
            except FileNotFoundError:
                return self._missing(name)
            if stat.S_ISLNK(status.st_mode):
                self._follow_link(name)
            elif self._pending or stat.S_ISDIR(status.st_mode):
                self._enter(name)
            else:
                return Found(self._path(name), self._here, name, ())
        return Found(self._path(), self._here, ".", ())

    def _enter(self, name: str) -> None:
        self._stack.append((name, os.open(name, _DIRECTORY, dir_fd=self._here)))

    def _climb(self) -> None:
        if self._stack:
            os.close(self._stack.pop()[1])
        else:
            self._start(os.path.join(os.path.dirname(self._base.path), *reversed(self._pending)))

    def _follow_link(self, name: str) -> None:
        if self._links <= 0:
            raise OSError(errno.ELOOP, "it is a link, or too many links lead to it")
        self._links -= 1
        target = os.readlink(name, dir_fd=self._here)
        if target.startswith("/"):
            self._start(os.path.join(target, *reversed(self._pending)))
        else:
            self._pending += [part for part in reversed(target.split("/")) if part not in ("", ".")]

    def _missing(self, name: str) -> Found:
        rest = (name, *reversed(self._pending))
        if ".." in rest:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return Found(self._path(*rest), self._here, rest[-1], rest)


def base_of(bases: Sequence[Base], path: str) -> tuple[Base, str] | None:
    """Return the innermost base that an absolute path is beneath, component by component, and the rest of the path."""
    if len(bases) == 1 and not bases[0].only and path.startswith(f"{bases[0].path}/"):
        return bases[0], path[len(bases[0].path) :].lstrip("/") or "."
    fitting = [base for base in bases if is_within(path, os.path.join(base.path, base.only).rstrip("/") or "/")]
    if not fitting:
        return None
    base = max(fitting, key=lambda base: len(base.path))
    return base, path[len(base.path) :].lstrip("/") or "."


def point_at(bases: Sequence[Base], path: str) -> int:
    """Return a descriptor that points at what an absolute path leads to, links followed, beneath ``bases``.

    On Linux it cannot be read from: :func:`reopen` opens what it points at. Elsewhere it can.

    Raises: Outside, OSError.
    """
    found = base_of(bases, path)
    if found is not None and sys.platform == "linux" and not found[0].only:
        try:
            return _point_beneath(found[0].descriptor, found[1])
        except OSError as error:
            # EXDEV: it leads out, or to the top and from there back in; the walk tells which.
            if error.errno not in _WALK_INSTEAD:
                raise
    for _ in range(_ATTEMPTS):
        with Walk(bases).to(path) as end:
            if end.missing:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            descriptor = _point_in(end.directory, end.name)
        if descriptor is not None:
            return descriptor
    raise OSError(errno.ELOOP, "it changes all the time")


def open_beneath(base: Base, path: str) -> int | None:
    """Return a descriptor for reading of what was seen to be a regular file, or None when only :func:`point_at` can
    tell where the path leads.

    Whoever has seen the file saves opening it twice and asking for its real path: no link is followed, so that it is
    the path. What has become a FIFO since does not block.

    path: normal, and relative to the base.

    Raises: OSError.
    """
    if sys.platform != "linux" or base.only:
        return None
    try:
        return _opener()(base.descriptor, os.fsencode(path))
    except OSError as error:
        if error.errno == errno.ELOOP or error.errno in _WALK_INSTEAD:
            return None
        raise


@cache
def _opener() -> Callable[[int, bytes], int]:
    from nodwyn.prims.linux import open_beneath

    return open_beneath


def _point_in(directory: int, name: str) -> int | None:
    """Return a descriptor of what a directory has by a name, or None when that became a link since it was looked at."""
    if sys.platform != "linux":
        mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(errno.EINVAL, "it is no regular file and no directory")
    try:
        descriptor = os.open(name, _POINT | os.O_NOFOLLOW, dir_fd=directory)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise
    if stat.S_ISLNK(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return descriptor


_WALK_INSTEAD = (errno.EXDEV, errno.ENOSYS, errno.EPERM, errno.EAGAIN, errno.E2BIG, errno.EINVAL)


def _point_beneath(directory: int, path: str) -> int:
    from nodwyn.prims.linux import point_beneath

    return point_beneath(directory, os.fsencode(path))


def reopen(descriptor: int, flags: int) -> int:
    """Return a descriptor for reading what another one points at: the same object, whatever its name is now.

    Raises: OSError.
    """
    flags |= os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
    if sys.platform == "linux":
        return os.open(f"/proc/self/fd/{descriptor}", flags)
    return os.dup(descriptor)


def real_path(descriptor: int) -> str:
    """Return the path by which an open object is reached now.

    Raises: FileNotFoundError when it has none any more. OSError.
    """
    if sys.platform == "linux":
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        if path.endswith(" (deleted)") and os.fstat(descriptor).st_nlink == 0:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return path
    import fcntl

    octets = fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024))
    return os.fsdecode(octets.rstrip(b"\0"))
