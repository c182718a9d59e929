"""One event of a log as a person or a model reads it: under a heading, in numbered lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nodwyn.prims.counting import counted
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import (
    Attachment,
    Interruption,
    LoopMessage,
    ModelResponse,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.read import OpenLog
from nodwyn.prims.log.replies import blocks_of
from nodwyn.prims.memory.backwards import latest
from nodwyn.prims.memory.cards import Card, Turns, described
from nodwyn.prims.memory.texts import RANKED, lines_of, text_of, time_of, what_of

MOST_OF_TURN: Final = 4000
"""Characters in which a turn's events are named one by one."""


def recall_text(log: OpenLog, seq: object, start: int, count: int, *, most: int | None, task: str = "") -> str:
    """Return an event under a heading: whole, or lines of it.

    seq: of the event. start: the first line, from 1. count: how many lines. Both 0 stand for the whole. most:
    characters of the answer; as many whole lines are returned as fit, but at least one. task: the name by which a call
    names the log, if one must.

    Raises: PrimitiveError when there is no such event or line, or the event is of a kind that is not shown. LogError.
    """
    event = _event(log, seq)
    lines = lines_of(shown_text(log, event))
    first = max(start, 1)
    if first > max(len(lines), 1):
        raise PrimitiveError(f"start is {start}, and event {event.seq} has {counted(len(lines), 'line')}")
    heading = f"{heading_of(log, event)}, {time_of(event)}"
    is_whole = start == 0 and count == 0
    tail = _turn_text(log, event) if is_whole and isinstance(event, UserMessage) else ""
    through = len(lines) if count == 0 else min(len(lines), first - 1 + count)
    wanted = lines[first - 1 : through]
    shown = wanted if most is None else wanted[: _fitting(wanted, most - len(heading) - len(tail) - 120)]
    text = "".join(shown)
    last = first - 1 + len(shown)
    parts = [heading]
    if not is_whole or len(shown) < len(lines):
        parts.append(f"[lines {first if lines else 0}-{last} of {len(lines)}]")
    parts.append(text.removesuffix("\n") if lines else _nothing(event))
    if len(shown) < len(wanted):
        where = "cut here" if text.endswith("\n") else "cut within a line"
        parts.append(f"[{where}: {_call(event.seq, last + 1, count and count - len(shown), task)} goes on]")
    return "\n".join([*parts, *([tail] if tail else [])])


def _call(seq: int, start: int, count: int, task: str) -> str:
    """Return the call that goes on at a line."""
    words = ["recall", str(seq), str(start)]
    if count or task:
        words.append(str(count))
    if task:
        words.append(f'"{task}"')
    return f"({' '.join(words)})"


def _nothing(event: Event) -> str:
    """Return what stands in place of a text that is empty."""
    if isinstance(event, Attachment) and event.blob:
        return f"({event.media}, {event.size:,} bytes: no text)"
    return "(empty)"


def heading_of(log: OpenLog, event: Event) -> str:
    """Return which event it is, and what: "seq 812, the result of fs-read {…}".

    Raises: LogError.
    """
    call = log.event(event.call) if isinstance(event, ToolResult) else None
    return f"seq {event.seq}, {what_of(event, call)}"


def shown_text(log: OpenLog, event: Event) -> str:
    """Return the text of an event of a ranked kind; a reply names the results of its calls.

    Raises: LogError.
    """
    if not isinstance(event, ModelResponse):
        return text_of(event)
    results = dict(_results(log, event))
    return text_of(event, lambda id: results.get(id, "  (never answered)"))


def turn_of(log: OpenLog, message: UserMessage) -> tuple[Card, list[Event]] | None:
    """Return the card and the events of the turn that begins with a message; None when it came within one.

    Raises: LogError.
    """
    if message.agent != MAIN or _is_within_turn(log, message.seq):
        return None
    first = message.seq
    while first > 1 and isinstance(log.event(first - 1), Attachment):
        first -= 1
    turns, held, turn = Turns(), list[Event](), None
    for event in log.events(first):
        turn = turns.closes(event)
        if turn is None:
            held.append(event)
            turn = turns.add(event)
        if turn is not None:
            break
    turn = turn or turns.open
    return None if turn is None else (turn.card(), held)


