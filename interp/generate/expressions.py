"""Forms that become Python expressions.

A form is *simple* if it needs no statement of its own. In the ordinary code of a routine most forms are; in code that
continues a captured frame (``heap``) whatever holds a site is not, since a site there may have to return.

No value may lie on Python's operand stack across a site, since a continuation is made from a frame's variables
alone: an operand that a later operand's site would interrupt is kept in a variable of its own, named after its node.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Set

from nodwyn.interp.analyse.convert import DEFERRING
from nodwyn.interp.analyse.kinds import GROWING, TEXTS
from nodwyn.interp.analyse.nodes import Invoke, Primitive, RecordAccess, Routine, Text
from nodwyn.interp.analyse.strings import makes_string, text_alone
from nodwyn.interp.analyse.uses import or_parts
from nodwyn.interp.core import Const, GlobalRef, If, Let, LocalRef, Node, Variable
from nodwyn.interp.data import DEFAULT, EOF, FALSE, NIL, TRUE, UNSPECIFIED, Char, Symbol, Value
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.inline import INLINE, first_argument, no_arguments, some_arguments, zero_remainder
from nodwyn.interp.generate.inline_text import open_pieces, peek_text, read_text, text_at
from nodwyn.interp.generate.known import Known
from nodwyn.interp.generate.site import Site
from nodwyn.interp.generate.strings import (
    after,
    grown_object,
    grows,
    string_object,
    string_text,
    text_of_string,
)

PARTS = {
    ("pieces", "open-output-string"): open_pieces,
    ("text", "string-ref"): text_at,
    ("text", "read-char"): read_text,
    ("text", "peek-char"): peek_text,
    ("zero", "remainder"): zero_remainder,
    ("zero", "truncate-remainder"): zero_remainder,
    ("arguments", "null?"): no_arguments,
    ("arguments", "pair?"): some_arguments,
    ("arguments", "car"): first_argument,
}
"""How builtins are written where only a part of their value is wanted."""

CONSTANTS = {
    id(TRUE): "%TRUE",
    id(FALSE): "%FALSE",
    id(NIL): "%NIL",
    id(UNSPECIFIED): "%UNSPECIFIED",
    id(EOF): "%EOF",
    id(DEFAULT): "%DEFAULT",
}


class Constants:
    """The constants of a unit that Python code cannot hold: each gets the name of a global.

    values: those that have one, in order. assumed: keys of globals that the unit's code takes for constant.
    """

    def __init__(self, unit: str, assumed: Set[str] = frozenset(), values: dict[str, object] | None = None) -> None:
        self.unit = unit
        self.assumed = assumed
        self.values: dict[str, object] = dict(values or {})
        self._names = {id(value): name for name, value in self.values.items()}

    def name(self, value: object) -> str:
        """Return the global's name for a constant."""
        known = CONSTANTS.get(id(value)) or self._names.get(id(value))
        if known is None:
            if isinstance(value, Symbol):
                known = f"'{value.name}"
            else:
                known = f"%k{self.unit}.{len(self.values)}"
            self._names[id(value)] = known
            self.values[known] = value
        return known


def variable_name(variable: Variable) -> str:
    """Return the Python name of a local variable."""
    return f"{variable.name}.{variable.identity}"


