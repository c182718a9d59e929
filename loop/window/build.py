"""Building requests: a pure function of the log up to an event, and of a recorded recipe.

A :class:`Window` belongs to one agent. It takes up each event once, so a request costs what is new since the last one;
building it from the beginning of the log gives the same request. It reads the log and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from nodwyn.loop.window.canonical import canonical_of_plain, plain
from nodwyn.loop.window.messages import Message, Messages
from nodwyn.loop.window.pieces import Entry
from nodwyn.loop.window.policy import VERSION, Numbers, UnknownRecipe, numbers_of
from nodwyn.loop.window.timeline import Change, Timeline
from nodwyn.loop.window.tokens import estimate
from nodwyn.loop.window.units import Settings
from nodwyn.prims.counting import in_words
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import AgentStart, ModelRequest, Recipe
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.read import OpenLog

MEMBERS = ("system", "tools", "parameters", "provider", "model")
"""The members of a request besides its messages; a recipe has them all."""


class Built(NamedTuple):
    """A request, and what is known of it. What it holds is shared with later requests: it must not be changed."""

    request: dict[str, Any]
    digest: str
    """SHA-256 of its canonical text, in hexadecimal."""
    tokens: int
    """By estimate."""
    broken: str
    """Why its beginning is not the agent's last request, so that no cache of that helps; nothing when it is."""
    sources: list[list[int]]
    """For each message, the seqs of the events that it rests on."""


class Static(NamedTuple):
    """What of a request a recipe gives."""

    recipe: int
    members: dict[str, Any]
    octets: bytes
    """Their canonical text."""
    tokens: int
    settings: Settings


def _static(event: Recipe) -> Static:
    """Return what a recipe gives.

    Raises: UnknownRecipe.
    """
    settings = Settings(event.version, numbers_of(event), event.provider, event.model)
    given = {name: getattr(event, name) for name in MEMBERS}
    members = plain({**given, "tools": event.tools or [], "parameters": event.parameters or {}})
    tokens = estimate(members["system"]) + estimate(canonical_of_plain(members["tools"]).decode())
    return Static(event.seq, members, canonical_of_plain(members), tokens, settings)


class Request(NamedTuple):
    """A request that is on record, for comparison with the next one."""

    seq: int
    static: Static | None
    """None when its recipe cannot be applied: the request is then not known."""
    reason: str
    messages: list[Message]