def _event(log: OpenLog, seq: object) -> Event:
    """Return an event that can be shown. Raises: PrimitiveError, LogError."""
    if not isinstance(seq, int) or isinstance(seq, bool) or not 1 <= seq <= log.last:
        raise PrimitiveError(f"there is no event {seq!r}: the events are 1 to {log.last}", kind="type")
    event = log.event(seq)
    if isinstance(event, RANKED):
        return event
    hint = ""
    if isinstance(event, ToolCall):
        result = next((each for each in _closing(log, event) if isinstance(each, ToolResult)), None)
        hint = f"; its result is event {result.seq}" if result else "; it has no result"
    raise PrimitiveError(
        f"event {seq} is a {event.kind}, which is not shown{hint}. There are messages, attached files, plans,"
        f" summaries, notes of compactions, replies and results of calls"
    )


def _results(log: OpenLog, reply: ModelResponse) -> Iterator[tuple[str, str]]:
    """Yield for each call of a reply its id, and which event is its result."""
    left = sum(block["type"] == "call" for block in blocks_of(reply))
    calls: dict[int, str] = {}
    for seq in log.seqs("tool.call", "tool.result", "interruption", "llm.resp", start=reply.seq + 1):
        if not left:
            return
        event = log.event(seq)
        if isinstance(event, ToolCall) and event.reply == reply.seq:
            calls[seq] = event.id
        elif isinstance(event, ToolResult) and event.call in calls:
            left -= 1
            yield calls.pop(event.call), f"  (its result: {seq}{'' if event.ok else ', failed'})"
        elif isinstance(event, Interruption) and event.of in calls:
            left -= 1
            yield calls.pop(event.of), f"  (interrupted: {seq})"
        elif isinstance(event, ModelResponse) and event.agent == reply.agent:
            return


def _closing(log: OpenLog, call: ToolCall) -> Iterator[Event]:
    for seq in log.seqs("tool.result", "interruption", start=call.seq + 1):
        event = log.event(seq)
        if (isinstance(event, ToolResult) and event.call == call.seq) or (
            isinstance(event, Interruption) and event.of == call.seq
        ):
            yield event
            return


def _is_within_turn(log: OpenLog, seq: int) -> bool:
    """Return whether an event came while a turn was open that says where it begins and ends."""
    for mark in latest(log, "turn.start", "turn.end", "interruption", before=seq):
        event = log.event(mark)
        if isinstance(event, TurnStart):
            return True
        if isinstance(event, TurnEnd) or (
            isinstance(event, Interruption) and isinstance(log.event(event.of), TurnStart)
        ):
            return False
    return False


def _turn_text(log: OpenLog, message: UserMessage) -> str:
    """Return what the turn that begins with a message was about, and its events; nothing when it begins none."""
    turn = turn_of(log, message)
    if turn is None:
        return ""
    card, events = turn
    ranked = [event for event in events if isinstance(event, RANKED)]
    calls = {event.seq: event.name for event in events if isinstance(event, ToolCall)}
    named = ", ".join(f"{event.seq} {_short(event, calls)}" for event in ranked)
    if len(named) > MOST_OF_TURN:
        named = ", ".join(_ranges([event.seq for event in ranked]))
    span = f"{card.first}-{card.through}"
    return f"\n[its turn, events {span}]\n{described(card)}\nevents to recall: {named}"


def _short(event: Event, calls: dict[int, str]) -> str:
    """Return what an event is in a word or two."""
    if isinstance(event, ToolResult):
        return f"{calls.get(event.call, 'a call')}{'' if event.ok else ' failed'}"
    return {UserMessage: "message", LoopMessage: "nodwyn's", ModelResponse: "reply"}.get(
        type(event), event.kind.rpartition(".")[2]
    )


def _ranges(seqs: list[int]) -> Iterator[str]:
    """Yield ascending numbers as ranges."""
    begin = 0
    for place in range(1, len(seqs) + 1):
        if place == len(seqs) or seqs[place] != seqs[place - 1] + 1:
            first, last = seqs[begin], seqs[place - 1]
            yield str(first) if first == last else f"{first}-{last}"
            begin = place


def _fitting(lines: list[str], most: int) -> int:
    """Return how many lines have no more characters together; at least one."""
    total = 0
    for number, line in enumerate(lines):
        total += len(line)
        if total > most:
            return max(number, 1)
    return len(lines)
