"""Adding to a log: one owner, every event written at once, and barriers before effects.

An event is acknowledged when :meth:`Log.append` returns: the system has it, and it survives the end of the process. It
survives a loss of power once :meth:`Log.barrier` has returned, or a second later. Whoever is about to have an effect on
the world appends the events that it rests on, calls ``barrier``, and acts only when both have returned.
"""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

from nodwyn.prims import system_calls
from nodwyn.prims.log import owner
from nodwyn.prims.log.blobs import store_blob
from nodwyn.prims.log.errors import Damaged, Incomplete, LogError, LogFailed, NewerFormat
from nodwyn.prims.log.events import FORMAT, Approval, GuardDecision, Interruption, Recovery, SessionStart
from nodwyn.prims.log.index import MAXIMUM_LAG, index_path, load_index
from nodwyn.prims.log.late import LateSync
from nodwyn.prims.log.line import Position, seal, timestamp
from nodwyn.prims.log.names import new_name
from nodwyn.prims.log.read import OpenLog
from nodwyn.prims.log.record import Event, Redactor, recorded_members, restore
from nodwyn.prims.log.scan import read_rest
from nodwyn.prims.private import open_private, replace_file, write_whole

LATEST_SYNC = 0.75
"""Seconds after an event until its sync begins, if no barrier came: it is then on the disk within a second."""

ENDED_BEFORE = "the program ended before this did; whether it took effect is not known"
"""Why something has no end of its own, as the interruption says that ends it when the log is opened."""

NEVER_ALLOWED = "the program ended before this was allowed; nothing of it was done"
"""The same of a call whose question was not answered with a yes: without one there is no effect."""


