"""Exact integers that no inexact number can hold, in arithmetic with inexact ones.

Python refuses ``1.0 * 10**400``, where Scheme's answer is infinite. Generated code leaves the operation to Python, so
that it costs nothing; the one time it fails, the builtin computes it and the frame goes on behind it, on the heap.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from nodwyn.interp.core import Node
from nodwyn.interp.data import Char, Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.runtime.frames import SPECIAL, Frames, behind, code_of
from nodwyn.interp.runtime.places import place_of_frame, value_in
from nodwyn.interp.runtime.state import State


def recover(tc: State, error: OverflowError) -> tuple[Value, Frames] | None:
    """Return the value of the operation that failed, and the frames to return it to; None if it cannot be had again."""
    from nodwyn.interp.analyse.nodes import Primitive

    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    if entry is None or code_of(entry.tb_frame) is None:
        return None
    place = place_of_frame(entry)
    node = place.node
    if not isinstance(node, Primitive):
        return None
    site = place.unit.site(-node.number)
    operands = [value_in(place, operand) for operand in node.operands]
    if site is None or not all(found for found, _ in operands):
        return None
    live = _live(place, site[1])
    if live is None:
        return None
    try:
        value = place.unit.globals[node.name](*[each for _, each in operands])
    except SchemeError:
        return None
    try:
        outer = _around(tc, entry, _callers(tc, error.__traceback__, entry))
    except _LostError:
        return None
    return value, (site[0], live, outer)


class _LostError(Exception):
    """A frame cannot be continued: what it had computed already is gone."""


def _callers(tc: State, entry: TracebackType | None, last: TracebackType) -> Frames:
    """Return the frames of a traceback but for the last, those that no continuation could capture too."""
    frames = tc.frames
    # The first entry is the base's own loop.
    entry = entry.tb_next if entry is not None else None
    while entry is not None and entry is not last:
        special = SPECIAL.get(id(entry.tb_frame.f_code))
        if special is not None:
            frames = special(tc, entry.tb_frame, frames)
        elif code_of(entry.tb_frame) is not None:
            frames = _caller(entry, _around(tc, entry, frames))
        entry = entry.tb_next
    return frames


def _around(tc: State, entry: TracebackType, frames: Frames) -> Frames:
    """Return the frames for the forms written where they stand that a frame is inside."""
    place = place_of_frame(entry)
    known = code_of(entry.tb_frame)
    assert known is not None
    for around in known[0].around(place.node.number if place.node is not None else 0, known[2]):
        site = known[0].site(around.number)
        if site is not None and not all(name in entry.tb_frame.f_locals for name in site[1]):
            raise _LostError
        frames = behind(tc, known[0], around, entry.tb_frame.f_locals, frames)
    return frames


def _caller(entry: TracebackType, frames: Frames) -> Frames:
    from nodwyn.interp.analyse.nodes import Invoke

    place = place_of_frame(entry)
    node = place.node
    if not isinstance(node, Invoke) or node.tail:
        return frames
    site = place.unit.site(node.number) or place.unit.site(-node.number)
    live = None if site is None else _live(place, site[1])
    if site is None or live is None:
        raise _LostError
    return site[0], live, frames


def _live(place: Any, names: tuple[str, ...]) -> tuple[Value, ...] | None:
    """Return the values of variables of a frame; those kept for operands are computed again where they are pure."""
    values = []
    for name in names:
        if name in place.frame.f_locals:
            values.append(place.frame.f_locals[name])
            continue
        node = place.unit.nodes().get(int(name[1:])) if name[1:].isdigit() else None
        found, value = value_in(place, node) if node is not None else (False, None)
        if not found:
            return None
        values.append(_as_kept(node, value))
    return tuple(values)


def _as_kept(node: Node | None, value: Value) -> Value:
    """Return a value as generated code keeps that of a form: a text where nothing but the text is wanted."""
    from nodwyn.interp.analyse.nodes import Primitive, Text

    if isinstance(node, Text) and not node.late:
        return value.text()
    if isinstance(node, Primitive) and node.wanted == "text" and value.__class__ is Char:
        return value.char
    return value
