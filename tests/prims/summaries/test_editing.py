"""Adding and dropping summaries: every rule, and that nothing but one event is ever added."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims.log import Damaged, Incomplete, Log, LogError, OwnedElsewhere, read
from nodwyn.prims.log.events import (
    ModelRequest,
    ModelResponse,
    SessionEnd,
    SessionStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.log.line import START, seal, unseal
from nodwyn.prims.redact import Redactor
from nodwyn.prims.session import recording
from nodwyn.prims.summaries.editing import SummaryError, add_summary, drop_summary, list_summaries, text_of

DIGEST = "0" * 64
KEY = "sk-ant-api03-" + "kDq7Zx2mWp9Lr4Tn8Vb3" * 5
redact = recording(Redactor([KEY]))

TURN = 8
"""Events of a turn: message, turn.start, request, reply with a call, call, result, reply, turn.end."""


def turn(log: Log, question: str) -> None:
    """Record a turn with one tool call."""
    message = log.append(UserMessage(text=question))
    start = log.append(TurnStart(message=message))
    request = log.append(ModelRequest(recipe=1, digest=DIGEST))
    call = {"type": "call", "id": "c1", "name": "fs-read", "arguments": {"path": "a"}}
    reply = log.append(ModelResponse(request=request, content=[call], stop="calls"))
    called = log.append(ToolCall(name="fs-read", arguments={"path": "a"}, by="model", reply=reply, id="c1"))
    log.append(ToolResult(call=called, ok=True, value="contents"))
    answer = [{"type": "text", "text": f"answer to {question}"}]
    log.append(ModelResponse(request=request, content=answer, stop="end"))
    log.append(TurnEnd(turn=start, how="done"))


def message_of(number: int) -> int:
    """Return the seq of the message of a turn, from 1."""
    return 2 + TURN * (number - 1)


def answer_of(number: int) -> int:
    """Return the seq of the last reply of a turn, from 1."""
    return message_of(number) + 6


@pytest.fixture
def make(tmp_path: Path) -> Callable[[int], Path]:
    """Return what makes a closed session of that many turns."""

    def make_session(turns: int) -> Path:
        log = Log.create(tmp_path, SessionStart(program="nodwyn 0", root="/work/app"), redact=redact)
        for number in range(1, turns + 1):
            turn(log, f"question {number}")
        log.append(SessionEnd())
        log.close()
        return log.path

    return make_session


@pytest.fixture
def closed(make: Callable[[int], Path]) -> Path:
    """Return the log of a closed session of five turns."""
    return make(5)


def statuses(path: Path) -> list[str]:
    return [each.status for each in list_summaries(path)]


def test_a_span_of_whole_turns_gets_a_summary_that_is_active(closed: Path) -> None:
    seq = add_summary(closed, message_of(1), answer_of(2), "two turns", redact)
    (standing,) = list_summaries(closed)
    assert standing == (seq, message_of(1), answer_of(2), "two turns", "active")


@pytest.mark.parametrize("first", [1, 3, 5, 9, 0, 999])
def test_a_span_begins_at_a_persons_message(closed: Path, first: int) -> None:
    with pytest.raises(SummaryError, match=r"begins at a message of the person.*; the nearest is \d+"):
        add_summary(closed, first, answer_of(2), "text", redact)


@pytest.mark.parametrize(
    ("first", "nearest"), [(1, message_of(1)), (9, message_of(2)), (12, message_of(2)), (999, message_of(5))]
)
def test_the_error_names_the_nearest_right_beginning(closed: Path, first: int, nearest: int) -> None:
    with pytest.raises(SummaryError, match=rf"the nearest is {nearest}$"):
        add_summary(closed, first, answer_of(2), "text", redact)


@pytest.mark.parametrize(
    ("through", "said"),
    [
        (5, "event 5 is llm.resp with calls; the nearest is 8"),
        (7, "event 7 is tool.result; the nearest is 8"),
        (2, "event 2 is user.msg; the nearest is 8"),
        (500, "there is no event 500; the nearest is 40"),
    ],
)
def test_a_span_ends_at_a_reply_without_calls(closed: Path, through: int, said: str) -> None:
    with pytest.raises(SummaryError, match=said):
        add_summary(closed, message_of(1), through, "text", redact)


def test_a_span_does_not_end_before_it_begins(closed: Path) -> None:
    with pytest.raises(SummaryError, match=f"the nearest is {answer_of(3)}"):
        add_summary(closed, message_of(3), answer_of(1), "text", redact)


def test_a_message_of_a_sub_agent_is_no_beginning(closed: Path) -> None:
    with Log.open(closed, redact=redact) as log:
        aside = log.append(UserMessage(text="aside", agent="explorer"))
    with pytest.raises(SummaryError, match=f"event {aside} is user.msg of explorer"):
        add_summary(closed, aside, answer_of(5), "text", redact)


@pytest.mark.parametrize("text", ["x" * 16384, "ä" * 8192])
def test_sixteen_kibibytes_pass(closed: Path, text: str) -> None:
    assert add_summary(closed, message_of(1), answer_of(1), text, redact)


@pytest.mark.parametrize("text", ["x" * 16385, "ä" * 8192 + "x"])
def test_a_byte_more_does_not(closed: Path, text: str) -> None:
    before = closed.read_bytes()
    with pytest.raises(SummaryError, match="longer than 16,384 bytes"):
        add_summary(closed, message_of(1), answer_of(1), text, redact)
    assert closed.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"x" * 16385, "longer than 16,384 bytes"), (b"ab\xffc", "not UTF-8: byte 2 is 0xff"), (b"ab\xe4", "not UTF-8")],
)
def test_a_file_is_utf8_and_no_longer(data: bytes, said: str) -> None:
    with pytest.raises(SummaryError, match=said):
        text_of(data)


def test_an_empty_text_is_no_summary(closed: Path) -> None:
    with pytest.raises(SummaryError, match="the text is empty"):
        add_summary(closed, message_of(1), answer_of(1), " \n", redact)


def test_a_session_that_is_open_is_refused_and_left_as_it_is(closed: Path) -> None:
    with Log.open(closed, redact=redact):
        before = closed.read_bytes()
        with pytest.raises(OwnedElsewhere, match=f"owned by process {os.getpid()} on "):
            add_summary(closed, message_of(1), answer_of(1), "text", redact)
        with pytest.raises(OwnedElsewhere):
            drop_summary(closed, 1, redact)
        assert closed.read_bytes() == before


@pytest.mark.parametrize(
    ("lines", "rest", "said"),
    [(6, 0, "event 3, turn.start, has no end"), (1, 40, "its last line was not written whole")],
)
def test_an_incomplete_log_is_refused_with_the_advice_to_resume_first(
    closed: Path, lines: int, rest: int, said: str
) -> None:
    whole = closed.read_bytes().split(b"\n")
    cut = b"\n".join([*whole[:lines], whole[lines][:rest]])
    closed.write_bytes(cut)
    with pytest.raises(Incomplete, match=rf"{said}. `nodwyn resume {closed.stem}` puts that right"):
        add_summary(closed, 2, 5, "text", redact)
    assert closed.read_bytes() == cut


def test_after_resuming_an_incomplete_log_takes_a_summary(closed: Path) -> None:
    whole = closed.read_bytes().split(b"\n")
    closed.write_bytes(b"\n".join([*whole[: message_of(4) + 4], whole[message_of(4) + 4][:40]]))
    Log.open(closed, redact=redact).close()
    assert add_summary(closed, message_of(1), answer_of(2), "text", redact)
    assert statuses(closed) == ["active"]


def test_a_span_that_is_damaged_is_refused(closed: Path) -> None:
    closed.write_bytes(closed.read_bytes().replace(b"question 1", b"question X"))
    before = closed.read_bytes()
    with pytest.raises(Damaged):
        add_summary(closed, message_of(1), answer_of(1), "text", redact)
    assert closed.read_bytes() == before


def test_a_log_that_is_damaged_at_its_end_is_refused(closed: Path) -> None:
    closed.write_bytes(closed.read_bytes().replace(b'"session.end"', b'"session.End"'))
    before = closed.read_bytes()
    with pytest.raises(Damaged):
        add_summary(closed, message_of(1), answer_of(1), "text", redact)
    with pytest.raises(Damaged):
        list_summaries(closed)
    assert closed.read_bytes() == before


def test_every_status_is_reached_in_one_log(make: Callable[[int], Path]) -> None:
    path = make(8)
    stale = add_summary(path, message_of(1), answer_of(1), "stale", redact)
    add_summary(path, message_of(2), answer_of(3), "superseded", redact)
    add_summary(path, message_of(3), answer_of(4), "active", redact)
    dropped = add_summary(path, message_of(5), answer_of(5), "dropped", redact)
    add_summary(path, message_of(7), answer_of(7), "recent", redact)
    drop_summary(path, dropped, redact)
    rewrite(path, "question 1", "question one")
    assert {each.text: each.status for each in list_summaries(path)} == {
        name: name for name in ("stale", "superseded", "active", "dropped", "recent")
    }
    assert stale


def rewrite(path: Path, old: str, new: object) -> None:
    """Change a log's text and renew its checksums, as whoever can write the file can."""
    before, after, lines = START.checksum, START.checksum, []
    for seq, line in enumerate(path.read_bytes().split(b"\n")[:-1], 1):
        members, before = unseal(line, before, seq)
        if members.get("text") == old:
            members["text"] = new
        members.pop("sum", None)
        sealed, after = seal(members, after)
        lines.append(sealed)
    path.write_bytes(b"".join(lines))


