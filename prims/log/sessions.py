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
from nodwyn.prims.log.listing import Listing, forget_listing
from nodwyn.prims.log.names import is_name
from nodwyn.prims.log.overview import Overview
from nodwyn.prims.log.read import Reader, open_to_read

SHOWN_CANDIDATES = 5

ENDING = ".jsonl"
OWNER_ENDING = ".owner"


class Session(NamedTuple):
    """A session as a list shows it."""

    name: str
    directory: Path
    """In which its log is."""
    overview: Overview
    owner: Owner | None
    """The process that has it open, as far as that can be said without trying to own it."""
    damage: str
    """What is wrong with its log, or nothing."""

    @property
    def path(self) -> Path:
        """Of its log."""
        return self.directory / f"{self.name}{ENDING}"


def sessions(directory: Path) -> Iterator[Session]:
    """Yield the sessions whose logs are in a directory, the oldest first.

    No log is read whole whose stored index fits it. A log without a whole event is left out.

    directory: a project's ``sessions``; one that does not exist has none.
    """
    names, owned = _names(directory)
    listing = Listing.of(directory, len(names))
    for name in names:
        with suppress(LogError, FileNotFoundError):  # removed since, or not ours to read
            session = _session(directory, name, listing, name in owned)
            if session.overview.events:
                yield session
    if listing is not None:
        listing.store()


def logs(directory: Path) -> list[Path]:
    """Return the paths of the logs in a directory, the oldest session first."""
    return [directory / f"{name}{ENDING}" for name in _names(directory)[0]]


def _names(directory: Path) -> tuple[list[str], set[str]]:
    """Return the names of the sessions in a directory, in order, and of those that somebody has left a name to own."""
    try:
        files = os.listdir(directory)
    except (FileNotFoundError, NotADirectoryError):
        return [], set()
    stems = (file[: -len(ENDING)] for file in files if file.endswith(ENDING))
    owned = {file[: -len(OWNER_ENDING)] for file in files if file.endswith(OWNER_ENDING)}
    return sorted(filter(is_name, stems)), owned


def find_session(beginning: str, projects: Path) -> Path:
    """Return the path of the log of the session, in any project, that is named so or alone begins so.

    projects: the directory of all projects.

    Those that lists leave out count only where no other session's name begins so.

    Raises: NoSuchSession when there is none or more than one; the message names them.
    """
    folders = sorted(projects.glob("*/sessions"))
    found = [path for folder in folders for path in logs(folder) if path.stem.startswith(beginning)]
    if len(found) > 1:
        known = (session for folder in dict.fromkeys(path.parent for path in found) for session in sessions(folder))
        listed = [each.path for each in known if each.name.startswith(beginning) and not each.overview.hidden]
        found = listed or found
    if len(found) == 1 and beginning:
        return found[0]
    if not found:
        raise NoSuchSession(f"no session's name begins with {beginning!r}; `nodwyn sessions` lists those of a project")
    shown = ", ".join(path.stem for path in found[:SHOWN_CANDIDATES])
    more = f" and {len(found) - SHOWN_CANDIDATES} more" if len(found) > SHOWN_CANDIDATES else ""
    raise NoSuchSession(f"{len(found)} sessions have names that begin with {beginning!r}: {shown}{more}")


def changed_files(path: Path) -> bool:
    """Return whether primitives changed files in a session. path: of its log."""
    with Reader(path) as log:
        return any(log.seqs("file.version"))


def size_of(path: Path) -> int:
    """Return how many bytes a session has on disk: its log, its blobs and what is derived from it.

    path: of its log.
    """
    beside = [each for pattern in (f".{path.stem}.*", f"{path.stem}.*") for each in path.parent.glob(pattern)]
    files = [each for each in (*beside, *path.with_suffix(".blobs").rglob("*")) if each.is_file()]
    return sum(each.stat().st_size for each in files)


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
        forget_listing(path.parent)  # it has the session's title and first message
        path.unlink()
    finally:
        os.close(descriptor)


def _session(directory: Path, name: str, listing: Listing | None, is_owned: bool) -> Session:
    """Return what a list shows of a session.

    listing: what is known of the sessions in the directory. is_owned: whether somebody has left a name as its owner.

    Raises: LogError, FileNotFoundError.
    """
    if listing is not None and not is_owned:
        known = listing.find(name)
        if known is not None:
            return Session(name, directory, known, None, "")
    path, damage = directory / f"{name}{ENDING}", ""
    descriptor = open_to_read(path)
    try:
        status, overview = os.fstat(descriptor), load_overview(path, descriptor)
    finally:
        os.close(descriptor)
    if overview is None:
        with Reader(path) as reader:
            overview, damage = reader.overview, str(reader.damage or "")
            reader.keep_index()
    elif listing is not None:
        listing.add(name, status, overview)
    return Session(name, directory, overview, owner.running_owner(path) if is_owned else None, damage)
