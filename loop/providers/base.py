"""What every provider is to the loop: a neutral request goes in, pieces of a reply and the whole reply come out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol

JSON = Any
"""What a JSON text holds: None, bool, int, float, str, list or dict."""


LOOK = 0.05
"""Seconds between two looks at whether the person cancels."""


class Delta(NamedTuple):
    """A piece of a reply as it arrives; clients show it, nothing is built on it."""

    kind: Literal["text", "thinking", "call"]
    text: str


class Reply(NamedTuple):
    """A whole reply, in the form that ``llm.resp`` records."""

    content: list[JSON]
    """Blocks: {type: text, text}, {type: call, id, name, arguments}, {type: thinking, …} as it came."""
    stop: str
    """Why it ended: end, calls, length, refusal, pause; another word is the server's own, and not known here."""
    model: str = ""
    """The model that answered, as it names itself."""
    id: str = ""
    """The provider's name of the reply."""
    usage: dict[str, int] | None = None
    """Tokens: input, output, cache_read, cache_write."""
    first: int = 0
    """Milliseconds to the first piece."""


Failure = Literal["overflow", "key", "refused", "bad-request", "busy", "unreachable", "broken", "cancelled"]
"""Why a request failed.

overflow: the request is too long for the model. key: there is none, or it was refused. refused: the guard or the
provider will not have it. bad-request: it is not as the provider wants it. busy: overload or a limit of requests; it
may pass. unreachable: no connection. broken: the reply broke off, or is not what it should be. cancelled: by the
person.
"""


class ProviderError(Exception):
    """A request came to no reply; the message says what happened and what to do next."""

    def __init__(
        self,
        message: str,
        kind: Failure,
        *,
        status: int = 0,
        retry_after: float | None = None,
        partial: list[JSON] | None = None,
        usage: dict[str, int] | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: Failure = kind
        self.status = status
        """Of HTTP; 0 when there was none."""
        self.retry_after = retry_after
        """Seconds after which the provider wants to be asked again."""
        self.partial = partial or []
        """The blocks that had arrived."""
        self.usage = usage


class Outgoing(NamedTuple):
    """A request as it goes out, but for the key."""

    method: str
    address: str
    headers: dict[str, str]
    body: bytes
    key: str
    """The name of the key that goes with it; nothing when none does."""
    names: Any = None
    """What the provider itself needs to understand the reply."""

    @property
    def key_in_words(self) -> str:
        """Which key goes with it, for whoever decides."""
        return f"{self.key} goes with it" if self.key else "no key does"


class Provider(Protocol):
    """One wire."""

    name: str

    def secrets(self) -> list[str]:
        """Return the values that go with its requests and must never be recorded, such as the key."""
        ...

    def outgoing(self, request: JSON) -> Outgoing:
        """Return a neutral request in the form of the wire.

        Raises: ProviderError when the wire cannot carry it.
        """
        ...

    def send(self, outgoing: Outgoing, *, on_delta: Callable[[Delta], None], is_cancelled: Callable[[], bool]) -> Reply:
        """Send it and return the whole reply. ``on_delta`` is given the pieces as they arrive.

        Raises: ProviderError.
        """
        ...
