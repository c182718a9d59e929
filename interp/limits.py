"""Limits on a running program, and stopping it: by Ctrl-C, time, memory or depth.

A stop is no error that a program could handle: it unwinds everything, gives ``dynamic-wind`` exits a short allowance, and
ends as a condition of kind "limit" for whoever started the program. The interpreter can be used again.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from nodwyn.interp.errors import Condition
from nodwyn.interp.runtime.state import Unwind

DEFAULT_DEPTH = 10_000_000
TICK = 0.05
"""Seconds between two looks at the memory in use."""

ALLOWANCE = 0.25
"""Seconds that the exits of ``dynamic-wind`` may take after a stop."""


class Limits:
    """Bounds on one evaluation.

    seconds: of wall-clock time, None for no bound; kept only in the main thread. memory_mb: of resident memory of
    the whole process, in MiB. depth: of nested calls, in Python frames.
    """

    def __init__(
        self, seconds: float | None = None, memory_mb: float | None = None, depth: int = DEFAULT_DEPTH
    ) -> None:
        self.seconds = seconds
        self.memory_mb = memory_mb
        self.depth = depth


class Stop(Unwind):
    """Ends a program: ``condition`` says why."""

    def __init__(self, condition: Condition) -> None:
        self.condition = condition


def interrupted() -> Stop:
    """Return the stop for Ctrl-C."""
    return Stop(Condition("limit", "interrupted"))


def _out_of_time(seconds: float) -> Stop:
    return Stop(Condition("limit", f"the time limit of {seconds:g} seconds is used up"))


def out_of_memory(limits: Limits) -> Stop:
    """Return the stop for a program that needs more memory than it may have."""
    if limits.memory_mb is None:
        return Stop(Condition("limit", "there is no more memory"))
    return Stop(Condition("limit", f"the memory limit of {limits.memory_mb:g} MiB is used up"))


def too_deep(limits: Limits) -> Stop:
    """Return the stop for calls nested more deeply than allowed."""
    return Stop(Condition("limit", f"calls are nested more than {limits.depth} deep", hint="is a recursion endless?"))


def resident_mb() -> float:
    """Return the resident memory of this process in MiB, 0.0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            pages = int(statm.read().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    import resource

    return pages * resource.getpagesize() / 1048576


def _now() -> float:
    import time

    return time.monotonic()


@contextmanager
def limited(limits: Limits) -> Iterator[None]:
    """Run a program under limits. Signals are handled in the main thread only."""
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(limits.depth)
    try:
        if threading.current_thread() is threading.main_thread():
            with _signals(limits):
                yield
        else:
            yield
    finally:
        sys.setrecursionlimit(depth)


@contextmanager
def _signals(limits: Limits) -> Iterator[None]:
    restore: list[tuple[int, Any]] = []

    def handle(number: int, handler: Callable[[int, FrameType | None], None]) -> None:
        restore.append((number, signal.signal(number, handler)))

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise interrupted()

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        handle(signal.SIGINT, interrupt)
    timer = limits.seconds is not None or limits.memory_mb is not None
    if timer:
        handle(signal.SIGALRM, _watch(limits))
        interval = TICK if limits.memory_mb is not None else (limits.seconds or TICK)
        signal.setitimer(signal.ITIMER_REAL, interval, TICK)
    try:
        yield
    finally:
        if timer:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in restore:
            signal.signal(number, handler)


def _watch(limits: Limits) -> Callable[[int, FrameType | None], None]:
    start = _now()

    def look(number: int, frame: FrameType | None) -> None:
        if limits.seconds is not None and _now() - start >= limits.seconds:
            raise _out_of_time(limits.seconds)
        if limits.memory_mb is not None and resident_mb() > limits.memory_mb:
            raise out_of_memory(limits)

    return look
