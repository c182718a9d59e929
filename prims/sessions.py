"""The sessions of the project, as data for the person's Scheme: which there are, and what they recorded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, Final

from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import SCHEME, Effect
from nodwyn.prims.kinds import Whole
from nodwyn.prims.log import Event, Reader, Redactor, sessions
from nodwyn.prims.log.read import OpenLog
from nodwyn.prims.log.record import KINDS, redacted
from nodwyn.prims.log.sessions import several
from nodwyn.prims.mistyped import hint
from nodwyn.prims.parameters import EventNumber, Name, Words

MOST_EVENTS: Final = 1000
"""Events that one call returns."""

_GROUND: Final = ("session", "it is what sessions of this project recorded")


@primitive("session-list", effect=Effect.READ, provenance="external:log", callers=SCHEME)
def session_list(
    context: Context, all: Annotated[bool, "whether those of eval and archived ones are listed too"] = False
) -> list[dict[str, Any]]:
    """Return the sessions of this project, the oldest first.

    Each is an association list: name, started, last (when its last event was recorded), client, title, first (the
    beginning of its first message), turns, events, cost (in millionths of a US dollar), unpriced (whether there are
    requests besides whose price is not known), hidden, archived, and open, whether a process has it open.
    """
    context.look("the sessions of this project", _GROUND)
    redact = context.session.redactor.redact
    listed = []
    for session in sessions(context.session.log.path.parent):
        overview = session.overview
        if all or not (overview.hidden or overview.archived):
            fields = {
                "name": session.name,
                **{name: getattr(overview, name) for name in ("started", "last", "client", "title", "first")},
                **{name: getattr(overview, name) for name in ("turns", "events", "cost", "unpriced")},
                **{name: getattr(overview, name) for name in ("hidden", "archived")},
                "open": session.owner is not None,
            }
            listed.append(redacted(fields, redact, "a session"))
    return listed


@primitive("session-events", effect=Effect.READ, provenance="external:log", callers=SCHEME)
def session_events(
    context: Context,
    session: Annotated[Name, "its name, or the beginning of it that no other session of this project has"],
    kind: Annotated[Words, "the kind of events, such as llm.resp; all when empty"] = "",
    start: Annotated[EventNumber, "the number of the first event"] = 1,
    count: Annotated[int, Whole("a number", 1, MOST_EVENTS), "how many at most"] = MOST_EVENTS,
) -> list[dict[str, Any]]:
    """Return events of a session of this project, in order, each an association list of what it recorded.

    docs/log.md says which fields a kind has. An event has seq, at, kind and agent too.
    """
    if kind and kind not in KINDS and (near := hint(kind, KINDS, otherwise="")):
        raise PrimitiveError(f"there are no events of kind {kind}{near}")
    log = context.session.log
    name = _named(context, session)
    context.look(f"events of session {name}", _GROUND)
    redact = context.session.redactor.redact
    if name == log.path.stem:
        return [_plain(event, redact) for event in islice(_events(log, kind, start), count)]
    with Reader(log.path.with_name(f"{name}.jsonl")) as reader:
        return [_plain(event, redact) for event in islice(_events(reader, kind, start), count)]


def _named(context: Context, beginning: str) -> str:
    """Return the whole name of a session of the project.

    Raises: PrimitiveError.
    """
    names = [session.name for session in sessions(context.session.log.path.parent)]
    found = [name for name in names if name.startswith(beginning)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise PrimitiveError(f"no session of this project has a name that begins with {beginning}; (session-list #t)")
    raise PrimitiveError(several(beginning, found))


def _events(log: OpenLog, kind: str, start: int) -> Iterator[Event]:
    return (log.event(seq) for seq in log.seqs(kind, start=start)) if kind else log.events(start)


def _plain(event: Event, redact: Redactor) -> dict[str, Any]:
    members: dict[str, Any] = redacted(event.as_json(), redact, "an event")
    return members


PRIMITIVES = (session_list, session_events)
