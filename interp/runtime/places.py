"""Where the frames of a traceback are in their programs, and what the operands of the forms there came to."""

from __future__ import annotations

from collections.abc import Iterable
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, NamedTuple

from nodwyn.interp.core import Const, GlobalRef, LocalRef, Node
from nodwyn.interp.data import String, Value, character, list_from
from nodwyn.interp.ports import TextOutput
from nodwyn.interp.runtime.arity import name_in
from nodwyn.interp.runtime.frames import BOUNCING, ENTERING, Frames, code_of, keep_place
from nodwyn.interp.runtime.parameters import Cell
from nodwyn.interp.runtime.state import State
from nodwyn.interp.runtime.units import Unit

if TYPE_CHECKING:
    # The compiler, which a program from the cache that makes no mistake does without.
    from nodwyn.interp.analyse.nodes import Text

STACK_ENTRIES = 60
"""How many entries of a Scheme stack are kept for a person to read: the innermost ones."""

ENTRIES = 5 * STACK_ENTRIES
"""How many entries of a traceback have at least as many of generated code among them: others are the runtime's."""


class Place:
    """A form that a generated frame is at: its unit, node, and the frame's variables."""

    __slots__ = ("frame", "node", "unit")

    def __init__(self, unit: Unit, node: Node | None, frame: FrameType) -> None:
        self.unit = unit
        self.node = node
        self.frame = frame


class Standing(NamedTuple):
    """An entry of a Scheme stack: a procedure's name and the form that it is at.

    after_tail_calls: it was called by the trampoline, for a procedure that is no longer there.
    """

    procedure: str
    node: Node | None
    after_tail_calls: bool


def stack_entries(traceback: TracebackType | None) -> list[Standing]:
    """Return the innermost entries of the Scheme stack of a traceback, the innermost first."""
    from collections import deque

    entries: deque[tuple[Unit, int, str, bool]] = deque(maxlen=STACK_ENTRIES)
    bounced = False
    while traceback is not None:
        frame = traceback.tb_frame
        if id(frame.f_code) in BOUNCING:
            bounced = True
        elif id(frame.f_code) in ENTERING:
            variables = frame.f_locals
            entries.extend(reversed(_on_heap(variables["tc"], variables.get("left"))))
        else:
            found = code_of(frame)
            if found is not None:
                unit, numbers, _ = found
                entries.append((unit, numbers.get(traceback.tb_lasti, 0), name_in(frame.f_code) or "", bounced))
                bounced = False
        traceback = traceback.tb_next
    return _standing(reversed(entries))


def heap_entries(tc: State) -> list[Standing]:
    """Return the innermost entries of the part of the Scheme stack that is on the heap."""
    return _standing(_on_heap(tc, tc.frames))


def _on_heap(tc: State, frames: Frames) -> list[tuple[Unit, int, str, bool]]:
    found: list[tuple[Unit, int, str, bool]] = []
    for _ in range(ENTRIES):
        if frames is None or len(found) == STACK_ENTRIES:
            break
        resume, live, frames = frames
        place = live if resume is keep_place else tc.units.resumed.get(resume)
        if place is not None:
            unit, number = place
            found.append((unit, number, unit.writer().procedure_at(number), False))
    return found


def _standing(entries: Iterable[tuple[Unit, int, str, bool]]) -> list[Standing]:
    result: list[Standing] = []
    around: set[tuple[Unit, int]] = set()
    for unit, number, name, bounced in entries:
        # On the heap the body of a form that is written where it stands has a frame of its own in the same procedure.
        if (unit, number) not in around:
            node = unit.nodes().get(number)
            result.append(Standing(name, node and _in_program(unit, node), bounced))
            around = {(unit, form.number) for form in unit.writer().around(number, 0)}
    return result


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


def place_of_frame(entry: TracebackType) -> Place:
    """Return the form that the frame of a traceback entry, which is of generated code, is at."""
    known = code_of(entry.tb_frame)
    assert known is not None
    unit, numbers, _ = known
    node = unit.nodes().get(numbers.get(entry.tb_lasti, 0))
    return Place(unit, node and _in_program(unit, node), entry.tb_frame)


def _in_program(unit: Unit, node: Node) -> Node:
    """Return a form that the program has: for the text of an operand the builtin that takes it."""
    from nodwyn.interp.analyse.nodes import Primitive, Text

    if not isinstance(node, Text):
        return node
    takers = (each for each in unit.nodes().values() if isinstance(each, Primitive))
    return next((each for each in takers if any(operand is node for operand in each.operands)), node)


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
    from nodwyn.interp.analyse.kinds import ARGUMENTS, GROWING, PIECES, STRING
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
        if node.variable.kind == ARGUMENTS:
            return True, list_from(value)
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
