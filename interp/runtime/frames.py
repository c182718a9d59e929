"""From a traceback to frames on the heap.

A traceback entry has a Python frame, whose variables hold all that the rest of its function needs, and the index
of the instruction that called on. The instruction's position names the call's node; the unit makes from it
a function that does the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FrameType, TracebackType
from typing import Any

from nodwyn.interp.data import Value
from nodwyn.interp.runtime.parameters import rebind
from nodwyn.interp.runtime.state import State
from nodwyn.interp.runtime.units import BODY, BOUND, CLAUSES, Around, Site, Unit

Frames = Any
"""``None`` or ``(resume, live values, outer frames)``."""

Special = Callable[[State, FrameType, Frames], Frames]

SPECIAL: dict[int, Special] = {}
"""Functions of the runtime that have something to do when their callee returns: what becomes of their frames.

By the ``id`` of their code, which lives as long as the module that it is in: CPython hashes code by all of its
instructions.
"""


Kept = tuple[Unit, int]
"""A place in a program: the unit and the number of a node."""

Known = tuple[Unit, dict[int, int], int]
"""What is known of generated code: its unit, the nodes by instruction index, and the number of the routine it is of."""


def code_of(frame: FrameType) -> Known | None:
    """Return what is known of a frame's code, or None if it was not generated."""
    units = frame.f_globals.get("%units")
    if units is None:
        return None
    code = frame.f_code
    try:
        return units.codes[id(code)][1]  # type: ignore[no-any-return]
    except KeyError:
        found = None
        identity = code.co_consts[0] if code.co_consts else None
        if isinstance(identity, str):
            unit = units.named_by(identity)
            if unit is not None:
                found = unit, _numbers(code), _routine_of(identity)
        units.codes[id(code)] = code, found
        return found


def _numbers(code: CodeType) -> dict[int, int]:
    return {2 * i: position[2] or 0 for i, position in enumerate(code.co_positions())}


def _routine_of(identity: str) -> int:
    """Return the number of the routine that a docstring names; 0 for code that continues one."""
    number = identity.partition("#")[2].partition("#")[0]
    return int(number) if number else 0


CALLING: set[int] = set()
"""The functions of the trampolines that make requested calls: of their variable ``f`` with the arguments ``a``."""

BOUNCING: set[int] = set()
"""The trampolines behind call sites: what they call was called by a procedure that has gone, in tail position."""

ENTERING: set[int] = set()
"""The function that enters Scheme from Python. When an exception has left it, ``left`` are the frames on the heap."""

RAISING: set[int] = set()
"""The functions behind ``raise``: what they call to reach a ``guard`` is not part of the raise's continuation."""


def frames_from(
    tc: State, traceback: TracebackType | None, *, to_raise: bool = False, at_fault: bool = False
) -> Frames:
    """Return the frames of the current base with those of a traceback on top, and fill in live continuations.

    The rest is as for :func:`stack_frames`.
    """
    # The first entry is the base's own loop.
    entry = traceback.tb_next if traceback is not None else None
    frames = stack_frames(tc, entry, tc.frames, to_raise=to_raise, at_fault=at_fault)
    tc.owed = False
    return frames


def stack_frames(
    tc: State,
    entry: TracebackType | None,
    frames: Frames,
    *,
    to_raise: bool = False,
    at_fault: bool = False,
    inside: Any = None,
) -> Frames:
    """Push the frames of a traceback, outermost first, on ``frames``.

    to_raise: only up to the last ``raise`` in it, if there is one. at_fault: the innermost frame is one that failed.
    inside: a guard in the first frame, of which only what is in the body of that guard is pushed.
    """
    last = _last_raise(entry) if to_raise else None
    unseen: Kept | None = None
    while entry is not None:
        frame = entry.tb_frame
        code = id(frame.f_code)
        if unseen is not None and code in RAISING:
            frames, unseen = (keep_place, unseen, frames), None
        if code in SPECIAL:
            frames = SPECIAL[code](tc, frame, frames)
        else:
            found = code_of(frame)
            if found is not None:
                frames, unseen = _push(tc, found, entry, frames, inside)
        inside = None
        entry = entry.tb_next if entry is not last else None
    return (keep_place, unseen, frames) if unseen is not None and (to_raise or at_fault) else frames


def _last_raise(entry: TracebackType | None) -> TracebackType | None:
    last = None
    while entry is not None:
        if id(entry.tb_frame.f_code) in RAISING:
            last = entry
        entry = entry.tb_next
    return last


def _push(tc: State, known: Known, entry: TracebackType, frames: Frames, inside: Any) -> tuple[Frames, Kept | None]:
    """Push what is left to do in a frame; also return the place that it is at, if no frame pushed is there."""
    unit, numbers, routine = known
    number = numbers.get(entry.tb_lasti, 0)
    variables = entry.tb_frame.f_locals
    stays = False
    for around in unit.around(number, routine):
        stays = stays or around.role != CLAUSES
        if inside is None:
            frames = behind(tc, unit, around, variables, frames)
        elif variables.get(around.variable) is inside:
            inside = None
    site = unit.site(number)
    if site is not None:
        return _continuing(site, variables, frames), None
    if stays or unit.waits_at(number):
        return (keep_place, (unit, number), frames), None
    return frames, (unit, number)


def _continuing(site: Site | None, variables: Any, frames: Frames) -> Frames:
    if site is None:
        return frames
    resume, names = site
    # A variable that a procedure refers to may not have its value yet: it is given one before it is looked at.
    return resume, tuple([variables.get(name) for name in names]), frames


def behind(tc: State, unit: Unit, around: Around, variables: Any, frames: Frames) -> Frames:
    """Push what comes behind a form whose body is written where it stands, and what the body returns to."""
    frames = _continuing(unit.site(around.number), variables, frames)
    kept = variables.get(around.variable)
    if around.role == BOUND:
        return restore_bindings, (tc, kept), frames
    kept.live = False
    kept.frames = _continuing(unit.entry(around.clauses), variables, frames)
    return (restore_handlers, (tc, kept.handlers), frames) if around.role == BODY else frames


def keep_place(value: Value, live: Kept) -> Value:
    """What is there for errors to show where a procedure was that has nothing left to do: ``live`` is the place."""
    return value


def restore_handlers(value: Value, live: Any) -> Value:
    """What a handler for ``raise-continuable``, or the body of ``guard``, returns to."""
    tc, handlers = live
    tc.handlers = handlers
    return value


def restore_bindings(value: Value, live: Any) -> Value:
    """What the body of ``parameterize`` returns to."""
    tc, bindings = live
    rebind(tc, bindings)
    return value
