"""What the tests of the window share: a log that is written event by event, and what every request must be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nodwyn.loop.window.build import Built, Window
from nodwyn.loop.window.canonical import digest
from nodwyn.loop.window.policy import VERSION
from nodwyn.prims import system_calls
from nodwyn.prims.log import Event, Log
from nodwyn.prims.log.events import (
    Elide,
    Fold,
    Interruption,
    ModelRequest,
    ModelResponse,
    Narrow,
    Recipe,
    SessionStart,
    Summary,
    ToolCall,
    ToolResult,
    UserMessage,
)
from nodwyn.prims.summaries.standing import SOURCE, source_digest

JSON = Any


def as_it_is(text: str) -> str:
    """A redactor that finds nothing."""
    return text


def text(words: str) -> JSON:
    """Return a block of a reply that says something."""
    return {"type": "text", "text": words}


def call(id: str, name: str = "fs-read", **arguments: Any) -> JSON:
    """Return a block of a reply that calls a tool."""
    return {"type": "call", "id": id, "name": name, "arguments": arguments}


class Asked(NamedTuple):
    """A request on record."""

    seq: int
    built: Built


class Story:
    """A session's log as it comes about, and the window of one of its contexts."""

    def __init__(self, log: Log, agent: str = "main") -> None:
        self.log = log
        self.agent = agent
        self.window = Window(log, agent)
        self.recipe = 0
        self.asked: list[Asked] = []

    def append(self, event: Event) -> int:
        return self.log.append(event.replace(agent=self.agent))

    def use(self, system: str = "Be good.", model: str = "small", provider: str = "scripted", **given: Any) -> int:
        """Have the next requests built with a recipe."""
        recipe = {"version": VERSION, "tools": [], "policy": {}, "parameters": None, **given}
        self.recipe = self.append(Recipe(system=system, provider=provider, model=model, **recipe))
        return self.recipe

    def say(self, words: str, attachments: Sequence[int] = ()) -> int:
        return self.append(UserMessage(text=words, attachments=list(attachments)))

    def build(self) -> Built:
        """Return the next request; it has been found sound."""
        if not self.recipe:
            self.use()
        built = self.window.build(self.recipe)
        assert_sound(built)
        return built

    def ask(self) -> Built:
        """Record the next request; return it."""
        built = self.build()
        seq = self.append(ModelRequest(recipe=self.recipe, digest=built.digest, broken=built.broken))
        self.asked.append(Asked(seq, built))
        return built

    def reply(self, *content: JSON) -> int:
        """Record the next request and the reply to it; return the reply's seq."""
        self.ask()
        return self.append(ModelResponse(request=self.asked[-1].seq, content=list(content), stop="end"))

    def begin(self, reply: int, id: str, name: str = "fs-read", **arguments: Any) -> int:
        return self.append(ToolCall(name=name, arguments=arguments, by="model", reply=reply, id=id))

    def end(self, of: int, value: JSON, *, ok: bool = True) -> int:
        return self.append(ToolResult(call=of, ok=ok, value=value))

    def interrupt(self, of: int) -> int:
        return self.append(Interruption(of=of, reason="the person stopped it"))

    def read(self, path: str, value: JSON, *, words: str = "", id: str = "") -> int:
        """Have the model read a file; return the seq of the result."""
        id = id or f"call_{self.log.last}"
        content = [text(words)] if words else []
        reply = self.reply(*content, call(id, path=path))
        return self.end(self.begin(reply, id, path=path), value)

    def fold(self, result: int, shown: str, rule: str = "outline") -> int:
        return self.append(Fold(result=result, text=shown, rule=rule))

    def elide(self, *seqs: int, rule: str = "budget") -> int:
        return self.append(Elide(events=list(seqs), rule=rule))

    def narrow(self, first: int, through: int, note: str = "THE NOTE") -> int:
        return self.append(Narrow(first=first, through=through, note=note))

    def summarise(self, first: int, through: int, words: str = "THE SUMMARY") -> int:
        source = [
            event
            for event in self.log.events(first)
            if event.seq <= through and event.kind in SOURCE and event.agent == self.agent
        ]
        return self.append(Summary(first=first, through=through, text=words, digest=source_digest(source)))


def assert_sound(built: Built) -> None:
    """Check what every request must be: what a provider may refuse it for would end the session."""
    assert digest(built.request) == built.digest
    messages = built.request["messages"]
    assert len(messages) == len(built.sources)
    ids: list[str] = []
    before, owed = "", list[str]()
    for message, sources in zip(messages, built.sources):
        role, content = message["role"], message["content"]
        assert content
        assert sources
        assert all(block["text"].strip() for block in content if "text" in block)
        if owed:
            assert role == "tool"
        if role == "tool":
            assert [block["id"] for block in content] == owed
            assert {block["type"] for block in content} == {"result"}
            owed = []
        elif role == "assistant":
            owed = [block["id"] for block in content if block["type"] == "call"]
            assert owed or any(block["type"] == "text" for block in content)
            ids += owed
        else:
            assert role == "user"
            assert before != "user"
            assert {block["type"] for block in content} == {"text"}
        before = role
    assert not owed
    assert len(ids) == len(set(ids))


def begins_with(new: Built, old: Built) -> bool:
    """Return whether a request is an earlier one and new messages."""
    members = [{**built.request, "messages": []} for built in (new, old)]
    messages = old.request["messages"]
    return members[0] == members[1] and new.request["messages"][: len(messages)] == messages


def said(built: Built) -> str:
    """Return all texts of a request, one after the other."""
    return "\n".join(block.get("text", "") for message in built.request["messages"] for block in message["content"])


def roles(built: Built) -> list[str]:
    """Return the roles of a request's messages."""
    return [message["role"] for message in built.request["messages"]]


@pytest.fixture(autouse=True)
def _no_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing wait for the disk."""
    monkeypatch.setattr(system_calls, "sync_data", lambda descriptor: None)
    monkeypatch.setattr(system_calls, "sync_directory", lambda path: None)


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[[], Story]]:
    """Return what begins a session; each is closed after the test."""
    begun: list[Story] = []

    def begin_story() -> Story:
        begun.append(Story(Log.create(tmp_path, SessionStart(program="nodwyn 0", root="/"), redact=as_it_is)))
        return begun[-1]

    yield begin_story
    for story in begun:
        story.log.close()


@pytest.fixture
def story(begin: Callable[[], Story]) -> Story:
    """Return a session that has just begun."""
    return begin()
