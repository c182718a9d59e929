"""Waiting for a line: no Ctrl-C is lost, and what was there before is there again."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from nodwyn.loop.ui import lines
from nodwyn.loop.ui.lines import signals_heeded


@pytest.fixture(autouse=True)
def timer() -> Iterator[None]:
    """Keep the timer that stops a test which takes too long."""
    outer = signal.getsignal(signal.SIGALRM)
    rest = signal.setitimer(signal.ITIMER_REAL, 0)
    yield
    signal.signal(signal.SIGALRM, outer)
    signal.setitimer(signal.ITIMER_REAL, *rest)


@contextmanager
def signal_that_disturbs_nothing() -> Iterator[int]:
    """Yield a descriptor to wait on; meanwhile Ctrl-C comes, as one does that comes just before the waiting begins.

    What waits is not disturbed by it, as another thread takes it from the system. After a time there is something to
    read, so that a test does not wait for ever.
    """
    reading, writing = os.pipe()
    over = threading.Event()

    def press() -> None:
        time.sleep(0.03)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        over.wait(3)
        os.write(writing, b"a line\n")

    thread = threading.Thread(target=press)
    thread.start()
    try:
        yield reading
    finally:
        over.set()
        with suppress(KeyboardInterrupt):
            thread.join()
        os.close(reading)
        os.close(writing)


def test_a_ctrl_c_just_before_the_waiting_begins_is_heeded() -> None:
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), signal_that_disturbs_nothing() as waited_for, signals_heeded():
        os.read(waited_for, 100)
    assert time.monotonic() - began < 2


def test_the_timer_and_its_handler_are_as_before() -> None:
    def before(number: int, frame: object) -> None:
        pass

    signal.signal(signal.SIGALRM, before)
    for stop in (None, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, 30, 7)
        with suppress(KeyboardInterrupt), signals_heeded():
            if stop is not None:
                raise stop
        assert signal.getsignal(signal.SIGALRM) is before
        rest, period = signal.setitimer(signal.ITIMER_REAL, 0)
        assert (0 < rest <= 30, period) == (True, 7)


def test_it_is_looked_no_longer_than_a_signal_can_come_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LOOKS", 2)
    monkeypatch.setattr(lines, "NEXT_LOOK", 0.01)
    with signals_heeded():
        time.sleep(0.3)
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_in_another_thread_nothing_is_done() -> None:
    seen: list[object] = []

    def look() -> None:
        with signals_heeded():
            seen.append(signal.getitimer(signal.ITIMER_REAL))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [(0, 0)]
