"""Taking back the file changes of a turn or a call."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import SCHEME, Effect
from nodwyn.prims.files import Before
from nodwyn.prims.fs.versions import Gone
from nodwyn.prims.fs.write import shown_change, text_before
from nodwyn.prims.log import Log
from nodwyn.prims.log.events import FileVersion, ToolCall, Undo
from nodwyn.prims.parameters import EventNumber

UNITS = ("turn.start", "scheme.input")
"""What file changes belong together by: a turn, or what the person entered."""


@primitive("undo", effect=Effect.WRITE, provenance="external:file", callers=SCHEME)
def undo(
    context: Context,
    event: Annotated[EventNumber | None, "the call or turn; the last one that changed a file when not given"] = None,
) -> dict[str, Any]:
    """Take back the file changes of a turn or a call. Return the paths restored, and the conflicts.

    A file that was changed since, by whomever, is a conflict: it is left alone, and what differs from what would be
    brought back is shown. Changes that commands made are not known, and stay, as do directories that were made.
    """
    versions = _versions(context.session.log, event)
    restored, conflicts = [], []
    undone: list[int] = []
    for path in dict.fromkeys(version.path for version in reversed(versions)):
        chain = [version for version in versions if version.path == path]
        conflict = _restore(context, chain)
        if conflict is None:
            restored.append(surrogates.escape(context.session.places.shown(path)))
            undone += [version.seq for version in chain]
        else:
            conflicts.append(conflict)
    context.session.log.append(
        Undo(versions=sorted(undone), conflicts=[conflict["path"] for conflict in conflicts], agent=context.call.agent)
    )
    if not restored:
        shown = "\n".join(f"{conflict['path']}: {conflict['reason']}\n{conflict['differs']}" for conflict in conflicts)
        raise PrimitiveError(f"nothing was taken back\n{shown}")
    return {"restored": restored, "conflicts": conflicts}


def _versions(log: Log, event: int | None) -> list[FileVersion]:
    """Return the changes to take back, the first one first.

    Raises: PrimitiveError when there are none.
    """
    undone = {seq for at in log.seqs("undo") for seq in log.event(at).as_json()["versions"]}
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
        raise PrimitiveError(f"no file change {which} is left to be taken back; what commands changed is not known")
    return chosen


def _is_undo(log: Log, version: FileVersion) -> bool:
    call = log.event(version.call) if version.call else None
    return isinstance(call, ToolCall) and call.name == "undo"


def _unit(units: list[int], seq: int) -> int:
    """Return the turn or input that an event belongs to; 0 for none."""
    return max((unit for unit in units if unit < seq), default=0)


def _restore(context: Context, chain: list[FileVersion]) -> dict[str, str] | None:
    """Bring back what a file was before a chain of changes; return a conflict when that cannot be.

    Raises: Refused.
    """
    first, last = chain[0], chain[-1]
    before = context.files.before(first.path)
    try:
        old = context.session.versions.content(first.before) if first.before else None
    except Gone as gone:
        return {"path": before.shown, "reason": str(gone), "differs": ""}
    change = _change(before, old)
    if _digest(before) != last.after:
        return {"path": before.shown, "reason": "it was changed since", "differs": change}
    if old is None:
        context.files.delete(before, [("change", change)])
    else:
        context.files.write(before, old, [("change", change)], mode=first.mode)
    return None


def _change(before: Before, old: bytes | None) -> str:
    """Return in words, or as a difference, what bringing back old content changes."""
    if old is None:
        return "the file is deleted: it was not there before"
    return shown_change(text_before(before), old.decode(errors="replace"), "now", "brought back")[1]


def _digest(before: Before) -> str:
    return sha256(before.version.data).hexdigest() if before.version else ""
