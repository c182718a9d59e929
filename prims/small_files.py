"""Reading small files that others wrote, the person or git: nothing is waited for, and nothing large is read."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

MOST_WRITTEN = 1 << 20
"""Bytes of a file that a person wrote."""


class Unreadable(Exception):
    """A file that the person wrote cannot be read; the message names it and says why."""


def written_text(path: Path) -> str:
    """Return the text of a file that the person wrote, such as settings or a script: UTF-8, without a mark of that.

    A link is followed.

    Raises: Unreadable. FileNotFoundError when there is none.
    """
    from nodwyn.prims.fs.text import NotText, text_of

    try:
        data = _beginning(path, MOST_WRITTEN + 1)
        if len(data) > MOST_WRITTEN:
            raise Unreadable(f"{path}: it has more than {MOST_WRITTEN} bytes")
        return text_of(data).removeprefix("\ufeff")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    except NotText as error:
        raise Unreadable(f"{path}: {error}") from None


class NotToml(Exception):
    """A text is no TOML; the message says what is wrong with it."""


def toml_of(text: str) -> dict[str, Any]:
    """Return what a text says that a person wrote in TOML.

    Raises: NotToml.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotToml(str(error)) from None
    except (ValueError, RecursionError):
        raise NotToml("a number in it is too long, or lists or tables nest too deep") from None


def read_small(path: str | os.PathLike[str], largest: int) -> bytes | None:
    """Return the beginning of a regular file, or None when there is no such file: a pipe would wait for a writer.

    largest: how many bytes are read.
    """
    try:
        return _beginning(path, largest)
    except (OSError, ValueError):
        return None


def _beginning(path: str | os.PathLike[str], largest: int) -> bytes:
    """Return the beginning of a regular file.

    Raises: OSError, also when it is none. ValueError for a path that cannot be.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return os.read(descriptor, largest)
    finally:
        os.close(descriptor)
