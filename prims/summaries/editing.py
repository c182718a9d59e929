"""Adding a summary to a session that nobody has open, and dropping one. Nothing else of the log changes.

An edit appends one event, ``summary`` or ``summary.drop``, and there is no other store.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from nodwyn.prims.log import Event, Log, LogError, Reader, Redactor
from nodwyn.prims.log.events import Summary, SummaryDrop
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.read import OpenLog
from nodwyn.prims.log.replies import blocks_of
from nodwyn.prims.summaries.standing import RELEVANT, SOURCE, Standing, source_digest, standings

MAXIMUM_TEXT: Final = 16 * 1024
"""Bytes of a summary's text in UTF-8, before redaction."""

AGENT: Final = MAIN
"""Summaries stand for spans of the conversation with the person, never of a sub-agent's."""


class SummaryError(LogError):
    """A summary cannot be made or dropped as asked; the message says what would be right. Nothing was recorded."""


def text_of(data: bytes) -> str:
    """Return what a file of text says, for a summary.

    Raises: SummaryError.
    """
    _check_size(len(data))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SummaryError(f"the text is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}") from None


def add_summary(path: Path, first: int, through: int, text: str, redact: Redactor) -> int:
    """Have a text stand for a span of a closed session; return the seq of the summary.

    path: of the session's log. first: the user.msg that the span begins with. through: the llm.resp, without calls,
    that it ends with. redact: the text passes it before it is recorded.

    Raises: SummaryError, OwnedElsewhere, Incomplete, Damaged, NewerFormat, LogError.
    """
    _check_size(len(text.encode("utf-8", "surrogatepass")))
    if not text.strip():
        raise SummaryError("the text is empty: a summary says what its span came to")
    with Log.open(path, redact=redact, only_complete=True) as log:
        _check_span(log, first, through)
        source = (log.event(seq) for seq in log.seqs(*SOURCE, agent=AGENT, start=first) if seq <= through)
        return _recorded(log, Summary(first=first, through=through, text=text, digest=source_digest(source)))


def drop_summary(path: Path, summary: int, redact: Redactor) -> int:
    """Revoke a summary of a closed session; return the seq of the event that says so.

    path: of the session's log. summary: its seq. redact: as for :func:`add_summary`.

    Raises: SummaryError, OwnedElsewhere, Incomplete, Damaged, NewerFormat, LogError.
    """
    with Log.open(path, redact=redact, only_complete=True) as log:
        known = list(log.seqs("summary", agent=AGENT))
        if summary not in known:
            raise SummaryError(f"event {summary} is no summary; {_listed(known)}")
        if summary in (drop.summary for drop in _events(log, "summary.drop") if isinstance(drop, SummaryDrop)):
            raise SummaryError(f"summary {summary} was dropped before")
        return _recorded(log, SummaryDrop(summary=summary))


def list_summaries(path: Path) -> list[Standing]:
    """Return the summaries of a session, open or closed, the oldest first.

    Raises: Damaged, LogError, OSError.
    """
    with Reader(path) as log:
        if log.damage is not None:
            raise log.damage
        return summaries_of(log)


def summaries_of(log: OpenLog) -> list[Standing]:
    """Return the summaries in a log that is open."""
    if next(log.seqs("summary", agent=AGENT), None) is None:
        return []
    return standings(_events(log, *RELEVANT), AGENT)


def _recorded(log: Log, event: Event) -> int:
    seq = log.append(event)
    log.barrier()
    return seq


def _events(log: OpenLog, *kinds: str) -> Iterator[Event]:
    return map(log.event, log.seqs(*kinds, agent=AGENT))


def _check_size(size: int) -> None:
    if size > MAXIMUM_TEXT:
        raise SummaryError(f"the text is longer than {MAXIMUM_TEXT:,} bytes: say it in fewer words")


def _check_span(log: Log, first: int, through: int) -> None:
    """Raise SummaryError unless a span may begin and end so."""
    messages = list(log.seqs("user.msg", agent=AGENT))
    if first not in messages:
        raise SummaryError(
            f"a summary's span begins at a message of the person, and {_what_is(log, first)};"
            f" {_nearest(messages, first)}"
        )
    replies = [seq for seq in log.seqs("llm.resp", agent=AGENT, start=first) if _is_final(log.event(seq))]
    if through not in replies:
        raise SummaryError(
            f"a summary's span ends at a whole reply behind its beginning that calls nothing, and"
            f" {_what_is(log, through)}; {_nearest(replies, through)}"
        )


def _is_final(reply: Event) -> bool:
    """Return whether a reply leaves no call open."""
    return not any(block["type"] == "call" for block in blocks_of(reply))


def _what_is(log: Log, seq: int) -> str:
    if not 1 <= seq <= log.last:
        return f"there is no event {seq}"
    event = log.event(seq)
    of = f" of {event.agent}" if event.agent != AGENT else ""
    calling = " with calls" if event.kind == "llm.resp" and not _is_final(event) else ""
    return f"event {seq} is {event.kind}{calling}{of}"


def _nearest(seqs: list[int], wanted: int) -> str:
    """Return in words which of ``seqs``, in ascending order, are next to another one."""
    place = bisect_left(seqs, wanted)
    near = seqs[max(place - 1, 0) : place + 1]
    if not near:
        return "there is none"
    return f"the nearest is {min(near, key=lambda seq: abs(seq - wanted))}"


def _listed(known: list[int]) -> str:
    if not known:
        return "this session has no summaries"
    return f"the summaries of this session are {', '.join(map(str, known))}"
