"""Exception handlers, ``raise`` and ``guard`` (section 6.11)."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import Any

from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.runtime.conditions import condition_of
from nodwyn.interp.runtime.continuations import Guard, Raised, raised_here, throw_now
from nodwyn.interp.runtime.frames import RAISING, SPECIAL, Frames
from nodwyn.interp.runtime.parameters import rebind
from nodwyn.interp.runtime.state import Escape, Handler, State

STOPS = (RecursionError, MemoryError)
"""Errors that no handler of a program may see: they end it."""

RETURNED_HINT = "leave it through a continuation or use raise-continuable"


def signal(tc: State, payload: Value) -> Value:
    """Start the innermost handler. Always answers ``None``, its request made, or leaves for a ``guard``."""
    handler = tc.handlers
    if handler is None:
        raise SchemeError(payload)
    if handler.__class__ is Handler:
        tc.handlers = handler.handlers
        tc.f, tc.a = handler.procedure, (payload,)
        return None
    raised = raised_here(tc, payload, handler, handler.clauses)
    if tc.winders is handler.winders:
        return throw_now(handler, raised)
    tc.f, tc.a = tc.rewind, (handler, raised)
    return None


def signal_on_heap(tc: State, payload: Value) -> Value:
    """Start the innermost handler for an error of a primitive whose frames are on the heap."""
    handlers = tc.handlers
    expect_no_return(tc, handlers.handlers if handlers is not None else None, payload)
    return signal(tc, payload)


def expect_no_return(tc: State, handlers: Handler | None, payload: Value) -> None:
    """Push the frame that a handler for ``payload`` must not return to; ``handlers`` are those it runs with."""
    tc.frames = (_returned, (tc, handlers, payload), tc.frames)


def _returned(value: Value, live: Any) -> Value:
    """What a handler for ``raise`` returns to: an error, in the handler's own context."""
    tc, outer, payload = live
    tc.handlers = outer
    return signal_on_heap(tc, _returned_from(payload))


def _returned_from(payload: Value) -> Condition:
    from nodwyn.interp.printer import abbreviated

    if isinstance(payload, Condition) and payload.hint == RETURNED_HINT:
        # A handler of this very error has returned: what was raised at first is what a person wants to know.
        payload = payload.irritants[0]
    message = f"a handler returned from a non-continuable raise of {abbreviated(payload)}"
    span = payload.span if isinstance(payload, Condition) else None
    return Condition("control", message, (payload,), span=span, hint=RETURNED_HINT)


def _restore(value: Value, live: Any) -> Value:
    """What a handler for ``raise-continuable``, or the body of ``guard``, returns to."""
    tc, handlers = live
    tc.handlers = handlers
    return value


def make_raise(tc: State) -> Callable[[Value], Value]:
    """Return ``raise`` for one interpreter."""
    run = tc.run

    def raise_object(payload: Value) -> Value:
        handlers = tc.handlers
        if handlers.__class__ is Guard and handlers.live and tc.winders is handlers.winders:
            raise Escape(handlers, raised_here(tc, payload, handlers, handlers.clauses))
        if handlers is None:
            raise SchemeError(payload)
        signal(tc, payload)
        run()
        tc.handlers = handlers.handlers
        return raise_object(_returned_from(payload))

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        variables = frame.f_locals
        return _returned, (tc, variables["handlers"].handlers, variables["payload"]), frames

    SPECIAL[id(raise_object.__code__)] = special
    RAISING.add(id(raise_object.__code__))
    return raise_object


def make_raise_continuable(tc: State) -> Callable[[Value], Value]:
    """Return ``raise-continuable`` for one interpreter."""
    run = tc.run

    def raise_continuable(payload: Value) -> Value:
        handlers = tc.handlers
        value = signal(tc, payload)
        if value is None:
            value = run()
        tc.handlers = handlers
        return value

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        return _restore, (tc, frame.f_locals["handlers"]), frames

    SPECIAL[id(raise_continuable.__code__)] = special
    RAISING.add(id(raise_continuable.__code__))
    return raise_continuable


