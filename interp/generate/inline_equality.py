"""Equivalences as Python operations: identity, and the builtin only where that may not be all."""

from __future__ import annotations

import ast
from collections.abc import Callable

from nodwyn.interp.analyse.kinds import EXACT, kind_of
from nodwyn.interp.core import Const, Node
from nodwyn.interp.data import NIL, Boolean, Char, Symbol
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.inline_text import same_char
from nodwyn.interp.generate.site import Inline, Operands, Site


def _eq(operands: Operands, site: Site) -> ast.expr:
    return py.compare(operands[0], py.IS, operands[1])


def _same(classes: str) -> Callable[[Operands, Site], ast.expr]:
    """Return what writes a comparison. classes: the global that has the classes of what is more than identical."""

    def write(operands: Operands, site: Site) -> ast.expr:
        for position in (0, 1):
            node = site.nodes[position]
            if isinstance(node, Const):
                other = operands[1 - position]
                written = _same_constant(node.value, operands[position], other, site.nodes[1 - position], site)
                if written is not None:
                    return written
        exact = [kind_of(node) in EXACT for node in site.nodes]
        if all(exact):
            return py.compare(operands[0], ast.Eq(), operands[1])
        (first, left), (second, right) = (site.once(place, operand) for place, operand in enumerate(operands))
        equal = py.compare(left, ast.Eq(), right)
        if any(exact):
            subject = right if exact[0] else left
            is_int = py.compare(py.attribute(subject, "__class__"), py.IS, py.load("%int"))
            return ast.BoolOp(ast.Or(), [py.compare(first, py.IS, second), ast.BoolOp(ast.And(), [is_int, equal])])
        kind = py.attribute(left, "__class__")
        by_contents = ast.BoolOp(
            ast.And(),
            [
                py.compare(kind, ast.In(), py.load(classes)),
                py.compare(site.strict(left, right), py.IS_NOT, py.load("%FALSE")),
            ],
        )
        are_alike = py.compare(kind, py.IS, py.attribute(right, "__class__"))
        same = py.choose(py.compare(kind, py.IS, py.load("%int")), equal, by_contents)
        return ast.BoolOp(ast.Or(), [py.compare(first, py.IS, second), ast.BoolOp(ast.And(), [are_alike, same])])

    return write


def _same_of(kind: str) -> Callable[[Operands, Site], ast.expr]:
    """Return what writes whether two operands, which have to be of a class, are the same. kind: the class's global."""

    def write(operands: Operands, site: Site) -> ast.expr:
        (first, left), (second, right) = (site.once(place, operand) for place, operand in enumerate(operands))
        is_of = py.compare(py.attribute(left, "__class__"), py.IS, py.load(kind))
        others: list[ast.expr] = [
            py.compare(py.attribute(each, "__class__"), py.IS_NOT, py.load(kind)) for each in (left, right)
        ]
        builtin = py.compare(site.strict(left, right), py.IS_NOT, py.load("%FALSE"))
        are_same = ast.BoolOp(ast.Or(), [is_of, builtin])
        differ = ast.BoolOp(ast.And(), [ast.BoolOp(ast.Or(), others), builtin])
        return py.choose(py.compare(first, py.IS, second), are_same, differ)

    return write


def _same_constant(value: object, written: ast.expr, other: ast.expr, node: Node, site: Site) -> ast.expr | None:
    """Write a comparison with a constant, of the form ``node`` written as ``other``; None where it is as any other."""
    if value.__class__ in (Symbol, Boolean) or value is NIL:
        return py.compare(other, py.IS, written)
    if value.__class__ is int:
        first, later = site.once(2, other)
        is_int = py.compare(py.attribute(first, "__class__"), py.IS, py.load("%int"))
        return ast.BoolOp(ast.And(), [is_int, py.compare(later, ast.Eq(), written)])
    if isinstance(value, Char):
        return same_char(value, other, node, site)
    return None


EQUALITIES: dict[str, Inline] = {
    "eq?": Inline(2, 2, "test", _eq),
    "eqv?": Inline(2, 2, "test", _same("%compared-by-value")),
    "symbol=?": Inline(2, 2, "test", _same_of("%Symbol")),
    "boolean=?": Inline(2, 2, "test", _same_of("%Boolean")),
    "equal?": Inline(2, 2, "test", _same("%compared-by-contents")),
}
