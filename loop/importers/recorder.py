"""What readers tell: turns, replies, calls and results of a session, recorded in a log of ours as they are told."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from nodwyn.prims.log import Event, Log
from nodwyn.prims.log.events import (
    AgentEnd,
    AgentStart,
    Attachment,
    Error,
    ImportLine,
    Interruption,
    LoopMessage,
    ModelResponse,
    Narrow,
    Note,
    SessionTitle,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.times import milliseconds_between

LABELS: Final = ("external:log",)
"""Where all that is imported came from."""

How = Literal["done", "stopped", "budget", "error"]


class Picture(NamedTuple):
    """Binary content of a message or result."""

    media: str
    data: bytes


class Recorder:
    """Records a session in a log. Whatever is told happened at :attr:`when`."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.when = ""
        """UTC, RFC 3339, milliseconds."""
        self.title = ""
        self.kept: Counter[str] = Counter()
        """How many lines without a meaning were kept, by what they are."""
        self.repeated = 0
        self.turns = 0
        self._turn: TurnStart | None = None
        self._turn_seq = 0
        self._turn_began = ""
        self._turn_lasted = ""
        """When the last event of the turn happened, as far as it has come."""
        self._is_answered = False
        self._ids: set[str] = set()
        self._calls: dict[tuple[str, str], int] = {}
        """The calls that wait for a result: by context, and by the id that the file has for them."""
        self._agents: dict[str, int] = {}
        self._answers: dict[str, str] = {}
        self._span = 0
        """The first event of the conversation that no note stands for."""

    @property
    def next_seq(self) -> int:
        """The number of the event that is recorded next."""
        return self._log.last + 1

    def message(self, text: str, pictures: Sequence[Picture] = (), *, joins: bool = False) -> None:
        """Record what the person said; a turn begins with it.

        joins: whether it was said into a turn, which goes on with it unless that had its answer.
        """
        goes_on = joins and self._turn is not None and not self._is_answered
        if not goes_on:
            self.end_turn()
        attached = [self._attach(number, picture) for number, picture in enumerate(pictures, 1)]
        given: dict[str, Any] = {"attachments": attached} if attached else {}
        self._turn_lasted = self.when
        message = self._append(UserMessage(text=text, source="import", labels=LABELS, **given))
        if not goes_on:
            self._begin_turn(message)

    def aside(self, text: str, purpose: str, agent: str = MAIN) -> None:
        """Record what the other program said to its model, and not the person."""
        self._append(LoopMessage(text=text, purpose=purpose, labels=LABELS, agent=agent))

    def reply(self, content: list[dict[str, Any]], *, stop: str = "", agent: str = MAIN, **given: Any) -> None:
        """Record a model's reply, and that its calls were made.

        content: blocks as llm.resp has them; ids of calls are made unique. given: further fields of llm.resp; a cost
        of None is one that is not known.
        """
        calls = [(block, block["id"]) for block in content if block["type"] == "call"]
        for block, id in calls:
            block["id"] = self._unique(id)
        if agent == MAIN:
            self._ensure_turn()
            self._is_answered = not calls
        self._turn_lasted = self.when
        told = {name: value for name, value in given.items() if value}
        if "cost" in given and given["cost"] is None:
            told["unpriced"] = True
        reply = self._append(
            ModelResponse(content=content, stop=stop or ("calls" if calls else "end"), agent=agent, **told)
        )
        for block, id in calls:
            made = {"by": "model", "reply": reply, "id": block["id"], "labels": LABELS}
            call = ToolCall(name=block["name"], arguments=block["arguments"], agent=agent, **made)
            waiting = (agent, block["id"] if (agent, id) in self._calls else id)
            self._calls[waiting] = self._append(call)
        said = "\n".join(block["text"] for block in content if block["type"] == "text").strip()
        if said:
            self._answers[agent] = said

    def result(self, id: str, ok: bool, value: Any, pictures: Sequence[Picture] = (), agent: str = MAIN) -> bool:
        """Record what a call came to; return False when no call of that id waits for a result."""
        call = self._calls.pop((agent, id), 0)
        if not call:
            return False
        blobs = [self._log.store(picture.data) for picture in pictures]
        given: dict[str, Any] = {"blobs": blobs} if blobs else {}
        self._append(ToolResult(call=call, ok=ok, value=value, labels=LABELS, agent=agent, **given))
        self._turn_lasted = self.when
        if agent == MAIN:
            self._is_answered = False
        return True

    def waits_for(self, id: str, agent: str = MAIN) -> bool:
        """Return whether a call has no result yet."""
        return (agent, id) in self._calls

    def agent(self, name: str, task: str) -> None:
        """Record that a sub-agent begins, unless it has."""
        if name not in self._agents:
            self._agents[name] = self._append(AgentStart(name=name, task=task))

    def failed(self, message: str) -> None:
        """Record that something went wrong with the other program or its model."""
        self._append(Error(message=message))

    def note(self, text: str) -> None:
        """Record words of the other program for the person."""
        self._append(Note(text=text))

    def compacted(self, note: str, through: int = 0) -> None:
        """Record that the conversation went on from a note in place of what was said before.

        through: the last event that it stands for; the latest one when not given.
        """
        through = through or self._log.last
        if self._span and self._span <= through:
            self._append(Narrow(first=self._span, through=through, note=note))
            self._span = through + 1
        else:
            self.aside(note, "handover")

    def name(self, title: str) -> None:
        """Take up what the session is called; the latest name holds."""
        self.title = title.strip() or self.title

    def keep(self, line: int, text: str, what: str) -> None:
        """Keep a line that has no meaning here.

        what: the kind of line, for the count.
        """
        self.kept[what] += 1
        self._append(ImportLine(line=line, text=text))

    def end_turn(self, how: How | None = None, reason: str = "") -> None:
        """Record that the turn is over, if one is open. Without a word it was done when it had an answer.

        Without one it was over with its last event, too: what comes next may be said days later.
        """
        if self._turn is None:
            return
        now, self.when = self.when, self.when if how else self._turn_lasted
        for (agent, _), call in sorted(self._calls.items(), key=lambda item: item[1], reverse=True):
            self._append(Interruption(of=call, reason="the file has no result of it", agent=agent))
        self._calls.clear()
        for name, start in self._agents.items():
            if start:
                answer = self._answers.get(name, "")
                self._append(AgentEnd(start=start, how="done" if answer else "stopped", answer=answer))
                self._agents[name] = 0
        if how is None:
            how = "done" if self._is_answered else "stopped"
            reason = "" if self._is_answered else "the session goes on, or ends, without an answer"
        given: dict[str, Any] = {"reason": reason} if reason else {}
        took = milliseconds_between(self._turn_began, self.when)
        self._append(TurnEnd(turn=self._turn_seq, how=how, milliseconds=took, **given))
        self._turn, self.when = None, now

    def finish(self) -> None:
        """Record the session's name and the end of its last turn."""
        self.end_turn()
        if self.title:
            self._append(SessionTitle(title=self.title))

    def _ensure_turn(self) -> None:
        if self._turn is None:
            self._begin_turn(0)

    def _begin_turn(self, message: int) -> None:
        given: dict[str, Any] = {"message": message} if message else {}
        self._turn = TurnStart(**given)
        self._turn_seq = self._append(self._turn)
        self._turn_began, self._turn_lasted, self._is_answered = self.when, self.when, False
        self._span = self._span or message or self._turn_seq
        self.turns += 1

    def _attach(self, number: int, picture: Picture) -> int:
        name = f"{picture.media.partition('/')[0]} {number}"
        blob, size = self._log.store(picture.data), len(picture.data)
        return self._append(Attachment(name=name, media=picture.media, blob=blob, size=size, labels=LABELS))

    def _unique(self, id: str) -> str:
        """Return an id that no call before has."""
        unique, number = id, 1
        while unique in self._ids:
            number += 1
            unique = f"{id}#{number}"
        self._ids.add(unique)
        return unique

    def _append(self, event: Event) -> int:
        return self._log.append(event.replace(when=self.when) if self.when else event)


def picture_of(media: Any, data: Any) -> Picture | None:
    """Return the content that base64 stands for, or None when it is none."""
    if not isinstance(data, str):
        return None
    try:
        octets = b64decode(data, validate=True)
    except ValueError:
        return None
    return Picture(media if isinstance(media, str) and media else "application/octet-stream", octets)
