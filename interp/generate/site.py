"""What the writers of Python operations for builtins are given, and how they are listed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

from nodwyn.interp.analyse.kinds import NATURALS, kind_of
from nodwyn.interp.core import Node
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.known import NATURAL_INDEX, NOTHING_KNOWN, Known

Operands = list[ast.expr]


class Site(NamedTuple):
    """The call being written: its operand nodes, its number, and the function that writes a strict call.

    source: what a character to be written comes from, if its operand is its text alone.
    """

    nodes: list[Node]
    number: int
    builtin: str
    known: Known = NOTHING_KNOWN
    source: ast.expr | None = None

    def once(self, position: int, operand: ast.expr) -> tuple[ast.expr, ast.expr]:
        """Return an operand for its first use and for later ones, so that it is evaluated once."""
        if isinstance(operand, (ast.Name, ast.Constant)):
            return operand, operand
        name = f"%{self.number}.{position}"
        return py.keep(name, operand), py.load(name)

    def strict(self, *operands: ast.expr) -> ast.expr:
        """Return a call of the builtin itself."""
        return py.call(py.load(self.builtin), *operands)


class Inline(NamedTuple):
    """How a builtin is written out.

    role: "value" (an expression), "test" (a Python truth value) or "effect" (a statement).
    """

    least: int
    most: int
    role: str
    write: Callable[[Operands, Site], Any]


def checked_index(container: ast.expr, operands: Operands, site: Site) -> ast.expr:
    """Return an index that is not negative: Python would count a negative one from the end."""
    node, index = site.nodes[1], operands[1]
    if kind_of(node) in NATURALS or site.known.holds(NATURAL_INDEX, node):
        return index
    site.known.note(NATURAL_INDEX, node)
    first, later = site.once(1, index)
    arguments = [container, later, *operands[2:]]
    return py.choose(py.compare(first, ast.GtE(), py.constant(0)), later, site.strict(*arguments))
