"""Hash tables as Python operations: the commonest keys go to the dictionaries that ``builtins.hash_tables`` keeps."""

from __future__ import annotations

import ast

from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.site import Inline, Operands, Site


def _is_of(key: ast.expr, kind: str) -> ast.expr:
    return py.compare(py.attribute(key, "__class__"), py.IS, py.load(kind))


def _goes_to(table: ast.expr, key: ast.expr, kind: str) -> ast.expr:
    """Write whether a key is of a class that a table of any keys compares as Python does."""
    takes_any = ast.UnaryOp(ast.Not(), py.attribute(table, "holds_strings_only"))
    return ast.BoolOp(ast.And(), [_is_of(key, kind), takes_any])


def _has_text(table: ast.expr, key: ast.expr) -> ast.expr:
    """Write whether a key is a string that has its text at hand, and the text is what the table compares."""
    has_text = py.compare(py.attribute(py.attribute(key, "chars"), "__class__"), py.IS, py.load("%str"))
    return ast.BoolOp(ast.And(), [_is_of(key, "%String"), py.attribute(table, "compares_text"), has_text])


def _ref(operands: Operands, site: Site) -> ast.expr:
    table, key, default = operands
    if not all(isinstance(operand, (ast.Name, ast.Constant)) for operand in operands):
        return site.strict(*operands)

    def get(entries: str, stand_in: ast.expr) -> ast.expr:
        return py.call(py.attribute(py.attribute(table, entries), "get"), stand_in, default)

    by_text = get("by_value", py.attribute(key, "chars"))
    written = py.choose(_has_text(table, key), by_text, site.strict(*operands))
    written = py.choose(_goes_to(table, key, "%int"), get("by_value", key), written)
    return py.choose(_goes_to(table, key, "%Symbol"), get("by_identity", key), written)


def _set(operands: Operands, site: Site) -> ast.stmt:
    table, key, value = operands

    def put(entries: str, stand_in: ast.expr) -> list[ast.stmt]:
        return [ast.Assign([ast.Subscript(py.attribute(table, entries), stand_in, py.STORE)], value)]

    text = py.attribute(key, "chars")
    # A new key is kept besides, as the string that it is.
    is_there = py.compare(text, ast.In(), py.attribute(table, "by_value"))
    has_text = ast.BoolOp(ast.And(), [_has_text(table, key), is_there])
    by_text = ast.If(has_text, put("by_value", text), [ast.Expr(site.strict(*operands))])
    by_value = ast.If(_goes_to(table, key, "%int"), put("by_value", key), [by_text])
    return ast.If(_goes_to(table, key, "%Symbol"), put("by_identity", key), [by_value])


TABLE_OPERATIONS: dict[str, Inline] = {
    "%table-ref": Inline(3, 3, "value", _ref),
    "%table-set!": Inline(3, 3, "effect", _set),
}
