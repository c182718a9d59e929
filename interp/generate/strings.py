"""Builtins that make strings, written out: as a Python string where that is all that is wanted, else as an object.

While the text of a result is put together, a Python variable collects the labels of what goes into it, unless there
can be none or they are those of one variable. ``x.origin is %characters`` holds of a string without labels whose
characters are text, and of no other; what else there is takes the slower way.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from nodwyn.interp.analyse.kinds import EXACT, FLOAT, GROWING, NATURALS, PIECES, kind_of
from nodwyn.interp.analyse.nodes import Primitive, Text
from nodwyn.interp.analyse.strings import ANY_FORM, is_literal, is_plain, is_pure, written_as_text
from nodwyn.interp.core import Const, If, LocalRef, Node, Variable
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.site import Inline, Operands, Site

QUICK = 2**60
"""Exact integers below it are written by Python itself; it refuses those of thousands of digits."""

PLAIN = 1e-4, 1e16
"""Positive inexact numbers from the first to below the second are written by Python as by Scheme."""

FEW_DIGITS = 1000
"""Python converts at once what has fewer."""

SHORT = 64
"""Characters by which a string may grow before anybody asks how long it has become."""

FORMATS = {2: "b", 8: "o", 16: "x"}
"""How Python names the radices that it writes integers in."""


def after(before: list[ast.expr], written: ast.expr) -> ast.expr:
    """Return an expression that evaluates some tests, which hold, before it."""
    if not before:
        return written
    test = before[0] if len(before) == 1 else ast.BoolOp(ast.And(), before)
    return py.choose(test, written, py.NONE)


def text_of_string(node: Text, written: ast.expr) -> ast.expr:
    """Return the text of a string, given the expression of the string."""
    form = node.operand
    if isinstance(form, LocalRef) and form.variable.kind == GROWING:
        return _grown_text(node, form.variable)
    if is_plain(form):
        return _plain_text(form, written)
    if node.root == ANY_FORM:
        return py.attribute(written, "chars")
    if isinstance(written, ast.Name):
        first: ast.expr = written
        again = written.id
    else:
        again = f"%{node.number}.0"
        first = py.keep(again, written)
    is_usual = py.compare(py.attribute(first, "origin"), py.IS, py.load("%characters"))
    return py.choose(is_usual, py.attribute(py.load(again), "chars"), _labelled_text(node, again))


def _labelled_text(node: Text, string: str) -> ast.expr:
    text = py.call(py.attribute(py.load(string), "text"))
    if not node.root:
        return text
    labels = labels_of(node.root)
    origin = py.attribute(py.load(string), "origin")
    note = py.keep(labels, py.call(py.load("%union"), py.load(labels), origin))
    return py.item(py.tuple_of([text, note]), py.constant(0))


def _grown_text(node: Text, variable: Variable) -> ast.expr:
    text = py.load(text_variable(variable))
    if node.root <= 0:
        return text
    own, labels = py.load(labels_variable(variable)), labels_of(node.root)
    note = py.keep(labels, py.call(py.load("%union"), py.load(labels), own))
    is_usual = py.compare(own, py.IS, py.load("%characters"))
    return py.choose(is_usual, text, py.item(py.tuple_of([text, note]), py.constant(0)))


def grows(node: Node) -> bool:
    """Say whether a form is a growing variable."""
    return isinstance(node, LocalRef) and node.variable.kind == GROWING


def text_variable(variable: Variable) -> str:
    """Return the Python variable that holds the text of a growing one."""
    return f"{variable.name}.{variable.identity}"


def labels_variable(variable: Variable) -> str:
    """Return the Python variable that holds the labels of a growing one."""
    return f"%labels.{text_variable(variable)}"


def grown_object(variable: Variable) -> ast.expr:
    """Write the string that a growing variable is when its loop ends."""
    return py.call(py.load("%long-string"), py.load(text_variable(variable)), py.load(labels_variable(variable)))


def _plain_text(form: Node, written: ast.expr) -> ast.expr:
    if isinstance(form, Const):
        return py.constant(form.value.text())
    if isinstance(form, If) and isinstance(written, ast.IfExp):
        then, orelse = _plain_text(form.then, written.body), _plain_text(form.orelse, written.orelse)
        return py.choose(written.test, then, orelse)
    # A variable that holds text, or a string.
    return written if isinstance(form, LocalRef) else py.attribute(written, "chars")


def labels_of(root: int) -> str:
    """Return the variable that collects the labels of what goes into a string."""
    return f"%labels.{root}"


def string_text(node: Primitive, operands: Operands) -> ast.expr:
    """Write the text of the string that a builtin makes."""
    return WRITERS[node.name](operands, Site(node.operands, node.number, node.name))


def string_object(node: Primitive, text: ast.expr, local: Callable[[Variable], ast.expr]) -> ast.expr:
    """Write a new string of a text: a call, which ``pyast.store`` makes several statements of.

    local: writes a local variable.
    """
    makes = "%long-string" if node.sources and puts_together(node) else "%string"
    return py.call(py.load(makes), text, origin_of_made(node, local))


def origin_of_made(node: Primitive, local: Callable[[Variable], ast.expr]) -> ast.expr:
    """Write the origin of a string that a builtin makes, for when its text has been made."""
    if collects_labels(node):
        return py.load(labels_of(node.number))
    if not node.sources:
        return py.load("%characters")
    source = node.sources[0]
    assert isinstance(source, Text) and isinstance(source.operand, LocalRef)
    variable = source.operand.variable
    if variable.kind == GROWING:
        return py.load(labels_variable(variable))
    return py.attribute(local(variable), "origin")


def collects_labels(node: Primitive) -> bool:
    """Say whether a variable collects the labels of the string that a builtin makes."""
    return any(isinstance(source, Text) and source.root == node.number for source in node.sources)


def begin_labels(node: Primitive) -> ast.NamedExpr:
    """Write what sets the variable that collects labels."""
    return py.keep(labels_of(node.number), py.load("%characters"))


def is_appended(node: Node) -> bool:
    """Say whether a form is only what is put behind the text that a growing variable has."""
    return isinstance(node, Primitive) and node.wanted == "appended"


def may_be_long(node: Primitive, variable: Variable) -> bool:
    """Say whether the next text of a growing variable may be too long."""
    return is_appended(node) or (bool(node.sources) and puts_together(node) and not _grows_by_little(node, variable))


def _grows_by_little(node: Primitive, variable: Variable) -> bool:
    """Say whether a text is that of a variable and few characters more.

    Then it is time enough to see whether it is too long when the loop ends: each text being a new one, it takes hours
    to become so.
    """
    if node.name != "string-append":
        return False
    others = 0
    for operand in node.operands:
        form = operand.operand if isinstance(operand, Text) else operand
        if not (isinstance(form, LocalRef) and form.variable is variable):
            if not _is_short(form):
                return False
            others += 1
    return others >= len(node.operands) - 1


def _is_short(form: Node) -> bool:
    if isinstance(form, Const):
        return is_literal(form) and len(form.value.text()) <= SHORT
    if not isinstance(form, Primitive) or form.name not in ("substring", "string-copy"):
        return False
    last = form.operands[2] if len(form.operands) > 2 else None
    return isinstance(last, Const) and last.value.__class__ is int and last.value <= SHORT


def puts_together(node: Primitive) -> bool:
    """Say whether a text is made of several, so that it may be too long."""
    makers = [operand for operand in node.operands if isinstance(operand, Text)]
    return node.name == "string-append" or any(
        maker is not None and puts_together(maker) for maker in map(written_as_text, makers)
    )


def _append(operands: Operands, site: Site) -> ast.expr:
    text = operands[0]
    for operand in operands[1:]:
        both = isinstance(text, ast.Constant) and isinstance(operand, ast.Constant)
        text = py.constant(text.value + operand.value) if both else ast.BinOp(text, ast.Add(), operand)  # type: ignore[attr-defined]
    return text


def _case(method: str) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        return py.call(py.attribute(operands[0], method))

    return write


def _piece(operands: Operands, site: Site) -> ast.expr:
    """Write a part of a string, between bounds that are checked."""
    if len(operands) == 1:
        return operands[0]
    char = _one_char(operands, site)
    if char is not None:
        return char
    text, first = py.keep(f"%{site.number}.0", operands[0]), operands[1]
    again = py.load(f"%{site.number}.0")
    last = operands[2] if len(operands) > 2 else None
    if not all(is_pure(node) for node in site.nodes[1:]):
        return py.call(py.load("%piece"), py.constant(site.builtin), *operands)
    before: list[ast.expr] = []
    if not isinstance(first, (ast.Name, ast.Constant)):
        kept, first = site.once(1, first)
        before = [py.compare(kept, py.IS_NOT, py.NONE)]
    # All are evaluated, whichever comparison fails.
    bounds: list[ast.expr] = [py.call(py.load("%len"), text)]
    later = None
    if last is not None:
        kept, later = site.once(2, last)
        bounds.append(kept)
    if not _are_in_order(site.nodes[1:]):
        bounds.append(first)
    if kind_of(site.nodes[1]) not in NATURALS:
        bounds.append(py.constant(0))
    fits = ast.Compare(bounds[0], [ast.GtE()] * (len(bounds) - 1), bounds[1:])
    part = py.item(again, ast.Slice(first, later))
    wrong = py.call(py.load("%piece"), py.constant(site.builtin), again, first, *([later] if later is not None else []))
    return after(before, py.choose(fits, part, wrong))


def _one_char(operands: Operands, site: Site) -> ast.expr | None:
    """Write a part of one character at a known place, None if it is none: Python finds it sooner than a slice."""
    if not _are_in_order(site.nodes[1:]):
        return None
    first, last = operands[1:]
    assert isinstance(first, ast.Constant) and isinstance(last, ast.Constant)
    index, end = site.nodes[1], site.nodes[2]
    assert isinstance(index, Const) and isinstance(end, Const)
    if index.value + 1 != end.value:
        return None
    text, again = py.keep(f"%{site.number}.0", operands[0]), py.load(f"%{site.number}.0")
    fits: ast.expr = text
    if index.value > 0:
        fits = py.compare(py.call(py.load("%len"), text), ast.Gt(), first)
    wrong = py.call(py.load("%piece"), py.constant(site.builtin), again, first, last)
    return py.choose(fits, py.item(again, first), wrong)


def _are_in_order(bounds: list[Node]) -> bool:
    """Say whether two bounds are known to be in order."""
    if len(bounds) != 2 or not all(isinstance(bound, Const) and kind_of(bound) in NATURALS for bound in bounds):
        return False
    first, last = bounds
    assert isinstance(first, Const) and isinstance(last, Const)
    return bool(first.value <= last.value)


def _number(operands: Operands, site: Site) -> ast.expr:
    """Write a number as a text."""
    kind = kind_of(site.nodes[0])
    radix = site.nodes[1].value if len(operands) > 1 and isinstance(site.nodes[1], Const) else None
    slow = py.load("%number-text")
    if len(operands) > 1 and radix != 10:
        if radix not in (2, 8, 16) or radix.__class__ is not int:
            return py.call(slow, *operands)
        first, later = site.once(0, operands[0])
        form = ast.JoinedStr([py.constant(FORMATS[radix])])
        if kind in EXACT:
            return ast.JoinedStr([ast.FormattedValue(operands[0], -1, form)])
        is_int = py.compare(py.attribute(first, "__class__"), py.IS, py.load("%int"))
        return py.choose(
            is_int, ast.JoinedStr([ast.FormattedValue(later, -1, form)]), py.call(slow, later, operands[1])
        )
    first, later = site.once(0, operands[0])
    if kind == FLOAT:
        bounds = [first, py.constant(PLAIN[1])]
        is_plainly_written = ast.Compare(py.constant(PLAIN[0]), [ast.LtE(), ast.Lt()], bounds)
        return py.choose(is_plainly_written, py.call(py.load("%repr"), later), py.call(slow, later))
    quick = _is_small(first, natural=kind in NATURALS)
    if kind not in EXACT:
        is_int = py.compare(py.attribute(first, "__class__"), py.IS, py.load("%int"))
        quick = ast.BoolOp(ast.And(), [is_int, _is_small(later, natural=False)])
    return py.choose(quick, py.call(py.load("%str"), later), py.call(slow, later))


def _is_small(number: ast.expr, *, natural: bool) -> ast.expr:
    if natural:
        return py.compare(number, ast.Lt(), py.constant(QUICK))
    return ast.Compare(py.constant(-QUICK), [ast.Lt(), ast.Lt()], [number, py.constant(QUICK)])


def _symbol(operands: Operands, site: Site) -> ast.expr:
    first, later = site.once(0, operands[0])
    is_symbol = py.compare(py.attribute(first, "__class__"), py.IS, py.load("%Symbol"))
    return py.choose(is_symbol, py.attribute(later, "name"), py.attribute(site.strict(later), "chars"))


def _output(operands: Operands, site: Site) -> ast.expr:
    name = "%text-of-pieces" if kind_of(site.nodes[0]) == PIECES else "%output-text"
    return py.call(py.load(name), operands[0])


WRITERS: dict[str, Callable[[Operands, Site], ast.expr]] = {
    "string-append": _append,
    "string-upcase": _case("upper"),
    "string-downcase": _case("lower"),
    "string-foldcase": _case("casefold"),
    "substring": _piece,
    "string-copy": _piece,
    "number->string": _number,
    "symbol->string": _symbol,
    "get-output-string": _output,
}
"""How the texts of the strings that builtins make are written."""


def _order(operator: type[ast.cmpop]) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        return py.compare(operands[0], operator(), operands[1])

    return write


def _length(operands: Operands, site: Site) -> ast.expr:
    return py.call(py.load("%len"), operands[0])


def _string_to_number(operands: Operands, site: Site) -> ast.expr:
    if len(operands) > 1:
        return py.call(py.load("%text-number"), *operands)
    kept, again = site.once(0, operands[0])
    is_integer = ast.BoolOp(
        ast.And(),
        [
            py.call(py.attribute(kept, "isdecimal")),
            py.call(py.attribute(again, "isascii")),
            py.compare(py.call(py.load("%len"), again), ast.Lt(), py.constant(FEW_DIGITS)),
        ],
    )
    return py.choose(is_integer, py.call(py.load("%int"), again), py.call(py.load("%text-number"), again))


def _string_to_symbol(operands: Operands, site: Site) -> ast.expr:
    return py.call(py.load("%intern"), operands[0])


def _strict(operands: Operands, site: Site) -> ast.expr:
    return site.strict(*operands)


STRING_OPERATIONS: dict[str, Inline] = {
    **{
        f"string{sign}?": Inline(2, 2, "test", _order(order))
        for sign, order in (("=", ast.Eq), ("<", ast.Lt), (">", ast.Gt), ("<=", ast.LtE), (">=", ast.GtE))
    },
    "string-length": Inline(1, 1, "value", _length),
    "string->number": Inline(1, 2, "value", _string_to_number),
    "string->symbol": Inline(1, 1, "value", _string_to_symbol),
    "string-append": Inline(2, 8, "value", _append),
    "string-upcase": Inline(1, 1, "value", _case("upper")),
    "string-downcase": Inline(1, 1, "value", _case("lower")),
    "string-foldcase": Inline(1, 1, "value", _case("casefold")),
    "substring": Inline(2, 3, "value", _piece),
    "string-copy": Inline(1, 3, "value", _piece),
    "number->string": Inline(1, 2, "value", _number),
    "symbol->string": Inline(1, 1, "value", _strict),
}
"""Builtins on strings that are written out. What makes strings is written through :data:`WRITERS`."""
