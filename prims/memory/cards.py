"""A card for each turn: what was asked, what was done, and how it ended. Made from the log, without a model.

A turn begins with the person's message, or what was attached to it, or with its turn.start where nobody said anything.
It is over with its turn.end, or with the interruption of its turn.start. A log without such events, as another
program's session becomes, has a turn for each message, which the next message or the session's end closes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from nodwyn.prims.counting import cost_in_words
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import (
    Attachment,
    Error,
    FileVersion,
    Interruption,
    ModelError,
    ModelResponse,
    Plan,
    SessionEnd,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.replies import blocks_of
from nodwyn.prims.log.times import milliseconds_between
from nodwyn.prims.memory.texts import ended, plan_lines, time_of, value_text

MOST_ASKED: Final = 400
MOST_ANSWERED: Final = 400
MOST_SAID: Final = 160
"""Characters of a message, of an answer, and of every other text on a card."""

MOST_LISTED: Final = 20
"""Files, commands, errors and steps of a plan on a card; of more the number is kept. A card then fits a window."""

COMMANDS: Final = {"shell-exec": "line", "Bash": "command", "bash": "command"}
"""Tools that run a command, ours and those of imported sessions, and the argument that has it."""

WRITERS: Final = {
    "Write": "file_path",
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
    "write": "path",
    "edit": "path",
}
"""Tools of imported sessions that write a file, and the argument that names it; our own leave file.version events."""


class Card(NamedTuple):
    """What a turn was about."""

    first: int
    """The seq of its first event."""
    through: int
    """That of its last one."""
    at: str
    """When it began."""
    asked: str
    """The beginning of the person's message."""
    how: str
    """How it ended, by the word of its turn.end, or interrupted; nothing while it lasts."""
    reason: str
    """What a person should know about that."""
    milliseconds: int
    cost: int
    """In millionths of a US dollar."""
    unpriced: bool
    """Whether there are requests besides whose price is not known."""
    plan: list[str]
    """The plan as it was last, each step with its mark."""
    files: list[str]
    """Those written."""
    commands: list[str]
    """Those run, each with how it ended."""
    errors: list[str]
    answer: str
    """The beginning of the last words to the person."""
    left: dict[str, int]
    """How many files, commands, errors and steps are not listed, by field."""


class Turn:
    """A turn as far as it is known."""

    def __init__(self, first: Event) -> None:
        """Begin with an event."""
        self.first = first.seq
        self.start = 0
        """The seq of its turn.start, or 0."""
        self.is_asked = False
        self._at = self._until = time_of(first)
        self._asked = self._how = self._reason = self._answer = ""
        self._through = first.seq
        self._milliseconds = -1
        self._cost = 0
        self._unpriced = False
        self._is_answered = False
        self._listed: dict[str, list[str]] = {"plan": [], "files": [], "commands": [], "errors": []}
        self._left: dict[str, int] = {}
        self._calls: dict[int, ToolCall] = {}

    def add(self, event: Event) -> bool:
        """Take up the next event; return whether the turn is over with it."""
        take = _TAKES.get(type(event))
        is_over = take is not None and take(self, event)
        self._through = event.seq
        if not is_over:
            self._until = time_of(event)
        return is_over

    def cut_off(self) -> None:
        """End a turn that says nothing of its end, where the next one begins."""
        self._how = "done" if self._is_answered else "interrupted"

    def card(self) -> Card:
        """Return what is known now."""
        milliseconds = self._milliseconds if self._milliseconds >= 0 else milliseconds_between(self._at, self._until)
        return Card(
            self.first,
            self._through,
            self._at,
            self._asked,
            self._how,
            self._reason,
            milliseconds,
            self._cost,
            self._unpriced,
            self._listed["plan"],
            self._listed["files"],
            self._listed["commands"],
            self._listed["errors"],
            self._answer,
            self._left,
        )

    def _message(self, event: UserMessage) -> bool:
        self.is_asked = True
        if not self._asked:
            self._asked = _beginning(event.text, MOST_ASKED)
        return False

    def _begin(self, event: TurnStart) -> bool:
        self.start = self.start or event.seq
        return False

    def _end(self, event: TurnEnd) -> bool:
        if event.turn != self.start:
            return False
        self._how, self._reason = event.how, _beginning(event.reason, MOST_SAID)
        self._milliseconds = event.milliseconds
        return True

    def _interrupted(self, event: Interruption) -> bool:
        call = self._calls.pop(event.of, None)
        if call is not None:
            self._ended(call, "interrupted")
        if event.of != self.start:
            return False
        self._how, self._reason = "interrupted", _beginning(event.reason, MOST_SAID)
        return True

    def _session_ended(self, event: SessionEnd) -> bool:
        if self.start:
            return False
        self.cut_off()
        return True

    def _spent(self, event: ModelResponse | ModelError) -> None:
        self._cost += event.cost
        self._unpriced = self._unpriced or event.unpriced

    def _reply(self, event: ModelResponse) -> bool:
        self._spent(event)
        if event.agent == MAIN:
            blocks = blocks_of(event)
            text = "\n".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text").strip()
            self._is_answered = not any(block.get("type") == "call" for block in blocks)
            self._answer = _beginning(text, MOST_ANSWERED) or self._answer
        return False

    def _failed(self, event: ModelError) -> bool:
        self._spent(event)
        self._list("errors", f"the model: {event.message}")
        return False

    def _error(self, event: Error) -> bool:
        self._list("errors", event.message)
        return False

    def _plan(self, event: Plan) -> bool:
        self._listed["plan"].clear()
        self._left.pop("plan", None)
        for line in plan_lines(event.items):
            self._list("plan", line)
        return False

    def _written(self, event: FileVersion) -> bool:
        self._list("files", event.path, once=True)
        return False

    def _call(self, event: ToolCall) -> bool:
        self._calls[event.seq] = event
        return False

    def _result(self, event: ToolResult) -> bool:
        call = self._calls.pop(event.call, None)
        if call is None:
            return False
        if not event.ok:
            self._list("errors", f"{call.name}: {value_text(event.value).removeprefix(f'{call.name}: ')}")
        elif call.name in WRITERS:
            self._list("files", _argument(call, WRITERS), once=True)
        how = ended(event.value) if isinstance(event.value, dict) else ""
        self._ended(call, how or ("ok" if event.ok else "failed"))
        return False

    def _ended(self, call: ToolCall, how: str) -> None:
        if call.name in COMMANDS:
            self._list("commands", f"{_beginning(_argument(call, COMMANDS), MOST_SAID)} ({how})")

    def _list(self, field: str, text: str, *, once: bool = False) -> None:
        listed = self._listed[field]
        text = _beginning(text, MOST_SAID + 20)
        if once and text in listed:
            return
        if len(listed) < MOST_LISTED:
            listed.append(text)
        else:
            self._left[field] = self._left.get(field, 0) + 1


