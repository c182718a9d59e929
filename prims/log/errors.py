"""What can go wrong with a log, in words for the person whose session it is."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Owner(NamedTuple):
    """The process that has a session open."""

    pid: int
    host: str
    since: str
    """When it took the session, UTC, RFC 3339."""

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"


class LogError(Exception):
    """Something is wrong with a log or the access to it; the message says what, where and what to do next."""


class EventError(LogError):
    """An event cannot be recorded as it is. Nothing was written."""


class OwnedElsewhere(LogError):
    """Another process, or another part of this one, has the session open."""

    def __init__(self, path: Path, owner: Owner | None) -> None:
        who = f"owned by {owner}" if owner else "owned by another process"
        super().__init__(f"session {path.stem} is {who}: close it there first. Its log can be read meanwhile.")
        self.path = path
        self.owner = owner


class Damaged(LogError):
    """A record is not what was written. The events before it are whole; nothing was cut off."""

    def __init__(self, path: Path | str, line: int, offset: int, reason: str) -> None:
        super().__init__(
            f"{path}, line {line} (byte {offset}): {reason}. The events before it are whole and can be read;"
            f" nothing can be added: go on in a new session. The file is left as it is."
        )
        self.line = line
        self.offset = offset
        self.reason = reason


class NewerFormat(LogError):
    """The log was written by a newer program, in a format that this one cannot write."""

    def __init__(self, path: Path, version: object, program: object) -> None:
        super().__init__(
            f"session {path.stem} has format {version}, written by {program}: this program can show it, but not"
            f" continue it. Continue it with that version or a later one."
        )


class Incomplete(LogError):
    """A crash left the log without its end, and resuming the session is what puts that right."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"session {path.stem} is incomplete: {reason}. `nodwyn resume {path.stem}` puts that right; do that first."
        )


class LogFailed(LogError):
    """The disk refused a write, or could not say that it has one. Nothing may act on events from now on."""


class NoSuchEvent(LogError):
    """There is no event with that seq."""

    def __init__(self, seq: int, last: int) -> None:
        super().__init__(f"there is no event {seq}: this log has the events 1 to {last}")


class NoSuchSession(LogError):
    """No session, or more than one, has a name that begins so."""
