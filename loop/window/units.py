"""What a conversation is made of, and how each piece stands in a request.

A unit is a message of the person or the loop, a reply with the results of its calls, or what stands in place of a
span of these: a note or a summary. It holds seqs; texts are read from the log when it is rendered, and kept as
rendered until something about it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from nodwyn.loop.window import texts
from nodwyn.loop.window.canonical import plain, well_formed
from nodwyn.loop.window.pieces import Block, Part, Piece, piece_of, text_block
from nodwyn.loop.window.policy import Numbers
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import (
    AgentStart,
    Attachment,
    Interruption,
    LoopMessage,
    ModelResponse,
    Narrow,
    Pin,
    ToolCall,
    ToolResult,
    UserMessage,
)
from nodwyn.prims.log.replies import blocks_of

Fetch = Callable[[int], Event]
"""Returns the event with that seq."""

RULES_PURPOSE = "rules"
"""The purpose of a loop.msg that gives the project's rules: a note carries it word for word."""


class Settings(NamedTuple):
    """What of a recipe decides how a unit stands in a request."""

    version: int
    numbers: Numbers
    provider: str
    model: str


class Unit:
    """A piece of the conversation."""

    __slots__ = ("seq", "at", "turn", "place", "parts", "held")

    def __init__(self, seq: int, turn: int, *held: Event) -> None:
        self.seq = seq
        self.at = seq
        """Its place in the conversation: the seq that spans count by."""
        self.turn = turn
        self.place = -1
        """Its index among the units that are shown; -1 when another one stands for it."""
        self.parts: list[Part] | None = None
        """How it stands in a request, or None when that has to be found anew."""
        self.held = held
        """The events that it was made from, until they are rendered."""

    def rendered(self, settings: Settings, fetch: Fetch) -> list[Part]:
        """Return how it stands in a request."""
        if self.parts is None:
            held = {event.seq: event for event in self.held}
            self.parts = list(self._render(settings, lambda seq: held.get(seq) or fetch(seq)))
            self.held = ()
        return self.parts

    def forget(self) -> None:
        """Keep nothing of how it was rendered."""
        self.parts = None

    def _render(self, settings: Settings, fetch: Fetch) -> Iterator[Part]:
        raise NotImplementedError


