"""Where the frames of a traceback are in their programs, and what the operands of the forms there came to."""

from __future__ import annotations

from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from nodwyn.interp.core import Const, GlobalRef, LocalRef, Node
from nodwyn.interp.data import String, Value, character
from nodwyn.interp.ports import TextOutput
from nodwyn.interp.runtime.arity import name_in
from nodwyn.interp.runtime.frames import BOUNCING, code_of
from nodwyn.interp.runtime.parameters import Cell
from nodwyn.interp.runtime.units import Unit

if TYPE_CHECKING:
    # The compiler, which a program from the cache that makes no mistake does without.
    from nodwyn.interp.analyse.nodes import Text

STACK_ENTRIES = 60
"""How many entries of a Scheme stack are kept for a person to read: the innermost ones."""

ENTRIES = 5 * STACK_ENTRIES
"""How many entries of a traceback have at least as many of generated code among them: others are the runtime's."""


class Place:
    """A form that a generated frame is at: its unit, node, and the frame's variables.

    after_tail_calls: its procedure was called by the trampoline, for one that is no longer there.
    """

    __slots__ = ("after_tail_calls", "frame", "node", "unit")

    def __init__(self, unit: Unit, node: Node | None, frame: FrameType, after_tail_calls: bool) -> None:
        self.unit = unit
        self.node = node
        self.frame = frame
        self.after_tail_calls = after_tail_calls


def places(traceback: TracebackType | None) -> list[Place]:
    """Return the innermost generated frames of a traceback, the innermost first."""
    from collections import deque

    entries: deque[tuple[TracebackType, bool]] = deque(maxlen=STACK_ENTRIES)
    bounced = False
    while traceback is not None:
        if id(traceback.tb_frame.f_code) in BOUNCING:
            bounced = True
        elif code_of(traceback.tb_frame) is not None:
            entries.append((traceback, bounced))
            bounced = False
        traceback = traceback.tb_next
    return [place_of_frame(entry, bounced) for entry, bounced in reversed(entries)]


def last_entries(traceback: TracebackType | None) -> TracebackType | None:
    """Return the innermost entries of a traceback: it may have millions, of which few are looked at."""
    last = ahead = traceback
    while ahead is not None:
        last, traceback = traceback, ahead
        for _ in range(ENTRIES):
            ahead = ahead.tb_next
            if ahead is None:
                break
    return last


def place_of_frame(entry: TracebackType, after_tail_calls: bool = False) -> Place:
    """Return the form that the frame of a traceback entry, which is of generated code, is at."""
    known = code_of(entry.tb_frame)
    assert known is not None
    unit, numbers, _ = known
    node = unit.nodes().get(numbers.get(entry.tb_lasti, 0))
    return Place(unit, node and _in_program(unit, node), entry.tb_frame, after_tail_calls)


def _in_program(unit: Unit, node: Node) -> Node:
    """Return a form that the program has: for the text of an operand the builtin that takes it."""
    from nodwyn.interp.analyse.nodes import Primitive, Text

    if not isinstance(node, Text):
        return node
    takers = (each for each in unit.nodes().values() if isinstance(each, Primitive))
    return next((each for each in takers if any(operand is node for operand in each.operands)), node)


def procedure_at(place: Place) -> str:
    """Return the Scheme name of the procedure that a frame belongs to."""
    return name_in(place.frame.f_code) or ""


def innermost(traceback: TracebackType | None) -> Place | None:
    """Return the innermost generated frame of a traceback, None if there is none."""
    last = None
    while traceback is not None:
        if code_of(traceback.tb_frame) is not None:
            last = traceback
        traceback = traceback.tb_next
    return None if last is None else place_of_frame(last)


def value_in(place: Place, node: Node) -> tuple[bool, Value]:
    """Return whether the value of a form can be had again without running anything, and the value."""
    from nodwyn.interp.analyse.kinds import GROWING, PIECES, STRING
    from nodwyn.interp.analyse.nodes import Invoke, Primitive, RecordAccess, Text

    if isinstance(node, Const):
        return True, node.value
    if isinstance(node, Text):
        return _string_of_text(place, node)
    variables = place.frame.f_locals
    if isinstance(node, LocalRef):
        name = f"{node.variable.name}.{node.variable.identity}"
        if name not in variables:
            return False, None
        value = variables[name]
        if value.__class__ is str:
            # A string or character of which the compiler kept the text alone.
            return True, String(value) if node.variable.kind in (STRING, GROWING) else character(value)
        if node.variable.kind == PIECES:
            return True, TextOutput()
        return True, value[0] if node.variable.boxed else value
    if isinstance(node, GlobalRef):
        return node.glob.key in place.unit.globals, place.unit.globals.get(node.glob.key)
    if f"%{node.number}" in variables:
        value = variables[f"%{node.number}"]
        return True, character(value) if value.__class__ is str else value
    if isinstance(node, Primitive):
        return (False, None) if node.name in EFFECTS else _value_again(place, node.name, node.operands)
    if isinstance(node, RecordAccess):
        return _value_again(place, node.operator.glob.key, node.operands)
    if isinstance(node, Invoke) and node.builtin in REPEATABLE:
        return _value_again(place, node.builtin or "", node.operands)
    if isinstance(node, Invoke) and not node.operands:
        return _value_of_parameter(place, node.operator)
    return False, None


def _string_of_text(place: Place, node: Text) -> tuple[bool, Value]:
    """Return the string of which a form is the text."""
    for name in (f"%{node.number}", f"%{node.number}.0"):
        if name in place.frame.f_locals:
            value = place.frame.f_locals[name]
            return True, String(value) if value.__class__ is str else value
    return value_in(place, node.operand)


def _value_of_parameter(place: Place, operator: Node) -> tuple[bool, Value]:
    """Return the value of a parameter that a form asks for."""
    _, parameter = value_in(place, operator)
    cell = getattr(parameter, "cell", None)
    return cell.__class__ is Cell, getattr(cell, "content", None)


REPEATABLE = frozenset(
    """append assq assv bytevector cons cons* expt length list list->string list->vector list-ref list-tail make-string
    make-vector number->string quotient remainder reverse string string->list string->number string->symbol
    string-append substring symbol->string vector vector->list abs max min sqrt exact inexact""".split()
)
"""Builtins without effects, which can be called once more to learn what an operand was."""


EFFECTS = frozenset(["read-char"])
"""Builtins that are written out as operands and that must not be called once more."""


def _value_again(place: Place, name: str, operands: list[Node]) -> tuple[bool, Value]:
    """Compute the value of a builtin without effects once more."""
    function = place.unit.globals.get(name)
    if function is None:
        return False, None
    values = []
    for operand in operands:
        found, value = value_in(place, operand)
        if not found:
            return False, None
        values.append(value)
    try:
        return True, function(*values)
    except Exception:
        return False, None
