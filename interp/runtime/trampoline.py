"""The two trampolines: ``run``, behind call sites in generated code, and ``execute``, at the bottom of a stack.

A procedure that is called in tail position and out of credit stores the call in the state and returns ``None``. Every
``return`` on the way hands it on, up to a call site that is no tail call, which calls ``run``; or to ``execute``.
"""

from __future__ import annotations

from collections.abc import Callable

from nodwyn.interp.data import Value
from nodwyn.interp.runtime.continuations import Continuation, Guard, Raised, continuation_here, land, throw_now
from nodwyn.interp.runtime.frames import BOUNCING, CALLING, ENTERING, frames_from
from nodwyn.interp.runtime.parameters import rebind
from nodwyn.interp.runtime.state import Base, Capture, Escape, State, Throw


def make_run(tc: State) -> Callable[[], Value]:
    """Return the trampoline for call sites of one interpreter's code."""

    def run() -> Value:
        while True:
            f, a = tc.f, tc.a
            # Spelled out: f(*a) takes C stack on CPython 3.11.
            count = len(a)
            if count == 1:
                value = f(a[0])
            elif count == 2:
                value = f(a[0], a[1])
            elif count == 0:
                value = f()
            elif count == 3:
                value = f(a[0], a[1], a[2])
            elif count == 4:
                value = f(a[0], a[1], a[2], a[3])
            elif count == 5:
                value = f(a[0], a[1], a[2], a[3], a[4])
            elif count == 6:
                value = f(a[0], a[1], a[2], a[3], a[4], a[5])
            else:
                value = f(*a)
            if value is not None:
                return value

    BOUNCING.add(id(run.__code__))
    CALLING.add(id(run.__code__))
    return run


def execute(tc: State, f: Callable[..., Value], *a: Value) -> Value:
    """Call a Scheme procedure from Python and return its value.

    A full continuation captured inside reaches down to here and no further.
    """
    outer = (tc.base, tc.frames, tc.depth, tc.credit, tc.f, tc.a)
    base = Base(tc.base)
    tc.base, tc.frames, tc.depth = base, None, 0
    try:
        return _loop(tc, base, f, a)
    except BaseException:
        left = tc.frames  # noqa: F841  read off this frame, for the stack that is shown
        raise
    finally:
        tc.base, tc.frames, tc.depth, tc.credit, tc.f, tc.a = outer


ENTERING.add(id(execute.__code__))


def _loop(tc: State, base: Base, f: Callable[..., Value], a: tuple[Value, ...]) -> Value:
    tc.f, tc.a = f, a
    value: Value = None
    then: Callable[[State], Value] | None = None
    while True:
        try:
            # Going on may throw again: to the guard of an error whose frames have just been moved to the heap, say.
            if then is not None:
                value = then(tc)
            return _run_base(tc, base, value)
        except Capture as capture:
            tc.frames = frames_from(tc, capture.__traceback__)
            then = capture.then
        except (Escape, Throw) as throw:
            then = _landing(tc, base, throw)
            if then is None:
                raise
        except Exception as error:
            then = _handling(tc, error)
            if then is None:
                raise


def _run_base(tc: State, base: Base, value: Value) -> Value:
    """Make requested calls and continue frames on the heap, until none is left.

    Calls that concern the whole stack find it on the heap already. Written out at length: generators by re-entry
    come through here at every step.
    """
    call_cc = tc.call_cc
    while True:
        if value is not None:
            frame = tc.frames
            if frame is None:
                return value
            tc.frames = frame[2]
            value = frame[0](value, frame[1])
            continue
        f, a = tc.f, tc.a
        count = len(a)
        if f.__class__ is Continuation and count == 1 and f.winders is tc.winders and f.base is base and not f.live:
            # What calling it and `throw_now` come to.
            value = a[0]
            tc.frames = f.frames
            tc.handlers = f.handlers
            if tc.bindings is not f.bindings:
                rebind(tc, f.bindings)
            continue
        if f is throw_now:
            target, value = a
            if target.live or (target.base is not base and not target.reachable(base)):
                throw_now(target, value)
            if value.__class__ is Raised and target.__class__ is Guard:
                value.frames = tc.frames
            tc.frames = target.frames
            tc.handlers, tc.winders = target.handlers, target.winders
            if tc.bindings is not target.bindings:
                rebind(tc, target.bindings)
        elif count == 1:
            value = a[0](continuation_here(tc)) if f is call_cc else f(a[0])
        elif count == 0:
            value = f()
        else:
            value = f(*a)


CALLING.add(id(_run_base.__code__))


def _landing(tc: State, base: Base, throw: Escape | Throw) -> Callable[[State], Value] | None:
    """Return how to go on at a continuation that an exception carries here; None if it is to go further out."""
    target: Continuation
    target, value = throw.args
    if throw.__class__ is Raised:
        value = throw
    is_raised = value.__class__ is Raised and target.__class__ is Guard
    if is_raised:
        value.note_place(tc)
    if tc.owed or is_raised:
        frames = frames_from(tc, throw.__traceback__, to_raise=True)
        if is_raised:
            value.frames = frames
    if target.live or not target.reachable(base):
        return None
    return lambda tc: land(tc, target, value)


def _handling(tc: State, error: Exception) -> Callable[[State], Value] | None:
    """Return how to go on after an error of Python code: with the innermost handler, on top of the frames at fault.

    None if no handler is to see it. Whoever raised it here would keep all its frames until the collector comes.
    """
    from nodwyn.interp.runtime.conditions import condition_of
    from nodwyn.interp.runtime.handlers import signal_on_heap

    if isinstance(error, OverflowError):
        from nodwyn.interp.runtime.overflow import recover

        recovered = recover(tc, error)
        if recovered is not None:
            value, tc.frames = recovered
            return lambda tc: value
    if tc.handlers is None or isinstance(error, (RecursionError, MemoryError)):
        if tc.owed:
            frames_from(tc, error.__traceback__)
        return None
    payload = condition_of(tc, error)
    tc.frames = frames_from(tc, error.__traceback__, at_fault=True)
    return lambda tc: signal_on_heap(tc, payload)
