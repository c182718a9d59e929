"""Standing in for what may not be reached and does not exist yet, while commands run.

A sandbox can lay nothing over a name that nothing has. So an empty file, or an empty directory where even the parent is
missing, is put there, hidden from the command, and taken away after it. Whoever makes the real thing meanwhile writes
into the placeholder, which then is none any more and stays. Several commands share a placeholder: each holds a shared
lock on it, and the last one takes it away. One that was left over is known by its emptiness and its time, 1970.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterable
from types import TracebackType
from typing import Self

ATTEMPTS = 100
"""How often a placeholder is made that others take away while it is looked at."""


class Placeholders:
    """A context in which something stands at each of the given paths, or at the first missing directory towards it."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = list(paths)
        self._held: list[tuple[str, int]] = []

    def __enter__(self) -> Self:
        for path in self._paths:
            place = _free_place(path)
            if place is not None and place not in self.standing:
                self._hold(place, is_file=place == path)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for path, descriptor in self._held:
            try:
                _take_away(path, descriptor)
            finally:
                os.close(descriptor)

    @property
    def standing(self) -> tuple[str, ...]:
        """The paths at which a placeholder stands."""
        return tuple(path for path, _ in self._held)

    def _hold(self, path: str, is_file: bool) -> None:
        """Make a placeholder, or share the one that is there. Where none can be made, no command can make anything."""
        for _ in range(ATTEMPTS):
            try:
                descriptor = _make(path, is_file)
            except FileNotFoundError:
                continue  # another command took it away while it was looked at
            except OSError:
                return
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            try:
                shared = os.path.samestat(os.lstat(path), os.fstat(descriptor))
            except OSError:
                shared = False
            if shared:
                self._held.append((path, descriptor))
                return
            os.close(descriptor)  # another command took it away before it was shared


def take_leftovers(paths: Iterable[str]) -> None:
    """Take away the placeholders of commands whose program was killed. Those that a command holds stay."""
    for path in paths:
        place = _free_place(path)
        if place is None or not os.path.lexists(place):
            continue
        try:
            descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            _take_away(place, descriptor)
        finally:
            os.close(descriptor)


def _make(path: str, is_file: bool) -> int:
    """Make a placeholder unless one stands there; return a descriptor of it.

    Raises: OSError, also when something else stands there.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | (0 if is_file else os.O_DIRECTORY)
    try:
        if is_file:
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        else:
            os.mkdir(path, 0o700)
            descriptor = os.open(path, flags)
        os.utime(descriptor, (0, 0))
    except FileExistsError:
        if not _has_the_signs(os.lstat(path), path):
            raise
        descriptor = os.open(path, flags)
    return descriptor


def _free_place(path: str) -> str | None:
    """Return where a placeholder for ``path`` belongs, or None when ``path`` exists or a link is on the way."""
    at = "/"
    for component in path.strip("/").split("/"):
        at = os.path.join(at, component)
        try:
            status = os.lstat(at)
            if _has_the_signs(status, at):
                return at
        except FileNotFoundError:
            return at
        except OSError:
            return None
        if stat.S_ISLNK(status.st_mode):
            return None
    return None


def _has_the_signs(status: os.stat_result, path: str) -> bool:
    if status.st_mtime != 0:
        return False
    return not os.listdir(path) if stat.S_ISDIR(status.st_mode) else stat.S_ISREG(status.st_mode) and not status.st_size


def _take_away(path: str, descriptor: int) -> None:
    """Remove a placeholder unless another command holds it, or it is none any more."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        status = os.lstat(path)
        if not (os.path.samestat(status, os.fstat(descriptor)) and _has_the_signs(status, path)):
            return
        if stat.S_ISDIR(status.st_mode):
            os.rmdir(path)
        else:
            os.unlink(path)
    except OSError:
        return
