"""The sessions of a project: finding one by name, listing them, deleting one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from nodwyn.prims.log import owner
from nodwyn.prims.log.blobs import ENDING as BLOBS_ENDING
from nodwyn.prims.log.blobs import blobs_path
from nodwyn.prims.log.errors import LogError, NoSuchSession, OwnedElsewhere, Owner
from nodwyn.prims.log.index import load_overview
from nodwyn.prims.log.listing import Listing, forget_listing
from nodwyn.prims.log.names import began, is_name
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

    No log is read whole whose stored index fits it. A log without a whole event is left out, unless
    it is damaged.

    directory: a project's ``sessions``; one that does not exist has none.
    """
    names, owned = _names(directory)
    listing = Listing.of(directory, len(names))
    for name in names:
        with suppress(LogError, FileNotFoundError):  # removed since, or not ours to read
            session = _session(directory, name, listing, name in owned)
            if session.overview.events or session.damage:
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
    raise NoSuchSession(several(beginning, [path.stem for path in found]))


def several(beginning: str, names: Sequence[str]) -> str:
    """Return what is said to somebody who names several sessions by a beginning: the first of them by name."""
    more = f" and {len(names) - SHOWN_CANDIDATES} more" if len(names) > SHOWN_CANDIDATES else ""
    shown = ", ".join(names[:SHOWN_CANDIDATES])
    return f"{len(names)} sessions have names that begin with {beginning!r}: {shown}{more}"


def changed_files(path: Path) -> bool:
    """Return whether primitives changed files in a session. path: of its log."""
    with Reader(path) as log:
        return any(log.seqs("file.version"))


def size_of(paths: Iterable[Path]) -> int:
    """Return how many bytes sessions have on disk: their logs, their blobs and what is derived from them.

    paths: of their logs.
    """
    total, besides = 0, dict[Path, dict[str, list[Path]]]()
    for path in paths:
        if path.parent not in besides:
            besides[path.parent] = _by_session(path.parent)
        files = (*besides[path.parent].get(path.stem, ()), *blobs_path(path).rglob("*"))
        total += sum(each.stat().st_size for each in files if each.is_file())
    return total


def delete_session(path: Path) -> None:
    """Delete a session that nobody has open: its log, its blobs and all that is derived from it.

    path: of its log.

    Raises: OwnedElsewhere. LogError when there is none. OSError.
    """
    _delete(path, lambda name: _by_session(path.parent).get(name, ()))


def delete_sessions(directory: Path, names: Iterable[str]) -> Iterator[str]:
    """Delete sessions of one directory; yield the names of those that are gone. One that somebody has open stays.

    Raises: OSError. LogError.
    """
    besides, gone = _by_session(directory), set[str]()
    try:
        for name in names:
            with suppress(OwnedElsewhere):
                _delete(directory / f"{name}{ENDING}", lambda name: besides.get(name, ()))
                gone.add(name)
                yield name
    finally:
        # What came beside a log while others were deleted, such as the name of who owned it.
        for name, rest in _by_session(directory).items():
            if name in gone:
                _remove(rest)


def _delete(path: Path, beside: Callable[[str], Iterable[Path]]) -> None:
    """Delete a session. beside: gives the files that have its name, and is asked once nobody else can own it."""
    descriptor = open_to_read(path)
    try:
        owner.take(path, descriptor)
        _remove(each for each in beside(path.stem) if each != path)
        forget_listing(path.parent)  # it has the session's title and first message
        path.unlink()
    finally:
        os.close(descriptor)


def _remove(files: Iterable[Path]) -> None:
    """Remove files, and directories of blobs with all that is in them.

    Raises: OSError.
    """
    from shutil import rmtree

    for file in files:
        if file.suffix == BLOBS_ENDING and file.is_dir() and not file.is_symlink():
            with suppress(FileNotFoundError):  # removed meanwhile
                rmtree(file)
        else:
            file.unlink(missing_ok=True)


def _by_session(directory: Path) -> dict[str, list[Path]]:
    """Return the files in a directory by the sessions that their names begin with, a dot before it or not."""
    found = dict[str, list[Path]]()
    for file in os.listdir(directory):
        name, dot, _ = file.removeprefix(".").partition(".")
        if dot:
            found.setdefault(name, []).append(directory / file)
    return found


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
        if damage and not overview.events:
            overview.started = overview.last = began(name)
    elif listing is not None:
        listing.add(name, status, overview)
    return Session(name, directory, overview, owner.running_owner(path) if is_owned else None, damage)
