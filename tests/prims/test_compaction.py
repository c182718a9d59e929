"""Notes in place of a span: recorded with their loss audit, dropped, and pinned."""

from __future__ import annotations

from typing import Any

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import write
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.compaction import CARRIED_WHOLE, narrow, notes_of
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.log.events import (
    Interruption,
    ModelRequest,
    ModelResponse,
    Narrow,
    SessionStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.session import Session
from nodwyn.prims.summaries.editing import list_summaries


class Turn:
    """A turn with one call, recorded in a session; its members are seqs."""

    def __init__(self, session: Session, text: str = "Look at it", *, ended: bool = True) -> None:
        log = session.log
        self.message = log.append(UserMessage(text=text))
        self.start = log.append(TurnStart(message=self.message))
        request = log.append(ModelRequest(recipe=1, digest="0" * 64))
        block = {"type": "call", "id": "c1", "name": "fs-read", "arguments": {"path": "src/a.py"}}
        self.reply = log.append(ModelResponse(request=request, content=[block], stop="calls"))
        given: dict[str, Any] = {"by": "model", "reply": self.reply, "id": "c1"}
        self.call = log.append(ToolCall(name="fs-read", arguments={"path": "src/a.py"}, **given))
        self.result = log.append(ToolResult(call=self.call, ok=False, value="no such file"))
        answer = [{"type": "text", "text": "It has 812 lines"}]
        self.answer = log.append(ModelResponse(request=request, content=answer, stop="end"))
        if ended:
            log.append(TurnEnd(turn=self.start, how="done"))


def lost(session: Session, note: int) -> list[tuple[str, str]]:
    event = session.log.event(note)
    assert isinstance(event, Narrow)
    return [(entry["what"], entry["text"]) for entry in event.lost or ()]


def test_a_note_is_recorded_with_what_it_leaves_out(session: Session) -> None:
    turn = Turn(session, ended=False)
    note = narrow(session, "main", turn.message, turn.result, "We looked at something.")
    event = session.log.event(note)
    assert isinstance(event, Narrow)
    assert (event.first, event.through, event.agent) == (turn.message, turn.result, "main")
    assert lost(session, note) == [("path", "src/a.py")]  # the error is on the turn's card


def test_a_note_that_says_it_all_leaves_nothing_out(session: Session) -> None:
    turn = Turn(session)
    note = narrow(session, "main", turn.message, turn.answer, "a.py has 812 lines")
    assert lost(session, note) == []


def test_what_the_card_of_a_turn_says_is_not_lost(session: Session) -> None:
    turn = Turn(session)
    note = narrow(session, "main", turn.message, turn.answer + 1, "nothing of it")
    assert ("number", "812 lines") not in lost(session, note)


@pytest.mark.parametrize(("size", "is_lost"), [(CARRIED_WHOLE - 30, False), (CARRIED_WHOLE + 1, True)])
def test_a_message_that_the_window_carries_whole_loses_nothing(session: Session, size: int, is_lost: bool) -> None:
    turn = Turn(session, "x" * size + "\nNever touch the schema.")
    note = narrow(session, "main", turn.message, turn.answer, "We looked at something.")
    assert (("request", "Never touch the schema.") in lost(session, note)) == is_lost


@pytest.mark.parametrize(
    ("first", "through", "said"),
    [
        ("message", "reply", "the span ends between reply"),
        ("message", "call", "the span ends between reply"),
        ("call", "answer", "the span begins between reply"),
        ("result", "answer", "the span begins between reply"),
    ],
)
def test_a_span_does_not_part_a_call_from_its_result(session: Session, first: str, through: str, said: str) -> None:
    turn = Turn(session)
    with pytest.raises(PrimitiveError, match=said):
        narrow(session, "main", getattr(turn, first), getattr(turn, through), "note")


def test_an_interrupted_call_has_an_end(session: Session) -> None:
    turn = Turn(session)
    reply = session.log.append(ModelResponse(request=1, content=[], stop="calls"))
    call = session.log.append(ToolCall(name="fs-read", arguments={}, by="model", reply=reply))
    interruption = session.log.append(Interruption(of=call, reason="stopped"))
    assert narrow(session, "main", turn.message, interruption, "note")


@pytest.mark.parametrize(("first", "through"), [(9, 5), (3, 9999)])
def test_a_span_that_is_none_is_an_error(session: Session, first: int, through: int) -> None:
    Turn(session)
    with pytest.raises(PrimitiveError, match="is no span of this log"):
        narrow(session, "main", first, through, "note")


def test_an_empty_note_is_an_error(session: Session) -> None:
    turn = Turn(session)
    with pytest.raises(PrimitiveError, match="the note is empty"):
        narrow(session, "main", turn.message, turn.answer, " \n")


def test_a_note_is_no_summary_and_the_log_keeps_the_whole(session: Session) -> None:
    turn = Turn(session)
    before = session.log.path.read_bytes()
    narrow(session, "main", turn.message, turn.answer, "note")
    assert session.log.path.read_bytes().startswith(before)
    assert list_summaries(session.log.path) == []


def test_a_sub_agents_span_is_its_own(session: Session) -> None:
    turn = Turn(session, "Read src/main.py")
    aside = session.log.append(
        ModelResponse(request=1, content=[{"type": "text", "text": "4711"}], stop="end", agent="x")
    )
    note = narrow(session, "x", turn.message, aside, "note")
    assert lost(session, note) == [("number", "4711")]
    assert session.log.event(note).agent == "x"


def test_notes_are_listed_dropped_and_pinned_by_the_person(session: Session) -> None:
    turn = Turn(session, ended=False)
    note = narrow(session, "main", turn.message, turn.result, "We looked.")
    session.evaluate(f"(note-pin {note} 1)")
    (standing,) = notes_of(session.log)
    assert (standing.status, standing.pinned) == ("active", ["src/a.py"])
    session.evaluate(f"(note-drop {note})")
    assert '(status . "dropped")' in write(session.evaluate("(note-list)"))
    assert [event.kind for event in session.log.events(note + 1)][1::3][:2] == ["pin", "context.drop"]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("(note-drop 1)", "event 1 is no note; there are no notes in this session"),
        ("(note-pin 1 1)", "event 1 is no note"),
        ("(note-pin 1 0)", "item must be a number"),
    ],
)
def test_a_wrong_number_is_an_error(session: Session, program: str, said: str) -> None:
    assert isinstance(session.log.event(1), SessionStart)
    with pytest.raises(SchemeError, match=said):
        session.evaluate(program)


def test_what_was_done_before_is_an_error(session: Session) -> None:
    turn = Turn(session, ended=False)
    note = narrow(session, "main", turn.message, turn.result, "We looked.")
    session.evaluate(f"(note-pin {note} 1)")
    with pytest.raises(SchemeError, match=f"item 1 of note {note} was pinned before"):
        session.evaluate(f"(note-pin {note} 1)")
    with pytest.raises(SchemeError, match=f"note {note} has no item 2; its last item is 1"):
        session.evaluate(f"(note-pin {note} 2)")
    session.evaluate(f"(note-drop {note})")
    with pytest.raises(SchemeError, match=f"note {note} was dropped before"):
        session.evaluate(f"(note-drop {note})")
    with pytest.raises(SchemeError, match="the conversation is back"):
        session.evaluate(f"(note-pin {note} 1)")


def test_a_model_cannot_drop_a_note(session: Session) -> None:
    result = session.log.event(call_from_model(session, "note-drop", {"note": 1}, reply=1, id="c1"))
    assert "there is no tool" in result.as_json()["value"]
