"""What a list of sessions shows, kept for a whole directory, so that ten thousand of them are listed at once.

``.list`` lies beside the logs. It is derived: what it says of a log counts only while the log has the same size, time
of change and file number, and it is safe to delete. It is a line with the layout and the hash of the next line; that
line, a JSON object from each session's name to those three numbers and the values of its overview.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from nodwyn.prims.log.overview import Overview
from nodwyn.prims.private import open_private, replace_file

LAYOUT = b"nodwyn-list-1"

FEWEST = 200
"""With fewer sessions, reading what each has costs less than this is worth."""

MOST_CHANGED = 20
"""So many sessions may have changed since it was written before it is written again."""


NAME = ".list"


class Listing:
    """The overviews of the sessions in a directory, as far as they are known."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / NAME
        self._prefix = f"{directory}{os.sep}"
        self._known = self._load()
        self._kept: dict[str, list[Any]] = {}
        self._changed = 0

    @classmethod
    def of(cls, directory: Path, sessions: int) -> Listing | None:
        """Return the listing of a directory with that many sessions, or None when none is kept."""
        return cls(directory) if sessions >= FEWEST else None

    def find(self, name: str) -> Overview | None:
        """Return what is known of a session, if its log is still as it was.

        Raises: FileNotFoundError.
        """
        known = self._known.get(name)
        if not isinstance(known, list) or known[:3] != _mark(os.lstat(f"{self._prefix}{name}.jsonl")):
            return None
        try:
            overview = Overview.of(dict(zip(Overview.__slots__, known[3:], strict=True)))
        except ValueError:
            return None
        self._kept[name] = known
        return overview

    def add(self, name: str, status: os.stat_result, overview: Overview) -> None:
        """Take up what was found out about a session."""
        self._kept[name] = [*_mark(status), *overview.members().values()]
        self._changed += 1

    def store(self) -> None:
        """Write down what was found out, if it is worth it, unless that fails: it can be found out again."""
        if self._changed + len(self._known.keys() - self._kept.keys()) <= MOST_CHANGED:
            return
        line = json.dumps(self._kept, separators=(",", ":")).encode()
        with suppress(OSError):
            replace_file(self._path, b"%b %b\n%b\n" % (LAYOUT, sha256(line).hexdigest().encode(), line))

    def _load(self) -> dict[str, list[Any]]:
        try:
            with open(open_private(self._path, os.O_RDONLY), "rb") as file:
                first, line = file.readline(), file.readline().removesuffix(b"\n")
            if first != b"%b %b\n" % (LAYOUT, sha256(line).hexdigest().encode()):
                return {}
            known = json.loads(line)
        except (OSError, ValueError, RecursionError):
            return {}
        return known if isinstance(known, dict) else {}


def forget_listing(directory: Path) -> None:
    """Take away what is kept of the sessions in a directory.

    Raises: OSError.
    """
    (directory / NAME).unlink(missing_ok=True)


def _mark(status: os.stat_result) -> list[int]:
    """Return what changes when a log does."""
    return [status.st_size, status.st_mtime_ns, status.st_ino]
