"""Running a program to its end, whatever that is: a value, an error, an exit or a stop."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import NoReturn

from nodwyn.interp.data import NIL, Pair, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.limits import ALLOWANCE, Limits, Stop, interrupted, out_of_memory, too_deep, within
from nodwyn.interp.runtime import Runtime
from nodwyn.interp.runtime.state import Unwind


def run_limited(runtime: Runtime, limits: Limits, work: Callable[[], Value]) -> Value:
    """Run ``work`` under limits; raise SchemeError for whatever goes wrong.

    The runtime is then as if nothing had been running.
    """
    collects = gc.isenabled()
    try:
        return _run_limited(runtime, limits, work)
    finally:
        if collects:
            gc.enable()


def _run_limited(runtime: Runtime, limits: Limits, work: Callable[[], Value]) -> Value:
    try:
        return within(limits, lambda: with_conditions(runtime, work))
    except RecursionError:
        stop = too_deep(limits)
    except MemoryError:
        stop = out_of_memory(limits)
    except KeyboardInterrupt:
        stop = interrupted()
    except Stop as reached:
        # Without its traceback, which holds all the frames that were left.
        stop = Stop(reached.condition)
    finally:
        winders = runtime.tc.winders
        runtime.tc.reset()
    _leave_extents(runtime, winders)
    raise SchemeError(stop.condition) from None


def with_conditions(runtime: Runtime, work: Callable[[], Value]) -> Value:
    """Run ``work``; raise SchemeError for whatever goes wrong but a stop."""
    try:
        return work()
    except (RecursionError, MemoryError):
        raise
    except Exception as error:
        _fail(runtime, error)


def _fail(runtime: Runtime, error: Exception) -> NoReturn:
    from nodwyn.interp.runtime.conditions import condition_of, stack_of, where

    payload = condition_of(runtime.tc, error)
    failure = SchemeError(payload)
    stack = stack_of(error.__traceback__)
    failure.stack = stack
    if isinstance(payload, Condition) and payload.span is None:
        payload.span = where(error.__traceback__)
    # What a function of the host raised, if that was it.
    raise failure from error.__cause__


def _leave_extents(runtime: Runtime, winders: Value) -> None:
    """Run the exits of ``dynamic-wind`` that a stop has skipped, for as long as the allowance lasts."""
    if winders is NIL:
        return

    def leave() -> Value:
        rest = winders
        while rest.__class__ is Pair:
            runtime.tc.winders = rest.cdr
            runtime.call(rest.car.after)
            rest = rest.cdr
        return NIL

    try:
        within(Limits(seconds=ALLOWANCE), leave)
    except (Exception, Unwind, KeyboardInterrupt):
        pass
    finally:
        runtime.tc.reset()
