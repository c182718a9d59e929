"""Turns that would not end by themselves: the seconds of the turn, and calls that go round in a circle, end them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.guard.approvals import Answer, Question
from tests.loop.conftest import Converse
from tests.loop.test_strategy import YES, replies


@pytest.mark.parametrize(
    "model",
    [
        "(define (reply request) (let loop () (loop)))",
        "(define (reply request) (guard (e (#t (reply request))) (let loop () (loop))))",
        "(define (reply request) 1) (let loop () (loop))",
        replies('((call shell-exec (line . "sleep 30")))', '("done")'),
        replies("((call spin))", '("done")'),
    ],
    ids=["model", "model that handles all", "model that is not there", "tool", "script"],
)
def test_whatever_is_under_way_ends_with_the_seconds_of_the_turn(converse: Converse, model: str) -> None:
    talk = converse(model, answer=YES, limits={"seconds": 1})
    talk.conversation.scheme(
        "(offer-tool 'spin \"spin\" '() (lambda (arguments) (let loop () (loop)))) (set! tools (cons 'spin tools))"
    )
    started = time.monotonic()
    assert talk.say() == ("budget", "the turn's 1 second is used up")
    assert time.monotonic() - started < 10
    assert str(talk.conversation.scheme("(+ 1 2)")) == "3"


def test_a_strategy_without_end_ends_with_the_seconds_of_the_turn(converse: Converse) -> None:
    talk = converse(replies('("done")'), limits={"seconds": 1})
    talk.conversation.scheme("(define (run-turn) (run-turn))")
    assert talk.say() == ("budget", "the turn's 1 second is used up")


def test_a_script_of_the_persons_has_the_seconds_of_a_turn(converse: Converse, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir(mode=0o700)
    script = tmp_path / "config" / "init.scm"
    script.write_text("(let loop () (loop))")
    started = time.monotonic()
    with pytest.raises(SchemeError, match=r"init\.scm takes longer than the 1 second that a turn has"):
        converse(replies('("done")'), limits={"seconds": 1}, init=True)
    assert time.monotonic() - started < 10


def test_a_command_is_told_that_the_time_of_its_turn_was_over(converse: Converse) -> None:
    call = '((call shell-exec (line . "echo out; sleep 60")))'
    talk = converse(replies(call, '("done")'), answer=YES, limits={"seconds": 1})
    assert talk.say()[0] == "budget"
    (result,) = talk.events("tool.result")
    said = "stopped, as the time of its turn was over; it ended with exit 143 on SIGTERM"
    assert result["value"]["notes"] == [said]


@pytest.mark.parametrize("tool", ["fs-write", "put"], ids=["tool", "script"])
def test_seconds_in_which_the_person_thinks_do_not_end_a_turn(converse: Converse, root: Path, tool: str) -> None:
    call = f'((call {tool} (path . "a.txt") (content . "x")))'
    talk = converse(replies(call, '("done")'), answer=YES, limits={"seconds": 1})
    talk.conversation.scheme(
        """
        (offer-tool 'put "Put." '((path string "where") (content string "what"))
          (lambda (arguments) (fs-write (cdr (assq 'path arguments)) (cdr (assq 'content arguments)))))
        (set! tools (cons 'put tools))
        """
    )
    ask = talk.client.ask

    def slowly(question: Question) -> Answer:
        time.sleep(2)
        return ask(question)

    talk.session.guard.ask = slowly
    assert talk.say() == ("done", "")
    assert (root / "a.txt").read_text() == "x"


def test_a_model_that_goes_round_in_a_circle_is_told_and_then_stopped(converse: Converse, root: Path) -> None:
    (root / "a.txt").write_text("alpha\n")
    talk = converse(replies('((call fs-read (path . "a.txt")))'))
    assert talk.say() == (
        "stopped",
        "fs-read was called 12 times with the same arguments, and the result was the same each time",
    )
    assert len(talk.events("loop.msg")) == 1
    assert len(talk.events("llm.resp")) == 12
