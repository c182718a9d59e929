"""The thread that syncs what no barrier did."""

from __future__ import annotations

import threading
import time

import pytest

from nodwyn.prims.log.late import LateSync


def test_wishes_of_a_while_are_one_call() -> None:
    called: list[float] = []
    late = LateSync(lambda: called.append(time.monotonic()), 0.1)
    begun = time.monotonic()
    while time.monotonic() < begun + 0.05:
        late.want()
    time.sleep(0.15)
    late.stop()
    assert len(called) == 1
    assert called[0] - begun >= 0.1


def test_a_wish_after_a_call_is_another_call() -> None:
    called = threading.Semaphore(0)
    late = LateSync(called.release, 0.01)
    for _ in range(3):
        late.want()
        assert called.acquire(timeout=5)
    late.stop()


def test_it_stops_even_just_before_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    late = LateSync(lambda: None, 0)
    stopping = threading.Thread(target=late.stop)
    really = late._wanted.clear

    def clear() -> None:
        stopping.start()
        late._stopped.wait()
        time.sleep(0.05)  # `stop` has made its own wish by now
        really()

    monkeypatch.setattr(late._wanted, "clear", clear)
    late.want()
    late._stopped.wait()
    stopping.join(timeout=5)
    assert not stopping.is_alive()


def test_it_stops_without_having_begun() -> None:
    done: list[None] = []
    late = LateSync(lambda: done.append(None), 0)
    late.stop()
    late.want()
    assert done == []
