"""How each summary of a conversation stands. It follows from the events alone, and from nothing but them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from nodwyn.prims.log.events import Summary, SummaryDrop
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.record import Event

SOURCE: Final = frozenset(
    {"user.msg", "loop.msg", "attachment", "llm.resp", "tool.call", "tool.result", "interruption"}
)
"""The kinds of events that a conversation consists of: a summary stands for those of its span."""

RELEVANT: Final = frozenset({*SOURCE, "summary", "summary.drop"})
"""The kinds of events that say how summaries stand; all others may be left out."""

LATEST_TURNS: Final = 2
"""So many of the person's turns, the latest ones, no summary replaces."""

Status = Literal["active", "recent", "dropped", "stale", "superseded"]


class Standing(NamedTuple):
    """A summary and how it stands."""

    seq: int
    first: int
    """The user.msg that its span begins with."""
    through: int
    """The llm.resp that its span ends with."""
    text: str
    status: Status
    """*active*: it stands for its span. *recent*: it waits, as its span is within the latest turns. *dropped*: the
    person revoked it. *stale*: its span is not what it was made of. *superseded*: a newer one overlaps it, whatever
    became of that one."""


def standings(events: Iterable[Event], agent: str = MAIN) -> list[Standing]:
    """Return how each summary stands after these events, the oldest first.

    events: those of a log from its beginning; only those of ``agent`` and of kinds in :data:`RELEVANT` count.
    """
    source: list[Event] = []
    summaries: list[tuple[Summary, bool]] = []
    dropped: set[int] = set()
    for event in events:
        if event.agent != agent:
            continue
        if event.kind in SOURCE:
            source.append(event)
        elif isinstance(event, Summary):
            summaries.append((event, _is_as_it_was(event, source)))
        elif isinstance(event, SummaryDrop):
            dropped.add(event.summary)
    kept_from = _beginning_of_latest(source)
    return [
        Standing(
            summary.seq,
            summary.first,
            summary.through,
            summary.text,
            _status(summary, is_whole, summary.seq in dropped, [newer for newer, _ in summaries[place:]], kept_from),
        )
        for place, (summary, is_whole) in enumerate(summaries, 1)
    ]


def source_digest(events: Iterable[Event]) -> str:
    """Return the digest of what a summary stands for: the SHA-256 of its source events as they are recorded.

    events: those of the span, in kinds of :data:`SOURCE` and of one agent. They are redacted, as all that is recorded
        is, so that later rules of the redactor change no digest.
    """
    digest = sha256()
    for event in events:
        members = {name: value for name, value in event.as_json().items() if name != "barrier"}
        line = json.dumps(members, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def span(source: Iterable[Event], first: int, through: int) -> Iterator[Event]:
    """Yield the events from the seq ``first`` through the seq ``through``."""
    return (event for event in source if first <= event.seq <= through)


def _is_as_it_was(summary: Summary, source: Sequence[Event]) -> bool:
    """Return whether the span has the ends of one, and is what the summary was made of."""
    events = list(span(source, summary.first, summary.through))
    if not events or events[0].seq != summary.first or events[-1].seq != summary.through:
        return False
    return source_digest(events) == summary.digest


def _beginning_of_latest(source: Sequence[Event]) -> int:
    """Return the seq with which the latest turns begin: no span may reach it."""
    messages = [event.seq for event in source if event.kind == "user.msg"]
    return messages[-LATEST_TURNS] if len(messages) >= LATEST_TURNS else 0


def _status(summary: Summary, is_whole: bool, is_dropped: bool, newer: Sequence[Summary], kept_from: int) -> Status:
    if is_dropped:
        return "dropped"
    if not is_whole:
        return "stale"
    if any(other.first <= summary.through and other.through >= summary.first for other in newer):
        return "superseded"
    return "recent" if summary.through >= kept_from else "active"
