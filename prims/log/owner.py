"""One owner at a time: an exclusive lock on the log for as long as the session is open.

The lock is ``flock`` on the log itself, which belongs to the open file: it is lost when the process ends, however that
happens, and not when the process opens and closes the file a second time. Started programs do not inherit the file, and
a forked child gives up its copy (see :mod:`nodwyn.prims.log.append`). SESSION.owner names the owner for messages and
lists. It decides nothing: a stale one is overwritten.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from pathlib import Path

from nodwyn.prims.json_text import parse
from nodwyn.prims.log.errors import LogError, OwnedElsewhere, Owner
from nodwyn.prims.log.line import timestamp
from nodwyn.prims.private import replace_file
from nodwyn.prims.small_files import read_small

LARGEST = 4096
"""Bytes of the file that names the owner."""

HIGHEST_PROCESS = 2**31 - 1


def take(path: Path, descriptor: int) -> None:
    """Become the owner of the log that is open as ``descriptor``.

    Raises: OwnedElsewhere. LogError when the file system has no locks, or the log was replaced meanwhile.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OwnedElsewhere(path, owner_of(path)) from None
    except OSError as error:
        raise LogError(f"{path} cannot be locked, so it cannot be written safely: {error.strerror}") from error
    if not _is_at(path, descriptor):
        raise LogError(f"{path} was removed or replaced while it was opened; `nodwyn sessions` lists what there is")
    me = Owner(os.getpid(), os.uname().nodename, timestamp())
    with suppress(OSError):  # whose it is can then not be said, but it is owned
        replace_file(owner_path(path), json.dumps(me._asdict()).encode())


def release(path: Path) -> None:
    """Take the owner's name away, before the lock goes with the closed file."""
    with suppress(OSError):
        os.unlink(owner_path(path))


def owner_of(path: Path) -> Owner | None:
    """Return who last took the log, or None. Whether it still has it, only the lock tells."""
    try:
        owner = Owner(**parse(read_small(owner_path(path), LARGEST) or b""))
    except (ValueError, TypeError):
        return None
    is_process = type(owner.pid) is int and 0 < owner.pid <= HIGHEST_PROCESS
    return owner if is_process and all(isinstance(text, str) for text in owner[1:]) else None


def running_owner(path: Path) -> Owner | None:
    """Return the owner of the log if its process still runs, as far as that can be said without the lock.

    A process of another host counts as running.
    """
    owner = owner_of(path)
    if owner is None or owner.host != os.uname().nodename:
        return owner
    try:
        os.kill(owner.pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return owner


def owner_path(path: Path) -> Path:
    """Return the path of the file that names the owner of the log at ``path``."""
    return path.with_suffix(".owner")


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path, follow_symlinks=False), os.fstat(descriptor))
    except FileNotFoundError:
        return False
