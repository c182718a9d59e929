"""Taking back the file changes of a turn or a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import takewhile
from os.path import dirname
from typing import TYPE_CHECKING, Annotated, Any

from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.counting import in_words
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import SCHEME, Effect
from nodwyn.prims.files import Before
from nodwyn.prims.fs.versions import Gone
from nodwyn.prims.fs.write import shown_change, text_before
from nodwyn.prims.log import Log
from nodwyn.prims.log.events import FileVersion, ToolCall, TurnStart, Undo
from nodwyn.prims.parameters import EventNumber

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

MOST_LINES = 40
"""Lines of a difference that a conflict shows."""

UNITS = ("turn.start", "scheme.input")
"""What file changes belong together by: a turn, or what the person entered."""


@primitive("undo", effect=Effect.WRITE, provenance="external:file", callers=SCHEME)
def undo(
    context: Context,
    event: Annotated[EventNumber | None, "the call or turn; the last one that changed a file when not given"] = None,
) -> dict[str, Any]:
    """Take back the file changes of a turn or a call. Return the paths restored, those unchanged, and the conflicts.

    A file that was changed since, by whomever, is a conflict: it is left alone. The conflict says which call wrote the
    file, what differs from what would be brought back, and how to go on. One that is already as it was before is
    unchanged. Changes that commands made are not known, and stay. Directories that were made for a file go with it,
    unless something else is in them.
    """
    versions = _versions(context.session.log, event)
    made = _made(context.session.log, {version.seq for version in versions})
    restored: list[str] = []
    unchanged: list[str] = []
    conflicts: list[dict[str, str]] = []
    undone: list[int] = []
    for path in dict.fromkeys(version.path for version in reversed(versions)):
        chain = [version for version in versions if version.path == path]
        try:
            changed = _restore(context, chain, made)
        except _Conflict as conflict:
            conflicts.append(conflict.told)
        else:
            (restored if changed else unchanged).append(_shown(context, path))
            undone += [version.seq for version in chain]
    context.session.log.append(
        Undo(versions=sorted(undone), conflicts=[conflict["path"] for conflict in conflicts], agent=context.call.agent)
    )
    if conflicts and not restored:
        raise PrimitiveError("\n".join(["nothing was taken back", *map(described_conflict, conflicts)]))
    return {"restored": restored, "unchanged": unchanged, "conflicts": conflicts}


class _Conflict(Exception):
    """What a file was before cannot be brought back.

    told: which file, why, what differs, and how to go on.
    """

    def __init__(self, path: str, reason: str, differs: str, go_on: str) -> None:
        super().__init__(reason)
        self.told = {"path": path, "reason": reason, "differs": differs, "next": go_on}


def described_conflict(conflict: Mapping[str, str]) -> str:
    """Return a conflict as lines."""
    parts = f"{conflict['path']}: {conflict['reason']}", conflict["differs"].rstrip("\n"), conflict["next"]
    return "\n".join(filter(None, parts))


def _versions(log: Log, event: int | None) -> list[FileVersion]:
    """Return the changes to take back, the first one first.

    Raises: PrimitiveError when there are none.
    """
    undone = _undone(log)
    open_ones = [
        version
        for seq in log.seqs("file.version")
        if seq not in undone and isinstance(version := log.event(seq), FileVersion) and not _is_undo(log, version)
    ]
    units = list(log.seqs(*UNITS))
    if event is None:
        last = _unit(units, open_ones[-1].seq) if open_ones else 0
        chosen = [version for version in open_ones if _unit(units, version.seq) == last]
    else:
        chosen = [version for version in open_ones if event in (version.call, _unit(units, version.seq))]
    if not chosen:
        which = "in this session" if event is None else f"by event {event}"
        raise PrimitiveError(
            f"no file change {which} is left to be taken back; what commands changed is not known, and"
            " `nodwyn undo SESSION` takes back those of another session"
        )
    return chosen


def _undone(log: Log) -> set[int]:
    """Return the seqs of the changes that were taken back."""
    return {seq for at in log.seqs("undo") for seq in log.event(at).as_json()["versions"]}


def _is_undo(log: Log, version: FileVersion) -> bool:
    call = log.event(version.call) if version.call else None
    return isinstance(call, ToolCall) and call.name == "undo"


def _made(log: Log, undoing: set[int]) -> set[str]:
    """Return the paths of the directories that changes made which were taken back, or are about to be."""
    makers: dict[str, int] = {}
    for seq in log.seqs("file.version"):
        version = log.event(seq)
        if not isinstance(version, FileVersion):
            continue
        for path in _around(version.path, version.directories):
            if not version.after:
                makers.pop(path, None)
            elif _is_undo(log, version):  # It makes again what another change made.
                makers.setdefault(path, seq)
            else:
                makers[path] = seq
    undone = _undone(log) | undoing
    return {path for path, maker in makers.items() if maker in undone}


def _around(path: str, number: int) -> Iterator[str]:
    """Yield the paths of that many of the directories around a file, from the innermost."""
    for _ in range(number):
        path = dirname(path)
        yield path


def _unit(units: list[int], seq: int) -> int:
    """Return the turn or input that an event belongs to; 0 for none."""
    return max((unit for unit in units if unit < seq), default=0)


def _restore(context: Context, chain: list[FileVersion], made: set[str]) -> bool:
    """Bring back what a file was before a chain of changes; return whether anything had to be done for that.

    A process that is killed leaves a change that is recorded and was not made, or one that was taken back and not
    noted: what is there can be what any change of the chain left, or what was there before it.

    made: the paths of directories that go with the file if nothing else is in them.

    Raises: _Conflict, Refused.
    """
    first, last = chain[0], chain[-1]
    before = context.files.before(first.path)
    if before.path != first.path:
        reason = f"a link leads from there to {before.shown} now; nothing behind it was looked at"
        go_on = f"take the link away, then {_command(context.session, last)} again"
        raise _Conflict(_shown(context, first.path), reason, "", go_on)
    before.refuse(context)
    now = _digest(before)
    places = context.session.places
    going = [] if first.before else _going(context, before.path, made)
    standing = list(map(places.shown, going[places.missing_directories(before.path) :])) if going else []
    if now == first.before and not standing:
        # That the file is as it was is told, and nothing is written.
        context.files.decide_to_read(before.path, before.findings, before.is_outside)
        return False
    try:
        old = context.session.versions.content(first.before) if first.before else None
    except Gone as gone:
        go_on = "what the file was before is in no place that nodwyn knows; git may have it"
        raise _Conflict(before.shown, str(gone), "", go_on) from None
    change = _change(before, old, standing)
    if now != first.before and all(now != version.after for version in chain):
        raise _conflict(context.session, before, last, change)
    if old is None:
        context.files.delete(before, [("change", change)], len(going))
    else:
        context.files.write(before, old, [("change", change)], mode=first.mode)
    return True


def _shown(context: Context, path: str) -> str:
    return surrogates.escape(context.session.places.shown(path))


def _going(context: Context, path: str, made: set[str]) -> list[str]:
    """Return which directories go with a file: those around it that were made, as far as they hold nothing else."""
    around = list(takewhile(made.__contains__, _around(path, path.count("/"))))
    return around[: context.session.places.lone_directories(path, len(around))]


def _conflict(session: Session, before: Before, last: FileVersion, change: str) -> _Conflict:
    """Return what is said of a file that is not as any of the changes to be taken back left it."""
    log = session.log
    wrote = _writer(log, last)
    later = _later(log, last)
    differs = _short(change)
    again = f"{_command(session, last)} again"
    if later is not None and later.after == _digest(before):
        reason = f"{_writer(log, later)} wrote it after {wrote}"
        go_on = f"{_command(session, later)} takes that back; then {again}"
    else:
        latest = wrote if later is None else _writer(log, later)
        how = "changed" if before.version else "deleted"
        reason = f"it was {how} since {latest} wrote it, by a command, another program or somebody"
        go_on = f"take that change back where it was made, then {again}; or make by hand what is shown"
    return _Conflict(before.shown, reason, differs, go_on)


def _later(log: Log, last: FileVersion) -> FileVersion | None:
    """Return the last change of the same file in this session after one, whoever took it back since."""
    undone = _undone(log)
    for seq in sorted(log.seqs("file.version", start=last.seq + 1), reverse=True):
        version = log.event(seq)
        if isinstance(version, FileVersion) and version.path == last.path and seq not in undone:
            return version
    return None


def _command(session: Session, version: FileVersion) -> str:
    """Return how a person takes a change back."""
    number = version.call or _unit(list(session.log.seqs(*UNITS)), version.seq)
    return session.written_undo.format(number)


def _writer(log: Log, version: FileVersion) -> str:
    """Return who made a change, in words: ``call 12 (fs-write) of turn 9``."""
    call = log.event(version.call) if version.call else None
    what = f"call {call.seq} ({call.name})" if isinstance(call, ToolCall) else f"event {version.seq}"
    unit = _unit(list(log.seqs(*UNITS)), version.seq)
    if not unit:
        return what
    return f"{what} of {'turn' if isinstance(log.event(unit), TurnStart) else 'what was entered at'} {unit}"


def _short(change: str) -> str:
    """Return the beginning of a difference, and how much more there is."""
    lines = change.split("\n")
    if len(lines) <= MOST_LINES:
        return change
    return "\n".join([*lines[:MOST_LINES], f"… {len(lines) - MOST_LINES} more lines differ"])


def _change(before: Before, old: bytes | None, gone: Sequence[str]) -> str:
    """Return in words, or as a difference, what bringing back old content changes.

    gone: the directories that go with the file.
    """
    if old is None and before.version is None:
        return f"what was made for the file goes, since nothing else is in it: {in_words(gone)}"
    if old is None:
        deleted = "the file is deleted: it was not there before"
        return f"{deleted}, and neither was what goes with it: {in_words(gone)}" if gone else deleted
    return shown_change(text_before(before), old.decode(errors="replace"), "now", "brought back")[1]


def _digest(before: Before) -> str:
    return sha256(before.version.data).hexdigest() if before.version else ""
