"""Replacing what a file in an open directory holds, in one step.

Beside the file a new one is written and renamed over it, once the file was seen to hold what it is expected to hold. A
writer who changes it within the last few microseconds before that is not noticed; no system call that is everywhere
would tell.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from nodwyn.prims import system_calls
from nodwyn.prims.private import write_whole

SEARCH = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
"""How a directory is opened in which something is looked up."""

_BLOCK = 1 << 20
_WITHOUT_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


class Version(NamedTuple):
    """What a file holds."""

    data: bytes
    mode: int
    """Its permission bits."""
    names: int = 1
    """How many names it has (hard links): one of them alone is given a new file."""


class Changed(OSError):
    """A file is not as it is expected to be."""

    def __init__(self) -> None:
        super().__init__(errno.ESTALE, "it was changed since it was read. Read it again, and decide again.")


def read_version(directory: int, name: str) -> tuple[Version, os.stat_result]:
    """Return what a regular file holds, and its status from before it was read.

    Raises: FileNotFoundError, OSError.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    descriptor = os.open(name, flags, dir_fd=directory)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        pieces = []
        while piece := os.read(descriptor, _BLOCK):
            pieces.append(piece)
        return Version(b"".join(pieces), stat.S_IMODE(status.st_mode), status.st_nlink), status
    finally:
        os.close(descriptor)


@contextmanager
def made_directories(directory: int, names: Sequence[str]) -> Iterator[int]:
    """Make directories in one another, and give the last one's descriptor to what is done in it.

    Those that were made go again if it fails.

    Raises: OSError.
    """
    opened: list[int] = []
    made: list[tuple[int, str]] = []
    try:
        for name in names:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=directory)
                made.append((directory, name))
            directory = os.open(name, SEARCH | os.O_NOFOLLOW, dir_fd=directory)
            opened.append(directory)
        yield directory
    except BaseException:
        with suppress(OSError):
            for parent, name in reversed(made):
                os.rmdir(name, dir_fd=parent)
        raise
    finally:
        for descriptor in opened:
            os.close(descriptor)


def remove_directory(directory: int, name: str) -> None:
    """Remove an empty directory from an open one.

    Raises: OSError, also when it is not empty.
    """
    os.rmdir(name, dir_fd=directory)
    _sync(directory)


def replace_content(directory: int, name: str, data: bytes | None, expected: Version | None, mode: int | None) -> None:
    """Put new content in place of what a file in an open directory holds.

    data: None to delete it. expected: what it holds; None when there is no such file. mode: its permission bits; those
        that it has, or the usual ones of a new file, when None.

    Raises: Changed, OSError.
    """
    status = _expect(directory, name, expected)
    if data is None:
        if status is not None:
            os.unlink(name, dir_fd=directory)
    else:
        kept = stat.S_IMODE(status.st_mode) if status is not None and mode is None else mode
        temporary = _written(directory, data, kept)
        try:
            _put(directory, temporary, name, status)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=directory)
            raise
    _sync(directory)


def _expect(directory: int, name: str, expected: Version | None) -> os.stat_result | None:
    """Return the status of a file that holds what is expected of it; None when none is there, as expected.

    Raises: Changed, OSError.
    """
    try:
        version, status = read_version(directory, name)
    except FileNotFoundError:
        version, status = None, None
    if (version and version.data) != (expected and expected.data):
        raise Changed
    return status


def _written(directory: int, data: bytes, mode: int | None) -> str:
    """Write a new file in a directory, on the disk when this returns; return its name.

    mode: permission bits; the usual ones of a new file when None.

    Where the system can, the file has no name until all is on the disk: a process that is killed leaves none behind.
    """
    temporary = f".nodwyn-{os.urandom(8).hex()}"
    permissions = 0o666 if mode is None else 0o600
    descriptor = _open_unnamed(directory, permissions)
    if descriptor is not None:
        try:
            _fill(descriptor, data, mode)
            # Without hard links it cannot be given a name, and is written again.
            with suppress(OSError):
                os.link(_open_name(descriptor), temporary, dst_dir_fd=directory, follow_symlinks=True)
                return temporary
        finally:
            os.close(descriptor)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, permissions, dir_fd=directory)
    try:
        try:
            _fill(descriptor, data, mode)
        finally:
            os.close(descriptor)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=directory)
        raise
    return temporary


def _fill(descriptor: int, data: bytes, mode: int | None) -> None:
    """Have an open file hold data, on the disk when this returns."""
    write_whole(descriptor, data)
    if mode is not None:
        os.fchmod(descriptor, mode)
    system_calls.sync_data(descriptor)


def _open_unnamed(directory: int, permissions: int) -> int | None:
    """Open a new file in a directory that has no name yet; return None where the system has no such files."""
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag:
        return None
    try:
        descriptor = os.open(".", flag | os.O_WRONLY | os.O_CLOEXEC, permissions, dir_fd=directory)
    except OSError:
        return None  # What else may be wrong is said of the file with a name.
    if os.path.exists(_open_name(descriptor)):
        return descriptor
    os.close(descriptor)
    return None


def _open_name(descriptor: int) -> str:
    """Return the name by which an open file can be given another."""
    return f"/proc/self/fd/{descriptor}"


def _put(directory: int, temporary: str, name: str, expected: os.stat_result | None) -> None:
    """Give a file its name in place of what is expected there.

    Raises: Changed, OSError.
    """
    if expected is None:
        _put_new(directory, temporary, name)
        return
    try:
        found = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        raise Changed from None
    if (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns) != (
        expected.st_ino,
        expected.st_size,
        expected.st_mtime_ns,
        expected.st_ctime_ns,
    ):
        raise Changed
    os.rename(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)


def _put_new(directory: int, temporary: str, name: str) -> None:
    """Give a file a name that nothing has.

    Raises: Changed, OSError.
    """
    try:
        os.link(temporary, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except FileExistsError:
        raise Changed from None
    except OSError as error:
        if error.errno not in _WITHOUT_LINKS:
            raise
        # A file system without hard links: looking first is all that can be done.
        if _exists(directory, name):
            raise Changed from None
        os.rename(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    else:
        os.unlink(temporary, dir_fd=directory)


def _exists(directory: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _sync(directory: int) -> None:
    """Return when the names in a directory are on the disk."""
    descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=directory)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
