"""Files and directories that only their owner can read: 0600 and 0700, whatever the umask."""

from __future__ import annotations

import errno
import os
import shlex
import stat
from contextlib import suppress
from pathlib import Path

from nodwyn.prims import system_calls


class NotPrivate(Exception):
    """A place that should be ours alone is not; the message says what is wrong and what to do."""


_WRITABLE, _READABLE = 0o022, 0o055


def private_directory(path: Path, *, may_be_read: bool = False) -> Path:
    """Make ``path`` a directory of ours with mode 0700, unless there is one; return it.

    Parents that are missing are made with the umask's mode: they are not ours. A directory that is there is never
    changed: it may be the person's own, with more in it than ours.

    may_be_read: whether others may read one that is there.

    Raises: NotPrivate when something else is there, or it is open to others; see :func:`check_private`. OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
        os.chmod(path, 0o700)  # whatever the umask
        return path
    return check_private(path, may_be_read=may_be_read)


def check_private(path: Path, *, may_be_read: bool = False) -> Path:
    """Look whether ``path`` is a directory for us alone, if it is there; return it. Nothing is made or changed.

    may_be_read: whether others may read it.

    Raises: NotPrivate when it is a link, a file, another user's directory, or open to others. OSError.
    """
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return path
    if stat.S_ISLNK(status.st_mode):
        raise NotPrivate(f"{path} is a link. Name the directory that it leads to, or remove the link.")
    if not stat.S_ISDIR(status.st_mode):
        raise NotPrivate(f"{path} is not a directory. Move it away, or name another place.")
    if status.st_uid != os.geteuid():
        raise NotPrivate(f"{path} belongs to another user (number {status.st_uid}). Name a place of your own.")
    mode = stat.S_IMODE(status.st_mode)
    if mode & _WRITABLE or (mode & _READABLE and not may_be_read):
        what, right = "write in" if mode & _WRITABLE else "read", "go-w" if may_be_read else "700"
        raise NotPrivate(
            f"others can {what} {path} (mode {mode:04o}), where nodwyn keeps what is yours alone. `chmod {right}"
            f" {shlex.quote(str(path))}` closes it; or name another place."
        )
    return path


def open_private(path: Path, flags: int) -> int:
    """Open a file, made with mode 0600 where ``flags`` has O_CREAT; return its descriptor.

    A link is not followed, a FIFO is not waited for, and a program that is started does not inherit the descriptor.

    Raises: OSError, also when something else than a regular file is there.
    """
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", os.fspath(path))
        if flags & os.O_CREAT:
            os.fchmod(descriptor, 0o600)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def write_whole(descriptor: int, data: bytes) -> None:
    """Write all of ``data`` to an open file, going on after a short write.

    Raises: OSError; part of it may then be written.
    """
    written = system_calls.write(descriptor, data)
    while written < len(data):
        more = system_calls.write(descriptor, data[written:])
        if more == 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        written += more


def replace_file(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Put ``data`` at ``path`` in one step: whoever reads sees the old content or the new, whole.

    durable: return only when the new content is on the disk under its name. Otherwise the loss of power may leave
        anything there, which suits files that are checked when read and can be made again.

    Raises: OSError; what stood there is then unchanged.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}")
    descriptor = open_private(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        try:
            write_whole(descriptor, data)
            if durable:
                system_calls.sync_data(descriptor)
        finally:
            os.close(descriptor)
        os.rename(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    if durable:
        system_calls.sync_directory(path.parent)
