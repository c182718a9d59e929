"""From core forms to routines, loops and calls with known callees.

A single pass over each top-level form, knowing for every subform whether it is in tail position of its
routine and which loops it is in tail position of. What a call becomes is decided here and nowhere else:

- ``((lambda (x) …) e)`` binds; ``(call-with-values (lambda () …) (lambda …))`` binds several;
- a builtin that the generator can write out is a :class:`Primitive`;
- a tail call of an enclosing loop, or of the routine itself, is a :class:`Jump`;
- any other is an :class:`Invoke`, with its callee if that is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from nodwyn.interp.analyse.nodes import (
    Block,
    CaseRoutine,
    Invoke,
    Jump,
    Leave,
    Loop,
    Member,
    Primitive,
    Receive,
    Routine,
)
from nodwyn.interp.analyse.strings import take_texts
from nodwyn.interp.analyse.uses import MAX_NESTED_LOOPS, Uses, binds, or_parts, receives
from nodwyn.interp.core import (
    Call,
    CaseLambda,
    Const,
    Global,
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
from nodwyn.interp.data import FALSE, TRUE, UNSPECIFIED, Bytevector, Pair, String, Vector
from nodwyn.interp.errors import TOP_LEVEL, too_nested
from nodwyn.interp.generate.inline import is_test, record_primitive, writes_out

DEFERRING = frozenset(["%guard", "%throw", "apply", "call-with-values", "eval", "load", "raise-continuable"])
"""Builtins that may answer with a request."""

RAISING = frozenset(["%reraise", "error", "raise"])
"""Nothing returns from these, so nothing is ever continued behind them."""

CAPTURING = frozenset(["call/cc", "call-with-current-continuation"])
CALLING = DEFERRING | CAPTURING | RAISING | {"%parameterize", "with-exception-handler"}
"""Builtins that call Scheme procedures on the caller's own stack."""

IN_PLACE = frozenset(["%guard", "%parameterize"])
"""Builtins that are given procedures to call at once, which are written where they stand if they are written out."""

MAX_NESTED_GUARDS = 6
"""CPython allows 20 statically nested blocks, loops among them."""

MAX_NESTED_PROCEDURES = 1000
"""CPython names a function after all around it, which takes the square of the time."""

EQUALITIES = frozenset(["=", "zero?"])
"""Builtins that Python answers with a no, and no error, where it is given a procedure."""


APPLY_BUILTIN = Global("apply", "%apply-builtin", builtin=True, constant=True)
"""What ``apply`` of a builtin that calls nothing is a call of."""


def _is_atom(operand: Node) -> bool:
    """Say whether a form is a constant to which the same values are ``equal?`` as ``eqv?``."""
    return isinstance(operand, Const) and operand.value.__class__ not in (Pair, Vector, String, Bytevector)


def _calls_nothing(operand: Node) -> bool:
    return isinstance(operand, GlobalRef) and operand.glob.builtin and operand.glob.key not in CALLING


class Position(NamedTuple):
    """Where a form stands: in tail position of its routine, and of which loops (outermost first)."""

    tail: bool
    loops: tuple[Loop, ...]


OPERAND = Position(False, ())