class Expressions:
    """Writes the expressions of one routine."""

    def __init__(self, routine: Routine, constants: Constants, heap: bool) -> None:
        self.routine = routine
        self.constants = constants
        self.heap = heap
        self.line = routine.span.line if routine.span is not None else 1
        self._simple: dict[int, bool] = {}
        self._apart: frozenset[int] = frozenset()
        self.known = Known(routine, closed=heap)

    def placed(self, node: Node, written: ast.expr) -> ast.expr:
        """Give a written form the position of its node, unless it has that of another, which is all it comes to."""
        if getattr(written, "lineno", None) is None:
            py.place(written, node.span.line if node.span is not None else self.line, node.number)
        return written

    def simple(self, node: Node) -> bool:
        """Say whether a form can be written as an expression."""
        known = self._simple.get(node.number)
        if known is None:
            known = self._simple[node.number] = self._judge(node)
        return known

    def _judge(self, node: Node) -> bool:
        if isinstance(node, (Const, LocalRef, GlobalRef)):
            return True
        if self.heap and node.sites:
            return False
        if isinstance(node, Primitive):
            if makes_string(node):
                return False
            return INLINE[node.name].role != "effect" and all(self.simple(o) for o in node.operands)
        if isinstance(node, RecordAccess):
            return node.role != "modifier" and all(self.simple(o) for o in node.operands)
        if isinstance(node, Text):
            maker = text_alone(node)
            if maker is not None:
                return maker.number not in self._apart and all(self.simple(o) for o in maker.operands)
            return self.simple(node.operand)
        if isinstance(node, Invoke):
            return self.simple(node.operator) and all(self.simple(operand) for operand in node.operands)
        if isinstance(node, If):
            return self.simple(node.test) and self.simple(node.then) and self.simple(node.orelse)
        sides = or_parts(node)
        return sides is not None and self.simple(sides[0]) and self.simple(sides[1])

    def stable(self, node: Node) -> bool:
        """Say whether reading a form again after a site gives the same value."""
        if isinstance(node, LocalRef):
            return not node.variable.assigned and node.variable.kind != GROWING
        if isinstance(node, GlobalRef):
            return node.glob.constant or node.glob.key in self.constants.assumed
        return isinstance(node, Const)

    def expression(self, node: Node) -> ast.expr:
        """Write a simple form."""
        if isinstance(node, Const):
            return self._constant(node)
        if isinstance(node, LocalRef):
            return grown_object(node.variable) if node.variable.kind == GROWING else self.local(node.variable)
        if isinstance(node, GlobalRef):
            return self.placed(node, py.load(node.glob.key))
        if isinstance(node, If):
            return self._choice(node, self.expression)
        if isinstance(node, Text):
            maker = text_alone(node)
            if maker is not None:
                return self.text(maker, self.simple_operands(maker.operands))
            return self.leaf(node, self.expression(node.operand))
        if isinstance(node, Primitive):
            written = self.primitive(node, self.simple_operands(node.operands))
            return self._truth(written) if INLINE[node.name].role == "test" else written
        if isinstance(node, RecordAccess):
            written = self.record_access(node, self.simple_operands(node.operands))
            return self._truth(written) if node.role == "predicate" else written
        if isinstance(node, Invoke):
            operator, *operands = self.simple_operands([node.operator, *node.operands])
            return self.invocation(node, operator, operands)
        sides = or_parts(node)
        assert sides is not None and isinstance(node, Let)
        name = variable_name(node.variables[0])
        first = py.keep(name, self.expression(sides[0]))
        test = py.compare(first, py.IS_NOT, py.load("%FALSE"))
        with self.known.apart():
            return py.choose(test, py.load(name), self.expression(sides[1]))

    def _choice(self, node: If, write: Callable[[Node], ast.expr]) -> ast.expr:
        test = self.test(node.test)
        return py.choose(test, self._branch(node, True, write), self._branch(node, False, write))

    def _branch(self, node: If, truth: bool, write: Callable[[Node], ast.expr]) -> ast.expr:
        with self.known.apart():
            self.known.assume(node.test, truth)
            return write(node.then if truth else node.orelse)

    def _constant(self, node: Const) -> ast.expr:
        value = node.value
        if value.__class__ is int or value.__class__ is float:
            return py.constant(value)
        return py.load(self.constants.name(value))

    def local(self, variable: Variable) -> ast.expr:
        """Write a reference to a local variable."""
        name = py.load(variable_name(variable))
        return py.item(name, py.constant(0)) if variable.boxed else name

    def _truth(self, written: ast.expr) -> ast.expr:
        return py.choose(written, py.load("%TRUE"), py.load("%FALSE"))

    def simple_operands(self, nodes: list[Node]) -> list[ast.expr]:
        """Write simple operands, keeping in variables those that a later one's site would interrupt."""
        written = []
        for position, node in enumerate(nodes):
            value = self.expression(node)
            if self.needs_keeping(node, nodes[position + 1 :]):
                value = py.keep(f"%{node.number}", value)
            written.append(value)
        return written

    def needs_keeping(self, node: Node, later: list[Node]) -> bool:
        """Say whether an operand must be put in a variable, for the sake of a site in a later one."""
        if self.stable(node) or not any(each.sites for each in later):
            return False
        # The value of a call that may leave a request is in its variable already.
        return not isinstance(node, Invoke) or self.answers(node) or self.heap

    def primitive(self, node: Primitive, operands: list[ast.expr]) -> ast.expr:
        """Write a builtin's Python operations, given its operands."""
        if node.wanted in ("string", "growing", "appended"):
            return self.text(node, operands)
        before, operands = self.late_texts(node, operands)
        if makes_string(node):
            made = string_object(node, string_text(node, operands), self.local)
            return self.placed(node, after(before, self.placed(node, made)))
        site = Site(node.operands, node.number, node.name, self.known)
        write = PARTS.get((node.wanted, node.name)) or INLINE[node.name].write
        written: ast.expr = write(operands, site)
        if before and INLINE[node.name].role == "test":
            return self.placed(node, ast.BoolOp(ast.And(), [*before, written]))
        return self.placed(node, after(before, written))

    def text(self, node: Primitive, operands: list[ast.expr]) -> ast.expr:
        """Write a builtin that makes a string, given its operands, where only the text is wanted."""
        before, operands = self.late_texts(node, operands)
        return self.placed(node, after(before, string_text(node, operands)))

    def leaf(self, node: Text, written: ast.expr) -> ast.expr:
        """Write the text of a form that has been written as any other is; as it is where the text is wanted later."""
        return written if node.late and not grows(node.operand) else text_of_string(node, written)

    def late_texts(self, node: Primitive, operands: list[ast.expr]) -> tuple[list[ast.expr], list[ast.expr]]:
        """Return the operands of a builtin with the texts taken that are only taken when all have been evaluated.

        Before them come tests, which always hold, that evaluate those.
        """
        if not any(isinstance(operand, Text) and operand.late for operand in node.operands):
            return [], operands
        before: list[ast.expr] = []
        taken: list[ast.expr] = []
        for operand, written in zip(node.operands, operands, strict=True):
            if not isinstance(written, (ast.Name, ast.Constant)):
                name = f"%{operand.number}"
                before.append(py.compare(py.keep(name, written), py.IS_NOT, py.NONE))
                written = py.load(name)
            if isinstance(operand, Text) and operand.late:
                written = text_of_string(operand, written)
            taken.append(written)
        return before, taken

    def record_access(self, node: RecordAccess, operands: list[ast.expr]) -> ast.expr:
        """Write a record accessor's attribute or a record predicate's class test."""
        if node.role == "accessor":
            self.known.note(node.record_type, node.operands[0])
            return self.placed(node, py.attribute(operands[0], node.attributes[0]))
        instance = py.attribute(py.load(node.record_type), "instance")
        return self.placed(node, py.compare(py.attribute(operands[0], "__class__"), py.IS, instance))

    def answers(self, node: Invoke) -> bool:
        """Say whether a call never leaves a request, so that its value needs no check."""
        if node.routine is not None:
            return node.routine.direct
        if node.builtin is not None:
            return node.builtin not in DEFERRING
        return node.direct

    def _called(self, node: Invoke, operator: ast.expr, operands: list[ast.expr]) -> ast.expr:
        if isinstance(operator, (ast.Call, ast.Attribute, ast.Subscript)):
            # For the message, should it be no procedure.
            operator = py.keep(f"%{node.operator.number}", operator)
        return self.placed(node, py.call(operator, *operands))

    def effect(self, node: Invoke, operator: ast.expr, operands: list[ast.expr]) -> ast.stmt:
        """Write a call that may leave a request and whose value nobody wants."""
        call = self._called(node, operator, operands)
        again = self.placed(node, py.call(py.load("%run")))
        return py.branch(py.compare(call, py.IS, py.NONE), [ast.Expr(again)])

    def invocation(self, node: Invoke, operator: ast.expr, operands: list[ast.expr]) -> ast.expr:
        """Write a call that is no tail call: the call, and the trampoline where it may leave a request."""
        call = self._called(node, operator, operands)
        if self.answers(node):
            return call
        name = f"%{node.number}"
        again = py.keep(name, self.placed(node, py.call(py.load("%run"))))
        return py.choose(py.compare(py.keep(name, call), py.IS_NOT, py.NONE), py.load(name), again)

    def test(self, node: Node) -> ast.expr:
        """Write a simple form as a Python condition."""
        if isinstance(node, Const):
            return py.constant(node.value is not FALSE)
        if isinstance(node, Primitive):
            if node.name == "not":
                return _negated(self.test(node.operands[0]))
            if INLINE[node.name].role == "test":
                return self.primitive(node, self.simple_operands(node.operands))
        if isinstance(node, RecordAccess) and node.role == "predicate":
            return self.record_access(node, self.simple_operands(node.operands))
        if isinstance(node, If):
            return self._test_of_if(node)
        sides = or_parts(node)
        if sides is not None:
            first = self.test(sides[0])
            with self.known.apart():
                return ast.BoolOp(ast.Or(), [first, self.test(sides[1])])
        return py.compare(self.expression(node), py.IS_NOT, py.load("%FALSE"))

    def _membership(self, node: If) -> ast.expr | None:
        """Write ``(or (eqv? v c) (eqv? v d) …)``, as of a clause of ``case``, as a test for membership in a set."""
        variable: Variable | None = None
        values: list[Value] = []
        rest: Node = node
        while True:
            alternative = rest.test if isinstance(rest, If) else rest
            found = _compared(alternative)
            if found is None or (variable is not None and found[0] is not variable):
                return None
            variable = found[0]
            values.append(found[1])
            if not isinstance(rest, If):
                break
            if not isinstance(rest.then, Const) or rest.then.value is FALSE:
                return None
            rest = rest.orelse
        kinds = {value.__class__ for value in values}
        if len(kinds) != 1 or len(values) < 2 or variable.assigned:
            return None
        return self._one_of(variable, values)

    def _one_of(self, variable: Variable, values: list[Value]) -> ast.expr | None:
        kind = values[0].__class__
        written = self.local(variable)
        if kind is int:
            name, subject = "%int", written
            elements: list[ast.expr] = [py.constant(value) for value in values]
        elif kind is Char:
            name, subject = "%Char", py.attribute(written, "char")
            elements = [py.constant(value.char) for value in values]
            if variable.kind in TEXTS:
                return py.compare(written, ast.In(), ast.Set(elements))
        else:
            return None
        is_kind = py.compare(py.attribute(written, "__class__"), py.IS, py.load(name))
        return ast.BoolOp(ast.And(), [is_kind, py.compare(subject, ast.In(), ast.Set(elements))])

    def _test_of_if(self, node: If) -> ast.expr:
        membership = self._membership(node)
        if membership is not None:
            return membership
        test = self.test(node.test)
        if isinstance(node.orelse, Const) and node.orelse.value is FALSE:
            return ast.BoolOp(ast.And(), [test, self._branch(node, True, self.test)])
        if isinstance(node.then, Const) and node.then.value is not FALSE:
            return ast.BoolOp(ast.Or(), [test, self._branch(node, False, self.test)])
        return py.choose(test, self._branch(node, True, self.test), self._branch(node, False, self.test))


def _compared(node: Node) -> tuple[Variable, Value] | None:
    """Return the variable and the constant of ``(eqv? variable constant)``."""
    if isinstance(node, Primitive) and node.name == "eqv?":
        first, second = node.operands
        if isinstance(first, LocalRef) and isinstance(second, Const):
            return first.variable, second.value
    return None


NEGATIONS: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        opposite = NEGATIONS.get(type(test.ops[0]))
        if opposite is not None:
            negated = py.compare(test.left, opposite(), test.comparators[0])
            if hasattr(test, "lineno"):
                py.place(negated, test.lineno, test.col_offset)
            return negated
    return ast.UnaryOp(ast.Not(), test)
