"""What a file says of the session in it, before anything is recorded."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

LINES_LOOKED_AT: Final = 200
"""So many lines at the beginning of a file say what it is."""


class Survey(NamedTuple):
    """A session in a file."""

    program: str
    session: str
    """What the program calls it, if it does."""
    directory: str
    """The directory that it worked in, if the file names one."""
    began: str
    """When: UTC, RFC 3339, milliseconds; nothing when the file has no time."""


def surveyed(program: str, objects: list[dict[str, Any]], session: str, began: str) -> Survey:
    """Return what the first lines of a file say.

    objects: the lines. session: the member that names the session. began: the time of the first line that has one.
    """

    def first(name: str) -> str:
        return next((value for line in objects if isinstance(value := line.get(name), str) and value), "")

    return Survey(program, first(session), first("cwd"), began)
