"""Limits on a running program, and stopping it: by Ctrl-C, time, memory or depth.

A stop is no error that a program could handle: it unwinds everything, gives ``dynamic-wind`` exits a short allowance,
and ends as a condition of kind "limit" for whoever started the program. The interpreter can be used again.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from types import FrameType

from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition
from nodwyn.interp.numbers.limits import too_large
from nodwyn.interp.runtime.state import Unwind

DEFAULT_DEPTH = 10_000_000
TICK = 0.05
"""Seconds between two looks at a running program."""

GIANT_BITS = 1 << 22
"""Bits of an integer that soon takes a second to multiply with itself, which nothing can interrupt. Operations that are
written out do not ask for its size."""

PATIENCE = 10
"""Looks in a row or not that put a stop off because code of others is running: half a second in all."""

ALLOWANCE = 0.25
"""Seconds that the exits of ``dynamic-wind`` may take after a stop."""

INTERRUPTED = "interrupted"
"""The message of the condition for Ctrl-C."""


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
    return Stop(Condition("limit", INTERRUPTED))


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
        # A number and no file object: a stop may come between opening and closing, and nobody is to hear of that.
        statm = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            pages = int(os.read(statm, 256).split()[1])
        finally:
            os.close(statm)
    except (OSError, ValueError, IndexError):
        return 0.0
    import resource

    return pages * resource.getpagesize() / 1048576


def _now() -> float:
    import time

    return time.monotonic()


def within(limits: Limits, work: Callable[[], Value]) -> Value:
    """Return what ``work`` does, run under limits. Raises Stop at a limit, RecursionError at that of depth."""
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(limits.depth)
    try:
        if limits.seconds is None and limits.memory_mb is None:
            return work()
        return _watched(limits, work)
    finally:
        sys.setrecursionlimit(depth)


def _watched(limits: Limits, work: Callable[[], Value]) -> Value:
    # Imported where a limit is set: start-up time counts.
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return work()
    interval = min(TICK, limits.seconds or TICK)
    start = _now()
    watch = _Watch(limits, start)
    outer = signal.signal(signal.SIGALRM, watch.look)
    delay, period = signal.setitimer(signal.ITIMER_REAL, interval, TICK)
    if delay:
        watch.due, watch.period = start + delay, period
        watch.outer = outer if callable(outer) else None
    try:
        return work()
    finally:
        # First of all, and without a call: a tick in the midst of the rest would leave the timer running.
        watch.over = True
        rest = max(watch.due - _now(), TICK) if watch.due else 0
        signal.setitimer(signal.ITIMER_REAL, rest, period)
        signal.signal(signal.SIGALRM, outer)


class _Watch:
    """Looks at the clock and the memory from time to time.

    over: what it watched has ended. patience: how many more ticks may find code of others running.
    outer: handles the timer that there was before: an interpreter that called this one may be under a limit too. due:
    when that rings next, 0 for never. period: its seconds from then on.
    """

    __slots__ = ("due", "limits", "outer", "over", "patience", "period", "start")

    def __init__(self, limits: Limits, start: float) -> None:
        self.limits = limits
        self.start = start
        self.over = False
        self.patience = PATIENCE
        self.due = self.period = 0.0
        self.outer: Callable[[int, FrameType | None], object] | None = None

    def look(self, number: int, frame: FrameType | None) -> None:
        """Handle a tick of the timer. Raises Stop."""
        if self.over:
            return
        if self.patience and not _is_ours(frame):
            self.patience -= 1
            return
        limits = self.limits
        if self.outer is not None and self.due and (now := _now()) >= self.due:
            self.due = now + self.period if self.period else 0.0
            self.outer(number, frame)
        if limits.seconds is not None and _now() - self.start >= limits.seconds:
            raise _at_rest(_out_of_time(limits.seconds))
        if limits.memory_mb is not None and resident_mb() > limits.memory_mb:
            raise _at_rest(out_of_memory(limits))
        if frame is not None and any(_is_giant(value) for value in frame.f_locals.values()):
            raise _at_rest(Stop(too_large(None).payload))


def _at_rest(stop: Stop) -> Stop:
    """Return a stop to be raised at once. The collector rests until whoever entered Scheme has it: it would go through
    a deep stack over and over, as an object is made of every frame that is left."""
    gc.disable()
    return stop


def _is_ours(frame: FrameType | None) -> bool:
    """Return whether code of the engine, or made by it, is running.

    What others have hung on the collector swallows a stop, and prints that it did.
    """
    if frame is None:
        return True
    names = frame.f_globals
    return "%units" in names or str(names.get("__name__", "")).startswith("nodwyn.")


def _is_giant(value: Value) -> bool:
    return value.__class__ is int and value.bit_length() > GIANT_BITS
