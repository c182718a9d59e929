"""Notes in place of a span of the conversation: recording one, with what it leaves out, and taking it back.

A note is no summary: a model or the loop wrote it, in the session that it is used in. The log keeps the whole span.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import PERSON, Effect
from nodwyn.prims.log import Log
from nodwyn.prims.log.events import Interruption, Narrow, NarrowDrop, Pin, ToolCall, ToolResult, UserMessage
from nodwyn.prims.log.read import OpenLog
from nodwyn.prims.parameters import Count, EventNumber

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

CARRIED_WHOLE: Final = 4096
"""Bytes of a message of the person that stays in the window word for word when a note takes the place of its span."""


class NoteStanding(NamedTuple):
    """A note and how it stands."""

    seq: int
    agent: str
    first: int
    through: int
    status: str
    """``active`` or ``dropped``."""
    note: str
    lost: list[Any]
    """The loss audit: objects with what, text and seq."""
    pinned: list[str]
    """What the person kept of it."""


def narrow(session: Session, agent: str, first: int, through: int, note: str) -> int:
    """Record that the conversation of an agent goes on from a note in place of a span; return the note's seq.

    The loss audit of the span is recorded with it.

    first, through: the ends of the span, which neither parts a call from its result nor from its reply.

    Raises: PrimitiveError.
    """
    log = session.log
    if not note.strip():
        raise PrimitiveError("the note is empty: the conversation would go on from nothing")
    _check_span(log, agent, first, through)
    lost = _audited(log, agent, first, through, note)
    given: dict[str, Any] = {"lost": lost} if lost else {}
    return log.append(Narrow(first=first, through=through, note=note, agent=agent, **given))


def drop_note(log: Log, note: int) -> int:
    """Record that a note is dropped: the conversation is back. Return the seq of the event that says so.

    Raises: PrimitiveError.
    """
    standing = _standing(log, note)
    if standing.status == "dropped":
        raise PrimitiveError(f"note {note} was dropped before")
    return log.append(NarrowDrop(narrow=note, agent=standing.agent))


def pin_lost(log: Log, note: int, item: int) -> int:
    """Record that the person keeps an item of a note's loss audit; return the seq of the pin.

    item: its place in the audit, from 1.

    Raises: PrimitiveError.
    """
    standing = _standing(log, note)
    if standing.status == "dropped":
        raise PrimitiveError(f"note {note} was dropped: the conversation is back, and nothing of it is lost")
    if item > len(standing.lost):
        last = f"its last item is {len(standing.lost)}" if standing.lost else "it is empty"
        raise PrimitiveError(f"the loss audit of note {note} has no item {item}; {last}")
    entry = standing.lost[item - 1]
    if not {"text", "seq"} <= entry.keys():
        raise PrimitiveError(f"item {item} of note {note} does not say which event held what; nothing can be pinned")
    if entry["text"] in standing.pinned:
        raise PrimitiveError(f"item {item} of note {note} was pinned before")
    return log.append(Pin(narrow=note, event=entry["seq"], text=entry["text"], agent=standing.agent))


def notes_of(log: OpenLog) -> list[NoteStanding]:
    """Return the notes in a log, the oldest first."""
    dropped: set[int] = set()
    pinned: dict[int, list[str]] = {}
    notes = []
    for seq in log.seqs("context.narrow", "context.drop", "pin"):
        event = log.event(seq)
        if isinstance(event, Narrow):
            notes.append(event)
        elif isinstance(event, NarrowDrop):
            dropped.add(event.narrow)
        elif isinstance(event, Pin):
            pinned.setdefault(event.narrow, []).append(event.text)
    return [
        NoteStanding(
            note.seq,
            note.agent,
            note.first,
            note.through,
            "dropped" if note.seq in dropped else "active",
            note.note,
            note.lost or [],
            pinned.get(note.seq, []),
        )
        for note in notes
    ]


@primitive("note-list", effect=Effect.NONE, provenance="external:log", callers=PERSON)
def note_list(context: Context) -> list[NoteStanding]:
    """Return the notes that the conversation goes on from in place of spans of it, the oldest first.

    Each has seq, agent, first, through, status (active or dropped), note, lost and pinned. lost is what the span held
    that the note does not mention: a list of what, text and seq.
    """
    return notes_of(context.session.log)


@primitive("note-drop", effect=Effect.NONE, callers=PERSON)
def note_drop(context: Context, note: Annotated[EventNumber, "the note's number"]) -> None:
    """Drop a note: from the next request on the model is shown the conversation again that it stands for."""
    drop_note(context.session.log, note)


@primitive("note-pin", effect=Effect.NONE, callers=PERSON)
def note_pin(
    context: Context,
    note: Annotated[EventNumber, "the note's number"],
    item: Annotated[Count, "which item of lost, from 1, as note-list has them"],
) -> None:
    """Keep something that a note leaves out: from the next request on the model is shown it with the note."""
    pin_lost(context.session.log, note, item)


def _audited(log: OpenLog, agent: str, first: int, through: int, note: str) -> list[dict[str, Any]]:
    """Return the loss audit of a span, in which the cards of its turns count as said."""
    from nodwyn.prims.memory.cards import Turns, described
    from nodwyn.prims.memory.loss import loss

    turns, cards, span = Turns(), [], []
    for event in islice(log.events(first), through - first + 1):
        if event.agent == agent:
            span.append(event)
        for turn in (turns.closes(event), turns.add(event)):
            if turn is not None:
                cards.append(described(turn.card()))
    if turns.open is not None:
        cards.append(described(turns.open.card()))
    return [entry._asdict() for entry in loss(span, note, cards, carried=_is_carried)]


def _is_carried(message: UserMessage) -> bool:
    return len(message.text.encode("utf-8", "surrogatepass")) <= CARRIED_WHOLE


def _check_span(log: OpenLog, agent: str, first: int, through: int) -> None:
    """Raise PrimitiveError unless a note may stand for a span."""
    if not first <= through <= log.last:
        raise PrimitiveError(f"{first} to {through} is no span of this log, which has the events 1 to {log.last}")
    waiting: dict[int, int] = {}
    for seq in log.seqs("tool.call", "tool.result", "interruption", agent=agent, start=first):
        event = log.event(seq)
        if isinstance(event, ToolCall):
            waiting[seq] = event.reply
        elif isinstance(event, (ToolResult, Interruption)) and seq <= through:
            call = event.call if isinstance(event, ToolResult) else event.of
            reply = waiting.pop(call, 0) or _reply_of(log, call)
            if 0 < reply < first:
                raise PrimitiveError(f"the span begins between reply {reply} and the result of its call")
    for reply in waiting.values():
        if first <= reply <= through:
            raise PrimitiveError(f"the span ends between reply {reply} and the result of its call")


def _reply_of(log: OpenLog, call: int) -> int:
    """Return the reply that a call was asked for in, or 0: what was interrupted may also be no call."""
    event = log.event(call)
    return event.reply if isinstance(event, ToolCall) else 0


def _standing(log: OpenLog, note: int) -> NoteStanding:
    """Return how a note stands.

    Raises: PrimitiveError when there is none.
    """
    notes = {standing.seq: standing for standing in notes_of(log)}
    if note not in notes:
        known = f"the notes are {', '.join(map(str, notes))}" if notes else "there are no notes in this session"
        raise PrimitiveError(f"event {note} is no note; {known}")
    return notes[note]


PRIMITIVES = (note_list, note_drop, note_pin)
