"""What a request has of each event: blocks, what they cost, and the events that they rest on."""

from __future__ import annotations

from typing import Any, NamedTuple

from nodwyn.loop.window import texts
from nodwyn.loop.window.tokens import estimate
from nodwyn.prims.log import Event

Block = dict[str, Any]

BLOCK_TOKENS = 4
"""What a block costs besides its text, by estimate."""


class Entry(NamedTuple):
    """An event as it stands in the window, for scripts that decide what to fold, elide or narrow."""

    seq: int
    """Of what stands for a span, the seq at which that begins."""
    kind: str
    tokens: int
    """What it costs as it stands, by estimate."""
    name: str
    """The tool of a result, or the name of an attached file."""
    call_arguments: Any
    """The arguments of the call that a result answers."""
    answered: bool
    """Whether the model has replied since."""
    elided: bool
    folded: bool
    turn: int
    """The number of its turn, from 1; 0 before the first."""


class Piece:
    """An event's part of a unit, rendered. It is never changed."""

    __slots__ = ("seq", "kind", "blocks", "sources", "tokens", "name", "call_arguments", "elided", "folded")

    def __init__(
        self,
        seq: int,
        kind: str,
        blocks: list[Block],
        sources: tuple[int, ...],
        *,
        name: str = "",
        call_arguments: Any = None,
        elided: bool = False,
        folded: bool = False,
    ) -> None:
        """sources: the seqs of all events that it rests on. The others are as in :class:`Entry`."""
        self.seq = seq
        self.kind = kind
        self.blocks = blocks
        self.sources = sources
        self.tokens = sum(BLOCK_TOKENS + _tokens(block) for block in blocks)
        self.name = name
        self.call_arguments = call_arguments
        self.elided = elided
        self.folded = folded

    def entry(self, last_reply: int, turn: int) -> Entry:
        """Return what scripts see of it. last_reply: the seq of the model's latest reply. turn: its turn."""
        return Entry(
            self.seq,
            self.kind,
            self.tokens,
            self.name,
            self.call_arguments,
            self.seq < last_reply,
            self.elided,
            self.folded,
            turn,
        )


class Part(NamedTuple):
    """What a unit adds to a request in one role."""

    role: str
    pieces: list[Piece]


def piece_of(event: Event, text: str, by: int = 0, *, name: str = "", elided: bool = False) -> Piece:
    """Return a text as a piece; a blank one has no block.

    event: whose text it is. by: the seq of the event by which it stands so, 0 for none. The others are as in
    :class:`Entry`.
    """
    sources = (event.seq, by) if by else (event.seq,)
    return Piece(event.seq, event.kind, [text_block(text)] if text.strip() else [], sources, name=name, elided=elided)


def text_block(text: str) -> Block:
    """Return a text as a block."""
    return {"type": "text", "text": text}


def _tokens(block: Block) -> int:
    text = block.get("text")
    if isinstance(text, str):
        return estimate(text)
    return sum(estimate(texts.value_text(value)) for value in block.values())
