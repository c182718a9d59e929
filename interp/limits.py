"""Limits on a running program, and stopping it: by Ctrl-C, time, memory or depth.

A stop is no error that a program could handle: it unwinds everything, gives ``dynamic-wind`` exits a short allowance,
and ends as a condition of kind "limit" for whoever started the program. The interpreter can be used again.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself, without making enumerations of it at every start
import gc
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition
from nodwyn.interp.numbers.limits import too_large
from nodwyn.interp.recursion import RecursionLimit
from nodwyn.interp.runtime.state import Unwind

DEFAULT_DEPTH = 4_000_000
"""Python frames: enough for a million nested calls that take up to four each. An endless recursion ends after about a
gigabyte and three seconds."""

TICK = 0.05
"""Seconds between two looks at a running program."""

GIANT_BITS = 1 << 22
"""Bits of an integer that soon takes a second to multiply with itself, which nothing can interrupt. Operations that are
written out do not ask for its size."""

_OPTIMIZED = 0x1
"""Flag of code whose variables are not those of a dictionary."""

PATIENCE = 10
"""Looks in a row or not that put a stop off because code of others is running: half a second in all."""

ALLOWANCE = 0.25
"""Seconds that the exits of ``dynamic-wind`` may take after a stop."""

LEAVING = 5e-7
"""Seconds that Python needs to leave a frame by an exception, more or less: it makes an object of each."""

GRACE = 0.3
"""Seconds after a time limit in which a deep stack may still be being left."""

PROBES = 5
"""Looks at a running program from one at the depth of its stack to the next: that takes 30 ms for a million calls."""

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
    """Ends a program: ``condition`` says why. is_of_space: it has nested calls, or needs memory, beyond a limit."""

    def __init__(self, condition: Condition, *, is_of_space: bool = False) -> None:
        self.condition = condition
        self.is_of_space = is_of_space


def interrupted() -> Stop:
    """Return the stop for Ctrl-C."""
    return Stop(Condition("limit", INTERRUPTED))


def _out_of_time(seconds: float) -> Stop:
    return Stop(Condition("limit", f"the time limit of {seconds:g} second{'' if seconds == 1 else 's'} is used up"))


def out_of_memory(limits: Limits) -> Stop:
    """Return the stop for a program that needs more memory than it may have."""
    if limits.memory_mb is None:
        return Stop(Condition("limit", "there is no more memory"), is_of_space=True)
    return Stop(Condition("limit", f"the memory limit of {limits.memory_mb:g} MiB is used up"), is_of_space=True)


def too_deep(limits: Limits) -> Stop:
    """Return the stop for calls nested more deeply than allowed."""
    condition = Condition(
        "limit", f"calls are nested more than {limits.depth} deep", hint=recursion_hint("a recursion")
    )
    return Stop(condition, is_of_space=True)


def recursion_hint(recursion: str) -> str:
    """Return what to think of where calls are nested too deeply. recursion: what recurs, such as "a recursion"."""
    return f"is {recursion} endless? if not, a loop does it without nesting: a call in tail position takes no space"


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
    with RecursionLimit(limits.depth), _Interrupts():
        if limits.seconds is None and limits.memory_mb is None:
            return work()
        return _watched(limits, work)


class _Interrupts:
    """Has the collector rest from Ctrl-C on, whatever that does otherwise, while a program runs."""

    __slots__ = ("outer", "over")

    def __init__(self) -> None:
        self.over = False
        self.outer: Any = None

    def __enter__(self) -> None:
        outer = _signal.getsignal(_signal.SIGINT)
        if callable(outer):
            self.outer = outer
            try:
                _signal.signal(_signal.SIGINT, self.take)
            except ValueError:
                # Another thread than the main one, which has the signals.
                self.outer = None

    def __exit__(self, *_: object) -> None:
        # As with a limit's timer: an interrupt in the midst of this would leave the handler in its place.
        self.over = True
        if self.outer is not None:
            _signal.signal(_signal.SIGINT, self.outer)

    def take(self, number: int, frame: FrameType | None) -> None:
        """Handle Ctrl-C. Raises what the handler outside does."""
        try:
            self.outer(number, frame)
        except BaseException:
            if not self.over:
                gc.disable()
            raise


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

    __slots__ = ("due", "limits", "looks", "outer", "over", "patience", "period", "start")

    def __init__(self, limits: Limits, start: float) -> None:
        self.limits = limits
        self.start = start
        self.over = False
        self.looks = 0
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
        if limits.seconds is not None and self._has_to_end(limits.seconds):
            raise _at_rest(_out_of_time(limits.seconds))
        if limits.memory_mb is not None and resident_mb() > limits.memory_mb:
            raise _at_rest(out_of_memory(limits))
        if frame is not None and has_giant(frame):
            raise _at_rest(Stop(too_large(None).payload))

    def _has_to_end(self, seconds: float) -> bool:
        """Return whether a program's time is used up, or will be when it has left all the calls that it is in."""
        rest = seconds - (_now() - self.start)
        if rest <= 0:
            return True
        self.looks += 1
        if self.looks % PROBES:
            return False
        depth = self.limits.depth
        if _is_deeper(depth // 2):
            # The limit of depth may come before the next look, and be the end.
            gc.disable()
        too_many = int((rest + GRACE) / LEAVING)
        return too_many < depth and _is_deeper(too_many)


def _is_deeper(frames: int) -> bool:
    try:
        sys._getframe(frames)
    except ValueError:
        return False
    return True


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


def has_giant(frame: FrameType) -> bool:
    """Return whether a variable of a frame holds an integer that makes every operation on it take long."""
    variables = frame.f_locals
    found = any(_is_giant(value) for value in variables.values())
    if variables.__class__ is dict and frame.f_code.co_flags & _OPTIMIZED:
        # CPython before 3.13 keeps this copy: a string in it could not grow in place before the next look.
        variables.clear()
    return found


def _is_giant(value: Value) -> bool:
    return value.__class__ is int and value.bit_length() > GIANT_BITS
