"""A client that is another process."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING

import pytest

from nodwyn.loop.protocol import Answered, Cancelled, Message, Said, to_line
from nodwyn.loop.providers.base import Delta
from nodwyn.loop.ui.jsonlines import READ_SIZE, JsonLines
from nodwyn.prims.guard.approvals import Answer, Question, Standing
from nodwyn.prims.log.events import ToolResult, TurnEnd
from nodwyn.prims.redact import Redactor

if TYPE_CHECKING:
    from _typeshed import TraceFunction

EDIT = Question("file: a.py", "d", ("it writes",), "edits")
OUTSIDE = Question("file: /etc/x", "d", ("it is outside",), "")


class Peer:
    """The other end: says messages, and reads what the client wrote."""

    def __init__(self, approve: Standing | None = None, *, listens: bool = True) -> None:
        self.out = io.StringIO()
        self.client = JsonLines(self.out, approve, listens=listens, redactor=Redactor(["hunter2-hunter2"]))
        self._input, self._end = os.pipe()
        if listens:
            self.client.listen(self._input)

    def say(self, *messages: Message | str) -> None:
        text = "".join(message if isinstance(message, str) else to_line(message) for message in messages)
        os.write(self._end, text.encode())

    def hang_up(self) -> None:
        if self._end >= 0:
            os.close(self._end)
            self._end = -1

    @property
    def unreadable(self) -> int:
        """A descriptor from which nothing can be read."""
        return self._end

    def questions(self) -> list[int]:
        return [message["id"] for message in map(json.loads, self.out.getvalue().splitlines())]


@pytest.fixture
def peer() -> Iterator[Callable[..., Peer]]:
    made: list[Peer] = []

    def make(approve: Standing | None = None, *, listens: bool = True) -> Peer:
        made.append(Peer(approve, listens=listens))
        return made[-1]

    yield make
    for each in made:
        each.hang_up()


def test_an_answer_to_another_question_is_none(peer: Callable[..., Peer]) -> None:
    other = peer()
    other.say(Answered(7, True), Answered(1, True, lasts=True))
    assert other.client.ask(EDIT) == Answer(True, "person", lasts=True)
    other.say(Answered(1, True), Answered(2, False))
    assert other.client.ask(EDIT) == Answer(False, "person")
    assert other.questions() == [1, 2]


def test_the_standing_answer_comes_first(peer: Callable[..., Peer]) -> None:
    other = peer("edits")
    other.say(Answered(1, True))
    assert other.client.ask(EDIT) == Answer(True, "--approve edits")
    assert other.client.ask(OUTSIDE) == Answer(True, "person")
    assert other.questions() == [1]


def test_who_does_not_listen_is_not_asked(peer: Callable[..., Peer]) -> None:
    other = peer(listens=False)
    assert other.client.ask(EDIT) == Answer(False, "not asked")
    assert other.questions() == []


def test_messages_wait_in_their_order_and_mistakes_are_passed_over(
    peer: Callable[..., Peer], capsys: pytest.CaptureFixture[str]
) -> None:
    other = peer()
    other.say(Said("one"), "\n", "{}\n", '{"type":"event","event":{"kind":"note"}}\n', Said("two\nlines"))
    other.say(to_line(Said("three")).rstrip("\n"))
    other.hang_up()
    assert [other.client.next_message() for _ in range(4)] == ["one", "two\nlines", "three", None]
    said = capsys.readouterr().err
    assert "there is no message of type None" in said
    assert "a client sends messages of type message, answer and cancel" in said


def test_the_end_of_input_is_a_no_to_every_question(peer: Callable[..., Peer]) -> None:
    other = peer()
    other.hang_up()
    assert [other.client.ask(EDIT).actor for _ in range(2)] == ["not asked: the client has gone"] * 2


@pytest.mark.parametrize("size", [READ_SIZE - 1, READ_SIZE, 50 * READ_SIZE])
def test_a_line_of_any_length_is_one_message(peer: Callable[..., Peer], size: int) -> None:
    other, text = peer(), "x" * size
    other.say(Said(text), Said("y"), "\n", Said(text), to_line(Said("end")).rstrip("\n"))
    other.hang_up()
    assert [other.client.next_message() for _ in range(5)] == [text, "y", text, "end", None]


def test_an_input_that_cannot_be_read_has_ended(peer: Callable[..., Peer], capsys: pytest.CaptureFixture[str]) -> None:
    other = peer(listens=False)
    client = JsonLines(other.out, "ask", listens=True, redactor=Redactor())
    client.listen(other.unreadable)
    assert client.next_message() is None
    assert client.ask(EDIT) == Answer(False, "not asked: the client has gone")
    assert client.has_refused
    assert "standard input cannot be read: Bad file descriptor" in capsys.readouterr().err
    assert "standard input cannot be read" in json.loads(other.out.getvalue().splitlines()[0])["text"]


@pytest.mark.parametrize("place", range(1, 5))
def test_a_stop_that_comes_while_a_question_is_put_answers_it(peer: Callable[..., Peer], place: int) -> None:
    """It comes before each line that puts a question, up to the wait for the answer."""
    client, seen = peer().client, 0
    client.say("go")

    def trace(frame: FrameType, event: str, _: object) -> TraceFunction | None:
        nonlocal seen
        if frame.f_code is not JsonLines._put.__code__:
            return None
        seen += event == "line"
        if event == "line" and seen == place:
            client.stop()
        return trace

    sys.settrace(trace)
    try:
        answer = client.ask(EDIT)
    finally:
        sys.settrace(None)
    assert answer == Answer(False, "person")


def test_a_cancel_is_a_no_to_the_questions_of_its_turn(peer: Callable[..., Peer]) -> None:
    other, cancelled = peer(), threading.Event()
    other.client.cancel = cancelled.set
    other.say(Said("go"), Said("go on"), Cancelled())
    assert cancelled.wait(30)
    assert other.client.is_stopped()
    assert other.client.ask(EDIT) == Answer(False, "person")
    assert other.questions() == []
    other.client.event(TurnEnd(turn=1, how="stopped"))
    assert not other.client.is_stopped()
    other.say(Answered(1, True))
    assert other.client.ask(EDIT).yes


def test_a_cancel_of_nothing_is_passed_over(peer: Callable[..., Peer]) -> None:
    other = peer()
    other.client.cancel = lambda: pytest.fail("something was stopped")
    other.say(Cancelled(), Said("go"))
    assert other.client.next_message() == "go"
    assert not other.client.is_stopped()
    other.client.event(TurnEnd(turn=1, how="done"))
    other.say(Cancelled(), Said("go on"))
    assert other.client.next_message() == "go on"
    assert not other.client.is_stopped()


def test_a_reader_that_has_gone_stops_the_turn() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stopped: list[bool] = []
    with os.fdopen(os.dup(writing), "w", buffering=1) as out:
        client = JsonLines(out, None, listens=False, redactor=Redactor())
        client.cancel = lambda: stopped.append(True)
        client.delta("main", Delta("text", "x"))
        client.delta("main", Delta("text", "y"))
        assert (client.is_gone, stopped) == (True, [True])
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    os.close(writing)


def test_what_a_command_says_is_redacted_and_whole_before_its_result(peer: Callable[..., Peer]) -> None:
    other = peer()
    # In pieces as they come from a pipe, a secret across two.
    for piece in ("one\ntwo\nthree\nfour\npassword: hunter2", "-hunter2\n", "no line end"):
        other.client.progress(9, "output", piece)
    other.client.progress(10, "output", "another call\n")
    early = [json.loads(line) for line in other.out.getvalue().splitlines()]
    assert early
    assert {message["call"] for message in early} == {9}
    other.client.event(ToolResult(call=9, ok=True, value=""))
    *said, result = map(json.loads, other.out.getvalue().splitlines())
    assert result["event"]["call"] == 9
    text = "".join(message["text"] for message in said)
    assert {message["call"] for message in said} == {9}
    assert text.startswith("one\ntwo\nthree\nfour\npassword: [redacted:")
    assert text.endswith("\nno line end")
    assert "hunter2" not in text