def test_a_second_drop_is_an_error(closed: Path) -> None:
    seq = add_summary(closed, message_of(1), answer_of(1), "text", redact)
    drop_summary(closed, seq, redact)
    with pytest.raises(SummaryError, match=f"summary {seq} was dropped before"):
        drop_summary(closed, seq, redact)


def test_a_wrong_number_is_an_error_that_lists_the_summaries(closed: Path) -> None:
    with pytest.raises(SummaryError, match="event 4 is no summary; this session has no summaries"):
        drop_summary(closed, 4, redact)
    seq = add_summary(closed, message_of(1), answer_of(1), "text", redact)
    with pytest.raises(SummaryError, match=f"event 4 is no summary; the summaries of this session are {seq}"):
        drop_summary(closed, 4, redact)


def test_dropping_the_newer_does_not_revive_the_older(closed: Path) -> None:
    add_summary(closed, message_of(1), answer_of(2), "older", redact)
    newer = add_summary(closed, message_of(2), answer_of(3), "newer", redact)
    assert statuses(closed) == ["superseded", "active"]
    drop_summary(closed, newer, redact)
    assert statuses(closed) == ["superseded", "dropped"]


def test_the_text_is_redacted_before_it_is_recorded(closed: Path) -> None:
    add_summary(closed, message_of(1), answer_of(1), f"the key is {KEY}", redact)
    assert KEY.encode() not in closed.read_bytes()
    (standing,) = list_summaries(closed)
    assert standing.text == "the key is [redacted:held-value]"


