"""Continuations: an escape while their frame is on the Python stack, heap frames once they outlive it."""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from types import FrameType, TracebackType
from typing import Any

from nodwyn.interp.data import Pair, Procedure, Value, several
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.runtime.frames import SPECIAL, Frames, keep_place, restore_handlers, stack_frames
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
        value = values[0] if len(values) == 1 else several(values)
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

    Its frames begin with the clauses, which are given what it receives. clauses: they as a procedure of the object
    raised and of a :class:`Raised`, None where they are written in the frame of the form. depth: that of the state.
    """

    __slots__ = ("clauses", "depth")

    clauses: Callable[[Value, Raised], Value] | None
    depth: int


def throw_now(target: Continuation, value: Value) -> Value:
    """Go to a continuation whose dynamic state has been reached."""
    if not target.live:
        raise Throw(target, value)
    raise value if value.__class__ is Raised else Escape(target, value)


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
    return value


class Raised(Escape):
    """What a ``guard`` receives, in ``args`` with the guard: the object raised; and how to go back in there.

    Where it was raised itself its traceback is that of the raise, and most of the rest is never asked for. entry:
    otherwise, the traceback from the guard inward; or frames: all heap frames of the raise, where the guard was on the
    heap itself. winders, bindings: those of the raise, unless they are the guard's (winders is None then). failed: a
    primitive raised it, and what its frames wait for is no value.
    """

    winders: Value = None
    bindings: Bindings = None
    entry: TracebackType | None = None
    frames: Frames = None
    failed = False

    def note_place(self, tc: State) -> None:
        """Keep the dynamic state as that of the raise, unless that is known."""
        if self.winders is None:
            self.winders, self.bindings = tc.winders, tc.bindings

    def reenter(self, tc: State) -> Value:
        """Raise the object again in its own context, to the handler outside the guard. All frames are on the heap."""
        guard: Guard = self.args[0]
        if tc.frames is not None and tc.frames[0] is keep_place:
            # The place in the clauses that this comes from: nobody is to see that the guard was left.
            tc.frames = tc.frames[2]
        if guard.clauses is not None:
            guard.frames = choosing(tc, guard.clauses, tc.frames)
        target = continuation_here(tc)
        entry = self.entry or self.__traceback__
        frames = self.frames
        if frames is None:
            outside = restore_handlers, (tc, guard.handlers), tc.frames
            if guard.clauses is not None and entry is not None:
                # The first entry is the guard's own.
                entry = entry.tb_next
            frames = stack_frames(tc, entry, outside, to_raise=True, inside=guard)
            # Both have all that the frames of the raise refer to, and one of those may have this object.
            self.frames = frames
            self.entry = self.__traceback__ = None
        target.frames = _signal_again, (tc, self), frames
        target.handlers = guard.handlers
        if self.winders is None:
            target.winders, target.bindings = guard.winders, guard.bindings
        else:
            target.winders, target.bindings = self.winders, self.bindings
        tc.f = throw_now if tc.winders is target.winders else tc.rewind
        tc.a = (target, self)
        return None


def _signal_again(raised: Value, live: Any) -> Value:
    from nodwyn.interp.runtime.handlers import expect_no_return, signal

    tc, _ = live
    guard, payload = raised.args
    if raised.failed:
        expect_no_return(tc, guard.handlers, payload)
    return signal(tc, payload)


def choosing(tc: State, clauses: Callable[[Value, Raised], Value], frames: Frames) -> Frames:
    """Push the clauses of a ``guard``."""
    return _choose, (tc, clauses), frames


def _choose(raised: Value, live: Any) -> Value:
    tc, clauses = live
    tc.f, tc.a = clauses, (raised.args[1], raised)
    return None


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
            # The request to throw is done: it must not look as if somebody kept the continuation.
            tc.a = ()
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
