"""Importing a file: which program wrote it, whose session it becomes, and that nothing is ever left half.

The session is named after when it began and the digest of the file, so that a file is imported once. It is recorded
apart from the project's sessions and put among them when it is whole. A file that has grown since is imported as a new
session, and the one before is archived: logs are never rewritten. Two files are states of one when they name the same
session, began at the same second, and the person says in the one what begins the other.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from shutil import rmtree
from typing import Any, Final, NamedTuple

from nodwyn.loop.importers import claude_code, pi, swe_agent
from nodwyn.loop.importers.lines import ImportRefused, read_lines
from nodwyn.loop.importers.recorder import Recorder
from nodwyn.loop.importers.survey import LINES_LOOKED_AT, Survey
from nodwyn.prims.directories import project_key, sessions_directory
from nodwyn.prims.log import Log, LogError, OwnedElsewhere, Reader, Redactor
from nodwyn.prims.log.events import Import, SessionArchive, SessionEnd, SessionStart, UserMessage
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.read import OpenLog
from nodwyn.prims.private import private_directory
from nodwyn.prims.redact import POLICY_VERSION as REDACTION_VERSION
from nodwyn.prims.system_calls import sync_directory
from nodwyn.prims.version import PROGRAM

CHUNK: Final = 1 << 20

STAGING: Final = ".importing"
"""The directory, beside the sessions, in which one is recorded until it is whole."""


class Imported(NamedTuple):
    """What came of a file."""

    session: str
    is_new: bool
    """Whether anything was imported: a file that was imported before is left alone."""
    turns: int = 0
    events: int = 0
    kept: Mapping[str, int] | None = None
    """How many lines without a meaning were kept, by what they are."""
    replaces: str = ""
    """The session that an earlier state of the file was imported as."""
    is_archived: bool = False
    """Whether that one could be archived."""


class Source(NamedTuple):
    """A file that is about to be imported."""

    path: Path
    survey: Survey
    digest: str
    """SHA-256 of the whole file."""
    lines: int
    changed: float
    """When the file was last changed, in seconds since 1970."""

    @property
    def began(self) -> str:
        """When the session began; where the file does not say, when it was last changed."""
        return self.survey.began or f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(self.changed))}.000Z"

    @property
    def name(self) -> str:
        """The name of the session that it becomes."""
        return f"{self.began[:19].replace('-', '').replace(':', '')}Z-{self.digest[:8]}"


def import_file(path: Path, project: Path | None, redact: Redactor) -> Imported:
    """Read another program's session as a finished session of a project.

    path: the file. project: a directory of the project; the one that the file names when not given. redact: each text
    passes it before it is recorded.

    Raises: ImportRefused, LogError, OSError. Nothing is then left.
    """
    source = look_at(path)
    root = _root(source, project)
    directory = sessions_directory(root)
    with _staging(directory) as staging:
        known = _imported_as(directory, source.digest)
        if known:
            return Imported(known, is_new=False)
        log = Log.create(staging, _start(source, root), redact=redact, name=source.name)
        with log:
            recorder = _record(log, source)
            before = _earlier_state(directory, source, log)
            _finish(log, source, recorder, before)
            events = log.last
        _publish(log.path, directory)
    is_archived = bool(before) and _archive(directory / f"{before}.jsonl", redact)
    return Imported(source.name, True, recorder.turns, events, recorder.kept, before, is_archived)


def look_at(path: Path) -> Source:
    """Return what a file is.

    Raises: ImportRefused, OSError.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ImportRefused(f"{path} is no regular file, and a file is read more than once: save it to one first")
    with open(path, "rb") as file:
        first = list(islice(read_lines(file, str(path)), LINES_LOOKED_AT))
    survey = claude_code.survey(first) or pi.survey(first) or _trajectory_in(path)
    if survey is None:
        raise ImportRefused(f"{path} is no session of Claude Code, pi or SWE-agent that can be read")
    digest, lines = sha256(), 0
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            lines += chunk.count(b"\n")
        changed = os.fstat(file.fileno()).st_mtime
    return Source(path, survey, digest.hexdigest(), lines, changed)


def _trajectory_in(path: Path) -> Survey | None:
    trajectory = swe_agent.load(path)
    return None if trajectory is None else swe_agent.survey(trajectory)


def _root(source: Source, project: Path | None) -> Path:
    """Return the directory of the project whose session it becomes.

    Raises: ImportRefused.
    """
    if project is not None:
        if not project.is_dir():
            raise ImportRefused(f"--project: {project} is no directory")
        return project
    named = source.survey.directory
    if not named:
        raise ImportRefused(f"{source.path} names no directory: --project DIR says which project it belongs to")
    if not os.path.isabs(named) or not os.path.isdir(named):
        raise ImportRefused(
            f"{source.path} is of a project in {named}, which is not here: --project DIR names another directory"
        )
    return Path(named)


