"""Exception handlers, ``raise`` and ``guard`` (section 6.11)."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import Any

from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.runtime.conditions import condition_of
from nodwyn.interp.runtime.continuations import Guard, Raised, choosing, throw_now
from nodwyn.interp.runtime.frames import RAISING, SPECIAL, Frames, restore_handlers
from nodwyn.interp.runtime.parameters import rebind
from nodwyn.interp.runtime.state import Capture, Handler, State

STOPS = (RecursionError, MemoryError)
"""Errors that no handler of a program may see: they end it."""

PASSING = (*STOPS, OverflowError)
"""Errors that a guard lets pass: the last may be none (``runtime.overflow``)."""

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
    raised = Raised(handler, payload)
    raised.note_place(tc)
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


def make_raise(tc: State) -> Callable[[Value], Value]:
    """Return ``raise`` for one interpreter."""
    run = tc.run

    def raise_object(payload: Value) -> Value:
        handlers = tc.handlers
        if handlers.__class__ is Guard and handlers.live and tc.winders is handlers.winders:
            raise Raised(handlers, payload)
        if handlers is None:
            raise SchemeError(payload)
        signal(tc, payload)
        run()
        tc.handlers = handlers.handlers
        return raise_object(_returned_from(payload))

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        variables = frame.f_locals
        handlers = variables["handlers"]
        return frames if handlers is None else (_returned, (tc, handlers.handlers, variables["payload"]), frames)

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
        return restore_handlers, (tc, frame.f_locals["handlers"]), frames

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
        if "outer" not in variables:
            # One of the operands is no procedure.
            return frames
        if "payload" in variables:
            return _returned, (tc, variables["outer"], variables["payload"]), frames
        return restore_handlers, (tc, variables["outer"]), frames

    SPECIAL[id(with_exception_handler.__code__)] = special
    return with_exception_handler


def _not_a_procedure(parameter: str, got: Value) -> SchemeError:
    from nodwyn.interp.errors import wrong_type

    return wrong_type("with-exception-handler", parameter, "a procedure", got)


def make_guarding(tc: State) -> tuple[Callable[[], Guard], Callable[[Guard, BaseException], Raised | None]]:
    """Return what begins a ``guard``, and what says whether an exception in its body is for it."""

    def guarding() -> Guard:
        """Return a new guard, now the innermost handler."""
        target = Guard()
        target.live = True
        target.clauses = None
        target.base = tc.base
        target.handlers = tc.handlers
        target.winders = tc.winders
        target.bindings = tc.bindings
        target.depth = tc.depth
        tc.handlers = target
        return target

    def caught(target: Guard, error: BaseException) -> Raised | None:
        """Return what a guard has caught, the dynamic state its own; None if the exception is not for it."""
        target.live = False
        if error.__class__ is Raised:
            if error.args[0] is not target or tc.owed:
                return None
            raised: Raised = error
        elif not isinstance(error, Exception) or isinstance(error, PASSING) or tc.handlers is not target or tc.owed:
            return None
        else:
            raised = _failed(tc, target, error)
        tc.depth = target.depth
        tc.handlers = target.handlers
        if tc.winders is target.winders and tc.bindings is target.bindings:
            return raised
        raised.note_place(tc)
        if tc.winders is not target.winders:
            raised.entry = raised.entry or raised.__traceback__
            raised = _rewind(tc, target, raised)
            # The exits have run with the handlers that were in force in the body.
            tc.handlers = target.handlers
        rebind(tc, target.bindings)
        return raised

    return guarding, caught


def _failed(tc: State, target: Guard, error: Exception) -> Raised:
    """Return what a guard receives when a primitive fails."""
    raised = Raised(target, condition_of(tc, error))
    raised.entry = error.__traceback__
    raised.failed = True
    return raised


def make_guard(
    tc: State, guarding: Callable[[], Guard], caught: Callable[[Guard, BaseException], Raised | None]
) -> Callable[[Value, Value], Value]:
    """Return the procedure behind ``guard`` where it is not written in place: of its body and of its clauses.

    The clauses are a procedure of the object raised and of what ``%reraise`` wants.
    """
    run = tc.run

    def guard(body: Value, clauses: Value) -> Value:
        target = guarding()
        target.clauses = clauses
        raised = None
        try:
            value = body()
            if value is None:
                value = run()
            tc.handlers = target.handlers
            return value
        except BaseException as error:
            raised = caught(target, error)
            if raised is None:
                raise
        try:
            payload = raised.args[1]
            for _ in tc.credit:
                return clauses(payload, raised)
            tc.bounce(clauses, (payload, raised))
            return None
        finally:
            # The traceback in it holds this frame.
            del raised

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        variables = frame.f_locals
        target = variables["target"]
        target.live = False
        target.frames = choosing(tc, variables["clauses"], frames)
        # None while the body runs, gone once a capture has left the clauses.
        in_body = "raised" in variables and variables["raised"] is None
        return (restore_handlers, (tc, target.handlers), frames) if in_body else frames

    SPECIAL[id(guard.__code__)] = special
    return guard


def reraise(raised: Raised) -> Value:
    """Raise again what a guard has no clause for."""
    raise Capture(raised.reenter)


def _rewind(tc: State, target: Guard, raised: Raised) -> Raised:
    """Run the exits of ``dynamic-wind`` between a raise and its guard, on the guard's stack.

    Returns what the guard then has: what an exit raised is for the same guard.
    """
    while tc.winders is not target.winders:
        target.live = True
        tc.f, tc.a = tc.rewind, (target, raised)
        try:
            tc.run()
        except Raised as again:
            if again.args[0] is not target or tc.owed:
                raise
            if again is not raised:
                raised = again
                raised.note_place(tc)
                raised.entry = again.__traceback__
        except PASSING:
            raise
        except Exception as error:
            if tc.handlers is not target or tc.owed:
                raise
            raised = _failed(tc, target, error)
            raised.note_place(tc)
        finally:
            target.live = False
    return raised
