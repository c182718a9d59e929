"""System calls whose form differs between Linux and macOS, and those by which a file becomes durable.

Callers reach them through this module, so that there is one place where a disk can fail.
What is for macOS alone was not run there: it is untested.
"""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

if sys.platform == "darwin":

    def sync_data(descriptor: int) -> None:
        """Return when a file's data and size are on the disk itself.

        On macOS ``fsync`` leaves them in the drive's cache; F_FULLFSYNC does not.

        Raises: OSError. What was not yet on the disk is then lost or not: a second try would not tell.
        """
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)

else:

    def sync_data(descriptor: int) -> None:
        """Return when a file's data and size are on the disk itself.

        Raises: OSError. What was not yet on the disk is then lost or not: a second try would not tell.
        """
        os.fdatasync(descriptor)


def sync_directory(path: Path) -> None:
    """Return when the names in a directory are on the disk itself.

    Raises: OSError.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write(descriptor: int, data: bytes) -> int:
    """Write at most all of ``data`` at a file's end or place; return how many bytes were written.

    Raises: OSError.
    """
    return os.write(descriptor, data)


def truncate(descriptor: int, size: int) -> None:
    """Cut a file off after ``size`` bytes.

    Raises: OSError.
    """
    os.ftruncate(descriptor, size)
