"""Conversations with a scripted model, in a root of their own; whatever they send is proved by replay afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.conversation import Conversation
from nodwyn.loop.providers.base import Delta
from nodwyn.loop.providers.catalogue import find_model
from nodwyn.loop.window.replay import rebuild
from nodwyn.prims.guard.approvals import Answer, Question
from nodwyn.prims.log import Event, read
from nodwyn.prims.session import Session


class Watcher:
    """A client that keeps what it is shown, and answers every question alike."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.events: list[Event] = []
        self.deltas: list[tuple[str, Delta]] = []
        self.questions: list[Question] = []
        self.said: list[str] = []

    def event(self, event: Event) -> None:
        self.events.append(event)

    def delta(self, agent: str, delta: Delta) -> None:
        self.deltas.append((agent, delta))

    def progress(self, call: int, stream: str, text: str) -> None:
        self.said.append(text)

    def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        return self.answer


class Talk:
    """A conversation under test."""

    def __init__(self, conversation: Conversation, client: Watcher) -> None:
        self.conversation = conversation
        self.client = client
        self.session = conversation.session

    def say(self, text: str = "go") -> tuple[str, str]:
        """Send a message; return how the turn ended and why."""
        end = self.conversation.say(text)
        return end.how, end.reason

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event.as_json() for event in read(self.session.log.path) if event.kind == kind]

    def requests(self) -> list[dict[str, Any]]:
        """Return every request so far, rebuilt from the log."""
        return [rebuild(self.session.log, event["seq"]).request for event in self.events("llm.req")]

    def results(self) -> list[str]:
        """Return the texts of the results in the latest request."""
        blocks = [block for message in self.requests()[-1]["messages"] for block in message["content"]]
        return [block["text"] for block in blocks if block["type"] == "result"]


Converse = Callable[..., Talk]


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty directory that is the current one; nodwyn's own directories are elsewhere."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def converse(root: Path, tmp_path: Path) -> Iterator[Converse]:
    """Return what begins a conversation with a scripted model, given the model's Scheme."""
    talks: list[Talk] = []

    def begin(
        model: str,
        *,
        answer: Answer | None = None,
        limits: Mapping[str, int] | None = None,
        init: bool = True,
        context: int = 200_000,
    ) -> Talk:
        script = tmp_path / f"model-{len(talks)}.scm"
        script.write_text(model)
        client = Watcher(answer or Answer(False, "not asked"))
        session = Session.start(root, client="run")
        chosen = find_model(f"scripted:{script}")._replace(context=context, output=context // 8)
        talk = Talk(Conversation(session, chosen, client=client, limits=limits, init=init), client)
        talks.append(talk)
        return talk

    yield begin
    for talk in talks:
        talk.requests()
        talk.session.close()
