"""Short names for making Python syntax trees, and giving every node of one a position.

A node's position is the Scheme line, and as its column the number of the core node it came from: that is how
a traceback entry is mapped to a form (``runtime.places``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

LOAD = ast.Load()
STORE = ast.Store()
IS, IS_NOT = ast.Is(), ast.IsNot()
NONE = ast.Constant(None)


def load(name: str) -> ast.Name:
    """Return a reference to a Python variable."""
    return ast.Name(name, LOAD)


def constant(value: int | float | str | bool | None) -> ast.Constant:
    """Return a Python constant."""
    return ast.Constant(value)


def call(function: ast.expr, *arguments: ast.expr) -> ast.Call:
    """Return a Python call."""
    return ast.Call(function, list(arguments), [])


def attribute(value: ast.expr, name: str) -> ast.Attribute:
    """Return ``value.name``."""
    return ast.Attribute(value, name, LOAD)


def item(value: ast.expr, index: ast.expr) -> ast.Subscript:
    """Return ``value[index]``."""
    return ast.Subscript(value, index, LOAD)


def compare(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.Compare:
    """Return a comparison of two operands."""
    return ast.Compare(left, [operator], [right])


def choose(test: ast.expr, then: ast.expr, orelse: ast.expr) -> ast.IfExp:
    """Return ``then if test else orelse``."""
    return ast.IfExp(test, then, orelse)


def keep(name: str, value: ast.expr) -> ast.NamedExpr:
    """Return ``(name := value)``."""
    return ast.NamedExpr(ast.Name(name, STORE), value)


def assign(name: str, value: ast.expr) -> ast.Assign:
    """Return ``name = value``."""
    return ast.Assign([ast.Name(name, STORE)], value)


def store(name: str, value: ast.expr) -> list[ast.stmt]:
    """Return ``name = value``; a new pair or string is made on the spot, at two thirds of the cost of a call."""
    if _is_string(value):
        return [*_string(value), assign(name, load(NEW_STRING))]
    if _is_several(value):
        return [*_several(value), assign(name, load(NEW_VALUES))]
    if not _is_plain_cons(value):
        return [assign(name, value)]
    assert isinstance(value, ast.Call)
    car, cdr = value.args
    before: list[ast.stmt] = []
    if _runs(car):
        before = [_at(value, assign("%car", car))]
        car = load("%car")
    made = "%pair"
    return [
        *before,
        _at(value, assign(made, call(load("%Pair")))),
        _at(value, assign_attribute(load(made), "car", car)),
        _at(value, assign_attribute(load(made), "cdr", cdr)),
        assign(name, load(made)),
    ]


def list_of_rest(name: str) -> ast.expr:
    """Return the list of the further arguments, of which there are often none, that Python gives as a tuple."""
    return choose(load(name), call(load("%list"), load(name)), load("%NIL"))


def settle(name: str, value: ast.expr) -> list[ast.stmt]:
    """Return ``name = value``; a checked call that keeps its value in ``name`` anyway is stored there once."""
    if not (isinstance(value, ast.IfExp) and isinstance(value.body, ast.Name) and value.body.id == name):
        return [assign(name, value)]
    test, again = value.test, value.orelse
    assert isinstance(test, ast.Compare) and isinstance(test.left, ast.NamedExpr) and isinstance(again, ast.NamedExpr)
    return [assign(name, test.left.value), branch(compare(load(name), IS, NONE), [assign(name, again.value)])]


def give_back(value: ast.expr) -> list[ast.stmt]:
    """Return ``return value``, with a new pair or string made on the spot."""
    if _is_string(value):
        return [*_string(value), ast.Return(load(NEW_STRING))]
    if _is_several(value):
        return [*_several(value), ast.Return(load(NEW_VALUES))]
    if not _is_plain_cons(value):
        return [ast.Return(value)]
    *making, _ = store("", value)
    return [*making, ast.Return(load("%pair"))]


NEW_STRING = "%made"

MOST_ELEMENTS = 2**28
"""The longest string that can be made."""


def limited(name: str) -> ast.If:
    """Return the statement that makes an error of a text that is too long."""
    is_long = compare(call(load("%len"), load(name)), ast.Gt(), constant(MOST_ELEMENTS))
    return branch(is_long, [ast.Expr(call(load("%too-long"), load(name)))])


def _is_string(value: ast.expr) -> bool:
    """Say whether an expression makes a string of a text, as ``generate.strings`` writes it."""
    is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    return is_call and value.func.id in ("%string", "%long-string")  # type: ignore[attr-defined]


def _string(value: ast.expr) -> list[ast.stmt]:
    """Return what makes a string and keeps it in NEW_STRING."""
    assert isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    text, origin = value.args
    made = load(NEW_STRING)
    steps: list[ast.stmt] = [assign("%text", text)]
    if value.func.id == "%long-string":
        steps.append(limited("%text"))
    steps += [
        assign(NEW_STRING, call(load("%bare-string"))),
        assign_attribute(made, "chars", load("%text")),
        assign_attribute(made, "origin", origin),
        assign_attribute(made, "frozen", constant(False)),
    ]
    return [_at(value, step) for step in steps]


NEW_VALUES = "%several"


def _is_several(value: ast.expr) -> bool:
    """Say whether an expression is ``values`` of zero, or two or more, operands."""
    is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "values"
    return is_call and len(value.args) != 1  # type: ignore[attr-defined]


def _several(value: ast.expr) -> list[ast.stmt]:
    """Return what makes an object of several values and keeps it in NEW_VALUES."""
    assert isinstance(value, ast.Call)
    results = "%results"
    steps = [
        assign(results, tuple_of(value.args)),
        assign(NEW_VALUES, call(load("%Values"))),
        assign_attribute(load(NEW_VALUES), "results", load(results)),
    ]
    return [_at(value, step) for step in steps]


def _is_plain_cons(value: ast.expr) -> bool:
    """Say whether an expression is ``cons`` of operands that run nothing once the pair is there.

    The first may, if it is evaluated before and nothing that it runs changes the second: that is a variable.
    """
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "cons"):
        return False
    if len(value.args) != 2:
        return False
    car, cdr = value.args
    return isinstance(cdr, (ast.Name, ast.Constant)) if _runs(car) else not _runs(cdr)


def _runs(operand: ast.expr) -> bool:
    return any(isinstance(node, (ast.Call, ast.NamedExpr)) for node in ast.walk(operand))


def _at(value: ast.expr, statement: ast.stmt) -> ast.stmt:
    if hasattr(value, "lineno"):
        place(statement, value.lineno, value.col_offset)
    return statement


def assign_attribute(target: ast.expr, name: str, value: ast.expr) -> ast.Assign:
    """Return ``target.name = value``."""
    return ast.Assign([ast.Attribute(target, name, STORE)], value)


def tuple_of(items: Iterable[ast.expr]) -> ast.Tuple:
    """Return a tuple display."""
    return ast.Tuple(list(items), LOAD)


def branch(test: ast.expr, then: list[ast.stmt], orelse: list[ast.stmt] | None = None) -> ast.If:
    """Return an ``if`` statement."""
    return ast.If(test, then or [ast.Pass()], orelse or [])


def forever(body: list[ast.stmt]) -> ast.While:
    """Return ``while True: body``."""
    return ast.While(ast.Constant(True), body or [ast.Pass()], [])


def function(
    name: str, parameters: list[str], rest: str | None, body: list[ast.stmt], identity: str
) -> ast.FunctionDef:
    """Return a ``def``. ``identity`` becomes its docstring, by which its code object is known at run time."""
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(parameter) for parameter in parameters],
        vararg=ast.arg(rest) if rest is not None else None,
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    made = ast.FunctionDef(name, arguments, [ast.Expr(ast.Constant(identity)), *body], [])
    made.type_params = []  # type: ignore[attr-defined, unused-ignore]
    return made


def place(node: ast.expr | ast.stmt, line: int, number: int) -> None:
    """Give ``node`` its position; what is inside takes it over unless placed itself."""
    node.lineno = node.end_lineno = line
    node.col_offset = node.end_col_offset = number


def locate(root: ast.AST, line: int) -> None:
    """Give every node below ``root`` that was not placed the position of its parent."""
    pending: list[tuple[ast.AST, int, int]] = [(root, line, 0)]
    while pending:
        node, line, number = pending.pop()
        own = getattr(node, "lineno", None)
        if own is not None:
            line, number = own, node.col_offset  # type: ignore[attr-defined]
        elif "lineno" in node._attributes:
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = number  # type: ignore[attr-defined]
        for field in node._fields:
            value = getattr(node, field, None)
            if value.__class__ is list:
                pending.extend((each, line, number) for each in value if isinstance(each, ast.AST))
            elif isinstance(value, ast.AST):
                pending.append((value, line, number))
