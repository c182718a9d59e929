"""Assignments, definitions of globals, and the procedures of record types."""

from __future__ import annotations

import ast
from abc import abstractmethod

from nodwyn.interp.analyse.kinds import GROWING
from nodwyn.interp.analyse.nodes import Routine
from nodwyn.interp.core import (
    GlobalDefine,
    GlobalSet,
    LocalRef,
    LocalSet,
    MakeRecordType,
    Node,
    RecordProcedure,
    Variable,
)
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.closures import Closures
from nodwyn.interp.generate.destination import Code, Destination
from nodwyn.interp.generate.expressions import variable_name


class Definitions(Closures):
    """The part of a routine's writer that writes what gives variables and records their meaning."""

    defined: set[str]
    """Globals that the routine assigns."""

    @abstractmethod
    def into(self, node: Node, to: Destination, out: Code) -> None:
        """Write a form as statements that bring its value to its destination."""

    @abstractmethod
    def deliver(self, value: ast.expr, to: Destination, out: Code) -> None:
        """Write the end of a form: its value goes where it is wanted."""

    def set_local(self, node: LocalSet, to: Destination, out: Code) -> None:
        """Write the assignment of a local variable."""
        self.assign_local(node.variable, self.value(node.value, out), out)
        self.deliver(py.load("%UNSPECIFIED"), to, out)

    def set_and_get(self, node: LocalSet, to: Destination, out: Code) -> None:
        """Write an assignment whose value is what was assigned, which need not be read out of its box."""
        value = self.value(node.value, out)
        kept = f"%{node.number}"
        out.append(py.assign(kept, value))
        self.assign_local(node.variable, py.load(kept), out)
        self.deliver(py.load(kept), to, out)

    def assign_local(self, variable: Variable, value: ast.expr, out: Code) -> None:
        """Write that a local variable gets a value."""
        name = variable_name(variable)
        if variable.boxed:
            out.append(ast.Assign([ast.Subscript(py.load(name), py.constant(0), py.STORE)], value))
        else:
            out.append(py.assign(name, value))

    def set_global(self, node: GlobalSet, to: Destination, out: Code) -> None:
        """Write the assignment of a global that is defined elsewhere, or not at all."""
        value = self.value(node.value, out)
        if not isinstance(value, (ast.Name, ast.Constant)):
            name = f"%{node.number}"
            out.append(py.assign(name, value))
            value = py.load(name)
        # Reading it first makes assigning an unbound variable an error.
        self.defined.add(node.glob.key)
        out.append(ast.Expr(self.placed(node, py.load(node.glob.key))))
        out.append(py.assign(node.glob.key, value))
        self.deliver(py.load("%UNSPECIFIED"), to, out)

    def define_global(self, node: GlobalDefine, to: Destination, out: Code) -> None:
        """Write the definition of a global."""
        self.defined.add(node.glob.key)
        if isinstance(node.value, Routine):
            self.define(node.value, node.glob.key, out)
        else:
            self.into(node.value, Destination("name", node.glob.key), out)
        self.deliver(py.load("%UNSPECIFIED"), to, out)

    def make_record_type(self, node: MakeRecordType, to: Destination, out: Code) -> None:
        """Write the making of a record type."""
        names = py.tuple_of(py.constant(field) for field in node.fields)
        attributes = py.tuple_of(py.constant(attribute) for attribute in node.attributes)
        made = py.call(py.load("%make-record-type"), py.constant(node.name), names, attributes)
        self.deliver(self.placed(node, made), to, out)

    def record_procedure(self, node: RecordProcedure, to: Destination, out: Code) -> None:
        """Write a constructor, predicate, accessor or modifier as a procedure."""
        record_type = self.value(node.record_type, out)
        if node.role == "constructor":
            return self.deliver(self._constructor(node, record_type, out), to, out)
        attributes = py.tuple_of(py.constant(attribute) for attribute in node.attributes)
        maker = py.load(f"%record-{node.role}")
        made = py.call(maker, record_type, py.constant(node.name), attributes)
        self.deliver(self.placed(node, made), to, out)

    def _constructor(self, node: RecordProcedure, record_type: ast.expr, out: Code) -> ast.expr:
        """Write a record constructor as a function; fields it does not take are unspecified at first."""
        instance, made, name = f"%{node.number}.type", "%made", f"{node.name}.{node.number}"
        out.append(py.assign(instance, py.attribute(record_type, "instance")))
        # A slot's name ends in the field's.
        parameters = [f"{slot.split('_', 2)[2]}.{position}" for position, slot in enumerate(node.attributes)]
        body: Code = [py.assign(made, py.call(py.load(instance)))]
        for parameter, attribute in zip(parameters, node.attributes, strict=True):
            body.append(py.assign_attribute(py.load(made), attribute, py.load(parameter)))
        for attribute in node.others:
            body.append(py.assign_attribute(py.load(made), attribute, py.load("%UNSPECIFIED")))
        body.append(ast.Return(py.load(made)))
        definition = py.function(name, parameters, None, body, f"{self.constants.unit}?{node.number}?{node.name}")
        definition.uses = {instance}  # type: ignore[attr-defined]
        out.append(definition)
        return py.load(name)


def gives_what_it_sets(assignment: LocalSet, last: LocalRef) -> bool:
    """Say whether an assignment and the form after it are as in a counter: the variable is assigned, and the value."""
    return assignment.variable is last.variable and last.variable.kind != GROWING
