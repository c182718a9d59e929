"""Forms that become Python statements, and routines as a whole."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from nodwyn.interp.analyse.convert import CAPTURING
from nodwyn.interp.analyse.finish import parameters_of
from nodwyn.interp.analyse.kinds import ARGUMENTS, GROWING
from nodwyn.interp.analyse.nodes import (
    Block,
    CaseRoutine,
    Invoke,
    Jump,
    Leave,
    Loop,
    Primitive,
    Receive,
    RecordAccess,
    Routine,
    Text,
)
from nodwyn.interp.analyse.strings import makes_string, text_alone
from nodwyn.interp.core import (
    GlobalDefine,
    GlobalSet,
    If,
    Let,
    Letrec,
    LocalRef,
    LocalSet,
    MakeRecordType,
    Node,
    RecordProcedure,
    Seq,
    Variable,
)
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.definitions import gives_what_it_sets
from nodwyn.interp.generate.destination import NOTHING, RETURN, Code, Destination
from nodwyn.interp.generate.expressions import Constants, variable_name
from nodwyn.interp.generate.in_place import InPlace
from nodwyn.interp.generate.inline import INLINE
from nodwyn.interp.generate.known import PAIR
from nodwyn.interp.generate.loops import Loops
from nodwyn.interp.generate.site import Site


class Statements(InPlace, Loops):
    """Writes the statements of one routine."""

    def __init__(self, routine: Routine, constants: Constants, heap: bool, apart: Sequence[int] = ()) -> None:
        super().__init__(routine, constants, heap)
        self.owners = {routine}
        self.apart = apart
        """The numbers of an operation that gets a statement of its own, and of what it is in."""
        self._simple.update(dict.fromkeys(apart, False))
        self._apart = frozenset(apart)
        self.defined = set()

    def write_routine(self, routine: Routine) -> Code:
        """Return the body of another routine's function, as ordinary code."""
        return Statements(routine, self.constants, heap=False).whole()

    def whole(self) -> Code:
        """Return the body of the routine's Python function."""
        routine = self.routine
        body: Code = []
        if routine.rest is not None and routine.rest.kind != ARGUMENTS:
            name = variable_name(routine.rest)
            body.append(py.assign(name, py.list_of_rest(name)))
        boxes: Code = [
            py.assign(name, ast.List([py.load(name)], py.LOAD))
            for name in (variable_name(v) for v in parameters_of(routine) if v.boxed)
        ]
        if not routine.repeats:
            body.extend(boxes)
            self.into(routine.body, RETURN, body)
            return self._declared(body)
        inner: Code = []
        with self.inside(routine):
            self.into(routine.body, RETURN, inner)
        return self._declared([*body, *boxes, py.forever(inner)])

    def _declared(self, body: Code) -> Code:
        return [ast.Global(sorted(self.defined)), *body] if self.defined else body

    def value(self, node: Node, out: Code) -> ast.expr:
        """Write a form, with statements before it where it needs any; return the expression of its value."""
        if self.simple(node):
            return self.expression(node)
        if isinstance(node, Text):
            return self._text(node, out)
        if isinstance(node, Primitive) and INLINE[node.name].role != "effect":
            self.begin_growing(node, out)
            written = self.primitive(node, self.operands(node.operands, out))
            if self.apart and node.number == self.apart[0]:
                return self._operation(node, written, out)
            if makes_string(node):
                return self.new_string(node, written, out)
            return self._truth(written) if INLINE[node.name].role == "test" else written
        if isinstance(node, RecordAccess) and node.role != "modifier":
            written = self.record_access(node, self.operands(node.operands, out))
            return self._truth(written) if node.role == "predicate" else written
        if isinstance(node, Invoke) and not self.in_place(node):
            return self._call(node, out)
        if isinstance(node, (Routine, CaseRoutine)):
            return self.closure(node, out)
        name = f"%{node.number}"
        self.into(node, Destination("name", name), out)
        return py.load(name)

    def _text(self, node: Text, out: Code) -> ast.expr:
        maker = text_alone(node)
        if maker is None:
            return self.leaf(node, self.value(node.operand, out))
        written = self.text(maker, self.operands(maker.operands, out))
        return self._operation(maker, written, out) if self.apart and maker.number == self.apart[0] else written

    def condition(self, node: Node, out: Code) -> ast.expr:
        """Write a form as a Python condition, with statements before it where it needs any."""
        if self.simple(node):
            return self.test(node)
        if isinstance(node, Primitive):
            if node.name == "not":
                return ast.UnaryOp(ast.Not(), self.condition(node.operands[0], out))
            if INLINE[node.name].role == "test":
                return self.primitive(node, self.operands(node.operands, out))
        if isinstance(node, Let):
            # As a predicate becomes whose body stands in its caller.
            self._bind_all(node, out)
            return self.condition(node.body, out)
        return py.compare(self.value(node, out), py.IS_NOT, py.load("%FALSE"))

    def operands(self, nodes: list[Node], out: Code, *, atoms: bool = False, moving: bool = False) -> list[ast.expr]:
        """Write operands in order.

        atoms: all as variables or constants, fit to be written twice. moving: so that their expressions may change
        places.
        """
        last = max((i for i, node in enumerate(nodes) if not self.simple(node)), default=-1)
        written = []
        for position, node in enumerate(nodes):
            with self.known.apart() if moving else nullcontext():
                value = self.value(node, out)
            if position < last or atoms:
                if not (self.stable(node) or isinstance(value, ast.Constant)):
                    name = f"%{node.number}"
                    if not (isinstance(value, ast.Name) and value.id == name):
                        out.extend(py.settle(name, self.placed(node, value)))
                    value = py.load(name)
            elif self.needs_keeping(node, nodes[position + 1 :]):
                value = py.keep(f"%{node.number}", value)
            written.append(value)
        return written

    def _call(self, node: Invoke, out: Code) -> ast.expr:
        if self.heap and node.builtin in CAPTURING and self._capture(node, out):
            return py.load(f"%{node.number}")
        operator, *operands = self.operands([node.operator, *node.operands], out)
        is_apart = bool(self.apart) and node.number == self.apart[0]
        if not self.heap or not (node.sites or is_apart):
            return self.invocation(node, operator, operands)
        return py.load(self._site(node, operator, operands, out))

    def _capture(self, node: Invoke, out: Code) -> bool:
        """Write ``(call/cc (lambda (k) …))`` of code on the heap, where the frame is left and the body runs in place.

        Returns whether that can be done.
        """
        receiver = node.operands[0] if len(node.operands) == 1 else None
        if not isinstance(receiver, Routine) or receiver.rest is not None or len(receiver.parameters) != 1:
            return False
        writer = Statements(receiver, self.constants, heap=True)
        body = writer.whole()
        if writer.defined:
            return False
        # All that the body refers to is needed here; ``generate.heap`` puts the body in the place of this statement.
        names = sorted(variable_name(variable) for variable in receiver.free)
        statement = py.assign(f"%{node.number}", py.tuple_of(py.load(name) for name in names))
        statement.site = node  # type: ignore[attr-defined]
        statement.checked, statement.capturing = False, True  # type: ignore[attr-defined]
        statement.receiver = variable_name(receiver.parameters[0]), body  # type: ignore[attr-defined]
        out.append(statement)
        return True

    def _site(self, node: Invoke, operator: ast.expr, operands: list[ast.expr], out: Code) -> str:
        """Write a call of code on the heap; ``generate.slices`` puts behind it what leaves the frame."""
        name = f"%{node.number}"
        call = self.placed(node, py.call(operator, *operands))
        statement = py.assign(name, call)
        statement.site = node  # type: ignore[attr-defined]
        statement.checked = not self.answers(node)  # type: ignore[attr-defined]
        statement.capturing = node.builtin in CAPTURING and len(operands) == 1  # type: ignore[attr-defined]
        out.append(statement)
        return name

    def _operation(self, node: Primitive, written: ast.expr, out: Code) -> ast.expr:
        name = f"%{node.number}"
        statement = py.assign(name, written)
        statement.site = node  # type: ignore[attr-defined]
        statement.checked = statement.capturing = False  # type: ignore[attr-defined]
        out.append(statement)
        return py.load(name)

    def into(self, node: Node, to: Destination, out: Code) -> None:
        """Write a form as statements that bring its value to its destination."""
        method = METHODS.get(type(node))
        if method is not None:
            method(self, node, to, out)
        else:
            self.deliver(self.value(node, out), to, out)

    def deliver(self, value: ast.expr, to: Destination, out: Code) -> None:
        """Write the end of a form: its value goes where it is wanted."""
        if to.kind == "return":
            out.extend(py.give_back(value))
            return
        if to.kind == "name":
            # A variable of the program bound to itself is a mistake, which reading it reports.
            if not (isinstance(value, ast.Name) and value.id == to.name and to.name[0] == "%"):
                out.extend(py.store(to.name, value))
        elif not isinstance(value, ast.Constant) and not (isinstance(value, ast.Name) and value.id[0] == "%"):
            out.append(ast.Expr(value))
        if to.loop is not None:
            self.leave(to.loop, out)

    def _if(self, node: If, to: Destination, out: Code) -> None:
        test = self.condition(node.test, out)
        leaves = to.kind == "return" or to.loop is not None
        then: Code = []
        orelse: Code = out if leaves else []
        self._branch_into(node, True, to, then)
        if leaves:
            out.append(py.branch(test, then))
        self._branch_into(node, False, to, orelse)
        if not leaves:
            turned = bool(orelse and not then)
            out.append(py.branch(ast.UnaryOp(ast.Not(), test), orelse) if turned else py.branch(test, then, orelse))

    def _branch_into(self, node: If, truth: bool, to: Destination, out: Code) -> None:
        with self.known.apart():
            self.known.assume(node.test, truth)
            self.into(node.then if truth else node.orelse, to, out)

    def _seq(self, node: Seq, to: Destination, out: Code) -> None:
        *before, assigning, last = node.forms
        for form in before:
            self.into(form, NOTHING, out)
        if isinstance(assigning, LocalSet) and isinstance(last, LocalRef) and gives_what_it_sets(assigning, last):
            return self.set_and_get(assigning, to, out)
        self.into(assigning, NOTHING, out)
        return self.into(last, to, out)

    def bind(self, variable: Variable, init: Node, out: Code) -> None:
        """Write the binding of a local variable."""
        name = variable_name(variable)
        if variable.kind == GROWING:
            self.bind_growing(variable, init, out)
        elif isinstance(init, Routine) and not variable.boxed:
            self.define(init, name, out)
        elif variable.boxed:
            out.append(py.assign(name, ast.List([self.value(init, out)], py.LOAD)))
        else:
            self.into(init, Destination("name", name), out)

    def _set_local(self, node: LocalSet, to: Destination, out: Code) -> None:
        if node.variable.kind != GROWING:
            return self.set_local(node, to, out)
        self.rebind([node.variable], [node.value], out)
        return self.deliver(py.load("%UNSPECIFIED"), to, out)

    def _let(self, node: Let, to: Destination, out: Code) -> None:
        self._bind_all(node, out)
        self.into(node.body, to, out)

    def _bind_all(self, node: Let, out: Code) -> None:
        for variable, init in zip(node.variables, node.inits, strict=True):
            self.bind(variable, init, out)

    def _letrec(self, node: Letrec, to: Destination, out: Code) -> None:
        self.bind_recursive(node.variables, node.inits, out)
        self.into(node.body, to, out)

    def _receive(self, node: Receive, to: Destination, out: Code) -> None:
        produced = self.value(node.producer, out)
        name = f"%{node.number}"
        out.append(py.assign(name, produced))
        taken = py.load(name)
        is_values = py.compare(py.attribute(taken, "__class__"), py.IS, py.load("%Values"))
        results = py.choose(is_values, py.attribute(taken, "results"), py.tuple_of([taken]))
        names: list[ast.expr] = [ast.Name(variable_name(v), py.STORE) for v in node.variables]
        if node.rest is not None:
            names.append(ast.Starred(ast.Name(variable_name(node.rest), py.STORE), py.STORE))
        unpack = ast.Assign([ast.Tuple(names, py.STORE)], self.placed(node, results))
        py.place(unpack, node.span.line if node.span else self.line, node.number)
        out.append(unpack)
        if node.rest is not None:
            rest = variable_name(node.rest)
            out.append(py.assign(rest, py.list_of_rest(rest)))
        for variable in [*node.variables, *([node.rest] if node.rest else [])]:
            if variable.boxed:
                boxed = variable_name(variable)
                out.append(py.assign(boxed, ast.List([py.load(boxed)], py.LOAD)))
        self.into(node.body, to, out)

    def _invoke(self, node: Invoke, to: Destination, out: Code) -> None:
        if self.in_place(node):
            return self.write_in_place(node, to, out)
        if to.kind == "nothing" and to.loop is None and not self.heap and not self.answers(node):
            operator, *operands = self.operands([node.operator, *node.operands], out)
            out.append(self.effect(node, operator, operands))
        elif to.kind != "return" or not node.tail:
            self.deliver(self.value(node, out), to, out)
        elif node.builtin in CAPTURING and len(node.operands) == 1:
            operator, operand = self.operands([node.operator, *node.operands], out)
            self._request(node, operator, [operand], out)
        elif self.answers(node) or node.builtin is not None:
            operator, *operands = self.operands([node.operator, *node.operands], out)
            out.extend(py.give_back(self.placed(node, py.call(operator, *operands))))
        else:
            self._tail_call(node, out)

    def _tail_call(self, node: Invoke, out: Code) -> None:
        """Write a tail call: directly while there is credit, else as a request to the trampoline."""
        operator, *operands = self.operands([node.operator, *node.operands], out, atoms=True)
        if self.heap:
            # The base is right below.
            return self._request(node, operator, operands, out)
        credit = py.attribute(py.load("%tc"), "credit")
        direct = ast.Return(self.placed(node, py.call(operator, *operands)))
        out.append(ast.For(ast.Name("%spent", py.STORE), credit, [direct], []))
        out.append(ast.Return(py.call(py.load("%bounce"), operator, py.tuple_of(operands))))

    def _request(self, node: Invoke, operator: ast.expr, operands: list[ast.expr], out: Code) -> None:
        out.append(py.assign_attribute(py.load("%tc"), "f", operator))
        out.append(py.assign_attribute(py.load("%tc"), "a", py.tuple_of(operands)))
        out.append(ast.Return(py.NONE))

    def _primitive(self, node: Primitive, to: Destination, out: Code) -> None:
        inline = INLINE[node.name]
        if inline.role != "effect":
            if to.kind == "nothing" and inline.role == "test":
                out.append(ast.Expr(self.condition(node, out)))
                return self._done(to, out)
            return self.deliver(self.value(node, out), to, out)
        operands = self.operands(node.operands, out, atoms=True)
        if node.name in ("set-car!", "set-cdr!") and not self.known.holds(PAIR, node.operands[0]):
            # Python functions take any attribute: reading it first is what tells a pair.
            out.append(ast.Expr(self.placed(node, py.attribute(operands[0], node.name[4:7]))))
            self.known.note(PAIR, node.operands[0])
        _, operands = self.late_texts(node, operands)
        (source,) = node.sources or (None,)
        written = self.local(source.variable) if isinstance(source, LocalRef) else None
        statement: ast.stmt = inline.write(operands, Site(node.operands, node.number, node.name, self.known, written))
        py.place(statement, node.span.line if node.span else self.line, node.number)
        out.append(statement)
        return self.deliver(py.load("%UNSPECIFIED"), to, out)

    def _done(self, to: Destination, out: Code) -> None:
        if to.loop is not None:
            self.leave(to.loop, out)

    def _record_access(self, node: RecordAccess, to: Destination, out: Code) -> None:
        if node.role != "modifier":
            return self.deliver(self.value(node, out), to, out)
        is_known = self.known.holds(node.record_type, node.operands[0])
        target, value = self.operands(node.operands, out, atoms=not is_known)
        if not is_known:
            # Python functions take any attribute: reading it first is what tells a record of the type.
            out.append(ast.Expr(self.placed(node, py.attribute(target, node.attributes[0]))))
            self.known.note(node.record_type, node.operands[0])
        statement = py.assign_attribute(target, node.attributes[0], value)
        py.place(statement, node.span.line if node.span else self.line, node.number)
        out.append(statement)
        return self.deliver(py.load("%UNSPECIFIED"), to, out)


METHODS: dict[type[Node], Any] = {
    Block: Statements.write_block,
    Leave: Statements.write_leave,
    If: Statements._if,
    Seq: Statements._seq,
    Let: Statements._let,
    Letrec: Statements._letrec,
    Receive: Statements._receive,
    Loop: Statements.write_loop,
    Jump: Statements.write_jump,
    Invoke: Statements._invoke,
    Primitive: Statements._primitive,
    RecordAccess: Statements._record_access,
    LocalSet: Statements._set_local,
    GlobalSet: Statements.set_global,
    GlobalDefine: Statements.define_global,
    MakeRecordType: Statements.make_record_type,
    RecordProcedure: Statements.record_procedure,
}