def make_with_exception_handler(tc: State, raise_object: Callable[[Value], Value]) -> Callable[[Value, Value], Value]:
    """Return ``with-exception-handler`` for one interpreter, whose ``raise`` is given."""
    run = tc.run

    def with_exception_handler(handler: Value, thunk: Value) -> Value:
        if not callable(handler):
            raise _not_a_procedure("handler", handler)
        if not callable(thunk):
            raise _not_a_procedure("thunk", thunk)
        outer = tc.handlers
        tc.handlers = mine = Handler(handler, outer)
        try:
            value = thunk()
            if value is None:
                value = run()
        except STOPS:
            raise
        except Exception as error:
            if tc.handlers is not mine or tc.owed or isinstance(error, OverflowError):
                raise
            # A primitive failed: its handler runs here, inside its dynamic extent, with the stack still in place.
            payload = condition_of(tc, error)
            tc.handlers = outer
            value = handler(payload)
            if value is None:
                run()
            tc.handlers = outer
            return raise_object(_returned_from(payload))
        tc.handlers = outer
        return value

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        variables = frame.f_locals
        if "payload" in variables:
            return _returned, (tc, variables["outer"], variables["payload"]), frames
        return _restore, (tc, variables["outer"]), frames

    SPECIAL[id(with_exception_handler.__code__)] = special
    return with_exception_handler


def _not_a_procedure(parameter: str, got: Value) -> SchemeError:
    from nodwyn.interp.errors import wrong_type

    return wrong_type("with-exception-handler", parameter, "a procedure", got)


def make_guard(tc: State) -> Callable[[Value, Value], Value]:
    """Return the procedure behind ``guard``: of its body and of its clauses as a procedure.

    The clauses take the object raised and a procedure to raise it again.
    """
    run = tc.run

    def guard(body: Value, clauses: Value) -> Value:
        target = Guard()
        target.live = True
        target.clauses = clauses
        target.base = tc.base
        target.handlers = outer = tc.handlers
        target.winders = tc.winders
        target.bindings = tc.bindings
        tc.handlers = target
        depth = tc.depth
        try:
            value = body()
            if value is None:
                value = run()
            tc.handlers = outer
            return value
        except Escape as escape:
            if escape.args[0] is not target or tc.owed:
                raise
            raised: Raised = escape.args[1]
            raised.entry = escape.__traceback__
        except STOPS:
            raise
        except Exception as error:
            if tc.handlers is not target or tc.owed or isinstance(error, OverflowError):
                raise
            raised = raised_here(tc, condition_of(tc, error), target, clauses)
            raised.entry = error.__traceback__
            raised.failed = True
        finally:
            target.live = False
        tc.depth = depth
        tc.handlers = outer
        if tc.winders is not target.winders:
            raised = _rewind(tc, target, raised)
        if tc.bindings is not target.bindings:
            rebind(tc, target.bindings)
        try:
            if tc.n:
                tc.n -= 1
                return clauses(raised.payload, raised)
            tc.f, tc.a = clauses, (raised.payload, raised)
            return None
        finally:
            # The traceback in it holds this frame.
            del raised

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        target = frame.f_locals["target"]
        target.frames = frames
        return _restore, (tc, frame.f_locals["outer"]), frames

    SPECIAL[id(guard.__code__)] = special
    return guard


def _rewind(tc: State, target: Guard, raised: Raised) -> Raised:
    """Run the exits of ``dynamic-wind`` between an error of a primitive and its guard, on the guard's stack.

    Returns what the guard then has: what an exit raised is for the same guard.
    """
    while tc.winders is not target.winders:
        target.live = True
        tc.f, tc.a = tc.rewind, (target, raised)
        try:
            tc.run()
        except Escape as escape:
            if escape.args[0] is not target or tc.owed:
                raise
            if escape.args[1] is not raised:
                raised = escape.args[1]
                raised.entry = escape.__traceback__
        except STOPS:
            raise
        except Exception as error:
            if tc.handlers is not target or tc.owed or isinstance(error, OverflowError):
                raise
            raised = raised_here(tc, condition_of(tc, error), target, target.clauses)
            raised.entry = error.__traceback__
            raised.failed = True
        finally:
            target.live = False
    return raised