def _start(source: Source, root: Path) -> SessionStart:
    return SessionStart(
        program=PROGRAM,
        project=project_key(root),
        root=os.path.realpath(root),
        client="import",
        redactor=str(REDACTION_VERSION),
        when=source.began,
    )


def _record(log: Log, source: Source) -> Recorder:
    """Record what a file holds.

    Raises: ImportRefused, LogError, OSError.
    """
    recorder = Recorder(log)
    recorder.when = source.began
    if source.survey.program == swe_agent.PROGRAM:
        swe_agent.read(swe_agent.load(source.path) or {}, recorder)
    else:
        reads = claude_code.read if source.survey.program == claude_code.PROGRAM else pi.read
        with open(source.path, "rb") as file:
            reads(read_lines(file, str(source.path)), recorder, source.path)
    recorder.finish()
    if not recorder.turns:
        raise ImportRefused(f"{source.path} has no conversation in it")
    if look_at(source.path).digest != source.digest:
        raise ImportRefused(f"{source.path} was changed while it was read: import it when its session is over")
    return recorder


def _finish(log: Log, source: Source, recorder: Recorder, before: str) -> None:
    """Record where all this came from, and the end of the session.

    before: the session that an earlier state of the file was imported as.
    """
    given: dict[str, Any] = {"session": source.survey.session} if source.survey.session else {}
    if before:
        given["replaces"] = before
    log.append(
        Import(
            program=source.survey.program,
            source=str(source.path),
            digest=source.digest,
            lines=source.lines,
            unknown=recorder.kept.total(),
            repeated=recorder.repeated,
            when=recorder.when,
            **given,
        )
    )
    log.append(SessionEnd(reason="imported", when=recorder.when))


@contextmanager
def _staging(directory: Path) -> Iterator[Path]:
    """Have a directory to record in, alone; whatever is left in it was not finished, and goes."""
    place = private_directory(directory / STAGING)
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        _empty(place)
        yield place
    finally:
        with suppress(OSError):
            _empty(place)
        os.close(descriptor)


def _empty(place: Path) -> None:
    for left in place.iterdir():
        if left.is_dir() and not left.is_symlink():
            rmtree(left)
        else:
            left.unlink()


def _publish(path: Path, directory: Path) -> None:
    """Put a session that is whole among those of its project: the log last, which makes it one of them."""
    sync_directory(path.parent)
    for ending in (".blobs", ".idx", ".jsonl"):
        part = path.with_suffix(ending)
        if part.exists():
            os.rename(part, directory / part.name)
    sync_directory(directory)


def _imported_as(directory: Path, digest: str) -> str:
    """Return the session that a file with this digest was imported as, or nothing."""
    for path in sorted(directory.glob(f"*-{digest[:8]}.jsonl")):
        event = _import_in(path)
        if event is not None and event.digest == digest:
            return path.stem
    return ""


def _earlier_state(directory: Path, source: Source, log: Log) -> str:
    """Return the session that this file was imported as when it had fewer lines, or nothing.

    log: of what it holds now.

    Raises: ImportRefused when it was imported with more lines since.
    """
    session = source.survey.session
    for path in sorted(directory.glob(f"{source.name[:-8]}*.jsonl")) if session else ():
        event = _import_in(path)
        if event is None or (event.program, event.session) != (source.survey.program, session):
            continue
        with Reader(path) as other:
            if other.overview.archived or not _are_states_of_one(log, other):
                continue
        if event.lines > source.lines:
            raise ImportRefused(
                f"{source.path} is an earlier state of what was imported as {path.stem}, which has {event.lines} lines"
            )
        return path.stem
    return ""


def _are_states_of_one(log: OpenLog, other: OpenLog) -> bool:
    """Return whether the person says in one of two sessions what begins the other."""
    return all(one == another for one, another in zip(_messages(log), _messages(other)))


def _messages(log: OpenLog) -> Iterator[tuple[str, str]]:
    """Yield what the person said, and when."""
    for seq in log.seqs("user.msg", agent=MAIN):
        event = log.event(seq)
        if isinstance(event, UserMessage):
            yield event.text, event.when


def _import_in(path: Path) -> Import | None:
    """Return the event of a log that says what it was imported from."""
    with suppress(LogError, OSError), Reader(path) as log:
        for seq in log.seqs("import"):
            event = log.event(seq)
            if isinstance(event, Import):
                return event
    return None


def _archive(path: Path, redact: Redactor) -> bool:
    """Put a session away, unless somebody has it open; return whether it was. Lists go on showing its own date."""
    try:
        with Log.open(path, redact=redact) as log:
            log.append(SessionArchive(archived=True, when=log.overview.last))
    except OwnedElsewhere:
        return False
    return True
