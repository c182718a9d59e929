"""Loops that count: a ``while`` whose variable goes up by the same step to a limit that stays becomes a ``for``.

``for`` over a range is twice as fast as counting with a variable. It is only right where the limit is an exact integer
that is not reached yet, which is known when the loop begins: the ``while`` is there as well, for all else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from nodwyn.interp.analyse.finish import parts
from nodwyn.interp.analyse.kinds import EXACT, NATURALS, kind_of
from nodwyn.interp.analyse.nodes import Block, CaseRoutine, Jump, Leave, Loop, Primitive, Receive, Routine
from nodwyn.interp.core import Const, If, Let, Letrec, LocalRef, Node, Seq, Variable
from nodwyn.interp.generate import pyast as py

LARGE = 120
"""Nodes of a loop that is worth being written twice."""

ENDS = {"=": True, ">=": True, ">": True, "<": False, "<=": False}
"""Comparisons of the variable with its limit, and whether the loop ends where they hold."""


class Count(NamedTuple):
    """A loop that counts.

    position: of its variable. limit, step: unchanging forms. reaches: whether the limit itself is counted too. test:
    ends the loop where it gives ``ends``; then comes ``last``, else ``again``.
    """

    position: int
    variable: Variable
    limit: Node
    step: Node
    reaches: bool
    test: Primitive
    ends: bool
    again: Node
    last: Node


def counted(loop: Loop, is_stable: Callable[[Node], bool]) -> Count | None:
    """Return how a loop counts, None if it does not, or does so in another way.

    is_stable: says whether a form has the same value whenever it is read, unless a loop binds it.
    """
    if len(loop.members) != 1:
        return None
    (member,) = loop.members
    choice = member.body
    if not (isinstance(choice, If) and isinstance(choice.test, Primitive) and choice.test.name in ENDS):
        return None
    test, ends = choice.test, ENDS[choice.test.name]
    last, again = (choice.then, choice.orelse) if ends else (choice.orelse, choice.then)
    first, limit = test.operands
    if test.name == "=" and not isinstance(first, LocalRef):
        first, limit = limit, first
    if not isinstance(first, LocalRef) or first.variable not in member.variables:
        return None
    if first.variable.boxed or first.variable.kind not in EXACT or not _stays(limit, member.variables, is_stable):
        return None
    if isinstance(limit, Const) and limit.value.__class__ is not int:
        return None
    index = member.variables.index(first.variable)
    step = _step(loop, again, index)
    if step is None or not _stays(step, member.variables, is_stable):
        return None
    if test.name == "=" and not (isinstance(step, Const) and step.value == 1):
        return None
    return Count(index, first.variable, limit, step, test.name in (">", "<="), test, ends, again, last)


def _stays(node: Node, variables: list[Variable], is_stable: Callable[[Node], bool]) -> bool:
    if isinstance(node, Primitive) and node.name in ("+", "-"):
        # Arithmetic that cannot fail has one value as long as its operands have.
        return all(kind_of(each) in EXACT and _stays(each, variables, is_stable) for each in node.operands)
    return is_stable(node) and not (isinstance(node, LocalRef) and node.variable in variables)


def _inside(node: Node) -> Iterator[Node]:
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(parts(node))


def _step(loop: Loop, again: Node, index: int) -> Node | None:
    """Return what the variable at ``index`` goes up by whenever the loop goes on, None if it does something else."""
    if not _always_jumps(again):
        return None
    steps: list[Node] = []
    inner: set[Node] = set()
    for count, node in enumerate(_inside(again)):
        if count > LARGE or isinstance(node, (Block, Leave, Routine, CaseRoutine)):
            return None
        if isinstance(node, Loop):
            inner.add(node)
        elif isinstance(node, Jump) and node.target not in inner:
            # A frame captured in an operand would need those before it, that of the variable among them.
            if node.target is not loop or any(operand.sites for operand in node.operands):
                return None
            step = _added(node.operands[index], loop.members[0].variables[index])
            if step is None:
                return None
            steps.append(step)
    # A jump that is not here is where the loop should end.
    return steps[0] if len(steps) == loop.jumps and all(_same(step, steps[0]) for step in steps) else None


def _always_jumps(node: Node) -> bool:
    """Say whether a form in tail position ends in a jump whatever happens."""
    while True:
        if isinstance(node, If):
            if not _always_jumps(node.then):
                return False
            node = node.orelse
        elif isinstance(node, Seq):
            node = node.forms[-1]
        elif isinstance(node, (Let, Letrec, Receive)):
            node = node.body
        else:
            return isinstance(node, Jump)


def _added(node: Node, variable: Variable) -> Node | None:
    """Return what is added to a variable, if it cannot be negative."""
    if not (isinstance(node, Primitive) and node.name == "+" and len(node.operands) == 2):
        return None
    for first, second in (node.operands, node.operands[::-1]):
        if isinstance(first, LocalRef) and first.variable is variable and kind_of(second) in NATURALS:
            return second
    return None


def _same(first: Node, second: Node) -> bool:
    if isinstance(first, Const) and isinstance(second, Const):
        return bool(first.value == second.value)
    return isinstance(first, LocalRef) and isinstance(second, LocalRef) and first.variable is second.variable


def guard(count: Count, name: str, limit: ast.expr, step: ast.expr) -> ast.expr:
    """Write the condition under which the loop is a ``for``: there is something to count.

    name: of the Python variable. limit, step: as they are written, atoms.
    """
    order = ast.LtE() if count.reaches else ast.Lt()
    tests: list[ast.expr] = []
    if kind_of(count.limit) not in EXACT:
        tests.append(py.compare(py.attribute(limit, "__class__"), py.IS, py.load("%int")))
    tests.append(py.compare(py.load(name), order, limit))
    if not (isinstance(count.step, Const) and count.step.value > 0):
        tests.append(py.compare(step, ast.Gt(), py.constant(0)))
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def counting(count: Count, name: str, limit: ast.expr, step: ast.expr, body: list[ast.stmt]) -> list[ast.stmt]:
    """Write the ``for``, and after it the value that ends the loop."""
    end = ast.BinOp(limit, ast.Add(), py.constant(1)) if count.reaches else limit
    values = py.call(py.load("%range"), py.load(name), end, step)
    made = ast.For(ast.Name(name, py.STORE), values, body, [])
    return [made, py.assign(name, ast.BinOp(py.load(name), ast.Add(), step))]
