"""The messages of a request, kept so that the next request costs what is new in it."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from typing import Any

from nodwyn.loop.window.canonical import canonical_of_plain
from nodwyn.loop.window.pieces import Block, Part

_BEGINNING = b'{"messages":['


class Message:
    """A message of a request. It is never changed."""

    def __init__(self, role: str, blocks: list[Block], sources: list[int], tokens: int, first: int) -> None:
        """first: the index of the first unit that it is made of."""
        self.as_json: dict[str, Any] = {"role": role, "content": blocks}
        self.sources = sources
        self.tokens = tokens
        self.first = first

    @property
    def role(self) -> str:
        """Who says it: user, assistant or tool."""
        return str(self.as_json["role"])

    @property
    def blocks(self) -> list[Block]:
        """What it says."""
        blocks: list[Block] = self.as_json["content"]
        return blocks

    @cached_property
    def octets(self) -> bytes:
        """Its canonical text."""
        return canonical_of_plain(self.as_json)

    def joined(self, blocks: list[Block], sources: list[int], tokens: int) -> Message:
        """Return a message that says more."""
        return Message(self.role, [*self.blocks, *blocks], [*self.sources, *sources], self.tokens + tokens, self.first)


class Messages:
    """All messages of a request, and what their digest and size rest on."""

    def __init__(self) -> None:
        self.all: list[Message] = []
        self.as_json: list[dict[str, Any]] = []
        self.sources: list[list[int]] = []
        self.unchanged = 0
        """How many messages at the beginning are those that there were when :meth:`mark` was called."""
        self._hashes = [sha256(_BEGINNING)]
        """The hash of the beginning of the canonical text, up to before each message."""
        self._tokens = [0]
        """The tokens of all messages before each."""

    def add(self, part: Part, unit: int) -> None:
        """Add what a unit says; what a user says after a user is one message with that.

        unit: its index.
        """
        blocks = [block for piece in part.pieces for block in piece.blocks]
        if not blocks:
            return
        sources = [seq for piece in part.pieces if piece.blocks for seq in piece.sources]
        tokens = sum(piece.tokens for piece in part.pieces)
        if part.role == "user" and self.all and self.all[-1].role == "user":
            last = self.all[-1]
            self.truncate(len(self.all) - 1)
            message = last.joined(blocks, sources, tokens)
        else:
            message = Message(part.role, blocks, sources, tokens, unit)
        self.all.append(message)
        self.as_json.append(message.as_json)
        self.sources.append(message.sources)
        self._tokens.append(self._tokens[-1] + message.tokens)

    def truncate(self, count: int) -> None:
        """Keep the first ``count`` messages."""
        del self.all[count:], self.as_json[count:], self.sources[count:]
        del self._tokens[count + 1 :], self._hashes[count + 1 :]
        self.unchanged = min(self.unchanged, count)

    def mark(self) -> list[Message]:
        """Return the messages as they are now, for comparison with later ones."""
        self.unchanged = len(self.all)
        return self.all[:]

    def first_difference(self, marked: list[Message]) -> int:
        """Return how many messages are those that there were when :meth:`mark` was last called, from the first on.

        marked: what it returned.
        """
        for place in range(self.unchanged, min(len(marked), len(self.all))):
            if marked[place].octets != self.all[place].octets:
                return place
        return min(len(marked), len(self.all))

    def next_start(self) -> int:
        """Return the index of the message that something said next could be part of."""
        count = len(self.all)
        return count - 1 if count and self.all[-1].role == "user" else count

    @property
    def tokens(self) -> int:
        """The tokens of all messages, by estimate."""
        return self._tokens[-1]

    def digest(self, rest: bytes) -> str:
        """Return the digest of a request with these messages.

        rest: the canonical text of the request's other members, an object.
        """
        for index in range(len(self._hashes) - 1, len(self.all)):
            state = self._hashes[index].copy()
            state.update((b"," if index else b"") + self.all[index].octets)
            self._hashes.append(state)
        state = self._hashes[-1].copy()
        state.update(b"]," + rest[1:])
        return state.hexdigest()
