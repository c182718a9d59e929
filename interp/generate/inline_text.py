"""Builtins on characters, strings and textual ports that are written out as Python operations."""

from __future__ import annotations

import ast
from collections.abc import Callable

from nodwyn.interp.analyse.kinds import INPUT, PIECES, TEXTS, kind_of
from nodwyn.interp.analyse.nodes import Text
from nodwyn.interp.core import Const, Node
from nodwyn.interp.data import Char
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.site import Inline, Operands, Site, checked_index

FIRST_SURROGATE = 0xD800

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
    return operand if kind_of(node) in TEXTS else py.attribute(operand, "char")


def _character(operand: ast.expr, node: Node) -> ast.expr:
    """Return a character that the builtin takes: of any origin where there is only its text."""
    return py.item(py.load("%characters"), operand) if kind_of(node) in TEXTS else operand


def same_char(value: Char, operand: ast.expr, node: Node, site: Site) -> ast.expr:
    """Write a test whether an object is the same character as a constant."""
    kind = kind_of(node)
    if kind in TEXTS and kind != INPUT:
        return py.compare(operand, ast.Eq(), py.constant(value.char))
    first, later = site.once(2, operand)
    if kind == INPUT:
        # The end of file is no number of ``==``, which would raise.
        same = py.compare(later, ast.Eq(), py.constant(value.char))
        return ast.BoolOp(ast.And(), [py.compare(first, py.IS_NOT, py.load("%EOF")), same])
    is_char = py.compare(py.attribute(first, "__class__"), py.IS, py.load("%Char"))
    same = py.compare(py.attribute(later, "char"), ast.Eq(), py.constant(value.char))
    return ast.BoolOp(ast.And(), [is_char, same])


def _is_char(operands: Operands, site: Site) -> ast.expr:
    kind = "%str" if kind_of(site.nodes[0]) in TEXTS else "%Char"
    return py.compare(py.attribute(operands[0], "__class__"), py.IS, py.load(kind))


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


def _integer_to_char(operands: Operands, site: Site) -> ast.expr:
    """What is below the surrogates needs no further look."""
    first, later = site.once(0, operands[0])
    is_int = py.compare(py.attribute(first, "__class__"), py.IS, py.load("%int"))
    is_low = ast.Compare(py.constant(0), [ast.LtE(), ast.Lt()], [later, py.constant(FIRST_SURROGATE)])
    char = py.item(py.load("%characters"), py.call(py.load("%chr"), later))
    return py.choose(ast.BoolOp(ast.And(), [is_int, is_low]), char, site.strict(later))


def _change_case(method: str) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        (node,) = site.nodes
        if kind_of(node) in TEXTS:
            return site.strict(_character(operands[0], node))
        first, later = site.once(0, operands[0])
        is_ascii = py.compare(py.attribute(first, "char"), ast.Lt(), py.constant("\x80"))
        changed = py.call(py.attribute(py.attribute(later, "char"), method))
        return py.choose(is_ascii, py.item(py.attribute(later, "origin"), changed), site.strict(later))

    return write


def _digit_value(operands: Operands, site: Site) -> ast.expr:
    (node,) = site.nodes
    first, later = site.once(0, operands[0])
    bounds = [text_of(first, node), py.constant("9")]
    is_ascii = ast.Compare(py.constant("0"), [ast.LtE(), ast.LtE()], bounds)
    value = ast.BinOp(py.call(py.load("%ord"), text_of(later, node)), ast.Sub(), py.constant(ord("0")))
    return py.choose(is_ascii, value, site.strict(_character(later, node)))


def _waiting(operands: Operands, site: Site) -> ast.expr:
    """Return the texts of the characters of a port that are read next, the first of them last."""
    first, later = site.once(0, operands[0])
    return ast.BoolOp(ast.Or(), [py.attribute(first, "waiting"), py.call(py.attribute(later, "look_ahead"))])


def read_text(operands: Operands, site: Site) -> ast.expr:
    """Write ``read-char`` where only the text of the character is wanted, or the end of file."""
    # In a variable: a message about what was read must not read again.
    return py.keep(f"%{site.number}", py.call(py.attribute(_waiting(operands, site), "pop")))


def peek_text(operands: Operands, site: Site) -> ast.expr:
    """Write ``peek-char`` where only the text of the character is wanted, or the end of file."""
    return py.item(_waiting(operands, site), ast.UnaryOp(ast.USub(), py.constant(1)))


def _read_char(operands: Operands, site: Site) -> ast.expr:
    first, port = site.once(0, operands[0])
    text = py.call(py.attribute(_waiting([first], site._replace(nodes=[])), "pop"))
    return _character_read(text, port, site)


