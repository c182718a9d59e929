"""``guard`` and ``parameterize`` written where they stand: a ``try``, a binding, and the body in the same function.

In code on the heap the same forms are calls of builtins that are given procedures. What a frame inside such a body
is continued with is therefore found from the form that the body is of (``runtime.frames.behind``).
"""

from __future__ import annotations

import ast
from abc import abstractmethod

from nodwyn.interp.analyse.finish import parts
from nodwyn.interp.analyse.nodes import Invoke, Routine
from nodwyn.interp.core import LocalRef, Node, Variable
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.definitions import Definitions
from nodwyn.interp.generate.destination import Code, Destination
from nodwyn.interp.generate.expressions import variable_name
from nodwyn.interp.runtime.units import BODY, BOUND, CLAUSES, Around


def is_in_place(node: Node) -> bool:
    """Say whether a form is a call whose procedures are written where they stand."""
    return isinstance(node, Invoke) and any(isinstance(o, Routine) and o.in_place for o in node.operands)


def around_form(form: Invoke, routine: Routine) -> Around:
    """Return what a frame in a routine of a form written where it stands is told of the form."""
    if form.builtin == "%parameterize":
        return Around(form.number, BOUND, f"%outer.{form.number}", 0)
    body, clauses = form.operands
    return Around(form.number, BODY if routine is body else CLAUSES, f"%guard.{form.number}", clauses.number)


def payload_of(caught: ast.expr) -> ast.expr:
    """Write the object raised, given what a guard has caught."""
    return py.item(py.attribute(caught, "args"), py.constant(1))


class InPlace(Definitions):
    """The part of a routine's writer that writes other routines into the same function."""

    @abstractmethod
    def operands(self, nodes: list[Node], out: Code, *, atoms: bool = False, moving: bool = False) -> list[ast.expr]:
        """Write operands in order."""

    def in_place(self, node: Node) -> bool:
        """Say whether a form's procedures are written where they stand, in this code."""
        return not self.heap and is_in_place(node)

    def write_in_place(self, node: Invoke, to: Destination, out: Code) -> None:
        """Write such a form."""
        self.owners.update(operand for operand in node.operands if isinstance(operand, Routine))
        if node.builtin == "%parameterize":
            self._parameterize(node, to, out)
        else:
            self._guard(node, to, out)

    def _parameterize(self, node: Invoke, to: Destination, out: Code) -> None:
        *bindings, body = node.operands
        assert isinstance(body, Routine)
        outer, result = f"%outer.{node.number}", f"%{node.number}"
        bound = py.call(py.load("%bind"), *self.operands(bindings, out))
        out.append(py.assign(outer, self.placed(node, bound)))
        self.into(body.body, Destination("name", result), out)
        out.append(ast.Expr(py.call(py.load("%unbind"), py.load(outer))))
        self.deliver(py.load(result), to, out)

    def _guard(self, node: Invoke, to: Destination, out: Code) -> None:
        body, clauses = node.operands
        assert isinstance(body, Routine) and isinstance(clauses, Routine)
        guard, result = f"%guard.{node.number}", f"%{node.number}"
        out.append(py.assign(guard, self.placed(node, py.call(py.load("%guarding")))))
        tried: Code = []
        with self.known.apart():
            self.into(body.body, Destination("name", result), tried)
        tried.append(py.assign_attribute(py.load("%tc"), "handlers", py.attribute(py.load(guard), "handlers")))
        if to.kind == "return":
            tried.append(ast.Return(py.load(result)))
        attempt = ast.Try(tried, [self._handler(node, clauses)], [], [])
        py.place(attempt, self.line, body.number)
        out.append(attempt)
        if to.kind == "return":
            return self.into(clauses.body, to, out)
        chosen: Code = []
        fine: Code = []
        with self.known.apart():
            self.into(clauses.body, to, chosen)
        self.deliver(py.load(result), to, fine)
        out.append(py.branch(py.compare(py.load(result), py.IS, py.NONE), chosen, fine))

    def _handler(self, node: Invoke, clauses: Routine) -> ast.ExceptHandler:
        """Write what a guard does with an exception: passes it on, or gets ready for its clauses."""
        guard, error, caught = (f"%{what}.{node.number}" for what in ("guard", "error", "caught"))
        condition, reraise = clauses.parameters
        call = py.call(py.load("%caught"), py.load(guard), py.load(error))
        body: Code = [
            py.assign(caught, call),
            py.branch(py.compare(py.load(caught), py.IS, py.NONE), [ast.Raise(None, None)]),
            self._given(condition, payload_of(py.load(caught))),
        ]
        if _refers(clauses, reraise):
            body.append(self._given(reraise, py.load(caught)))
        elif reraise.boxed:
            body.append(self._given(reraise, py.load("%FALSE")))
        # An exception that a variable of its own traceback refers to would wait for the collector.
        body.append(py.assign(caught, py.NONE))
        body.append(py.assign(f"%{node.number}", py.NONE))
        handler = ast.ExceptHandler(py.load("%BaseException"), error, body)
        handler.lineno = handler.end_lineno = self.line
        handler.col_offset = handler.end_col_offset = clauses.number
        return handler

    def _given(self, variable: Variable, value: ast.expr) -> ast.stmt:
        return py.assign(variable_name(variable), ast.List([value], py.LOAD) if variable.boxed else value)


def _refers(routine: Routine, variable: Variable) -> bool:
    """Say whether a routine reads a variable."""
    pending: list[Node] = [routine.body]
    while pending:
        node = pending.pop()
        if isinstance(node, LocalRef) and node.variable is variable:
            return True
        pending.extend(parts(node))
    return False
