"""The conversation of one agent, event by event: what is said in it, and what recorded decisions made of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from nodwyn.loop.window.arrange import Replacements
from nodwyn.loop.window.canonical import plain
from nodwyn.loop.window.units import Call, Fetch, Replied, Said, Unit
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import (
    AgentStart,
    Elide,
    Fold,
    Interruption,
    LoopMessage,
    ModelRequest,
    ModelResponse,
    Narrow,
    NarrowDrop,
    Pin,
    Recipe,
    Summary,
    SummaryDrop,
    ToolCall,
    ToolResult,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.log.replies import blocks_of

SHOWN_SEQS = 8
"""How many events a reason names."""


class Change(NamedTuple):
    """Something that made what was said before stand otherwise in later requests."""

    seq: int
    """Of the event that made it so."""
    affects: tuple[int, ...]
    """The seqs of what it made stand otherwise; 0 for a span."""
    words: str

    def is_about(self, before: int) -> bool:
        """Return whether it made anything before a seq stand otherwise."""
        return any(seq < before for seq in self.affects)


class Timeline:
    """What the window holds, up to the last event taken."""

    def __init__(self, agent: str, fetch: Fetch, events: Callable[[], Iterable[Event]]) -> None:
        """events: yields all events of the log up to the last one taken."""
        self.agent = agent
        self.units: list[Unit] = []
        """What a request shows, in its order."""
        self.dirty = 0
        """The index of the first unit that does not stand as it did when the units were last rendered."""
        self.changes: list[Change] = []
        self.turn = 0
        self.last = 0
        """The seq of the last event taken."""
        self.last_reply = 0
        self._fetch = fetch
        self._said: list[Unit] = []
        """All that was said, what is replaced included."""
        self._replacements = Replacements(agent, events)
        self._replies: dict[int, Replied] = {}
        self._called: dict[int, tuple[Replied, Call]] = {}
        """For the seq of each tool.call and of its end: the reply and the call in it."""
        self._attached: dict[int, Said] = {}
        self._elided: dict[int, Callable[[], None]] = {}
        """For each event that is elided, what takes that back."""
        self._ids: set[str] = set()
        self._asked: dict[int, int] = {}
        """The recipe of each request."""
        self._latest_request = 0
        self._makers: dict[int, tuple[str, str]] = {}
        """Provider and model of each recipe."""

    def take(self, event: Event) -> None:
        """Take up the next event."""
        self.last = event.seq
        if event.agent == self.agent or (isinstance(event, AgentStart) and event.name == self.agent):
            handler = _HANDLERS.get(event.kind)
            if handler is not None:
                handler(self, event)

    def arrange(self) -> None:
        """Put notes and summaries in the place of what they replace, if that changed."""
        if not self._replacements.are_due():
            return
        for summary in self._replacements.refresh():
            words = f"the summary of {_span(summary)}, seq {summary.seq}, holds now that its turns are not the latest"
            self._change((0,), words)
        before, self.units = self.units, self._replacements.arranged(self._said)
        pairs = enumerate(zip(before, self.units))
        shared = next((n for n, (old, new) in pairs if old is not new), min(len(before), len(self.units)))
        for unit in before[shared:]:
            unit.place = -1
        for place in range(shared, len(self.units)):
            self.units[place].place = place
        for unit in before[shared:]:
            if unit.place < 0:
                unit.forget()  # a text that no request shows is not kept
        self.dirty = min(self.dirty, shared)

    # What is said

    def _message(self, event: UserMessage | LoopMessage | AgentStart) -> None:
        if isinstance(event, AgentStart) and event.name != self.agent:
            return
        unit = Said(event, self.turn)
        if isinstance(event, UserMessage):
            self._attached.update(dict.fromkeys(event.attachments, unit))
        self._add(unit)
        if isinstance(event, UserMessage) and self._replacements.message():
            self.arrange()

    def _turn_start(self, event: TurnStart) -> None:
        self.turn += 1
        for unit in reversed(self._said):
            if unit.seq < event.message or not event.message:
                break
            unit.turn = self.turn  # the message is recorded before the turn begins that is about it

    def _reply(self, event: ModelResponse) -> None:
        calls = [self._new_call(event.seq, block) for block in blocks_of(event) if block["type"] == "call"]
        unit = Replied(event, self.turn, self._made_by(event), calls)
        self.last_reply = event.seq
        self._replies[event.seq] = unit
        self._add(unit)

    def _new_call(self, reply: int, block: dict[str, Any]) -> Call:
        """Return a call of a reply; its id is one that no call before has."""
        recorded = str(block.get("id", ""))
        id = plain(recorded) or f"call_{reply}"
        number = 1
        while id in self._ids:
            number += 1
            id = f"{plain(recorded) or 'call'}_{reply}_{number}"
        self._ids.add(id)
        return Call(recorded, id, plain(str(block.get("name", ""))), plain(block.get("arguments", {})))

    def _request(self, event: ModelRequest) -> None:
        self._asked[event.seq] = event.recipe
        self._latest_request = event.seq

    def _made_by(self, event: ModelResponse) -> tuple[str, str]:
        """Return provider and model that a reply was asked of."""
        seq = self._asked.get(event.request, 0)
        if seq not in self._makers:
            recipe = self._fetch(seq) if 0 < seq < event.seq else None
            self._makers[seq] = (recipe.provider, recipe.model) if isinstance(recipe, Recipe) else ("", "")
        return self._makers[seq]

    def _add(self, unit: Unit) -> None:
        unit.place = len(self.units)
        self._said.append(unit)
        self.units.append(unit)

    # What becomes of calls

    def _tool_call(self, event: ToolCall) -> None:
        unit = self._replies.get(event.reply)
        call = unit.call_to_begin(event.id) if unit is not None else None
        if unit is None or call is None:
            return
        call.begun(event)
        self._called[event.seq] = unit, call
        self._touch(unit)
        self._late(unit, f"the call of seq {event.seq} began after a request that has its reply")

    def _tool_end(self, event: ToolResult | Interruption) -> None:
        of = event.call if isinstance(event, ToolResult) else event.of
        unit, call = self._called.get(of, (None, None))
        if unit is None or call is None or call.end or call.call != of:
            return
        call.ended(event)
        self._called[event.seq] = unit, call
        unit.held = (*unit.held, event)
        self._touch(unit)
        self._late(unit, f"the call of seq {of} ended with seq {event.seq}, after a request that has it")

    def _late(self, unit: Unit, words: str) -> None:
        """Take up that something came of a call, which is a change only for a request that was made meanwhile."""
        if unit.seq < self._latest_request:
            self._change((unit.seq,), words)

    # Decisions on how it is shown

    def _fold(self, event: Fold) -> None:
        unit, call = self._called.get(event.result, (None, None))
        if unit is None or call is None or not call.is_result or call.end != event.result:
            return
        call.fold = event.seq
        unit.held = (*unit.held, event)
        self._touch(unit)
        self._change((event.result,), f"fold of seq {event.result} by seq {event.seq}{_rule(event.rule)}")

    def _elide(self, event: Elide) -> None:
        done = [seq for seq in event.events if seq not in self._elided and self._elide_one(seq, event.seq)]
        if done:
            self._change(tuple(done), f"elision of {_seqs(done)} by seq {event.seq}{_rule(event.rule)}")

    def _elide_one(self, seq: int, by: int) -> bool:
        """Elide an event to which the model has replied; return whether there is one that can be."""
        if seq >= self.last_reply:
            return False
        unit, call = self._called.get(seq, (None, None))
        if unit is not None and call is not None and call.is_result and call.end == seq:
            call.elision = by
            self._elided[seq] = lambda: self._show_result(unit, call)
            self._touch(unit)
        elif seq in self._replies:
            self._set_elision(self._replies[seq], by)
            self._elided[seq] = lambda: self._set_elision(self._replies[seq], 0)
        elif seq in self._attached:
            self._attached[seq].elisions[seq] = by
            self._elided[seq] = lambda: self._show_attachment(self._attached[seq], seq)
            self._touch(self._attached[seq])
        else:
            return False
        return True

    def _show_result(self, unit: Replied, call: Call) -> None:
        call.elision = 0
        self._touch(unit)

    def _set_elision(self, unit: Replied, by: int) -> None:
        unit.elision = by
        unit.forget()
        self._touch(unit)

    def _show_attachment(self, unit: Said, seq: int) -> None:
        del unit.elisions[seq]
        self._touch(unit)

    def _edit(self, event: Summary | SummaryDrop | NarrowDrop, words: str) -> None:
        """Let what was elided before an edit of the conversation stand whole again."""
        seqs = list(self._elided)
        for show in self._elided.values():
            show()
        self._elided.clear()
        reset = f", and what was elided before ({_seqs(seqs)}) is whole again" if seqs else ""
        self._change((0, *seqs), f"{words}, seq {event.seq}{reset}")

    def _summary(self, event: Summary) -> None:
        self._replacements.summary()
        self._edit(event, f"summary of seq {event.first} to {event.through}")
        self.arrange()

    def _summary_drop(self, event: SummaryDrop) -> None:
        self._replacements.summary()
        self._edit(event, f"the summary of seq {event.summary} was dropped")
        self.arrange()

    def _narrow(self, event: Narrow) -> None:
        self._replacements.note(event)
        self._change((0,), f"a note in place of {_span(event)}, seq {event.seq}")

    def _narrow_drop(self, event: NarrowDrop) -> None:
        self._replacements.drop_note(event.narrow)
        self._edit(event, f"the note of seq {event.narrow} was dropped")

    def _pin(self, event: Pin) -> None:
        self._replacements.pin(event)
        self._change((0,), f"the person keeps words of seq {event.event} beside a note, seq {event.seq}")

    def _touch(self, unit: Unit) -> None:
        unit.parts = None
        if unit.place >= 0:
            self.dirty = min(self.dirty, unit.place)

    def _change(self, affects: tuple[int, ...], words: str) -> None:
        self.changes.append(Change(self.last, affects, words))


def _span(of: Any) -> str:
    return f"seq {of.first} to {of.through}"


def _seqs(seqs: list[int]) -> str:
    shown = ", ".join(map(str, seqs[:SHOWN_SEQS]))
    return f"seq {shown}{f' and {len(seqs) - SHOWN_SEQS} more' if len(seqs) > SHOWN_SEQS else ''}"


def _rule(rule: str) -> str:
    return f" ({rule})" if rule else ""


_HANDLERS: dict[str, Callable[[Timeline, Any], None]] = {
    "agent.start": Timeline._message,
    "user.msg": Timeline._message,
    "loop.msg": Timeline._message,
    "turn.start": Timeline._turn_start,
    "llm.req": Timeline._request,
    "llm.resp": Timeline._reply,
    "tool.call": Timeline._tool_call,
    "tool.result": Timeline._tool_end,
    "interruption": Timeline._tool_end,
    "fold": Timeline._fold,
    "elide": Timeline._elide,
    "context.narrow": Timeline._narrow,
    "context.drop": Timeline._narrow_drop,
    "pin": Timeline._pin,
    "summary": Timeline._summary,
    "summary.drop": Timeline._summary_drop,
}
