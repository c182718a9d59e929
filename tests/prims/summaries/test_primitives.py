"""summary-add, summary-list and summary-drop in the person's Scheme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import write
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.log import Log
from nodwyn.prims.log.events import ModelRequest, ModelResponse, ToolCall, UserMessage
from nodwyn.prims.session import Session

Begin = Callable[..., Session]

TURN = 3
"""Events of a turn: message, request, reply."""


def message_of(number: int) -> int:
    return 2 + TURN * (number - 1)


def answer_of(number: int) -> int:
    return message_of(number) + 2


@pytest.fixture
def closed(begin: Begin) -> str:
    """Return the name of a closed session of four turns."""
    session = begin()
    for number in range(1, 5):
        session.log.append(UserMessage(text=f"question {number}"))
        request = session.log.append(ModelRequest(recipe=1, digest="0" * 64))
        content = [{"type": "text", "text": f"answer {number}"}]
        session.log.append(ModelResponse(request=request, content=content, stop="end"))
    session.close()
    return session.name


def log_of(session: Session, name: str) -> Path:
    return session.log.path.with_name(f"{name}.jsonl")


def test_a_running_session_edits_the_summaries_of_a_closed_one(session: Session, closed: str) -> None:
    seq = session.evaluate(f'(summary-add "{closed}" {message_of(1)} {answer_of(1)} "one turn")')
    listed = write(session.evaluate(f'(summary-list "{closed}")'))
    assert listed == f'(((seq . {seq}) (first . 2) (through . 4) (status . "active") (text . "one turn")))'
    session.evaluate(f'(summary-drop "{closed}" {seq})')
    assert '(status . "dropped")' in write(session.evaluate(f'(summary-list "{closed}")'))


def test_a_beginning_of_the_name_is_enough(session: Session, closed: str) -> None:
    with pytest.raises(SchemeError, match="2 sessions have names that begin with"):
        session.evaluate(f'(summary-list "{closed[:4]}")')
    assert write(session.evaluate(f'(summary-list "{closed[:-2]}")')) == "()"


def test_the_sessions_own_summaries_can_be_listed(session: Session) -> None:
    assert write(session.evaluate("(summary-list)")) == "()"


@pytest.mark.parametrize("call", ['(summary-add "{}" 2 4 "text")', '(summary-drop "{}" 4)'])
def test_its_own_are_not_edited_while_it_is_open(session: Session, call: str) -> None:
    before = session.log.last
    with pytest.raises(SchemeError, match="this session is open, and only a closed one is summarised"):
        session.evaluate(call.format(session.name))
    assert [event.kind for event in session.log.events(before + 1)] == ["scheme.input", "scheme.value"]


def test_a_session_that_is_open_elsewhere_is_not_edited(session: Session, closed: str) -> None:
    path = log_of(session, closed)
    with Log.open(path, redact=str):
        before = path.read_bytes()
        with pytest.raises(SchemeError, match="owned by process"):
            session.evaluate(f'(summary-add "{closed}" 2 4 "text")')
        assert path.read_bytes() == before


def test_an_incomplete_session_is_resumed_first(session: Session, closed: str) -> None:
    path = log_of(session, closed)
    with Log.open(path, redact=str) as log:
        log.append(ToolCall(name="fs-read", arguments={}, by="model"))
    with pytest.raises(SchemeError, match=r"tool\.call, has no end\. `nodwyn resume"):
        session.evaluate(f'(summary-add "{closed}" 2 4 "text")')


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('3 4 "text"', "the nearest is 2"),
        ('2 3 "text"', "the nearest is 4"),
        ("2 4 (make-string 16385 #\\x)", "longer than 16,384 bytes"),
        ('2 4 ""', "the text is empty"),
        ('"2" 4 "text"', "first must be an event's number"),
    ],
)
def test_the_rules_are_those_of_the_command_line(session: Session, closed: str, arguments: str, said: str) -> None:
    before = log_of(session, closed).read_bytes()
    with pytest.raises(SchemeError, match=said):
        session.evaluate(f'(summary-add "{closed}" {arguments})')
    assert log_of(session, closed).read_bytes() == before


def test_a_second_drop_and_a_wrong_number_are_errors(session: Session, closed: str) -> None:
    seq = session.evaluate(f'(summary-add "{closed}" 2 4 "text")')
    session.evaluate(f'(summary-drop "{closed}" {seq})')
    with pytest.raises(SchemeError, match="was dropped before"):
        session.evaluate(f'(summary-drop "{closed}" {seq})')
    with pytest.raises(SchemeError, match="event 2 is no summary"):
        session.evaluate(f'(summary-drop "{closed}" 2)')


@pytest.mark.parametrize("name", ["summary-add", "summary-list", "summary-drop"])
def test_a_model_has_no_such_tools(session: Session, name: str) -> None:
    result = session.log.event(call_from_model(session, name, {}, reply=1, id="c1"))
    assert not result.as_json()["ok"]
    assert "there is no tool" in result.as_json()["value"]
