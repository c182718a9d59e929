"""Characters of which only the text is wanted: they stay the text that a string holds.

``(string-ref s i)`` makes a character, which has an origin. Where it is only compared, or asked what kind of character
it is, there is no need for one: the value of such an operand, or of a variable that is used in no other way, is a
Python string.
"""

from __future__ import annotations

from nodwyn.interp.analyse.kinds import TEXT
from nodwyn.interp.analyse.nodes import Primitive
from nodwyn.interp.core import Const, LocalRef, Node, Variable
from nodwyn.interp.data import Char

READERS = frozenset(
    """char=? char<? char>? char<=? char>=? char-numeric? char-upper-case? char-lower-case? char-alphabetic?
    char-whitespace? char->integer digit-value""".split()
)
"""Builtins to which the text of a character is enough."""


class Texts:
    """What is found while the forms of a unit are visited."""

    def __init__(self) -> None:
        self._references: dict[Variable, int] = {}
        self._read: dict[Variable, int] = {}
        self._bound: dict[Variable, Node] = {}

    def visit(self, node: Node) -> None:
        """Take note of a reference, and of operands to which the text of a character is enough."""
        if isinstance(node, LocalRef):
            self._references[node.variable] = self._references.get(node.variable, 0) + 1
        elif isinstance(node, Primitive) and (node.name in READERS or _compares_with_char(node)):
            for operand in node.operands:
                if isinstance(operand, LocalRef):
                    self._read[operand.variable] = self._read.get(operand.variable, 0) + 1
                elif isinstance(operand, Primitive) and _is_string_ref(operand):
                    operand.wanted = "text"

    def bind(self, variable: Variable, init: Node) -> None:
        """Take note of what a variable of a ``let`` is bound to."""
        if not variable.assigned and (_is_string_ref(init) or isinstance(init, LocalRef)):
            self._bound[variable] = init

    def settle(self) -> None:
        """Mark the variables that hold text, and what they are bound to."""
        held = {variable for variable, init in self._bound.items() if _is_string_ref(init)}
        names: dict[Variable, list[Variable]] = {}
        for variable, init in self._bound.items():
            if isinstance(init, LocalRef):
                names.setdefault(init.variable, []).append(variable)
        for variable in held:
            group = self._group(variable, names)
            if group:
                for each in group:
                    each.kind = TEXT
                init = self._bound[variable]
                assert isinstance(init, Primitive)
                init.wanted = "text"

    def _group(self, variable: Variable, names: dict[Variable, list[Variable]]) -> list[Variable]:
        """Return a variable and those bound to it, none if any of them is used in another way."""
        group = [variable]
        for each in group:
            others = names.get(each, [])
            if self._references.get(each, 0) != self._read.get(each, 0) + len(others):
                return []
            group += others
        return group


def _is_string_ref(node: Node) -> bool:
    return isinstance(node, Primitive) and node.name == "string-ref"


def _compares_with_char(node: Primitive) -> bool:
    return node.name == "eqv?" and any(
        isinstance(operand, Const) and isinstance(operand.value, Char) for operand in node.operands
    )
