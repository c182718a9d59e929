"""Running a program to its end, whatever that is: a value, an error, an exit or a stop."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from nodwyn.interp.data import NIL, Pair, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.limits import (
    ALLOWANCE,
    Limits,
    Stop,
    interrupted,
    out_of_memory,
    recursion_hint,
    too_deep,
    within,
)
from nodwyn.interp.runtime import Runtime
from nodwyn.interp.runtime.state import Unwind

RECURRENCES = 10
"""How often a procedure is among the innermost ones of a stack that is said to be a recursion of it."""

NAMED = 3
"""Procedures that such a hint names."""


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
    except (RecursionError, MemoryError, KeyboardInterrupt, Stop) as error:
        failure = _failure_of_stop(limits, error)
    finally:
        winders = runtime.tc.winders
        runtime.tc.reset()
    _leave_extents(runtime, winders)
    try:
        raise failure from None
    finally:
        # Its traceback holds this frame.
        del failure


def _failure_of_stop(limits: Limits, error: BaseException) -> SchemeError:
    """Return what whoever started a program gets of a stop, with the place where it was, if that is soon found.

    The exception itself is not kept: its traceback holds all the frames that were left.
    """
    if isinstance(error, (Stop, KeyboardInterrupt)) and isinstance(error.__context__, RecursionError):
        # It came while these calls were being left.
        error = error.__context__
    stop = _stop_of(limits, error)
    condition = stop.condition
    failure = SchemeError(condition)

    def find_place() -> Value:
        from nodwyn.interp.runtime.conditions import stack_of, where
        from nodwyn.interp.runtime.places import last_entries

        entries = last_entries(error.__traceback__)
        failure.stack = stack_of(entries)
        condition.span = where(entries)
        return NIL

    _allow(find_place)
    if stop.is_of_space:
        condition.hint = _recursion_hint(failure.stack) or condition.hint
    return failure


def _stop_of(limits: Limits, error: BaseException) -> Stop:
    if isinstance(error, RecursionError):
        return too_deep(limits)
    if isinstance(error, MemoryError):
        return out_of_memory(limits)
    return error if isinstance(error, Stop) else interrupted()


def _recursion_hint(stack: list[tuple[str, Any]]) -> str:
    """Return a hint that names the procedures that call themselves, by way of others or not; "" if none is seen to."""
    counts: dict[str, int] = {}
    for name, span in stack:
        if span is not None and name:
            counts[name] = counts.get(name, 0) + 1
    again = [name for name, count in counts.items() if count >= RECURRENCES][:NAMED]
    return recursion_hint(f"the recursion of {' and '.join(again)}") if again else ""


def _allow(work: Callable[[], Value]) -> None:
    """Do something that a stopped program may take a moment for; give it up when the allowance is used up."""
    try:
        within(Limits(seconds=ALLOWANCE), work)
    except (Exception, Unwind, KeyboardInterrupt):
        pass


def with_conditions(runtime: Runtime, work: Callable[[], Value]) -> Value:
    """Run ``work``; raise SchemeError for whatever goes wrong but a stop."""
    try:
        return work()
    except (RecursionError, MemoryError):
        raise
    except Exception as error:
        failure, cause = _failure_of_error(runtime, error), error.__cause__
    try:
        # What a function of the host raised, if that was it. Not in the clause above: all that the program's frames
        # hold would live as long as the failure.
        raise failure from cause
    finally:
        # Its traceback holds this frame.
        del failure, cause


def _failure_of_error(runtime: Runtime, error: Exception) -> SchemeError:
    from nodwyn.interp.runtime.conditions import condition_of, stack_of, where

    payload = condition_of(runtime.tc, error)
    failure = SchemeError(payload)
    failure.stack = stack_of(error.__traceback__)
    if isinstance(payload, Condition) and payload.span is None:
        payload.span = where(error.__traceback__)
    return failure


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
        _allow(leave)
    finally:
        runtime.tc.reset()