def test_later_rules_of_the_redactor_make_no_summary_stale(closed: Path) -> None:
    add_summary(closed, message_of(1), answer_of(1), "text", redact)
    stricter = recording(Redactor([KEY, "question 1"]))
    assert add_summary(closed, message_of(2), answer_of(2), "text", stricter)
    assert statuses(closed) == ["active", "active"]


def test_nothing_but_one_event_is_added(closed: Path) -> None:
    directory, before, log = closed.parent, set(os.listdir(closed.parent)), closed.read_bytes()
    seq = add_summary(closed, message_of(1), answer_of(1), "text", redact)
    drop_summary(closed, seq, redact)
    assert set(os.listdir(directory)) == before
    assert closed.read_bytes().startswith(log)
    assert [event.kind for event in read(closed)][-2:] == ["summary", "summary.drop"]


def test_an_event_that_is_not_as_this_program_records_it_is_an_error(closed: Path) -> None:
    add_summary(closed, message_of(1), answer_of(1), "text", redact)
    line = {"seq": 0, "at": "", "kind": "summary", "agent": "main", "first": "2"}
    before, lines = START.checksum, closed.read_bytes().split(b"\n")[:-1]
    for seq, text in enumerate(lines, 1):
        _, before = unseal(text, before, seq)
    sealed, _ = seal(line | {"seq": len(lines) + 1}, before)
    whole = closed.read_bytes()
    closed.write_bytes(whole + sealed)
    with pytest.raises(Damaged, match="no event as nodwyn records it: summary: first must be the seq of an event"):
        list_summaries(closed)
    closed.write_bytes(whole)
    rewrite(closed, "text", 7)
    with pytest.raises(Damaged, match=r"no event as nodwyn records it: summary: text must be text, got 7"):
        list_summaries(closed)


def test_a_log_of_another_kind_of_file_is_an_error(tmp_path: Path) -> None:
    missing = tmp_path / "20261009T034803Z-3981612f.jsonl"
    with pytest.raises(LogError, match="cannot be opened"):
        add_summary(missing, 1, 2, "text", redact)
