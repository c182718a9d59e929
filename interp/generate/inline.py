"""Builtins that are written out as Python operations.

Each entry says what a call becomes when the name still means the builtin. The operation is as strict as the
builtin: Python itself rejects operands of another type (no two types share an attribute), and the runtime then
calls the builtin with the same operands for its message. Everything else is a call of the builtin.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from nodwyn.interp.analyse.kinds import EXACT, FLOAT, NATURALS, kind_of
from nodwyn.interp.core import Call, Fact, GlobalRef, LocalRef, Node
from nodwyn.interp.data import FALSE, TRUE
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.inline_equality import EQUALITIES
from nodwyn.interp.generate.inline_numbers import NUMBER_OPERATIONS
from nodwyn.interp.generate.inline_tables import TABLE_OPERATIONS
from nodwyn.interp.generate.inline_text import TEXT_OPERATIONS
from nodwyn.interp.generate.known import KEPT, PAIR
from nodwyn.interp.generate.site import Inline, Operands, Site, checked_index
from nodwyn.interp.generate.strings import STRING_OPERATIONS

INLINE: dict[str, Inline] = {}


def writes_out(name: str, count: int) -> bool:
    """Say whether a call of a builtin with ``count`` operands is written out."""
    inline = INLINE.get(name)
    return inline is not None and inline.least <= count <= inline.most


def is_test(node: Node) -> bool:
    """Say whether a converted form is written as a Python condition and gives ``#t`` or ``#f``."""
    from nodwyn.interp.analyse.nodes import Primitive, RecordAccess

    if isinstance(node, Primitive):
        return INLINE[node.name].role == "test"
    return isinstance(node, RecordAccess) and node.role == "predicate"


def record_primitive(fact: Fact, name: str, operands: Callable[[Call], list[Node]], node: Call) -> Node | None:
    """Return the form for a call of a record accessor, modifier or predicate, or None if it is none."""
    from nodwyn.interp.analyse.nodes import RecordAccess

    if fact.role not in ("accessor", "modifier", "predicate") or len(node.operands) != fact.least:
        return None
    assert isinstance(node.operator, GlobalRef)
    return RecordAccess(fact.role, node.operator, fact.attributes, fact.record_type, operands(node), node.span)


def _chain(path: str) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        value = operands[0]
        site.known.note(PAIR, site.nodes[0])
        for letter in reversed(path):
            value = py.attribute(value, "car" if letter == "a" else "cdr")
        return value

    return write


def _instance(name: str) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        node = site.nodes[0]
        if isinstance(node, LocalRef) and node.variable.looping:
            return py.compare(py.attribute(operands[0], "__class__"), py.IS, py.load(name))
        # CPython reads the class of what is always of one class faster as an attribute, and of all else so.
        return py.compare(py.call(py.load("%type"), operands[0]), py.IS, py.load(name))

    return write


def _is_number(operands: Operands, site: Site) -> ast.expr:
    return py.compare(py.attribute(operands[0], "__class__"), ast.In(), py.load("%numbers"))


def _identical(name: str) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        return py.compare(operands[0], py.IS, py.load(name))

    return write


def _fold(operator: type[ast.operator]) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        value = operands[0]
        for operand in operands[1:]:
            value = ast.BinOp(value, operator(), operand)
        return value

    return write


def _subtract(operands: Operands, site: Site) -> ast.expr:
    if len(operands) == 1:
        return ast.UnaryOp(ast.USub(), operands[0])
    return _fold(ast.Sub)(operands, site)


def _order(operator: type[ast.cmpop]) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        return py.compare(operands[0], operator(), operands[1])

    return write


def _sign(operator: type[ast.cmpop]) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        return py.compare(operands[0], operator(), py.constant(0))

    return write


def _parity(remainder: int) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        first, later = site.once(0, operands[0])
        bit = py.compare(ast.BinOp(later, ast.BitAnd(), py.constant(1)), ast.Eq(), py.constant(remainder))
        if kind_of(site.nodes[0]) in EXACT:
            return py.compare(ast.BinOp(first, ast.BitAnd(), py.constant(1)), ast.Eq(), py.constant(remainder))
        is_int = py.compare(py.attribute(first, "__class__"), py.IS, py.load("%int"))
        return py.choose(is_int, bit, py.compare(site.strict(later), py.IS_NOT, py.load("%FALSE")))

    return write


def _modulo(operands: Operands, site: Site) -> ast.expr:
    return _division(ast.Mod(), operands, site, natural=False)


def _floor_quotient(operands: Operands, site: Site) -> ast.expr:
    return _division(ast.FloorDiv(), operands, site, natural=False)


def _quotient(operands: Operands, site: Site) -> ast.expr:
    return _division(ast.FloorDiv(), operands, site, natural=True)


def _remainder(operands: Operands, site: Site) -> ast.expr:
    return _division(ast.Mod(), operands, site, natural=True)


def zero_remainder(operands: Operands, site: Site) -> ast.expr:
    """Write ``remainder`` where it only matters whether it is 0, which it is where Python's is."""
    return _division(ast.Mod(), operands, site, natural=False)


