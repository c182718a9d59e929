"""What the tests of primitives share: a session in a directory of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims.guard.approvals import Answer, Asker, Question, nobody
from nodwyn.prims.log import Event
from nodwyn.prims.session import Session

Begin = Callable[..., Session]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty directory to work in; nodwyn's own directories are elsewhere."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def begin(root: Path) -> Iterator[Begin]:
    """Return what begins a session in the root; each is closed after the test."""
    begun: list[Session] = []

    def begin_session(ask: Asker = nobody, **given: Any) -> Session:
        session = Session.start(root, client="test", ask=ask, **given)
        begun.append(session)
        return session

    yield begin_session
    for session in begun:
        session.close()


@pytest.fixture
def session(begin: Begin) -> Session:
    """Return a session with nobody to ask."""
    return begin()


class Person:
    """Answers questions as told, and remembers them."""

    def __init__(self, *answers: bool, lasts: bool = False) -> None:
        self.answers = list(answers)
        self.lasts = lasts
        self.questions: list[Question] = []

    def __call__(self, question: Question) -> Answer:
        self.questions.append(question)
        return Answer(self.answers.pop(0) if self.answers else True, "person", lasts=self.lasts)


def events(session: Session, *kinds: str) -> list[Event]:
    """Return the events of these kinds that a session has recorded."""
    return [session.log.event(seq) for seq in session.log.seqs(*kinds)]
