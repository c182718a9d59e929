"""What files held before they were written, so that it can be undone.

The content is raw, secrets included: it lies apart from all else, in files that only their owner can read, and only
``undo`` reads it. Age and size bound it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.private import open_private, private_directory, replace_file

MOST_DAYS = 30
MOST_BYTES = 256 << 20


class Gone(Exception):
    """A version is no longer kept, or is not what was kept."""


class NotKept(PrimitiveError):
    """A version cannot be kept; so what it is a version of must not be written."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"what it had could not be kept, for undo, in the data directory: {reason}", kind="file")


class Versions:
    """The kept versions of one project's files.

    directory: made when first used. clock: seconds since 1970.
    """

    def __init__(
        self, directory: Path, *, most_bytes: int = MOST_BYTES, clock: Callable[[], float] = time.time
    ) -> None:
        self._directory = directory
        self._most_bytes = most_bytes
        self._clock = clock

    def keep(self, data: bytes) -> str:
        """Keep a file's content; return its SHA-256. It is on the disk when this returns.

        Raises: NotKept, NotPrivate.
        """
        digest = sha256(data).hexdigest()
        try:
            place = private_directory(self._directory) / digest
            if place.exists() and place.stat().st_size == len(data):
                os.utime(place)
            else:
                replace_file(place, data, durable=True)
            self._collect(digest)
        except OSError as error:
            raise NotKept(error.strerror or str(error)) from None
        return digest

    def content(self, digest: str) -> bytes:
        """Return a kept content.

        Raises: Gone.
        """
        place = self._directory / digest
        try:
            with open(open_private(place, os.O_RDONLY), "rb") as file:
                data = file.read()
        except OSError:
            raise Gone(f"the version is no longer kept: versions stay {MOST_DAYS} days at most") from None
        if sha256(data).hexdigest() != digest:
            raise Gone("the kept version is damaged")
        return data

    def _collect(self, latest: str) -> None:
        """Remove what is too old, and the oldest of what is too much; never the latest."""
        kept = []
        with os.scandir(self._directory) as scan:
            for entry in scan:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    kept.append((status.st_mtime, status.st_size, entry.path))
        kept.sort(reverse=True)
        total = 0
        for used, size, path in kept:
            total += size
            is_old = self._clock() - used > MOST_DAYS * 86_400
            if (is_old or total > self._most_bytes) and not path.endswith(latest):
                with suppress(OSError):
                    os.unlink(path)