class Said(Unit):
    """A message to the model, with what is attached to it."""

    __slots__ = ("is_carried", "elisions")

    def __init__(self, event: Event, turn: int) -> None:
        super().__init__(event.seq, turn, event)
        self.is_carried = not isinstance(event, LoopMessage) or event.purpose == RULES_PURPOSE
        """Whether a note that replaces it repeats it."""
        self.elisions: dict[int, int] = {}
        """For each attachment that is elided, the event by which it is."""

    def repeated(self, most: int, fetch: Fetch) -> list[Piece]:
        """Return how a note repeats it: its words, and only the names of attached files.

        most: bytes of a message that is repeated whole.
        """
        event = fetch(self.seq)
        return [
            piece_of(event, texts.cut_message(_words(event), most, self.seq)),
            *(
                piece_of(file, texts.attached(file.seq, file.name, file.media, file.size, ""), name=file.name)
                for file in _attachments(event, fetch)
            ),
        ]

    def _render(self, settings: Settings, fetch: Fetch) -> Iterator[Part]:
        event = fetch(self.seq)
        files = [self._file(file, settings.numbers) for file in _attachments(event, fetch)]
        yield Part("user", [piece_of(event, _words(event)), *files])

    def _file(self, file: Attachment, numbers: Numbers) -> Piece:
        by = self.elisions.get(file.seq)
        if by is not None:
            stub = texts.elided(file.seq, f"attached file {well_formed(file.name)}", len(file.text))
            return piece_of(file, stub, by, name=file.name, elided=True)
        most = numbers.attachment
        text = texts.cut(well_formed(file.text), most, most // 3, file.seq, numbered=True)
        return piece_of(file, texts.attached(file.seq, file.name, file.media, file.size, text), name=file.name)


class Call:
    """A call in a reply, and what became of it."""

    __slots__ = ("recorded_id", "id", "name", "arguments", "call", "end", "ok", "size", "fold", "elision")

    def __init__(self, recorded_id: str, id: str, name: str, arguments: Any) -> None:
        self.recorded_id = recorded_id
        self.id = id
        """Its id in requests, which no other call of the conversation has."""
        self.name = name
        self.arguments = arguments
        self.call = 0
        """The seq of its tool.call, or 0."""
        self.end = 0
        """The seq of its tool.result or interruption, or 0."""
        self.ok: bool | None = None
        """Whether it succeeded; None while it has no result."""
        self.size = 0
        """Characters of its result."""
        self.fold = 0
        """The seq of the fold that holds, or 0."""
        self.elision = 0
        """The seq of the event by which its result is elided, or 0."""

    @property
    def is_result(self) -> bool:
        """Whether it has a result of its own."""
        return self.ok is not None

    def begun(self, event: ToolCall) -> None:
        """Take up that it is made, perhaps again after an interruption."""
        self.call, self.end = event.seq, 0

    def ended(self, event: ToolResult | Interruption) -> None:
        """Take up what ended it."""
        self.end = event.seq
        if isinstance(event, ToolResult):
            self.ok, self.size = event.ok, len(texts.value_text(event.value))

    def as_json(self, arguments: Any) -> Block:
        """Return it as a block of a reply."""
        return {"type": "call", "id": self.id, "name": self.name, "arguments": arguments}

    def piece(self, reply: int, numbers: Numbers, fetch: Fetch) -> Piece:
        """Return its result as a request has it: every call has one."""
        seq = self.end or self.call or reply
        sources = tuple(filter(None, (seq, self.fold, self.elision)))
        ok, text = self._result(numbers, fetch)
        block = {"type": "result", "id": self.id, "name": self.name, "ok": ok, "text": texts.spelled_out(text)}
        kind = "tool.result" if self.is_result else "interruption" if self.end else "tool.call"
        return Piece(
            seq,
            kind,
            [block],
            sources,
            name=self.name,
            call_arguments=self.arguments,
            elided=bool(self.elision),
            folded=bool(self.fold),
        )

    def _result(self, numbers: Numbers, fetch: Fetch) -> tuple[bool, str]:
        if not self.end:
            return False, texts.NEVER_ENDED if self.call else texts.NEVER_RUN
        if self.ok is None:
            return False, texts.interrupted(str(getattr(fetch(self.end), "reason", "")))
        if self.elision:
            return self.ok, texts.elided(self.end, texts.call_in_words(self.name, self.arguments), self.size)
        if self.fold:
            return self.ok, well_formed(str(getattr(fetch(self.fold), "text", "")))
        value = getattr(fetch(self.end), "value", None)
        text, is_text = texts.value_text(value), isinstance(value, str)
        return self.ok, texts.cut(text, numbers.result, numbers.result_tail, self.end, numbered=is_text)


class Replied(Unit):
    """A model's reply, and the results of its calls in the order of the calls."""

    __slots__ = ("provider", "model", "calls", "elision", "said")

    def __init__(self, event: ModelResponse, turn: int, made_by: tuple[str, str], calls: list[Call]) -> None:
        """made_by: provider and model, as the reply's recipe names them. calls: those in it, in their order."""
        super().__init__(event.seq, turn, event)
        self.provider, self.model = made_by
        self.calls = calls
        self.elision = 0
        """The seq of the event by which it is elided, or 0."""
        self.said: list[Part] | None = None
        """The reply without the results, as it was rendered; they change more often."""

    def call_to_begin(self, recorded_id: str) -> Call | None:
        """Return the call of that id that a tool.call makes: one that never began, else one that was interrupted."""
        calls = [call for call in self.calls if call.recorded_id == recorded_id and not call.is_result]
        fresh = (call for call in calls if not call.call)
        return next(fresh, None) or next((call for call in calls if call.end), None)

    def forget(self) -> None:
        """Keep nothing of how it was rendered."""
        self.parts = self.said = None

    def _render(self, settings: Settings, fetch: Fetch) -> Iterator[Part]:
        if self.said is None:
            self.said = list(self._reply(settings, fetch))
        yield from self.said
        if self.calls:
            yield Part("tool", [call.piece(self.seq, settings.numbers, fetch) for call in self.calls])

    def _reply(self, settings: Settings, fetch: Fetch) -> Iterator[Part]:
        reply = fetch(self.seq)
        content = blocks_of(reply)
        is_own = (self.provider, self.model) == (settings.provider, settings.model)
        blocks = self._elided(content, settings.numbers) if self.elision else self._whole(content, is_own)
        if any(block["type"] in ("text", "call") for block in blocks):
            sources = (self.seq, self.elision) if self.elision else (self.seq,)
            yield Part("assistant", [Piece(self.seq, reply.kind, blocks, sources, elided=bool(self.elision))])

    def _whole(self, content: list[Block], is_own: bool) -> list[Block]:
        """Return the blocks of a request; thinking is for the model alone whose it is."""
        calls = iter(self.calls)
        blocks: list[Block] = []
        for block in content:
            if block["type"] == "text":
                if str(block.get("text", "")).strip():
                    blocks.append({"type": "text", "text": well_formed(str(block["text"]))})
            elif block["type"] == "call":
                call = next(calls)
                blocks.append(call.as_json(call.arguments))
            elif is_own:
                blocks.append(plain(block))
        return blocks

    def _elided(self, content: list[Block], numbers: Numbers) -> list[Block]:
        """Return a stub for what it says, and its calls with long arguments cut: each result needs its call."""
        size = sum(len(str(block.get("text", ""))) for block in content if block["type"] == "text")
        stub = {"type": "text", "text": texts.elided(self.seq, "reply", size)}
        return [stub, *(call.as_json(self._shortened(call.arguments, numbers.argument)) for call in self.calls)]

    def _shortened(self, arguments: Any, most: int) -> Any:
        if isinstance(arguments, str):
            return arguments if len(arguments) <= most else texts.elided(self.seq, "argument", len(arguments))
        if isinstance(arguments, dict):
            return {name: self._shortened(item, most) for name, item in arguments.items()}
        if isinstance(arguments, list):
            return [self._shortened(item, most) for item in arguments]
        return arguments


class Summarised(Unit):
    """The person's summary in place of a span."""

    __slots__ = ("first", "through", "text")

    def __init__(self, seq: int, first: int, through: int, text: str, turn: int) -> None:
        super().__init__(seq, turn)
        self.at = self.first = first
        self.through = through
        self.text = text

    def piece(self) -> Piece:
        """Return it as a request has it."""
        text = texts.summarised(self.seq, self.first, self.through, self.text)
        return Piece(self.at, "summary", [text_block(text)], (self.seq,))

    def _render(self, settings: Settings, fetch: Fetch) -> Iterator[Part]:
        yield Part("assistant", [self.piece()])


class Noted(Unit):
    """A note in place of a span, with what is repeated of it and what the person keeps of it."""

    __slots__ = ("spans", "carried", "pins")

    def __init__(self, event: Narrow, replaced: list[Unit], pins: list[Pin]) -> None:
        """replaced: the units for which it stands, at least one. pins: all that the person keeps of any span."""
        super().__init__(event.seq, replaced[0].turn)
        self.at = replaced[0].at
        self.spans = [(event.first, event.through)]
        """Its own span, and those of the notes that it stands for."""
        self.carried: list[Said | Summarised] = []
        """The units of the span of which something is repeated."""
        for unit in replaced:
            if isinstance(unit, Noted):
                self.spans += unit.spans
                self.carried += unit.carried
            elif isinstance(unit, Summarised) or (isinstance(unit, Said) and unit.is_carried):
                self.carried.append(unit)
        self.pins = [pin for pin in pins if any(first <= pin.event <= through for first, through in self.spans)]

    def is_like(self, other: Noted) -> bool:
        """Return whether both stand in a request in the same way."""
        mine, others = ((unit.at, unit.spans, unit.carried, unit.pins) for unit in (self, other))
        return mine == others

    def _render(self, settings: Settings, fetch: Fetch) -> Iterator[Part]:
        event = fetch(self.seq)
        assert isinstance(event, Narrow)
        carried: list[Piece] = []
        for unit in self.carried:
            if isinstance(unit, Said):
                carried += unit.repeated(settings.numbers.carried, fetch)
            else:
                carried.append(unit.piece())
        first, through = min(first for first, _ in self.spans), max(through for _, through in self.spans)
        heading = Piece(self.at, event.kind, [text_block(texts.narrowed(self.seq, first, through))], (self.seq,))
        pins = [piece_of(pin, texts.pinned(pin.event, pin.text)) for pin in self.pins]
        yield Part("user", [heading, *carried, piece_of(event, texts.note(self.seq, event.note)), *pins])


def _words(event: Event) -> str:
    text = event.task if isinstance(event, AgentStart) else getattr(event, "text", "")
    return well_formed(str(text))


def _attachments(event: Event, fetch: Fetch) -> list[Attachment]:
    """Return the files attached to a message; a seq that is none is passed over."""
    seqs = event.attachments if isinstance(event, UserMessage) else ()
    return [file for file in (fetch(seq) for seq in seqs if seq < event.seq) if isinstance(file, Attachment)]
