"""The blocks of a reply, put together from pieces: what the decoders of all wires share.

A reply exists once the wire's own end of it has come. Before that there are only the blocks that had arrived, which an
error carries; no call in them is ever run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Literal, TypeGuard

from nodwyn.loop.providers.base import Delta, ProviderError, Reply
from nodwyn.loop.providers.frames import Frames, TooLarge
from nodwyn.prims.json_text import encode, parse, sendable, sendable_text

JSON = Any

LARGEST = 16 << 20
"""Characters of a reply, far above what any model writes."""

STOPS = {
    "end_turn": "end",
    "stop_sequence": "end",
    "stop": "end",
    "eos": "end",
    "eos_token": "end",
    "tool_use": "calls",
    "tool_calls": "calls",
    "function_call": "calls",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "length": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "pause",
    "refusal": "refusal",
    "content_filter": "refusal",
    "content_filtered": "refusal",
    "safety": "refusal",
    "sensitive": "refusal",
}
"""Why a reply ended, by the words of all wires; servers lend them to one another."""

FAILED = ("error", "failed", "network_error")
"""Such words by which a server says that there is no whole reply."""

LONGEST_REASON = 100
"""Characters of a word for why a reply ended that are kept."""

Kind = Literal["text", "thinking", "call"]


class Block:
    """A block that is arriving."""

    __slots__ = ("extra", "extra_pieces", "half", "id", "kind", "name", "pieces")

    def __init__(self, kind: Kind, name: str = "", id: str = "") -> None:
        self.kind = kind
        self.name = name
        self.id = id
        self.pieces: list[str] = []
        self.half = ""
        """Of a character that the next piece has the rest of: some servers divide texts as UTF-16 does."""
        self.extra: dict[str, JSON] = {}
        """Of thinking: what must go back with it."""
        self.extra_pieces: dict[str, list[str]] = {}
        """The same, as far as it comes in pieces."""

    @property
    def text(self) -> str:
        """What has arrived of it."""
        return "".join(self.pieces) + self.half

    def add(self, text: str) -> str:
        """Add a piece; return what of it, and of what was held back, is whole characters."""
        text = self.half + text
        self.half = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        if self.half:
            text = text[:-1]
        if not text.isascii():
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if text:
            self.pieces.append(text)
        return text

    def add_extra(self, name: str, text: str) -> None:
        """Add a piece to what must go back."""
        if not isinstance(text, str):
            raise TypeError(f"a piece of {name} is no text")
        self.extra_pieces.setdefault(name, []).append(text)

    def is_whole_call(self) -> bool:
        """Return whether the arguments are a whole object."""
        # Looked at first, so that what is asked for each piece is not read each time.
        last = next((piece.rstrip() for piece in reversed(self.pieces) if piece.strip()), "")
        return last.endswith(("}", '"')) and isinstance(_object(self.text), dict)

    def as_json(self, scheme_name: Callable[[str], str]) -> JSON:
        """Return the block as a reply has it. Arguments that are no object stay the text that they are."""
        if self.kind == "text":
            return {"type": "text", "text": sendable_text(self.text)}
        if self.kind == "thinking":
            late = {name: "".join(pieces) for name, pieces in self.extra_pieces.items()}
            return {"type": "thinking", "text": self.text, **self.extra, **late}
        text = self.text
        arguments = _object(text) if text.strip() else {}
        return {
            "type": "call",
            "id": sendable_text(self.id),
            "name": sendable_text(scheme_name(self.name)),
            "arguments": sendable(arguments) if isinstance(arguments, dict) else sendable_text(text),
        }


class Decoder:
    """Puts a reply together from a stream. Each wire says what its messages mean, in :meth:`message`.

    frames: how the stream is cut into messages. scheme_name: gives the name that a tool has here for its name on the
    wire. clock: in seconds, for the time to the first piece.
    """

    def __init__(
        self, frames: Frames, scheme_name: Callable[[str], str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._frames = frames
        self._scheme_name = scheme_name
        self._clock = clock
        self._start = clock()
        self._first: float | None = None
        self._size = 0
        self.blocks: list[Block] = []
        self.by_key: dict[Hashable, Block] = {}
        self.deltas: list[Delta] = []
        self.stop = ""
        self.model = ""
        self.id = ""
        self.usage: dict[str, int] = {}
        self.is_over = False
        """Whether the wire's own end of the reply has come."""

    def message(self, message: JSON) -> None:
        """Take one message of the stream.

        Raises: ProviderError for an error that it tells of. ValueError, TypeError, KeyError and such when it is not as
        it should be.
        """
        raise NotImplementedError

    def is_end_mark(self, data: bytes) -> bool:
        """Return whether a message that is no JSON is the mark of a stream's end."""
        return False

    def feed(self, data: bytes) -> Iterator[Delta]:
        """Take bytes of the stream; yield the pieces of the reply that they bring.

        Raises: ProviderError.
        """
        yield from self._take(self._frames.feed(data))

    def whole(self, data: bytes) -> Iterator[Delta]:
        """Take a reply that did not come as a stream; yield its pieces.

        Raises: ProviderError.
        """
        yield from self._take(iter((data,)))

    def finish(self) -> Reply:
        """Return the reply, at the end of the stream.

        Raises: ProviderError when the stream ended before the reply did.
        """
        if not self.is_over:
            try:
                for _ in self._take(self._frames.close()):
                    pass
            except ProviderError as error:
                if error.kind != "broken":
                    raise
        if not self.is_over:
            raise self.broken("the reply broke off before its end")
        calls = [block for block in self.blocks if block.kind == "call"]
        if self.stop not in ("", "end", "calls"):
            # The last call may have been cut off: it is not what the model meant to say.
            calls = [block for block in calls if block.is_whole_call()]
        if not self.stop or (self.stop == "end" and calls):
            self.stop = "calls" if calls else "end"
        made = set(calls)
        content = [
            block.as_json(self._scheme_name)
            for block in self.blocks
            if (block in made if block.kind == "call" else block.text or block.extra)
        ]
        first = int((self._first - self._start) * 1000) if self._first is not None else 0
        return Reply(content, self.stop, self.model, self.id, self.usage or None, first)

    def partial(self) -> list[JSON]:
        """Return the blocks that have arrived, with a call's arguments as the text that there is of them."""
        return [
            {"type": "call", "id": block.id, "name": sendable_text(self._scheme_name(block.name)), "arguments": text}
            if block.kind == "call"
            else {"type": block.kind, "text": text}
            for block in self.blocks
            if (text := sendable_text(block.text)) or block.kind == "call"
        ]

    def broken(self, message: str) -> ProviderError:
        """Return the error of a stream that is not a whole reply."""
        return self.with_partial(ProviderError(message, "broken"))

    def refused(self, message: str) -> ProviderError:
        """Return the error of a stream that nobody would take, however often it came."""
        return self.with_partial(ProviderError(message, "refused"))

    def with_partial(self, error: ProviderError) -> ProviderError:
        """Give an error what has arrived."""
        error.partial, error.usage = self.partial(), self.usage or None
        return error

    def ended(self, reason: JSON) -> None:
        """Take why the reply ended, in a word of the wire's. One that is not known is kept as it is.

        Raises: ProviderError when it says that there is no whole reply.
        """
        word = sendable_text(str(reason))[:LONGEST_REASON]
        if word.lower() in FAILED:
            raise self.broken("the server said that its reply failed")
        if self.stop != "refusal":
            self.stop = STOPS.get(word.lower(), word)

    def piece(self, key: Hashable, kind: Kind, text: str) -> Block:
        """Add a piece to the block of a key, made when there is none."""
        block = self.by_key.get(key) or self.open(key, Block(kind))
        self._add(block, text)
        return block

    def open(self, key: Hashable, block: Block) -> Block:
        """Begin a block."""
        self.blocks.append(block)
        self.by_key[key] = block
        if block.kind == "call":
            self.deltas.append(Delta("call", sendable_text(self._scheme_name(block.name))))
        return block

    def adjoining(self, kind: Kind, text: str) -> Block:
        """Add a piece to the last block if it is of that kind, else to a new one."""
        if not self.blocks or self.blocks[-1].kind != kind:
            self.open(("adjoining", len(self.blocks)), Block(kind))
        self._add(self.blocks[-1], text)
        return self.blocks[-1]

    def _add(self, block: Block, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a piece of {block.kind} is no text")
        text = block.add(text)
        if not text:
            return
        self._size += len(text)
        if self._size > LARGEST:
            raise self.refused(f"the reply is longer than {LARGEST >> 20} million characters: no model writes so much")
        self.deltas.append(Delta(block.kind, sendable_text(text)))

    def _take(self, messages: Iterator[bytes]) -> Iterator[Delta]:
        try:
            for data in messages:
                if not data.strip() or self.is_end_mark(data):
                    continue
                self._one(data)
                if self.deltas and self._first is None:
                    self._first = self._clock()
                yield from self.deltas
                self.deltas.clear()
        except TooLarge:
            raise self.refused("one message of the reply is larger than any should be") from None

    def _one(self, data: bytes) -> None:
        try:
            message = parse(data)
        except ValueError as error:
            raise self.broken(f"the server sent what is no JSON: {error}: {_shown(data)}") from None
        try:
            self.message(message)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            # What Python says of a missing member would tell a person nothing.
            what = f" ({error})" if isinstance(error, (ValueError, TypeError)) else ""
            raise self.broken(f"the server sent what this wire does not have{what}: {_shown(data)}") from None


def counts(given: JSON, names: dict[str, str]) -> dict[str, int]:
    """Return numbers of tokens under our names. names: ours for the wire's; what is no whole number is left out."""
    if not isinstance(given, dict):
        return {}
    return {ours: given[theirs] for theirs, ours in names.items() if is_count(given.get(theirs))}


def is_count(value: JSON) -> TypeGuard[int]:
    """Return whether something is a number of tokens."""
    return type(value) is int and 0 <= value < 2**53


def arguments_text(arguments: JSON) -> str:
    """Return a piece of arguments as text: some servers send the object itself."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else encode(arguments).decode()


def _object(text: str) -> JSON:
    """Return the object that arguments write, also when they were encoded twice; None when they are none."""
    try:
        value = parse(text)
        if isinstance(value, str):
            value = parse(value)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _shown(data: bytes) -> str:
    text = data[:200].decode("utf-8", "replace")
    return text if len(data) <= 200 else f"{text}…"
