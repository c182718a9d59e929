"""The sessions of a project: finding one by name, listing them, deleting one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from nodwyn.prims.log import owner
from nodwyn.prims.log.errors import LogError, NoSuchSession, Owner
from nodwyn.prims.log.index import load_overview
from nodwyn.prims.log.names import is_name
from nodwyn.prims.log.overview import Overview
from nodwyn.prims.log.read import Reader, open_to_read

SHOWN_CANDIDATES = 5


class Session(NamedTuple):
    """A session as a list shows it."""

    name: str
    path: Path
    """Of its log."""
    overview: Overview
    owner: Owner | None
    """The process that has it open, as far as that can be said without trying to own it."""
    damage: str
    """What is wrong with its log, or nothing."""


def sessions(directory: Path) -> Iterator[Session]:
    """Yield the sessions whose logs are in a directory, the oldest first.

    No log is read whole whose stored index fits it. A log without a whole event is left out.

    directory: a project's ``sessions``; one that does not exist has none.
    """
    for path in logs(directory):
        with suppress(LogError):  # removed since, or not ours to read
            session = _session(path)
            if session.overview.events:
                yield session


def logs(directory: Path) -> list[Path]:
    """Return the paths of the logs in a directory, the oldest session first."""
    return sorted(path for path in directory.glob("*.jsonl") if is_name(path.stem))


def find_session(beginning: str, projects: Path) -> Path:
    """Return the path of the log of the session, in any project, that is named so or alone begins so.

    projects: the directory of all projects.

    Raises: NoSuchSession when there is none or more than one; the message names them.
    """
    folders = sorted(projects.glob("*/sessions"))
    found = [path for folder in folders for path in logs(folder) if path.stem.startswith(beginning)]
    if len(found) == 1 and beginning:
        return found[0]
    if not found:
        raise NoSuchSession(f"no session's name begins with {beginning!r}; `nodwyn sessions` lists those of a project")
    shown = ", ".join(path.stem for path in found[:SHOWN_CANDIDATES])
    more = f" and {len(found) - SHOWN_CANDIDATES} more" if len(found) > SHOWN_CANDIDATES else ""
    raise NoSuchSession(f"{len(found)} sessions have names that begin with {beginning!r}: {shown}{more}")


def delete_session(path: Path) -> None:
    """Delete a session that nobody has open: its log, its blobs and all that is derived from it.

    path: of its log.

    Raises: OwnedElsewhere. LogError when there is none. OSError.
    """
    from shutil import rmtree

    descriptor = open_to_read(path)
    try:
        owner.take(path, descriptor)
        rmtree(path.with_suffix(".blobs"), ignore_errors=True)
        for pattern in (f".{path.stem}.*", f"{path.stem}.*"):
            for beside in path.parent.glob(pattern):
                if beside != path:
                    beside.unlink(missing_ok=True)
        path.unlink()
    finally:
        os.close(descriptor)


def _session(path: Path) -> Session:
    """Return what a list shows of the session whose log is at ``path``.

    Raises: LogError.
    """
    damage = ""
    descriptor = open_to_read(path)
    try:
        overview = load_overview(path, descriptor)
    finally:
        os.close(descriptor)
    if overview is None:
        with Reader(path) as reader:
            overview, damage = reader.overview, str(reader.damage or "")
            reader.keep_index()
    return Session(path.stem, path, overview, owner.running_owner(path), damage)
