"""Reading small files that others wrote, such as git's: nothing is waited for, and nothing large is read."""

from __future__ import annotations

import os
import stat


def read_small(path: str | os.PathLike[str], largest: int) -> bytes | None:
    """Return the beginning of a regular file, or None when there is no such file: a pipe would wait for a writer.

    largest: how many bytes are read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return os.read(descriptor, largest)
    except OSError:
        return None
    finally:
        os.close(descriptor)
