"""The state of one interpreter's running program, shared by generated code and the runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

from nodwyn.interp.data import NIL, Value
from nodwyn.interp.runtime.parameters import Bindings, rebind
from nodwyn.interp.runtime.units import Units

CREDIT = 160
"""Most tail calls made directly between two bounces: bounds the extra stack, and lets nearly all be plain calls."""

LEAST_CREDIT = 130
"""Credit varies: in a loop that uses up just as much each time round, its own call might never be the one to bounce."""

MAX_CALL_CC_DEPTH = 200
"""Procedures that ``call/cc`` has called and that have not returned; beyond it the stack goes to the heap."""


Handlers = Any
"""The innermost entry of the stack of exception handlers: a :class:`Handler`, a ``Guard``, or None."""


class Base:
    """One entry into Scheme from Python: the bottom of a Python stack of Scheme frames."""

    __slots__ = ("parent",)

    def __init__(self, parent: Base | None) -> None:
        self.parent = parent


class Handler:
    """An entry of the stack of exception handlers: a procedure. The other kind is a :class:`Guard`."""

    __slots__ = ("handlers", "procedure")

    def __init__(self, procedure: Any, handlers: Handlers) -> None:
        self.procedure = procedure
        self.handlers = handlers


class Extent:
    """A call of ``dynamic-wind`` whose thunk is running: its other procedures, and the dynamic state they run in."""

    __slots__ = ("after", "before", "bindings", "handlers")

    after: Value
    before: Value
    bindings: Bindings
    handlers: Handlers


class State:
    """What generated code calls ``%tc``.

    credit: has an element for each direct tail call that is left; a ``for`` takes one in a third of the time that
    counting needs. f, a: the requested call when a function has returned ``None``.
    frames: frames on the heap below the Python stack, innermost first, as ``(resume, live values, next)``.
    handlers, winders, bindings: the dynamic state of section 6.10 and 6.11 (winders is a Scheme list
    of :class:`Extent`, innermost first; see ``runtime.parameters`` for bindings).
    captures: continuations made so far; what is built anew with none in between cannot be seen half built.
    depth: calls of ``call/cc`` on the Python stack. owed: an exception has passed a ``call/cc`` whose
    continuation is still referred to, so the stack must be copied from the traceback before it is lost.
    """

    __slots__ = (
        "a",
        "base",
        "bindings",
        "call_cc",
        "captures",
        "credit",
        "depth",
        "f",
        "frames",
        "handlers",
        "noise",
        "owed",
        "rewind",
        "run",
        "units",
        "winders",
    )

    def __init__(self) -> None:
        self.credit: Iterator[None] = repeat(None, CREDIT)
        self.noise = 0
        self.f: Callable[..., Value] = _nothing
        self.a: tuple[Value, ...] = ()
        self.frames: Any = None
        self.handlers: Handlers = None
        self.winders: Value = NIL
        self.bindings: Bindings = None
        self.captures = 0
        self.depth = 0
        self.owed = False
        self.base: Base | None = None
        self.units = Units()
        self.rewind: Callable[..., Value] = _nothing
        """The Scheme procedure that runs ``dynamic-wind`` thunks on the way to a continuation."""
        self.run: Callable[[], Value] = _nothing
        self.call_cc: Callable[[Value], Value] = _nothing

    def bounce(self, f: Callable[..., Value], a: tuple[Value, ...]) -> None:
        """Request a call in the place of the caller, which returns ``None`` then; give credit for those after it."""
        self.f, self.a = f, a
        self.noise = noise = (self.noise * 1103515245 + 12345) & 0x7FFFFFFF
        self.credit = repeat(None, LEAST_CREDIT + noise % (CREDIT - LEAST_CREDIT + 1))

    def reset(self) -> None:
        """Forget what an abandoned program left behind."""
        self.credit = repeat(None, CREDIT)
        self.f, self.a = _nothing, ()
        self.frames = None
        self.handlers = None
        self.winders = NIL
        rebind(self, None)
        self.depth = 0
        self.owed = False
        self.base = None


def _nothing(*_: Value) -> Value:
    raise AssertionError("the trampoline was entered without a request")


class Unwind(BaseException):
    """Base of what unwinds the Python stack without being an error; no Scheme handler sees it."""


class Escape(Unwind):
    """Goes to the frame of a ``call/cc`` or ``guard`` that is still on the Python stack.

    ``args`` are the continuation and the value for it.
    """


class Throw(Unwind):
    """Goes to a continuation whose frames are on the heap; ``args`` as those of :class:`Escape`."""


class Capture(Unwind):
    """Moves the whole Python stack to the heap; the base then goes on with what ``then`` returns.

    ``then`` is called with the state, its ``frames`` complete, and returns a value for the innermost frame,
    or ``None`` after leaving a request.
    """

    def __init__(self, then: Callable[[State], Value]) -> None:
        self.then = then
