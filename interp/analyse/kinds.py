"""What is known of the values of variables and expressions: enough to leave out checks on numbers.

A kind is a promise about every value, found by following bindings and jumps until nothing changes. Parameters of
procedures that anyone may call are ANY.
"""

from __future__ import annotations

from nodwyn.interp.analyse.nodes import Primitive
from nodwyn.interp.core import Const, If, LocalRef, Node, Variable

UNKNOWN, ANY, INTEGER, NATURAL, FLOAT, NUMBER, TEXT, STRING, INPUT, PIECES, GROWING, POSITIVE, ARGUMENTS = range(-1, 12)
"""NATURAL is an exact integer of at least 0, POSITIVE one of at least 1, INTEGER any exact one; UNKNOWN means not
looked at yet. TEXT is a character that is nothing but its text (``analyse.texts``), INPUT one that was read from a
port, or the end of file; STRING a string that is nothing but its text (``analyse.strings``), GROWING one that is its
text and, in a Python variable of its own, its labels; PIECES a string port that is a list (``analyse.pieces``);
ARGUMENTS a rest parameter that is a tuple (``analyse.arguments``)."""

TEXTS = frozenset([TEXT, INPUT])

NATURALS = frozenset([NATURAL, POSITIVE])
EXACT = NATURALS | {INTEGER}
NUMERIC = EXACT | {FLOAT, NUMBER}


def join(first: int, second: int) -> int:
    """Return what holds of a value that is of one kind or the other."""
    if first == second or second == UNKNOWN:
        return first
    if first == UNKNOWN:
        return second
    if first in EXACT and second in EXACT:
        return NATURAL if first in NATURALS and second in NATURALS else INTEGER
    if first in NUMERIC and second in NUMERIC:
        return NUMBER
    return ANY


def _arithmetic(name: str, operands: list[int]) -> int:
    if UNKNOWN in operands:
        return UNKNOWN
    if all(kind in EXACT for kind in operands):
        if name == "-" or not all(kind in NATURALS for kind in operands):
            return INTEGER
        is_positive = any if name == "+" else all
        return POSITIVE if is_positive(kind == POSITIVE for kind in operands) else NATURAL
    if FLOAT in operands and all(kind in EXACT or kind == FLOAT for kind in operands):
        return FLOAT
    return NUMBER


def kind_of(node: Node) -> int:
    """Return the kind of a converted form's value."""
    if isinstance(node, Const):
        return kind_of_value(node.value)
    if isinstance(node, LocalRef):
        return node.variable.kind if not node.variable.assigned else ANY
    if isinstance(node, If):
        return join(kind_of(node.then), kind_of(node.orelse))
    if isinstance(node, Primitive):
        return _kind_of_primitive(node)
    return ANY


def kind_of_value(value: object) -> int:
    """Return the kind of a constant."""
    if value.__class__ is int:
        return INTEGER if value < 0 else POSITIVE if value else NATURAL
    if value.__class__ is float:
        return FLOAT
    return ANY


def _kind_of_primitive(node: Primitive) -> int:
    if node.wanted == "text":
        return TEXT if node.name == "string-ref" else INPUT
    if node.name in ("+", "*", "-"):
        kinds = [kind_of(operand) for operand in node.operands]
        return NATURAL if kinds[0] == POSITIVE and _takes_one(node) else _arithmetic(node.name, kinds)
    if node.name == "/":
        kinds = [kind_of(operand) for operand in node.operands]
        if UNKNOWN in kinds:
            return UNKNOWN
        return FLOAT if FLOAT in kinds and all(kind in EXACT or kind == FLOAT for kind in kinds) else NUMBER
    if node.name in ("vector-length", "string-length", "bytevector-length", "bytevector-u8-ref", "char->integer"):
        return NATURAL
    if node.name == "square":
        return _arithmetic("*", [kind_of(node.operands[0])] * 2)
    if node.name in ("abs", "min", "max"):
        return _kind_of_one_of(node)
    if node.name in ("quotient", "remainder", "modulo"):
        return _kind_of_division(node)
    return ANY


def _takes_one(node: Primitive) -> bool:
    """Say whether a form is ``(- n 1)``."""
    last = node.operands[-1]
    return (
        node.name == "-"
        and len(node.operands) == 2
        and isinstance(last, Const)
        and last.value.__class__ is int
        and last.value == 1
    )


def _kind_of_one_of(node: Primitive) -> int:
    """Return the kind of what is one of the operands, but for its sign and exactness."""
    kinds = [kind_of(operand) for operand in node.operands]
    if UNKNOWN in kinds:
        return UNKNOWN
    if not all(kind in EXACT for kind in kinds):
        return NUMBER
    return NATURAL if node.name == "abs" or all(kind in NATURALS for kind in kinds) else INTEGER


def _kind_of_division(node: Primitive) -> int:
    kinds = [kind_of(operand) for operand in node.operands]
    if UNKNOWN in kinds:
        return UNKNOWN
    if all(kind in NATURALS for kind in kinds):
        return NATURAL
    return INTEGER if all(kind in EXACT for kind in kinds) else ANY


def settle(bindings: list[tuple[Variable, Node]]) -> None:
    """Find the kinds of variables from all that they are bound to, jumps included."""
    for variable, _ in bindings:
        variable.kind = UNKNOWN
    order = bindings
    changed = True
    while changed:
        changed = False
        for variable, node in order:
            if variable.kind != ANY:
                found = join(variable.kind, kind_of(node))
                if found != variable.kind:
                    variable.kind = found
                    changed = True
        # What one variable hands to the next goes all the way in one round, whichever of them comes first.
        order = order[::-1]
    for variable, _ in bindings:
        if variable.kind == UNKNOWN:
            variable.kind = ANY
