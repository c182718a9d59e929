"""Builtins on characters, strings and textual ports that are written out as Python operations."""

from __future__ import annotations

import ast
from collections.abc import Callable

from nodwyn.interp.analyse.kinds import TEXT, kind_of
from nodwyn.interp.core import Const, Node
from nodwyn.interp.data import Char
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.site import Inline, Operands, Site, checked_index

TEXT_OPERATIONS: dict[str, Inline] = {}


def text_at(operands: Operands, site: Site) -> ast.expr:
    """Write ``string-ref`` where only the text of the character is wanted."""
    first, later = site.once(0, operands[0])
    return py.item(py.attribute(first, "chars"), checked_index(later, operands, site))


def _string_ref(operands: Operands, site: Site) -> ast.expr:
    first, later = site.once(0, operands[0])
    char = py.item(py.attribute(later, "chars"), checked_index(later, operands, site))
    return py.item(py.attribute(first, "origin"), char)


def text_of(operand: ast.expr, node: Node) -> ast.expr:
    """Return the one-character text of a character."""
    if isinstance(node, Const) and isinstance(node.value, Char):
        return py.constant(node.value.char)
    return operand if kind_of(node) == TEXT else py.attribute(operand, "char")


def _character(operand: ast.expr, node: Node) -> ast.expr:
    """Return a character that the builtin takes: of any origin where there is only its text."""
    return py.item(py.load("%characters"), operand) if kind_of(node) == TEXT else operand


def same_char(value: Char, operand: ast.expr, node: Node, site: Site) -> ast.expr:
    """Write a test whether an object is the same character as a constant."""
    if kind_of(node) == TEXT:
        return py.compare(operand, ast.Eq(), py.constant(value.char))
    first, later = site.once(2, operand)
    is_char = py.compare(py.attribute(first, "__class__"), py.IS, py.load("%Char"))
    same = py.compare(py.attribute(later, "char"), ast.Eq(), py.constant(value.char))
    return ast.BoolOp(ast.And(), [is_char, same])


def _char_order(operator: type[ast.cmpop]) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        return py.compare(text_of(operands[0], site.nodes[0]), operator(), text_of(operands[1], site.nodes[1]))

    return write


def _char_method(method: str) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        return py.call(py.attribute(text_of(operands[0], site.nodes[0]), method))

    return write


def _char_alphabetic(operands: Operands, site: Site) -> ast.expr:
    """Python's letters are a part of Unicode's alphabetic characters, and all of those in ASCII."""
    (node,) = site.nodes
    first, later = site.once(0, operands[0])
    letter = py.call(py.attribute(text_of(first, node), "isalpha"))
    beyond = py.compare(text_of(later, node), ast.Gt(), py.constant("\x7f"))
    asked = py.compare(site.strict(_character(later, node)), py.IS_NOT, py.load("%FALSE"))
    return ast.BoolOp(ast.Or(), [letter, ast.BoolOp(ast.And(), [beyond, asked])])


def _char_whitespace(operands: Operands, site: Site) -> ast.expr:
    """Python has four separators more than Unicode has white space."""
    (node,) = site.nodes
    first, later = site.once(0, operands[0])
    space = py.call(py.attribute(text_of(first, node), "isspace"))
    separator = ast.Compare(py.constant("\x1c"), [ast.LtE(), ast.LtE()], [text_of(later, node), py.constant("\x1f")])
    return ast.BoolOp(ast.And(), [space, ast.UnaryOp(ast.Not(), separator)])


def _char_to_integer(operands: Operands, site: Site) -> ast.expr:
    return py.call(py.load("%ord"), text_of(operands[0], site.nodes[0]))


def _digit_value(operands: Operands, site: Site) -> ast.expr:
    (node,) = site.nodes
    first, later = site.once(0, operands[0])
    bounds = [text_of(first, node), py.constant("9")]
    is_ascii = ast.Compare(py.constant("0"), [ast.LtE(), ast.LtE()], bounds)
    value = ast.BinOp(py.call(py.load("%ord"), text_of(later, node)), ast.Sub(), py.constant(ord("0")))
    return py.choose(is_ascii, value, site.strict(_character(later, node)))


def _waiting(operands: Operands, site: Site) -> ast.expr:
    """Return the characters of a port that are read next, the first of them last."""
    first, later = site.once(0, operands[0])
    return ast.BoolOp(ast.Or(), [py.attribute(first, "waiting"), py.call(py.attribute(later, "look_ahead"))])


def _read_char(operands: Operands, site: Site) -> ast.expr:
    # In a variable: a message about what was read must not read again.
    return py.keep(f"%{site.number}", py.call(py.attribute(_waiting(operands, site), "pop")))


def _peek_char(operands: Operands, site: Site) -> ast.expr:
    return py.item(_waiting(operands, site), ast.UnaryOp(ast.USub(), py.constant(1)))


def _write_char(operands: Operands, site: Site) -> ast.stmt:
    char, port = operands
    written = py.call(py.attribute(port, "write"), text_of(char, site.nodes[0]))
    return ast.Expr(py.choose(_is_unlabelled(char, site.nodes[0]), written, site.strict(char, port)))


def _write_string(operands: Operands, site: Site) -> ast.stmt:
    string, port = operands
    text = py.attribute(string, "chars")
    is_text = py.compare(py.attribute(text, "__class__"), py.IS, py.load("%str"))
    test = ast.BoolOp(ast.And(), [is_text, _is_unlabelled(string, site.nodes[0])])
    return ast.Expr(py.choose(test, py.call(py.attribute(port, "write"), text), site.strict(string, port)))


def _is_unlabelled(operand: ast.expr, node: Node) -> ast.expr:
    return py.compare(py.attribute(operand, "origin"), py.IS, py.load("%characters"))


def _newline(operands: Operands, site: Site) -> ast.stmt:
    return ast.Expr(py.call(py.attribute(operands[0], "write"), py.constant("\n")))


def _declare() -> None:
    operations = TEXT_OPERATIONS
    for sign, order in (("=", ast.Eq), ("<", ast.Lt), (">", ast.Gt), ("<=", ast.LtE), (">=", ast.GtE)):
        operations[f"char{sign}?"] = Inline(2, 2, "test", _char_order(order))
    for name, method in (
        ("char-numeric?", "isdecimal"),
        ("char-upper-case?", "isupper"),
        ("char-lower-case?", "islower"),
    ):
        operations[name] = Inline(1, 1, "test", _char_method(method))
    operations["char-alphabetic?"] = Inline(1, 1, "test", _char_alphabetic)
    operations["char-whitespace?"] = Inline(1, 1, "test", _char_whitespace)
    operations["char->integer"] = Inline(1, 1, "value", _char_to_integer)
    operations["digit-value"] = Inline(1, 1, "value", _digit_value)
    operations["string-ref"] = Inline(2, 2, "value", _string_ref)
    operations["read-char"] = Inline(1, 1, "value", _read_char)
    operations["peek-char"] = Inline(1, 1, "value", _peek_char)
    operations["write-char"] = Inline(2, 2, "effect", _write_char)
    operations["write-string"] = Inline(2, 2, "effect", _write_string)
    operations["newline"] = Inline(1, 1, "effect", _newline)


_declare()
