"""What a client is to a conversation: events and pieces of replies come to it, answers come from it."""

from __future__ import annotations

from typing import Protocol

from nodwyn.loop.providers.base import Delta
from nodwyn.prims.guard.approvals import Answer, Question
from nodwyn.prims.log import Event


class Client(Protocol):
    """Whoever shows a conversation. It is called on the conversation's thread, and must not be slow."""

    def event(self, event: Event) -> None:
        """Take an event as it was recorded."""
        ...

    def delta(self, agent: str, delta: Delta) -> None:
        """Take a piece of a reply that is arriving."""
        ...

    def progress(self, call: int, stream: str, text: str) -> None:
        """Take what a running call said meanwhile. call: the seq of its tool.call."""
        ...

    def ask(self, question: Question) -> Answer:
        """Put a question to the person; return the answer."""
        ...
