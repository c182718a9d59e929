"""What the tests of the log share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nodwyn.prims import system_calls
from nodwyn.prims.log import Log
from nodwyn.prims.log.events import GuardDecision, Note, SessionStart, ToolCall, ToolResult, UserMessage
from nodwyn.prims.log.record import Event, Redactor

Begin = Callable[..., Log]


def as_it_is(text: str) -> str:
    """A redactor that finds nothing."""
    return text


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Return what begins a session in ``tmp_path``; each is closed after the test."""
    begun: list[Log] = []

    def begin_session(redact: Redactor = as_it_is, directory: Path = tmp_path) -> Log:
        log = Log.create(directory, SessionStart(program="nodwyn 0", root="/work/app"), redact=redact)
        begun.append(log)
        return log

    yield begin_session
    for log in begun:
        log.close()


@pytest.fixture
def a_few() -> list[Event]:
    """Return events of several kinds and sizes, with text beyond ASCII; none stays open."""
    return [
        UserMessage(text="Räum die Tests auf, bitte 🌲"),
        ToolCall(name="fs-read", arguments={"path": "src/größe.py", "start": 1}, by="model", id="call_1"),
        GuardDecision(effect="read", subject="src/größe.py", decision="allow", layer="pin", reason="inside the root"),
        ToolResult(call=3, ok=True, value="line one\n\tline \\two\\ \0 \x7f\u2028\n" * 3, decisions=[4]),
        Note(text="x"),
    ]


@pytest.fixture
def closed(begin: Begin, a_few: list[Event]) -> Path:
    """Return the path of a closed session's log that holds ``a_few`` after its start."""
    log = begin()
    for event in a_few:
        log.append(event)
    log.close()
    return log.path


@pytest.fixture
def no_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing wait for the disk, where thousands of logs are opened."""
    monkeypatch.setattr(system_calls, "sync_data", lambda descriptor: None)
    monkeypatch.setattr(system_calls, "sync_directory", lambda path: None)
