"""Signs of life: what is said when nothing happens for a while."""

from __future__ import annotations

import io
import time
from typing import Any

import pytest

from nodwyn.loop.providers.base import Delta
from nodwyn.loop.ui import signs
from nodwyn.loop.ui.colours import Paint
from nodwyn.loop.ui.printing import Printer
from nodwyn.loop.ui.signs import Signs
from nodwyn.prims.guard.approvals import Answer, Question, nobody
from nodwyn.prims.log import Event
from nodwyn.prims.log.record import restore


def happened(seq: int, kind: str, **members: Any) -> Event:
    return restore({"seq": seq, "at": "2026-01-02T03:04:05.678Z", "kind": kind, "agent": "main", **members})


REQUEST = happened(2, "llm.req", recipe=1, digest="0" * 64, tokens=9)
REPLY = happened(3, "llm.resp", request=2, content=[], stop="end", model="m")
CALL = happened(4, "tool.call", name="shell-exec", arguments={"line": "make test"}, by="model")
RESULT = happened(5, "tool.result", call=4, ok=True, value={"exit": 0})


class Watched:
    """Signs with a clock that is set."""

    def __init__(self) -> None:
        self.now = 100.0
        self._out = io.StringIO()
        self.signs = Signs(Printer(self._out, self._ask, Paint(False), streams=False), lambda: self.now)

    def after(self, seconds: float) -> list[str]:
        """Let time pass, a second at a time; return what is said meanwhile."""
        before = len(self._out.getvalue())
        for _ in range(int(seconds)):
            self.now += 1
            self.signs.look()
        return self._out.getvalue()[before:].splitlines()

    def piece(self, text: str) -> list[str]:
        before = len(self._out.getvalue())
        self.signs.delta("main", Delta("text", text))
        return self._out.getvalue()[before:].splitlines()

    def _ask(self, question: Question) -> Answer:
        assert self.after(100) == []
        return nobody(question)


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_a_model_that_thinks_for_long_is_told_of(watched: Watched) -> None:
    watched.signs.event(REQUEST)
    assert watched.after(29) == []
    assert watched.after(1) == ["  the model has not begun to answer (30 s so far)"]
    assert watched.after(30) == ["  the model has not begun to answer (60 s so far)"]
    assert watched.piece("a" * 1000) == ["  the model begins to answer (60 s)"]
    assert watched.piece("b") == []
    assert watched.after(30) == ["  the model is answering: 1001 characters (90 s so far)"]
    watched.signs.event(REPLY)
    assert watched.after(100) == []


def test_a_model_that_answers_soon_is_not(watched: Watched) -> None:
    watched.signs.event(REQUEST)
    assert watched.after(4) == []
    assert watched.piece("So.") == []


def test_a_command_that_runs_for_long_is_told_of(watched: Watched) -> None:
    watched.signs.event(CALL)
    assert watched.after(30) == ["  run make test (30 s so far)"]
    watched.signs.event(RESULT)
    assert watched.after(100) == []


def test_nothing_is_said_while_the_person_thinks(watched: Watched) -> None:
    watched.signs.event(CALL)
    watched.signs.ask(Question("make", "d", (), "edits"))
    assert watched.after(29) == []
    assert watched.after(1) == ["  run make test (130 s so far)"]


def test_signs_are_given_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "EVERY", 0.1)
    monkeypatch.setattr(signs, "_LOOK", 0.01)
    out = io.StringIO()
    given = Signs(Printer(out, nobody, Paint(False), streams=False))
    with given.given():
        given.event(REQUEST)
        until = time.monotonic() + 5
        while not out.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    assert "the model has not begun to answer" in out.getvalue()