def _peek_char(operands: Operands, site: Site) -> ast.expr:
    first, port = site.once(0, operands[0])
    return _character_read(peek_text([first], site), port, site)


def _character_read(text: ast.expr, port: ast.expr, site: Site) -> ast.expr:
    """Write the character of a text, which has the origin of its port, or the end of file."""
    name = f"%{site.number}"
    is_end = py.compare(py.keep(name, text), py.IS, py.load("%EOF"))
    char = py.item(py.attribute(port, "origin"), py.load(name))
    return py.keep(name, py.choose(is_end, py.load(name), char))


def _written(text: ast.expr, port: ast.expr, site: Site) -> ast.expr:
    """Write the output of a text; ``port`` is the last operand of the call."""
    method = "append" if kind_of(site.nodes[-1]) == PIECES else "write"
    return py.call(py.attribute(port, method), text)


def _strictly(operands: Operands, site: Site) -> ast.expr:
    """Write the call of an output procedure, or of what does the same for a port that is a list."""
    if kind_of(site.nodes[-1]) == PIECES:
        return py.call(py.load(f"%piece-{site.builtin}"), *operands)
    return site.strict(*operands)


def _write_char(operands: Operands, site: Site) -> ast.stmt:
    char, port = operands
    node = site.nodes[0]
    if isinstance(node, Const) and isinstance(node.value, Char):
        return ast.Expr(_written(py.constant(node.value.char), port, site))
    written = _written(text_of(char, node), port, site)
    if site.source is None:
        return ast.Expr(py.choose(_is_unlabelled(char), written, _strictly([char, port], site)))
    is_end = py.compare(char, py.IS, py.load("%EOF"))
    test = _is_unlabelled(site.source)
    if kind_of(node) == INPUT:
        test = ast.BoolOp(ast.And(), [py.compare(char, py.IS_NOT, py.load("%EOF")), test])
    made = py.choose(is_end, char, py.item(py.attribute(site.source, "origin"), char))
    return ast.Expr(py.choose(test, written, _strictly([made, port], site)))


def _write_string(operands: Operands, site: Site) -> ast.stmt:
    string, port = operands
    if isinstance(site.nodes[0], Text):
        return ast.Expr(_written(string, port, site))
    written = _written(py.attribute(string, "chars"), port, site)
    return ast.Expr(py.choose(_is_unlabelled(string), written, _strictly([string, port], site)))


def _is_unlabelled(operand: ast.expr) -> ast.expr:
    """Write a test that holds of unlabelled characters, and of strings without labels whose characters are text."""
    return py.compare(py.attribute(operand, "origin"), py.IS, py.load("%characters"))


def _newline(operands: Operands, site: Site) -> ast.stmt:
    return ast.Expr(_written(py.constant("\n"), operands[0], site))


def _display(operands: Operands, site: Site) -> ast.stmt:
    if isinstance(site.nodes[0], Text):
        return ast.Expr(_written(operands[0], operands[1], site))
    return ast.Expr(_strictly(operands, site))


def open_pieces(operands: Operands, site: Site) -> ast.expr:
    """Write ``open-output-string`` where a list will do."""
    return ast.List([], py.LOAD)


def _open_output_string(operands: Operands, site: Site) -> ast.expr:
    return site.strict()


def _get_output_string(operands: Operands, site: Site) -> ast.expr:
    return _strictly(operands, site)


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
    for name, method in (("char-upcase", "upper"), ("char-downcase", "lower"), ("char-foldcase", "lower")):
        operations[name] = Inline(1, 1, "value", _change_case(method))
    operations["integer->char"] = Inline(1, 1, "value", _integer_to_char)
    operations["char->integer"] = Inline(1, 1, "value", _char_to_integer)
    operations["char?"] = Inline(1, 1, "test", _is_char)
    operations["digit-value"] = Inline(1, 1, "value", _digit_value)
    operations["string-ref"] = Inline(2, 2, "value", _string_ref)
    operations["read-char"] = Inline(1, 1, "value", _read_char)
    operations["peek-char"] = Inline(1, 1, "value", _peek_char)
    operations["write-char"] = Inline(2, 2, "effect", _write_char)
    operations["write-string"] = Inline(2, 2, "effect", _write_string)
    operations["display"] = Inline(2, 2, "effect", _display)
    operations["open-output-string"] = Inline(0, 0, "value", _open_output_string)
    operations["get-output-string"] = Inline(1, 1, "value", _get_output_string)
    operations["newline"] = Inline(1, 1, "effect", _newline)


_declare()