class Converter:
    """Converts the forms of one unit; ``routines`` lists every routine made, outermost first."""

    def __init__(self, uses: Uses) -> None:
        self.uses = uses
        self.routines: list[Routine] = []
        self.locals: dict[Variable, Routine] = {}
        self.loops: dict[Variable, tuple[Loop, int]] = {}
        self.blocks: dict[Variable, Block] = {}
        self.routine: Routine
        self.nesting = 0
        """Procedures around the form being converted."""
        self.depth = 0
        """Loops of the current function around the form being converted."""
        self.guards = 0
        """Guards likewise, which are written into it."""

    def form(self, node: Node, *, tail: bool) -> Routine:
        """Convert a top-level form to a routine without parameters.

        tail: whether a call that it ends in is a tail call.
        """
        routine = Routine(TOP_LEVEL, None, node.span)
        self._fill(routine, node, tail=tail)
        return routine

    def _fill(self, routine: Routine, body: Node, *, tail: bool = True) -> None:
        outer, depth, guards = getattr(self, "routine", None), self.depth, self.guards
        routine.looping = depth > 0
        self.routine = routine
        if not routine.in_place:
            self.depth = self.guards = 0
        self.routines.append(routine)
        self.nesting += 1
        if self.nesting > MAX_NESTED_PROCEDURES:
            raise too_nested(routine.span)
        routine.body = self.convert(body, Position(tail, ()))
        self.nesting -= 1
        self.depth, self.guards = depth, guards
        if outer is not None:
            self.routine = outer

    def convert(self, node: Node, at: Position) -> Node:
        """Return the converted form of ``node``, which stands at ``at``."""
        method: Callable[[Converter, Node, Position], Node] = METHODS[type(node)]
        return method(self, node, at)

    def _const(self, node: Const, at: Position) -> Node:
        return node

    def _local(self, node: LocalRef, at: Position) -> Node:
        routine = self.locals.get(node.variable)
        if routine is not None:
            routine.escapes = True
        return node

    def _global(self, node: GlobalRef, at: Position) -> Node:
        routine = self.uses.routines.get(node.glob.key)
        if routine is not None:
            routine.escapes = True
        return node

    def _set_local(self, node: LocalSet, at: Position) -> Node:
        return LocalSet(node.variable, self._named(node.value, node.variable.name), node.span)

    def _set_global(self, node: GlobalSet, at: Position) -> Node:
        return GlobalSet(node.glob, self._named(node.value, node.glob.name), node.span)

    def _define(self, node: GlobalDefine, at: Position) -> Node:
        value = node.value
        if isinstance(value, Lambda):
            routine = self.uses.routines.get(node.glob.key)
            if routine is not None:
                self._begin(routine, value)
                return GlobalDefine(node.glob, routine, node.span)
        return GlobalDefine(node.glob, self._named(value, node.glob.name), node.span)

    def _named(self, value: Node, name: str) -> Node:
        if isinstance(value, (Lambda, CaseLambda)) and not value.name:
            value.name = name
        return self.convert(value, OPERAND)

    def _if(self, node: If, at: Position) -> Node:
        test = self.convert(node.test, OPERAND)
        if isinstance(test, Const) and test.value is not UNSPECIFIED:
            return self.convert(node.orelse if test.value is FALSE else node.then, at)
        return If(test, self.convert(node.then, at), self.convert(node.orelse, at), node.span)

    def _seq(self, node: Seq, at: Position) -> Node:
        forms = [self.convert(form, OPERAND) for form in node.forms[:-1]]
        forms.append(self.convert(node.forms[-1], at))
        return Seq(forms, node.span)

    def _let(self, node: Let, at: Position) -> Node:
        bound = self._bind(node.variables, node.inits, node.body, at, node)
        sides = or_parts(bound)
        if sides is not None and is_test(sides[0]):
            return If(sides[0], Const(TRUE, node.span), sides[1], node.span)
        return bound

    def _bind(self, variables: list[Variable], inits: list[Node], body: Node, at: Position, node: Node) -> Node:
        converted: list[Node] = []
        for variable, init in zip(variables, inits, strict=True):
            self._own(variable)
            converted.append(self._procedure(variable, init))
        return Let(variables, converted, self.convert(body, at), node.span)

    def _own(self, variable: Variable) -> None:
        variable.owner = self.routine
        variable.looping = self.depth > 0
        variable.assigned = variable in self.uses.assigned

    def _procedure(self, variable: Variable, init: Node) -> Node:
        """Convert what a local variable is bound to; a procedure never assigned is known to its callers."""
        if isinstance(init, Lambda):
            routine = self.locals.get(variable) or self._declare(variable, init)
            self._begin(routine, init)
            if variable.assigned:
                routine.escapes = True
            return routine
        return self._named(init, variable.name)

    def _declare(self, variable: Variable, init: Lambda) -> Routine:
        routine = Routine(init.name or variable.name, self.routine, init.span, init.number)
        routine.variable = variable
        routine.parameters = init.parameters
        routine.rest = init.rest
        if not variable.assigned:
            self.locals[variable] = routine
        return routine

    def _lambda(self, node: Lambda, at: Position, *, in_place: bool = False) -> Node:
        routine = Routine(node.name, self.routine, node.span, node.number)
        routine.escapes = True
        routine.in_place = in_place
        self._begin(routine, node)
        return routine

    def _begin(self, routine: Routine, node: Lambda) -> None:
        routine.parameters = node.parameters
        routine.rest = node.rest
        for variable in [*node.parameters, *([node.rest] if node.rest else [])]:
            variable.owner = routine
            variable.looping = routine.in_place and self.depth > 0
            variable.assigned = variable in self.uses.assigned
        if not hasattr(routine, "body"):
            routine.parent = getattr(self, "routine", None)
        self._fill(routine, node.body)

    def _case(self, node: CaseLambda, at: Position) -> Node:
        clauses = []
        for clause in node.clauses:
            clause.name = node.name
            routine = self._lambda(clause, OPERAND)
            assert isinstance(routine, Routine)
            clauses.append(routine)
        return CaseRoutine(node.name, clauses, node.span)

    def _letrec(self, node: Letrec, at: Position) -> Node:
        loop = self._loop(node, at)
        if loop is not None:
            return loop
        for variable, init in zip(node.variables, node.inits, strict=True):
            self._own(variable)
            if isinstance(init, Lambda):
                self._declare(variable, init)
        inits = [self._procedure(v, i) for v, i in zip(node.variables, node.inits, strict=True)]
        return Letrec(node.variables, inits, self.convert(node.body, at), node.span)

    def _loop(self, node: Letrec, at: Position) -> Loop | None:
        """Return the loop that a ``letrec`` is, or None where its procedure must be one."""
        if not self.uses.is_loop(node, self.depth):
            return None
        entry = node.body
        assert isinstance(entry, Call) and isinstance(entry.operator, LocalRef)
        inits = [self.convert(operand, OPERAND) for operand in entry.operands]
        members = [Member(init.parameters) for init in node.inits if isinstance(init, Lambda)]
        loop = Loop(
            entry.operator.variable.name, members, node.variables.index(entry.operator.variable), inits, node.span
        )
        for index, variable in enumerate(node.variables):
            self.loops[variable] = loop, index
        self.depth += 1
        inside = Position(at.tail, (*at.loops, loop))
        for member, init in zip(members, node.inits, strict=True):
            assert isinstance(init, Lambda)
            for parameter in member.variables:
                self._own(parameter)
            member.body = self.convert(init.body, inside)
        self.depth -= 1
        return loop

    def _call(self, node: Call, at: Position) -> Node:
        operator = node.operator
        if isinstance(operator, Lambda) and binds(operator, node):
            return self._bind(operator.parameters, node.operands, operator.body, at, node)
        if receives(node):
            return self._receive(node, at)
        if isinstance(operator, GlobalRef):
            return self._call_global(operator, node, at)
        if isinstance(operator, LocalRef):
            return self._call_local(operator, node, at)
        return self._invoke(self.convert(operator, OPERAND), node, at)

    def _operands(self, node: Call) -> list[Node]:
        return [self.convert(operand, OPERAND) for operand in node.operands]

    def _operands_in_place(self, node: Call) -> list[Node]:
        """Convert operands of which those that are procedures run inside the call, at most once."""
        is_room = self.guards < MAX_NESTED_GUARDS
        self.guards += 1
        operands = [
            self._lambda(operand, OPERAND, in_place=is_room)
            if isinstance(operand, Lambda)
            else self.convert(operand, OPERAND)
            for operand in node.operands
        ]
        self.guards -= 1
        return operands

    def _invoke(self, operator: Node, node: Call, at: Position, routine: Routine | None = None) -> Node:
        builtin = operator.glob.key if isinstance(operator, GlobalRef) and operator.glob.builtin else None
        operands = self._operands_in_place(node) if builtin in IN_PLACE else self._operands(node)
        call = Invoke(operator, operands, tail=at.tail, routine=routine, builtin=builtin, span=node.span)
        if routine is not None:
            self.routine.callees.add(routine)
        elif builtin is not None:
            call.quiet = builtin not in CALLING or builtin in RAISING
        elif isinstance(operator, GlobalRef):
            fact = self.uses.fact(operator.glob)
            count = len(node.operands)
            if fact is not None and fact.least <= count and (fact.most is None or count <= fact.most):
                call.direct = fact.direct
                call.quiet = fact.quiet
        self.routine.quiet = self.routine.quiet and (routine is not None or call.quiet)
        if at.tail:
            self._note_tail(call, operator)
        return call

    def _note_tail(self, call: Invoke, operator: Node) -> None:
        clauses = call.operands[1] if call.builtin == "%guard" else None
        if call.routine is not None:
            self.routine.tails.add(call.routine)
        elif isinstance(clauses, Routine) and clauses.in_place:
            self.routine.tails |= clauses.tails
            self.routine.yields = self.routine.yields or clauses.yields
        elif call.builtin is not None:
            self.routine.yields = self.routine.yields or call.builtin in DEFERRING | CAPTURING
        else:
            self.routine.yields = self.routine.yields or not call.direct

    def _call_local(self, operator: LocalRef, node: Call, at: Position) -> Node:
        block = self.blocks.get(operator.variable)
        if block is not None:
            return Leave(block, self.convert(node.operands[0], OPERAND), node.span)
        loop = self.loops.get(operator.variable)
        if loop is not None:
            return Jump(loop[0], self._operands(node), node.span, loop[1])
        routine = self.locals.get(operator.variable)
        if routine is None or not routine.accepts(len(node.operands)):
            return self._invoke(self.convert(operator, OPERAND), node, at)
        return self._call_known(routine, operator, node, at)

    def _call_known(self, routine: Routine, operator: Node, node: Call, at: Position) -> Node:
        if routine is self.routine and at.tail and routine.rest is None:
            routine.repeats = True
            return Jump(routine, self._operands(node), node.span)
        return self._invoke(operator, node, at, routine)

    def _call_global(self, operator: GlobalRef, node: Call, at: Position) -> Node:
        glob, count = operator.glob, len(node.operands)
        if glob.builtin:
            if glob.key in CAPTURING and count == 1:
                block = self._block(node, at)
                if block is not None:
                    return block
            name = "eqv?" if glob.key == "equal?" and any(map(_is_atom, node.operands)) else glob.key
            if writes_out(name, count) and not (name in EQUALITIES and self._names_procedure(node.operands)):
                primitive = Primitive(name, self._operands(node), node.span)
                take_texts(primitive)
                return primitive
            if glob.key == "apply" and count > 1 and _calls_nothing(node.operands[0]):
                operator = GlobalRef(APPLY_BUILTIN, operator.span)
            return self._invoke(operator, node, at)
        routine = self.uses.routine(glob)
        if routine is not None and routine.accepts(count):
            return self._call_known(routine, operator, node, at)
        fact = self.uses.fact(glob)
        if fact is not None:
            written = record_primitive(fact, glob.name, self._operands, node)
            if written is not None:
                return written
        return self._invoke(operator, node, at)

    def _names_procedure(self, operands: list[Node]) -> bool:
        """Say whether any operand is known to be a procedure."""
        return any(
            isinstance(operand, (Lambda, CaseLambda))
            or (isinstance(operand, GlobalRef) and (operand.glob.builtin or self.uses.is_known_procedure(operand)))
            or (isinstance(operand, LocalRef) and operand.variable in self.locals)
            for operand in operands
        )

    def _block(self, node: Call, at: Position) -> Block | None:
        """Return the block that a ``call/cc`` is whose continuation never outlives it, or None."""
        (receiver,) = node.operands
        if self.depth >= MAX_NESTED_LOOPS:
            return None
        if not isinstance(receiver, Lambda) or receiver.rest is not None or len(receiver.parameters) != 1:
            return None
        if not self.uses.only_left(receiver, self.depth + 1):
            return None
        (variable,) = receiver.parameters
        self._own(variable)
        block = self.blocks[variable] = Block(variable, node.span)
        self.depth += 1
        block.body = self.convert(receiver.body, at)
        self.depth -= 1
        return block

    def _receive(self, node: Call, at: Position) -> Node:
        producer, consumer = node.operands
        assert isinstance(producer, Lambda) and isinstance(consumer, Lambda)
        converted = self.convert(producer.body, OPERAND)
        for variable in [*consumer.parameters, *([consumer.rest] if consumer.rest else [])]:
            self._own(variable)
        body = self.convert(consumer.body, at)
        return Receive(consumer.parameters, consumer.rest, converted, body, node.span)

    def _record_type(self, node: MakeRecordType, at: Position) -> Node:
        return node

    def _record_procedure(self, node: RecordProcedure, at: Position) -> Node:
        record_type = self.convert(node.record_type, OPERAND)
        return RecordProcedure(node.role, node.name, record_type, node.attributes, node.span, node.others)


METHODS: dict[type[Node], Any] = {
    Const: Converter._const,
    LocalRef: Converter._local,
    GlobalRef: Converter._global,
    LocalSet: Converter._set_local,
    GlobalSet: Converter._set_global,
    GlobalDefine: Converter._define,
    If: Converter._if,
    Lambda: Converter._lambda,
    CaseLambda: Converter._case,
    Seq: Converter._seq,
    Let: Converter._let,
    Letrec: Converter._letrec,
    Call: Converter._call,
    MakeRecordType: Converter._record_type,
    RecordProcedure: Converter._record_procedure,
}
