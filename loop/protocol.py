"""What a client is to a conversation, and the same as messages: plain JSON objects, for a client in another process.

A client is shown events and pieces of replies, and gives messages, answers and cancels. There is nothing else. Each
message is an object whose ``type`` says which one it is; :func:`to_json` and :func:`from_json` convert them, and
docs/protocol.md lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from nodwyn.loop.providers.base import Delta
from nodwyn.prims import surrogates
from nodwyn.prims.guard.approvals import Asker, nobody
from nodwyn.prims.guard.proposal import KINDS, Kind
from nodwyn.prims.log import Event
from nodwyn.prims.log.record import restore
from nodwyn.prims.mistyped import hint


class Client(Protocol):
    """Whoever shows a conversation. Its methods must not be slow; events and progress may come from any thread."""

    def event(self, event: Event) -> None:
        """Take an event as it was recorded."""
        ...

    def delta(self, agent: str, delta: Delta) -> None:
        """Take a piece of a reply that is arriving."""
        ...

    def progress(self, call: int, stream: str, text: str) -> None:
        """Take what a running call said meanwhile. call: the seq of its tool.call."""
        ...

    @property
    def ask(self) -> Asker:
        """What puts a question to the person, and returns the answer."""
        ...


class Bystander:
    """A client that shows nothing, and leaves the answers to somebody else."""

    def __init__(self, ask: Asker = nobody) -> None:
        self.ask = ask

    def event(self, event: Event) -> None:
        """Show nothing."""

    def delta(self, agent: str, delta: Delta) -> None:
        """Show nothing."""

    def progress(self, call: int, stream: str, text: str) -> None:
        """Show nothing."""


# From the conversation to the client


class Happened(NamedTuple):
    """An event was recorded."""

    event: Event


class Arrived(NamedTuple):
    """A piece of a reply arrived. The whole reply follows as an event; a client that shows none misses nothing."""

    agent: str
    kind: str
    """``text``, ``thinking`` or ``call``."""
    text: str


class Progressed(NamedTuple):
    """A running call said something, such as a command's output. It is in no event until the call's result."""

    call: int
    """The seq of its tool.call."""
    stream: str
    text: str


class Asked(NamedTuple):
    """A question is put. The conversation waits for the answer."""

    id: int
    """By which the answer names it."""
    text: str
    """All of what would be done."""
    digest: str
    """SHA-256 of the text."""
    reasons: tuple[str, ...]
    kind: Kind
    """The mildest ``--approve`` that says yes to it; nothing when none does."""


class Refused(NamedTuple):
    """What the client sent is no message, and was passed over; or it cannot be read."""

    text: str
    """What is wrong with it."""


# From the client to the conversation


class Said(NamedTuple):
    """The person says something to the agent."""

    text: str


class Answered(NamedTuple):
    """The person answers a question."""

    question: int
    """Its id."""
    yes: bool
    lasts: bool = False
    """Whether the answer holds for the same question for the rest of the session."""
    kind: Kind = ""
    """The kind of questions that the answer is a yes to for the rest of the session."""


class Cancelled(NamedTuple):
    """The person stops what is being done."""


Message = Happened | Arrived | Progressed | Asked | Refused | Said | Answered | Cancelled

JSON = dict[str, Any]


class NotAMessage(Exception):
    """An object is none of the messages; the text says what is wrong with it."""


def to_json(message: Message) -> JSON:
    """Return a message as a JSON object."""
    members = message._asdict()
    if isinstance(message, Happened):
        members["event"] = message.event.as_json()
    if isinstance(message, Asked):
        members["reasons"] = list(message.reasons)
    return {"type": _NAMES[type(message)], **members}


def from_json(given: Any) -> Message:
    """Return the message that a JSON object is. Members that are not known are passed over.

    Raises: NotAMessage.
    """
    if not isinstance(given, dict):
        raise NotAMessage("a message is a JSON object with a type")
    named = str(given.get("type"))
    form = _FORMS.get(named)
    if form is None:
        raise NotAMessage(f"there is no message of type {given.get('type')!r}{hint(named, _FORMS)}")
    values: JSON = {}
    for name, (said, fits) in form.members.items():
        if name in given:
            if not fits(given[name]):
                raise NotAMessage(f"{given['type']}: {name} must be {said}")
            values[name] = given[name]
        elif name not in form.message._field_defaults:  # type: ignore[attr-defined]
            raise NotAMessage(f"{given['type']}: {name} is missing; it is {said}")
    if form.message is Happened:
        values["event"] = restore(dict(values["event"]))
    if form.message is Asked:
        values["reasons"] = tuple(values["reasons"])
    return form.message(**values)


def to_line(message: Message) -> str:
    """Return a message as a line of JSON, with its end."""
    import json

    return surrogates.escape(json.dumps(to_json(message), ensure_ascii=False, separators=(",", ":"))) + "\n"


def from_line(line: str) -> Message:
    """Return the message that a line of JSON is.

    Raises: NotAMessage.
    """
    from nodwyn.prims.json_text import parse

    try:
        given = parse(line)
    except ValueError as error:
        raise NotAMessage(f"the line is no JSON: {error}") from None
    return from_json(given)


class _Form(NamedTuple):
    """A type of message: its class, and what each member must be."""

    message: Callable[..., Message]
    members: dict[str, tuple[str, Callable[[Any], bool]]]


_TEXT = "a text", lambda value: isinstance(value, str)
_FLAG = "true or false", lambda value: isinstance(value, bool)
_NUMBER = "a whole number", lambda value: type(value) is int
_TEXTS = "a list of texts", lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value)
_KIND = f"one of {', '.join(KINDS)} or empty", lambda value: value in ("", *KINDS)
_EVENT = "an event", lambda value: isinstance(value, dict) and isinstance(value.get("kind"), str)

_FORMS: dict[str, _Form] = {
    "event": _Form(Happened, {"event": _EVENT}),
    "delta": _Form(Arrived, {"agent": _TEXT, "kind": _TEXT, "text": _TEXT}),
    "progress": _Form(Progressed, {"call": _NUMBER, "stream": _TEXT, "text": _TEXT}),
    "question": _Form(Asked, {"id": _NUMBER, "text": _TEXT, "digest": _TEXT, "reasons": _TEXTS, "kind": _KIND}),
    "error": _Form(Refused, {"text": _TEXT}),
    "message": _Form(Said, {"text": _TEXT}),
    "answer": _Form(Answered, {"question": _NUMBER, "yes": _FLAG, "lasts": _FLAG, "kind": _KIND}),
    "cancel": _Form(Cancelled, {}),
}
_NAMES = {form.message: name for name, form in _FORMS.items()}