class Log(OpenLog):
    """A log that this process owns and adds to.

    Its methods may be called from several threads. A forked child cannot use it.
    """

    def __init__(self, path: Path, descriptor: int, redact: Redactor) -> None:
        """Take up a log that is open and locked. :meth:`create` and :meth:`open` do both."""
        super().__init__(path, descriptor, load_index(path, descriptor))
        self.recovery: Recovery | None = None
        """What was moved aside when the log was opened, if anything was."""
        self.interrupted: list[int] = []
        """The events whose open ends were closed by interruptions when the log was opened."""
        self.on_append: Callable[[Event], None] | None = None
        """Told of each event once it is written, as it was recorded; it must not add to the log itself."""
        self._redact = redact
        self._lock = threading.Lock()
        self._late = LateSync(self._sync_late, LATEST_SYNC)
        self._failure: LogFailed | Damaged | None = None
        """Why nothing more can be added."""
        self._midway: Position | None = None
        """Where an append began that did not come to its end."""
        self._synced = 0
        """The seq up to which every event is on the disk."""
        self._marked = 0
        """The seq of which a line says so."""
        _watch_forks()
        _open_logs.add(self)

    @classmethod
    def create(cls, directory: Path, start: SessionStart, *, redact: Redactor, name: str = "") -> Log:
        """Begin a session: a new log with a name of its own in ``directory``, owned by this process.

        start: the first event; its session is filled in.
        redact: each text passes it before it is recorded.
        name: the session's name; a new one when not given.

        Raises: LogError, OSError. Nothing is then left.
        """
        name = name or new_name()
        path = directory / f"{name}.jsonl"
        descriptor = open_private(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        try:
            with _owned(path, descriptor, redact) as log:
                log.append(start.replace(session=name))
                log.barrier()
                system_calls.sync_directory(directory)
        except BaseException:
            with suppress(OSError):
                os.unlink(path)
            raise
        return log

    @classmethod
    def open(cls, path: Path, *, redact: Redactor, only_complete: bool = False) -> Log:
        """Go on with the session whose log is at ``path``, as its owner.

        A torn end is moved aside, and what had begun without an end is closed by interruptions:
        ``recovery`` and ``interrupted`` say so.

        only_complete: refuse a log that would have to be put right so, and leave it as it is.

        Raises: OwnedElsewhere, Damaged, NewerFormat, Incomplete; LogError when it has no event or cannot be recovered.
        """
        try:
            descriptor = open_private(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise LogError(f"the log {path} cannot be opened: {error.strerror}") from error
        with _owned(path, descriptor, redact) as log:
            try:
                log._recover(only_complete)
            except OSError as error:
                reason = f"session {path.stem} cannot be made ready: {error.strerror}. Nothing was lost."
                raise LogError(reason) from error
        return log

    def event(self, seq: int) -> Event:
        """Return the event ``seq``, as ``OpenLog`` does. To a log that turns out to be damaged nothing is added."""
        try:
            return super().event(seq)
        except Damaged as damage:
            self._give_up(damage)
            raise

    def events(self, start: int = 1) -> Iterator[Event]:
        """Yield the events from the seq ``start`` on, as ``OpenLog`` does. To a damaged log nothing is added."""
        try:
            yield from super().events(start)
        except Damaged as damage:
            self._give_up(damage)
            raise

    def append(self, event: Event) -> int:
        """Write an event, its texts redacted; return its seq.

        Raises: EventError when it cannot be recorded. LogFailed when the disk refuses it, and from then on.
        """
        with self._lock:
            self._check_usable()
            before = self._index.position
            members = self._members(event, before.seq + 1)
            line, checksum = seal(members, before.checksum)
            self._midway = before
            self._write(line)
            self._index.add(members, before.offset + len(line), checksum)
            self._midway = None
            self._marked = members.get("barrier", self._marked)
        self._late.want()
        if self.on_append is not None:
            self.on_append(restore(members))
        return before.seq + 1

    def barrier(self) -> None:
        """Return when every event so far is on the disk.

        Raises: LogFailed, and from then on: whether they are there can then not be known.
        """
        with self._lock:
            self._check_usable()
            self._sync()
            if self.last - self._index.stored >= MAXIMUM_LAG:
                self._index.store(self.path)

    def store(self, data: bytes) -> str:
        """Store binary content beside the log, as it is; return its SHA-256, for an event to name.

        It is on the disk when this returns. It is not redacted.

        Raises: LogFailed, OSError.
        """
        with self._lock:
            self._check_usable()
        return store_blob(self.path, data)

    def close(self) -> None:
        """End ownership; every event is then on the disk, and the index is stored. A second time does nothing.

        Raises: LogFailed when the last events may not be on the disk. The session is closed all the same.
        """
        if self._descriptor < 0:
            return
        try:
            with self._lock:
                if self._failure is None:
                    self._check_usable()
                    self._sync()
                    self._index.store(self.path)
        finally:
            self._release()

    def _release(self) -> None:
        """Let another process own the log."""
        self._late.stop()
        with self._lock:
            owner.release(self.path)
            super().close()
            self._failure = LogFailed(f"session {self.path.stem} was closed")

    def _members(self, event: Event, seq: int) -> dict[str, Any]:
        """Return what the next line records."""
        redact = self._redact
        members = {"seq": seq, "at": timestamp(), "kind": event.kind, "agent": redact(event.agent)}
        if self._marked != self._synced:
            members["barrier"] = self._synced
        return members | recorded_members(event, redact)

    def _write(self, line: bytes) -> None:
        """Write a line, or leave the log as it was and give it up."""
        try:
            write_whole(self._descriptor, line)
        except OSError as error:
            with suppress(OSError):  # what cannot be cut off now is moved aside when the log is opened again
                system_calls.truncate(self._descriptor, self._index.position.offset)
            self._midway = None
            self._fail("cannot be written", error)

    def _sync(self) -> None:
        """Bring every event to the disk."""
        if self._synced == self.last:
            return
        status = os.fstat(self._descriptor)
        if status.st_nlink == 0 or status.st_size != self._index.position.offset:
            self._fail("was changed or removed by another program", None)
        try:
            system_calls.sync_data(self._descriptor)
        except OSError as error:
            self._fail("may not be on the disk", error)
        self._synced = self.last

    def _sync_late(self) -> None:
        """Do what no barrier did within its time. A failure shows at the next use."""
        with self._lock, suppress(LogFailed):
            if self._failure is None and self._midway is None:
                self._sync()

    def _fail(self, what: str, error: OSError | None) -> NoReturn:
        reason = f": {error.strerror}" if error else ""
        self._failure = LogFailed(
            f"the log {self.path} {what}{reason}. Nothing was done that is not on record, and nothing more will be."
            f" When the cause is mended, resume the session."
        )
        raise self._failure from error

    def _give_up(self, damage: Damaged) -> None:
        with self._lock:
            self._failure = self._failure or damage
            # Its index says of it, to lists too, that all is well.
            with suppress(OSError):
                index_path(self.path).unlink(missing_ok=True)

    def _check_usable(self) -> None:
        """Raise the failure that ended the use of this log, if one did; put right what a stop left midway."""
        if self._failure is not None:
            raise self._failure
        if self._midway is not None:
            self._index = load_index(self.path, self._descriptor)
            damage = self._index.catch_up(self.path, self._descriptor)
            if damage is not None or self._index.position.offset < self._midway.offset:
                self._fail("was changed or removed by another program", None)
            system_calls.truncate(self._descriptor, self._index.position.offset)
            self._midway = None

    def _recover(self, only_complete: bool) -> None:
        """Make a log that another process left one that can be added to."""
        damage = self._index.catch_up(self.path, self._descriptor)
        if damage is None and self.last == 0:
            raise LogError(f"the log {self.path} holds no whole event: there is nothing to go on with")
        self._check_format()
        if damage is not None:
            raise damage
        if only_complete:
            self._check_complete()
        for unfinished in self.path.parent.glob(f".{self.path.stem}.*"):
            unfinished.unlink(missing_ok=True)
        self._move_torn_end_aside()
        self._sync()  # the process before may have left events that are not yet on the disk
        if self.recovery is not None:
            self.append(self.recovery)
        for seq in sorted(self._index.open, reverse=True):
            reason = NEVER_ALLOWED if self._was_only_asked_about(seq) else ENDED_BEFORE
            self.append(Interruption(of=seq, reason=reason, agent=self._index.agents[seq]))
            self.interrupted.append(seq)
        self.barrier()

    def _was_only_asked_about(self, call: int) -> bool:
        """Return whether the guard was asked about a call, and nothing that it would do but reading was allowed."""
        decisions: dict[int, GuardDecision] = {}
        for seq in self.seqs("guard.decision", "approval", start=call):
            event = self.event(seq)
            if isinstance(event, GuardDecision) and event.call == call:
                decisions[seq] = event
                is_yes = event.decision == "allow"
            elif isinstance(event, Approval) and event.decision in decisions:
                is_yes, event = event.answer == "yes", decisions[event.decision]
            else:
                continue
            if is_yes and event.effect != "read":
                return False
        return bool(decisions)

    def _check_format(self) -> None:
        """Refuse a log of a newer format, and one that does not begin as a log.

        Raises: NewerFormat, LogError.
        """
        if self.last:
            start = self.event(1)
            if not isinstance(start, SessionStart):
                raise LogError(f"{self.path} is not a log of a session: its first event is {start.kind}")
            if start.format > FORMAT:
                raise NewerFormat(self.path, start.format, start.program)

    def _check_complete(self) -> None:
        """Refuse a log that a crash left without its end.

        Raises: Incomplete.
        """
        if self._index.open:
            seq = min(self._index.open)
            raise Incomplete(self.path, f"event {seq}, {self._index.kinds[seq]}, has no end")
        if os.fstat(self._descriptor).st_size > self._index.position.offset:
            raise Incomplete(self.path, "its last line was not written whole")

    def _move_torn_end_aside(self) -> None:
        """Keep what follows the last whole event beside the log, and cut it off there."""
        end = self._index.position.offset
        rest = read_rest(self._descriptor, end)
        if rest:
            kept = self.path.with_suffix(f".torn-{end}-{sha256(rest).hexdigest()[:8]}")
            replace_file(kept, rest, durable=True)
            system_calls.truncate(self._descriptor, end)
            self.recovery = Recovery(size=len(rest), kept=kept.name)

    def _abandon(self) -> None:
        """Give the log up in a forked child: the parent owns it, and keeps it though this copy is closed."""
        os.close(self._descriptor)
        self._descriptor = -1
        self._lock = threading.Lock()
        self._failure = LogFailed(f"session {self.path.stem} belongs to the process that this one was forked from")


_open_logs: weakref.WeakSet[Log] = weakref.WeakSet()


@functools.cache
def _watch_forks() -> None:
    """See to it, once, that a forked child gives up the logs that its parent owns."""
    os.register_at_fork(after_in_child=_abandon_all)


def _abandon_all() -> None:
    for log in _open_logs:
        if log._descriptor >= 0:
            log._abandon()


@contextmanager
def _owned(path: Path, descriptor: int, redact: Redactor) -> Iterator[Log]:
    """Become the owner of a log that is open, for good unless the block fails."""
    try:
        owner.take(path, descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    log = Log(path, descriptor, redact)
    try:
        yield log
    except BaseException:
        log._release()
        raise