class Window:
    """What a model sees of a log, as the context of one agent."""

    def __init__(self, log: OpenLog, agent: str = MAIN) -> None:
        """log: read at each build, up to its last event. agent: the name of the context."""
        self.log = log
        self.agent = agent
        self.timeline = Timeline(agent, log.event, self._events)
        self.messages = Messages()
        self.last: Request | None = None
        """The agent's last request on record."""
        self._next = self._beginning()
        self._settings: Settings | None = None
        self._statics: dict[int, Static] = {}
        self._starts: list[int] = []
        """For each unit as last rendered, the index of the message that it could have been part of."""

    def build(self, recipe: int, *, before: int | None = None) -> Built:
        """Return the request that the log and a recipe make.

        recipe: its seq. before: the seq of the first event that is not taken up; none when not given. Those taken up
        once stay so.

        Raises: UnknownRecipe. NoSuchEvent, Damaged, OSError.
        """
        self.advance(self.log.last + 1 if before is None else before)
        static = self._recipe(recipe)
        self._render(static.settings)
        messages = self.messages
        return Built(
            request={**static.members, "messages": messages.as_json[:]},
            digest=messages.digest(static.octets),
            tokens=static.tokens + messages.tokens,
            broken=self._broken(static),
            sources=messages.sources[:],
        )

    def entries(self) -> list[Entry]:
        """Return the events that the window holds, each as it would stand in a request with the recipe used last.

        Raises: UnknownRecipe, Damaged, OSError.
        """
        self.advance(self.log.last + 1)
        self._render(self._settings or self._latest_settings())
        last_reply = self.timeline.last_reply
        return [
            piece.entry(last_reply, unit.turn)
            for unit in self.timeline.units
            for part in unit.parts or ()
            for piece in part.pieces
            if piece.blocks
        ]

    def advance(self, before: int) -> None:
        """Take up the events before a seq that are not yet taken up.

        Raises: Damaged, OSError.
        """
        if self._next >= before:
            return
        count = min(before - 1, self.log.last) - self._next + 1
        # No event more: another thread may just be writing it.
        for event in islice(self.log.events(self._next), count):
            self._next = event.seq + 1
            self.timeline.take(event)
            if isinstance(event, ModelRequest) and event.agent == self.agent:
                self._take_request(event)

    def changes(self, after: int) -> list[Change]:
        """Return what made earlier events stand otherwise, of the events after a seq, in their order."""
        changes = self.timeline.changes
        first = len(changes)
        while first and changes[first - 1].seq > after:
            first -= 1
        return changes[first:]

    def _latest_settings(self) -> Settings:
        """Return those of the agent's latest recipe, or what a new one would have."""
        recipe = max(self.log.seqs("recipe", agent=self.agent), default=0)
        return self._recipe(recipe).settings if recipe else Settings(VERSION, Numbers.of({}), "", "")

    def _beginning(self) -> int:
        """Return the seq of the first event that the agent's context may hold."""
        if self.agent == MAIN:
            return 1
        for seq in self.log.seqs("agent.start"):
            event = self.log.event(seq)
            if isinstance(event, AgentStart) and event.name == self.agent:
                return seq
        return next(self.log.seqs(*_SPOKEN, agent=self.agent), self.log.last + 1)

    def _events(self) -> Iterator[Event]:
        """Yield all events taken up."""
        return islice(self.log.events(), self.timeline.last)

    def _take_request(self, event: ModelRequest) -> None:
        try:
            static = self._recipe(event.recipe)
        except UnknownRecipe as error:
            self.last = Request(event.seq, None, str(error), [])
            return
        self._render(static.settings)
        self.last = Request(event.seq, static, "", self.messages.mark())

    def _recipe(self, seq: int) -> Static:
        """Return what a recipe gives.

        Raises: UnknownRecipe. NoSuchEvent, Damaged, OSError.
        """
        static = self._statics.get(seq)
        if static is None:
            event = self.log.event(seq) if 0 < seq <= self.log.last else None
            if not isinstance(event, Recipe):
                raise UnknownRecipe(f"event {seq} is no recipe, so no request can be built with it")
            static = self._statics[seq] = _static(event)
        return static

    def _render(self, settings: Settings) -> None:
        """Bring the messages up to date."""
        timeline = self.timeline
        timeline.arrange()
        if settings != self._settings:
            self._settings = settings
            for unit in timeline.units:
                unit.forget()
            timeline.dirty = 0
        first = timeline.dirty
        if first < len(self._starts):
            # What a user said may have joined the message before: all units of that message are added again.
            start = self._starts[first]
            if start < len(self.messages.all):
                first = min(first, self.messages.all[start].first)
            self.messages.truncate(start)
            del self._starts[first:]
        for place in range(len(self._starts), len(timeline.units)):
            self._starts.append(self.messages.next_start())
            for part in timeline.units[place].rendered(settings, self.log.event):
                self.messages.add(part, place)
        timeline.dirty = len(timeline.units)

    def _broken(self, static: Static) -> str:
        """Return why a request does not begin with the agent's last one, or nothing when it does."""
        last = self.last
        if last is None:
            return ""
        if last.static is None:
            return f"the request before, seq {last.seq}, is not known: {last.reason}"
        place = self.messages.first_difference(last.messages)
        others = [name for name in MEMBERS if static.members[name] != last.static.members[name]]
        if place < len(last.messages) and static.settings.numbers != last.static.settings.numbers:
            others.append("policy")
        reasons = []
        if others:
            reasons.append(f"recipe {static.recipe} has another {in_words(others)} than recipe {last.static.recipe}")
        if place < len(last.messages):
            changes = self._reasons(last, place)
            reasons += changes if changes or others else [f"message {place + 1} of the request before stands otherwise"]
        return "; ".join(reasons)

    def _reasons(self, last: Request, place: int) -> list[str]:
        """Return what made the last request's messages from ``place`` on stand otherwise."""
        reasons = [change.words for change in self.changes(last.seq) if change.is_about(last.seq)]
        old, messages = last.messages[place], self.messages.all
        if place < len(messages) and messages[place].blocks[: len(old.blocks)] == old.blocks:
            more = messages[place].sources[len(old.sources) :]
            reasons.append(f"seq {', '.join(map(str, more))} went into the last message, which got no reply")
        return reasons


_SPOKEN = ("user.msg", "loop.msg", "llm.req", "llm.resp")