_TAKES: Final[dict[type[Event], Callable[[Turn, Any], bool]]] = {
    UserMessage: Turn._message,
    TurnStart: Turn._begin,
    TurnEnd: Turn._end,
    Interruption: Turn._interrupted,
    SessionEnd: Turn._session_ended,
    ModelResponse: Turn._reply,
    ModelError: Turn._failed,
    Error: Turn._error,
    Plan: Turn._plan,
    FileVersion: Turn._written,
    ToolCall: Turn._call,
    ToolResult: Turn._result,
}


class Turns:
    """Takes up the events of a log in order, and tells its turns apart."""

    def __init__(self) -> None:
        self.open: Turn | None = None
        """The turn that has begun and is not over."""

    def closes(self, event: Event) -> Turn | None:
        """Return the turn that is over before this event, which is about to be taken up, because another begins."""
        turn = self.open
        if turn is None or turn.start or not turn.is_asked or event.agent != MAIN:
            return None
        if not isinstance(event, UserMessage):
            return None
        turn.cut_off()
        self.open = None
        return turn

    def add(self, event: Event) -> Turn | None:
        """Take up the next event; return the turn that is over with it, if one is."""
        turn = self.open
        if turn is None:
            if event.agent != MAIN or not isinstance(event, (UserMessage, Attachment, TurnStart)):
                return None
            turn = self.open = Turn(event)
        if not turn.add(event):
            return None
        self.open = None
        return turn


def one_line(card: Card) -> str:
    """Return a card in a line: which events, how it ended, how long it took, what it cost, what was asked.

    Of a turn that is not over it says nothing that will have changed by the next look.
    """
    words = [f"from {card.first}", _ending(card)]
    if card.how:
        words = [f"{card.first}-{card.through}", _ending(card), duration(card.milliseconds), _cost(card)]
    asked = " ".join(card.asked.split())
    return f"{', '.join(words)}; asked: {_beginning(asked, MOST_SAID) or 'nothing, Scheme began it'}"


def described(card: Card) -> str:
    """Return all of a card, as lines."""
    lines = [f"ended: {_ending(card)}{f' ({card.reason})' if card.reason else ''}"]
    lines.append(f"took {duration(card.milliseconds)}, cost {_cost(card)}, began {card.at}")
    for field, title in (("plan", "plan"), ("files", "files written"), ("commands", "commands"), ("errors", "errors")):
        items: list[str] = getattr(card, field)
        if items:
            lines += [f"{title}:", *(f"  {' '.join(item.split())}" for item in items)]
        if card.left.get(field):
            lines.append(f"  and {card.left[field]} more")
    if card.answer:
        lines.append(f"answer: {card.answer}")
    return "\n".join(lines)


def duration(milliseconds: int) -> str:
    """Return a duration in words: ``2 min 5 s``."""
    seconds = milliseconds / 1000
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _cost(card: Card) -> str:
    return cost_in_words(card.cost, unpriced=card.unpriced)


def _ending(card: Card) -> str:
    return {"budget": "stopped by its budget", "error": "failed", "": "not over"}.get(card.how, card.how)


def _argument(call: ToolCall, names: dict[str, str]) -> str:
    arguments = call.arguments
    return str(arguments.get(names[call.name], "")) if isinstance(arguments, dict) else str(arguments)


def _beginning(text: str, most: int) -> str:
    text = text.strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"
