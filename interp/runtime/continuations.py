"""Continuations: an escape while their frame is on the Python stack, heap frames once they outlive it."""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from types import FrameType, TracebackType
from typing import Any

from nodwyn.interp.data import Pair, Procedure, Value, Values
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.runtime.frames import SPECIAL, Frames, stack_frames
from nodwyn.interp.runtime.parameters import Bindings, rebind
from nodwyn.interp.runtime.state import MAX_CALL_CC_DEPTH, Base, Capture, Escape, Handlers, State, Throw


class Continuation(Procedure):
    """What ``call/cc`` passes on. Made by :func:`continuation_here`.

    live: its ``call/cc`` is on the Python stack. frames: its frames on the heap, once it is not.
    base: the entry into Scheme that it belongs to. The rest is the dynamic state to go back to.
    """

    __slots__ = ("base", "bindings", "frames", "handlers", "live", "tc", "winders")

    base: Base | None
    bindings: Bindings
    frames: Frames
    handlers: Handlers
    live: bool
    tc: State
    winders: Value

    def __call__(self, *values: Value) -> Value:
        tc = self.tc
        if self.base is not tc.base and not self.live:
            self._require_base()
        value = values[0] if len(values) == 1 else Values(values)
        tc.f = throw_now if tc.winders is self.winders else tc.rewind
        tc.a = (self, value)
        return None

    def reachable(self, base: Base) -> bool:
        """Say whether a base can go on with this continuation.

        Its own can; so can the outermost with that of an earlier outermost one, which is done.
        """
        own = self.base
        return own is base or own is None or (base.parent is None and own.parent is None)

    def _require_base(self) -> None:
        """Raise an error, where the continuation is called, if what it belongs to has returned."""
        base = self.tc.base
        while base is not None:
            if self.reachable(base):
                return
            base = base.parent
        message = "the continuation was captured inside a procedure called by a builtin that has returned"
        raise SchemeError(Condition("control", message))


def continuation_here(tc: State) -> Continuation:
    """Return the continuation of what is running: with its frames on the heap, and the dynamic state."""
    tc.captures += 1
    made = Continuation()
    made.tc = tc
    made.live = False
    made.frames = tc.frames
    made.base = tc.base
    made.handlers = tc.handlers
    made.winders = tc.winders
    made.bindings = tc.bindings
    return made


class Guard(Continuation):
    """The continuation of a ``guard`` form, which is also its entry on the stack of exception handlers.

    clauses: its clauses as a procedure of the object raised and of one that raises it again.
    """

    __slots__ = ("clauses",)

    clauses: Callable[[Value, Value], Value]


def throw_now(target: Continuation, value: Value) -> Value:
    """Go to a continuation whose dynamic state has been reached."""
    raise (Escape if target.live else Throw)(target, value)


def call_cc_on_heap(tc: State, procedure: Value) -> Value:
    """``call/cc`` where all frames are on the heap."""
    tc.f, tc.a = procedure, (continuation_here(tc),)
    return None


def land(tc: State, target: Continuation, value: Value) -> Value:
    """Make a continuation's frames and dynamic state the current ones; return the value for it."""
    tc.frames = target.frames
    tc.handlers, tc.winders = target.handlers, target.winders
    if tc.bindings is not target.bindings:
        rebind(tc, target.bindings)
    if value.__class__ is Raised:
        tc.f, tc.a = value.clauses, (value.payload, value)
        return None
    return value


class Raised(Procedure):
    """What a ``guard`` receives: the object raised, its clauses, and how to go back in where it was raised.

    As a procedure, raises the object again in its own context, to the handler outside the guard.
    handlers: those outside the guard. winders, bindings: those of the raise. entry: the traceback from the
    guard inward; or frames: all heap frames of the raise, where the guard was on the heap itself. failed: a
    primitive raised it, and what its frames wait for is no value.
    """

    __slots__ = ("bindings", "clauses", "entry", "failed", "frames", "handlers", "payload", "winders")

    bindings: Bindings
    clauses: Callable[[Value, Value], Value]
    entry: TracebackType | None
    failed: bool
    frames: Frames
    handlers: Handlers
    payload: Value
    winders: Value

    def __call__(self, *_: Value) -> Value:
        raise Capture(self._reenter)

    def _reenter(self, tc: State) -> Value:
        target = continuation_here(tc)
        entry = self.entry.tb_next if self.entry is not None else None
        target.frames = self.frames if entry is None else stack_frames(tc, entry, tc.frames, to_raise=True)
        target.handlers, target.winders, target.bindings = self.handlers, self.winders, self.bindings

        def signal_again(payload: Value, _: Value) -> Value:
            from nodwyn.interp.runtime.handlers import expect_no_return, signal

            if self.failed:
                expect_no_return(tc, self.handlers, payload)
            return signal(tc, payload)

        tc.f = throw_now if tc.winders is target.winders else tc.rewind
        tc.a = (target, raised_here(tc, self.payload, target, signal_again))
        return None


def raised_here(tc: State, payload: Value, target: Continuation, clauses: Callable[[Value, Value], Value]) -> Raised:
    """Return what a guard receives for an object raised just now. target: the guard's continuation."""
    made = Raised()
    made.payload = payload
    made.clauses = clauses
    made.handlers = target.handlers
    made.winders = tc.winders
    made.bindings = tc.bindings
    made.entry = made.frames = None
    made.failed = False
    return made


def make_call_cc(tc: State) -> Callable[[Value], Value]:
    """Return ``call/cc`` for one interpreter."""
    run = tc.run

    def call_cc(procedure: Value) -> Value:
        depth = tc.depth
        if depth > MAX_CALL_CC_DEPTH:
            raise Capture(lambda tc: call_cc_on_heap(tc, procedure))
        continuation = continuation_here(tc)
        continuation.live = True
        tc.depth = depth + 1
        try:
            value = procedure(continuation)
            if value is None:
                value = run()
        except Escape as escape:
            tc.depth = depth
            continuation.live = False
            if escape.args[0] is not continuation or tc.owed:
                if getrefcount(continuation) > _ALONE:
                    tc.owed = True
                raise
            value = escape.args[1]
            tc.handlers = continuation.handlers
            if tc.bindings is not continuation.bindings:
                rebind(tc, continuation.bindings)
        except BaseException:
            tc.depth = depth
            continuation.live = False
            if getrefcount(continuation) > _ALONE:
                tc.owed = True
            raise
        tc.depth = depth
        continuation.live = False
        if getrefcount(continuation) > _ALONE:
            raise Capture(lambda tc: value)
        return value

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        continuation = frame.f_locals.get("continuation")
        if continuation is not None:
            continuation.frames = frames
            continuation.live = False
        return frames

    SPECIAL[id(call_cc.__code__)] = special
    return call_cc


def _references_of_own() -> int:
    """Return the reference count of an object that one local variable alone refers to, as ``getrefcount`` says it."""
    alone: Any = object()
    return getrefcount(alone)


_ALONE = _references_of_own()


def winders_common(first: Value, second: Value) -> Value:
    """Return the longest common tail of two lists of winders."""
    lengths = []
    for winders in (first, second):
        count = 0
        while winders.__class__ is Pair:
            count += 1
            winders = winders.cdr
        lengths.append(count)
    while lengths[0] > lengths[1]:
        first, lengths[0] = first.cdr, lengths[0] - 1
    while lengths[1] > lengths[0]:
        second, lengths[1] = second.cdr, lengths[1] - 1
    while first is not second:
        first, second = first.cdr, second.cdr
    return first