def no_arguments(operands: Operands, site: Site) -> ast.expr:
    """Write ``null?`` of further arguments in a tuple."""
    return ast.UnaryOp(ast.Not(), operands[0])


def some_arguments(operands: Operands, site: Site) -> ast.expr:
    """Write ``pair?`` of further arguments in a tuple."""
    return operands[0]


def first_argument(operands: Operands, site: Site) -> ast.expr:
    """Write ``car`` of further arguments in a tuple."""
    return py.item(operands[0], py.constant(0))


def _division(operator: ast.operator, operands: Operands, site: Site, *, natural: bool) -> ast.expr:
    """Python's own division, where it is right: exact integers, and none negative for the truncating pair.

    Of two operands that are not known, the result tells whether they are: only of two integers it is one.
    """
    unknown = [position for position, node in enumerate(site.nodes) if kind_of(node) not in EXACT]
    signed = [p for p, node in enumerate(site.nodes) if natural and kind_of(node) not in NATURALS]
    if not unknown and not signed:
        return ast.BinOp(operands[0], operator, operands[1])
    kept = [site.once(position, operand) for position, operand in enumerate(operands)]
    later = [again for _, again in kept]
    tests: list[ast.expr] = [py.compare(later[position], ast.GtE(), py.constant(0)) for position in signed]
    if isinstance(operands[1], (ast.Name, ast.Constant)) and unknown in ([0], [1]):
        # The first test evaluates the first operand.
        first = kept[0][0] if unknown == [0] or later[0] is operands[0] else None
        if first is not None:
            subject = first if unknown == [0] else operands[1]
            tests.insert(0, py.compare(py.attribute(subject, "__class__"), py.IS, py.load("%int")))
            return py.choose(_all_of(tests), ast.BinOp(later[0], operator, later[1]), site.strict(*later))
    result = f"%{site.number}.r"
    written = py.keep(result, ast.BinOp(kept[0][0], operator, kept[1][0]))
    tests.insert(0, py.compare(py.attribute(written, "__class__"), py.IS, py.load("%int")))
    return py.choose(_all_of(tests), py.load(result), site.strict(*later))


