"""A second, simple evaluator: it walks the core nodes as they are, and is slow and easy to believe.

It shows what expansions mean without the compiler. No continuations; numbers are integers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from nodwyn.interp.core import (
    Call,
    CaseLambda,
    Const,
    GlobalDefine,
    GlobalRef,
    GlobalSet,
    If,
    Lambda,
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
from nodwyn.interp.data import (
    FALSE,
    NIL,
    UNSPECIFIED,
    Pair,
    Value,
    Values,
    Vector,
    boolean,
    cons,
    iterate,
    list_from,
    several,
)
from nodwyn.interp.equality import equal, eqv
from nodwyn.interp.errors import Condition, SchemeError


class Frame:
    """The values of some variables, inside of those of ``parent``."""

    def __init__(self, parent: Frame | None, values: dict[Variable, Value]) -> None:
        self.parent = parent
        self.values = values

    def holding(self, variable: Variable) -> dict[Variable, Value]:
        frame: Frame | None = self
        while frame is not None and variable not in frame.values:
            frame = frame.parent
        assert frame is not None, f"{variable.name} has no value yet"
        return frame.values


class Closure:
    """A procedure of the program."""

    def __init__(self, clauses: list[Lambda], frame: Frame) -> None:
        self.clauses = clauses
        self.frame = frame
        self.name = clauses[0].name if clauses else ""


class Instance:
    """A record."""

    def __init__(self, record_type: object, fields: dict[str, Value]) -> None:
        self.record_type = record_type
        self.fields = fields


class Evaluator:
    """Runs nodes with globals of its own, which start as the builtins."""

    def __init__(self) -> None:
        self.globals: dict[str, Value] = {
            **PURE,
            "call-with-values": self._call_with_values,
            "apply": lambda procedure, *rest: self.apply(procedure, [*rest[:-1], *iterate(rest[-1])]),
            "map": lambda procedure, items: list_from([self.apply(procedure, [item]) for item in iterate(items)]),
            "%guard": self._guard,
            "%reraise": lambda reraise: reraise(),
            "%parameterize": self._parameterize,
            "%delay": lambda thunk: [thunk],
            "%delay-force": lambda thunk: [thunk],
            "force": lambda promise: self.apply(promise[0], []),
            "make-parameter": lambda value: [value],
            "%assert-failure": self._assert_failure,
        }

    def run(self, nodes: list[Node]) -> Value:
        """Evaluate top nodes in order and return the value of the last."""
        result: Value = UNSPECIFIED
        for node in nodes:
            result = self.evaluate(node, Frame(None, {}))
        return result

    def evaluate(self, node: Node, frame: Frame) -> Value:
        while True:
            if isinstance(node, If):
                node = node.then if self.evaluate(node.test, frame) is not FALSE else node.orelse
            elif isinstance(node, Seq):
                for form in node.forms[:-1]:
                    self.evaluate(form, frame)
                node = node.forms[-1]
            elif isinstance(node, Let):
                values = [self.evaluate(init, frame) for init in node.inits]
                frame = Frame(frame, dict(zip(node.variables, values)))
                node = node.body
            elif isinstance(node, Letrec):
                frame = Frame(frame, {})
                for variable, init in zip(node.variables, node.inits):
                    frame.values[variable] = self.evaluate(init, frame)
                node = node.body
            elif isinstance(node, Call):
                procedure = self.evaluate(node.operator, frame)
                operands = [self.evaluate(operand, frame) for operand in node.operands]
                if not isinstance(procedure, Closure):
                    return self.apply(procedure, operands)
                node, frame = self._enter(procedure, operands)
            else:
                return self._simple(node, frame)

    def _simple(self, node: Node, frame: Frame) -> Value:
        if isinstance(node, Const):
            return node.value
        if isinstance(node, LocalRef):
            return frame.holding(node.variable)[node.variable]
        if isinstance(node, LocalSet):
            frame.holding(node.variable)[node.variable] = self.evaluate(node.value, frame)
            return UNSPECIFIED
        if isinstance(node, GlobalRef):
            if node.glob.key not in self.globals:
                raise SchemeError(Condition("unbound", f"{node.glob.key} is unbound"))
            return self.globals[node.glob.key]
        if isinstance(node, (GlobalDefine, GlobalSet)):
            assert isinstance(node, GlobalDefine) or not node.glob.constant
            self.globals[node.glob.key] = self.evaluate(node.value, frame)
            return UNSPECIFIED
        if isinstance(node, Lambda):
            return Closure([node], frame)
        if isinstance(node, CaseLambda):
            return Closure(node.clauses, frame)
        if isinstance(node, MakeRecordType):
            return object()
        assert isinstance(node, RecordProcedure)
        return _record_procedure(node, self.evaluate(node.record_type, frame))

    def apply(self, procedure: Value, operands: list[Value]) -> Value:
        """Call a procedure."""
        if isinstance(procedure, Closure):
            return self.evaluate(*self._enter(procedure, operands))
        if isinstance(procedure, list):
            return procedure[0]  # a parameter
        return procedure(*operands)

    def _enter(self, procedure: Closure, operands: list[Value]) -> tuple[Node, Frame]:
        for clause in procedure.clauses:
            required = len(clause.parameters)
            if len(operands) == required or (len(operands) > required and clause.rest is not None):
                values = dict(zip(clause.parameters, operands))
                if clause.rest is not None:
                    values[clause.rest] = list_from(operands[required:])
                return clause.body, Frame(procedure.frame, values)
        raise SchemeError(Condition("arity", f"{procedure.name} does not take {len(operands)} arguments"))

    def _call_with_values(self, producer: Value, receiver: Value) -> Value:
        produced = self.apply(producer, [])
        return self.apply(receiver, list(produced.results) if isinstance(produced, Values) else [produced])

    def _guard(self, body: Value, handler: Value) -> Value:
        try:
            return self.apply(body, [])
        except SchemeError as error:
            caught = error

            def reraise() -> Value:
                raise caught

            return self.apply(handler, [caught.payload, reraise])

    def _parameterize(self, parameter: Value, value: Value, *rest: Value) -> Value:
        others, body = rest if len(rest) == 2 else (NIL, *rest)
        bindings = [parameter, value, *iterate(others)]
        cells = bindings[::2]
        saved = [cell[0] for cell in cells]
        for cell, inner in zip(cells, bindings[1::2]):
            cell[0] = inner
        try:
            return self.apply(body, [])
        finally:
            for cell, value in zip(cells, saved):
                cell[0] = value

    def _assert_failure(self, expression: Value) -> Value:
        raise SchemeError(Condition("error", "assertion failed", (expression,)))


def _record_procedure(node: RecordProcedure, record_type: Value) -> Callable[..., Value]:
    attributes = node.attributes

    def fields_of(value: Value) -> dict[str, Value]:
        if not isinstance(value, Instance) or value.record_type is not record_type:
            raise SchemeError(Condition("type", "wrong record"))
        return value.fields

    if node.role == "constructor":
        return lambda *given: Instance(record_type, dict(zip(attributes, given, strict=True)))
    if node.role == "predicate":
        return lambda value: boolean(isinstance(value, Instance) and value.record_type is record_type)
    if node.role == "accessor":
        return lambda record: fields_of(record).get(attributes[0], FALSE)
    return lambda record, value: fields_of(record).update({attributes[0]: value}) or UNSPECIFIED


def _append(*lists: Value) -> Value:
    result = lists[-1] if lists else NIL
    for each in reversed(lists[:-1]):
        result = list_from(list(iterate(each)), result)
    return result


def _chain(holds: Callable[[Any, Any], bool]) -> Callable[..., Value]:
    return lambda *numbers: boolean(all(holds(first, second) for first, second in pairwise(numbers)))


def _values(*results: Value) -> Value:
    return results[0] if len(results) == 1 else several(results)


def _raise(value: Value) -> Value:
    raise SchemeError(value)


PURE: dict[str, Callable[..., Value]] = {
    "+": lambda *numbers: sum(numbers),
    "-": lambda first, *rest: first - sum(rest) if rest else -first,
    "*": lambda first, second: first * second,
    "=": _chain(lambda first, second: first == second),
    "<": _chain(lambda first, second: first < second),
    ">": _chain(lambda first, second: first > second),
    "zero?": lambda number: boolean(number == 0),
    "even?": lambda number: boolean(number % 2 == 0),
    "eq?": lambda first, second: boolean(eqv(first, second)),
    "eqv?": lambda first, second: boolean(eqv(first, second)),
    "equal?": lambda first, second: boolean(equal(first, second)),
    "not": lambda value: boolean(value is FALSE),
    "null?": lambda value: boolean(value is NIL),
    "pair?": lambda value: boolean(value.__class__ is Pair),
    "number?": lambda value: boolean(value.__class__ is int),
    "vector?": lambda value: boolean(value.__class__ is Vector),
    "procedure?": lambda value: boolean(callable(value) or isinstance(value, Closure)),
    "cons": cons,
    "car": lambda pair: pair.car,
    "cdr": lambda pair: pair.cdr,
    "list": lambda *items: list_from(items),
    "append": _append,
    "length": lambda items: sum(1 for _ in iterate(items)),
    "reverse": lambda items: list_from(list(iterate(items))[::-1]),
    "vector": lambda *items: Vector(list(items)),
    "list->vector": lambda items: Vector(list(iterate(items))),
    "vector-ref": lambda vector, index: vector.items[index],
    "values": _values,
    "raise": _raise,
}
"""Procedures that need nothing of the evaluator."""
