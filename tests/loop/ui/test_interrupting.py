"""What signals mean, and when."""

from __future__ import annotations

import os
import signal

import pytest

from nodwyn.loop.ui.interrupting import Interrupts
from nodwyn.prims.guard.approvals import Answer, Question
from tests.loop.ui.conftest import SIGNALS

QUESTION = Question("", "", (), "")


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_raises_where_nothing_can_be_cancelled() -> None:
    interrupts = Interrupts()
    with interrupts.handled(), pytest.raises(KeyboardInterrupt):
        press()
    assert interrupts.status == 0


def test_the_first_ctrl_c_cancels_and_the_second_leaves() -> None:
    interrupts, cancelled = Interrupts(), list[bool]()
    with interrupts.handled(), interrupts.cancelling(lambda: cancelled.append(True)):
        press()
        assert cancelled == [True]
        with pytest.raises(KeyboardInterrupt):
            press()
    assert cancelled == [True]
    assert (interrupts.status, interrupts.reason) == (130, "the person interrupted it")


def test_a_later_ctrl_c_is_a_first_one_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodwyn.loop.ui.interrupting.TWICE", 0.0)
    interrupts, cancelled = Interrupts(), list[bool]()
    with interrupts.handled(), interrupts.cancelling(lambda: cancelled.append(True)):
        press()
        press()
    assert cancelled == [True, True]


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_the_systems_signals_leave_at_once(number: signal.Signals, status: int) -> None:
    interrupts = Interrupts()
    with interrupts.handled(), interrupts.cancelling(lambda: None), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)
    assert interrupts.status == status
    assert interrupts.reason


def test_nothing_disturbs_while_a_session_is_closed() -> None:
    interrupts = Interrupts()
    with interrupts.handled():
        interrupts.close()
        press()
        os.kill(os.getpid(), signal.SIGTERM)
    assert interrupts.status == 0


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts().handled():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_no_timer_is_left_behind_whenever_a_signal_came() -> None:
    _, before = signal.getitimer(signal.ITIMER_REAL)
    with Interrupts().handled():
        signal.setitimer(signal.ITIMER_REAL, 100, 100)
    assert signal.getitimer(signal.ITIMER_REAL)[1] == before


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interrupts = Interrupts()
        with interrupts.handled():
            os.kill(os.getpid(), signal.SIGHUP)
        assert interrupts.status == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def interrupted(question: Question) -> Answer:
    press()
    raise AssertionError("Ctrl-C came to nothing")


def test_ctrl_c_at_a_question_is_a_no_and_stops_the_turn() -> None:
    interrupts, cancelled = Interrupts(), list[bool]()
    ask = interrupts.asking(interrupted)
    with interrupts.handled(), interrupts.cancelling(lambda: cancelled.append(True)):
        assert ask(QUESTION) == Answer(False, "person")
    assert cancelled == [True]


def test_ctrl_c_at_a_question_of_the_persons_own_scheme_stops_that() -> None:
    interrupts = Interrupts()
    with interrupts.handled(), pytest.raises(KeyboardInterrupt):
        interrupts.asking(interrupted)(QUESTION)


def test_an_answer_changes_nothing() -> None:
    interrupts, cancelled = Interrupts(), list[bool]()
    with interrupts.handled(), interrupts.cancelling(lambda: cancelled.append(True)):
        assert interrupts.asking(lambda question: Answer(True, "person"))(QUESTION).yes
        press()
    assert cancelled == [True]
