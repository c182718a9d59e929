"""Binary content beside a log: SESSION.blobs/HASH, stored once, named by the events that need it."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from nodwyn.prims.log.errors import LogError
from nodwyn.prims.private import open_private, private_directory, replace_file

ENDING = ".blobs"
"""Of the name of a directory of blobs."""


def store_blob(path: Path, data: bytes) -> str:
    """Store bytes beside the log at ``path``, as they are; return their SHA-256 when they are on the disk.

    Raises: LogError, OSError.
    """
    digest = sha256(data).hexdigest()
    target = private_directory(blobs_path(path)) / digest
    if not target.exists() or target.stat().st_size != len(data):
        replace_file(target, data, durable=True)
    return digest


def read_blob(path: Path, digest: str) -> bytes:
    """Return the bytes with this SHA-256 from beside the log at ``path``.

    Raises: LogError when they are missing or not what was stored.
    """
    place = blobs_path(path) / digest
    try:
        with open(open_private(place, os.O_RDONLY), "rb") as file:
            data = file.read()
    except OSError as error:
        raise LogError(f"{place} cannot be read: {error.strerror}") from error
    if sha256(data).hexdigest() != digest:
        raise LogError(f"{place} is damaged: its content is not what its name says")
    return data


def blobs_path(path: Path) -> Path:
    """Return the path of the directory of blobs of the log at ``path``."""
    return path.with_suffix(ENDING)