def _all_of(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _divide(operands: Operands, site: Site) -> ast.expr:
    """Python's division, where one operand is inexact and the divisor is not zero."""
    kinds = [kind_of(node) for node in site.nodes]
    first, dividend = site.once(0, operands[0])
    second, divisor = site.once(1, operands[1])
    tests: list[ast.expr] = []
    if first is not dividend:
        tests.append(py.compare(first, py.IS_NOT, py.NONE))
    if isinstance(divisor, ast.Constant) and divisor.value:
        if FLOAT not in kinds:
            subject = first if tests else dividend
            tests = [py.compare(py.attribute(subject, "__class__"), py.IS, py.load("%float"))]
        elif first is not dividend:
            return ast.BinOp(first, ast.Div(), divisor)
    elif FLOAT in kinds:
        tests.append(second)
    else:
        tests += [py.compare(py.attribute(second, "__class__"), py.IS, py.load("%float")), divisor]
    division = ast.BinOp(dividend, ast.Div(), divisor)
    return py.choose(_all_of(tests), division, site.strict(dividend, divisor)) if tests else division


def _square_root(operands: Operands, site: Site) -> ast.expr:
    first, later = site.once(0, operands[0])
    known = kind_of(site.nodes[0]) == FLOAT
    tests: list[ast.expr] = []
    if not known:
        tests.append(py.compare(py.attribute(first, "__class__"), py.IS, py.load("%float")))
    tests.append(py.compare(first if known else later, ast.GtE(), py.constant(0.0)))
    return py.choose(_all_of(tests), py.call(py.load("%sqrt"), later), site.strict(later))


def _elements(container: ast.expr, field: str, site: Site) -> ast.expr:
    """Return what holds a vector's elements, which is always the same list: a variable, if it is used again."""
    node, plain = site.nodes[0], py.attribute(container, field)
    if field != "items" or not isinstance(node, LocalRef):
        return plain
    name = f"%items.{node.variable.identity}"
    if site.known.holds(KEPT, node):
        return py.load(name)
    if not site.known.is_repeated(node):
        return plain
    site.known.note(KEPT, node)
    return py.keep(name, plain)


def _ref(field: str) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        first, later = site.once(0, operands[0])
        return py.item(_elements(first, field, site), checked_index(later, operands, site))

    return write


def _store(field: str) -> Callable[[Operands, Site], ast.stmt]:
    def write(operands: Operands, site: Site) -> ast.stmt:
        elements = _elements(operands[0], field, site)
        target = ast.Subscript(elements, checked_index(operands[0], operands, site), py.STORE)
        return ast.Assign([target], operands[2])

    return write


def _length(field: str) -> Callable[[Operands, Site], ast.expr]:
    def write(operands: Operands, site: Site) -> ast.expr:
        return py.call(py.load("%len"), _elements(operands[0], field, site))

    return write


def _set(field: str) -> Callable[[Operands, Site], ast.stmt]:
    def write(operands: Operands, site: Site) -> ast.stmt:
        return py.assign_attribute(operands[0], field, operands[1])

    return write


def _list(operands: Operands, site: Site) -> ast.expr:
    return py.call(py.load(f"%list{len(operands)}"), *operands)


def _vector(operands: Operands, site: Site) -> ast.expr:
    return py.call(py.load("%Vector"), ast.List(operands, py.LOAD))


def _not(operands: Operands, site: Site) -> ast.expr:
    return py.compare(operands[0], py.IS, py.load("%FALSE"))


def _captures(operands: Operands, site: Site) -> ast.expr:
    return py.attribute(py.load("%tc"), "captures")


def _is_resumed(operands: Operands, site: Site) -> ast.expr:
    # A frame goes on in code of its own once it has been captured, which costs all other code nothing.
    return py.constant(site.known.closed)


def _collection(operands: Operands, site: Site) -> ast.expr:
    return ast.List([], py.LOAD)


def _collect(operands: Operands, site: Site) -> ast.stmt:
    results, value = operands
    return ast.Expr(py.call(py.attribute(results, "append"), value))


def _itself(operands: Operands, site: Site) -> ast.expr:
    return operands[0]


def _declare_numbers() -> None:
    for name, operator in (("+", ast.Add), ("*", ast.Mult)):
        INLINE[name] = Inline(2, 8, "value", _fold(operator))
    INLINE["-"] = Inline(1, 8, "value", _subtract)
    INLINE["/"] = Inline(2, 2, "value", _divide)
    INLINE["sqrt"] = Inline(1, 1, "value", _square_root)
    orders = (("=", ast.Eq), ("<", ast.Lt), (">", ast.Gt), ("<=", ast.LtE), (">=", ast.GtE))
    for name, order in orders:
        INLINE[name] = Inline(2, 2, "test", _order(order))
    for name, order in (("zero?", ast.Eq), ("positive?", ast.Gt), ("negative?", ast.Lt)):
        INLINE[name] = Inline(1, 1, "test", _sign(order))
    for name, remainder in (("even?", 0), ("odd?", 1)):
        INLINE[name] = Inline(1, 1, "test", _parity(remainder))
    for names, write in (
        (("modulo", "floor-remainder"), _modulo),
        (("floor-quotient",), _floor_quotient),
        (("quotient", "truncate-quotient"), _quotient),
        (("remainder", "truncate-remainder"), _remainder),
    ):
        for name in names:
            INLINE[name] = Inline(2, 2, "value", write)


def _declare() -> None:
    for path in [
        "a",
        "d",
        *(x + y for x in "ad" for y in "ad"),
        *(x + y + z for x in "ad" for y in "ad" for z in "ad"),
    ]:
        INLINE[f"c{path}r"] = Inline(1, 1, "value", _chain(path))
    for name, kind in (
        ("pair?", "%Pair"),
        ("symbol?", "%Symbol"),
        ("string?", "%String"),
        ("vector?", "%Vector"),
        ("bytevector?", "%Bytevector"),
        ("boolean?", "%Boolean"),
    ):
        INLINE[name] = Inline(1, 1, "test", _instance(kind))
    INLINE["number?"] = Inline(1, 1, "test", _is_number)
    INLINE["null?"] = Inline(1, 1, "test", _identical("%NIL"))
    INLINE["eof-object?"] = Inline(1, 1, "test", _identical("%EOF"))
    INLINE["default-object?"] = Inline(1, 1, "test", _identical("%DEFAULT"))
    INLINE["%captures"] = Inline(0, 0, "value", _captures)
    INLINE["%resumed?"] = Inline(0, 0, "test", _is_resumed)
    INLINE["%collection"] = Inline(0, 0, "value", _collection)
    INLINE["%collect!"] = Inline(2, 2, "effect", _collect)
    INLINE["list"] = Inline(1, 4, "value", _list)
    INLINE["vector"] = Inline(0, 8, "value", _vector)
    INLINE["not"] = Inline(1, 1, "test", _not)
    INLINE.update(EQUALITIES)
    INLINE["values"] = Inline(1, 1, "value", _itself)
    INLINE["vector-ref"] = Inline(2, 2, "value", _ref("items"))
    INLINE["vector-set!"] = Inline(3, 3, "effect", _store("items"))
    INLINE["vector-length"] = Inline(1, 1, "value", _length("items"))
    INLINE["bytevector-u8-ref"] = Inline(2, 2, "value", _ref("octets"))
    INLINE["bytevector-u8-set!"] = Inline(3, 3, "effect", _store("octets"))
    INLINE["bytevector-length"] = Inline(1, 1, "value", _length("octets"))
    INLINE.update(STRING_OPERATIONS)
    INLINE.update(TEXT_OPERATIONS)
    INLINE.update(TABLE_OPERATIONS)
    INLINE.update(NUMBER_OPERATIONS)
    INLINE["set-car!"] = Inline(2, 2, "effect", _set("car"))
    INLINE["set-cdr!"] = Inline(2, 2, "effect", _set("cdr"))


_declare_numbers()
_declare()
TRUTHS = {id(TRUE): True, id(FALSE): False}
