"""A timer around what is done: it disturbs what waits, and what was there before is there again."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator

import pytest

from nodwyn.loop.ticking import ticking


@pytest.fixture(autouse=True)
def timer() -> Iterator[None]:
    """Keep the timer that stops a test which takes too long."""
    outer = signal.getsignal(signal.SIGALRM)
    rest = signal.setitimer(signal.ITIMER_REAL, 0)
    yield
    signal.signal(signal.SIGALRM, outer)
    signal.setitimer(signal.ITIMER_REAL, *rest)


def looking(times: int) -> list[float]:
    """Return when it was looked: so many times, each a hundredth of a second after the other, if there is time."""
    looks: list[float] = []

    def look() -> bool:
        looks.append(time.monotonic())
        return len(looks) < times

    began = time.monotonic()
    with ticking(look, 0.01, 0.01):
        while time.monotonic() - began < 0.2:
            time.sleep(0.2)
    return looks


@pytest.mark.parametrize("times", [1, 3])
def test_it_is_looked_as_long_as_it_is_wanted(times: int) -> None:
    assert len(looking(times)) == times


def test_what_a_look_raises_is_raised_in_what_is_done() -> None:
    def look() -> bool:
        raise LookupError("late")

    with pytest.raises(LookupError, match="late"), ticking(look, 0.01, 0.01):
        time.sleep(5)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_one_within_another_gives_its_timer_back() -> None:
    outer: list[float] = []
    inner: list[float] = []

    def note(looks: list[float]) -> bool:
        looks.append(time.monotonic())
        return True

    with ticking(lambda: note(outer), 0.05, 0.05):
        with ticking(lambda: note(inner), 0.01, 0.01):
            began = time.monotonic()
            while time.monotonic() - began < 0.2:
                time.sleep(0.05)
        left = time.monotonic()
        while time.monotonic() - left < 0.2:
            time.sleep(0.05)
    assert inner
    assert all(look >= left for look in outer)
    assert outer


def test_another_thread_is_not_disturbed() -> None:
    found: list[list[float]] = []
    thread = threading.Thread(target=lambda: found.append(looking(3)))
    thread.start()
    thread.join()
    assert found == [[]]
