"""The second half of analysis: captured and boxed variables, sites, kinds, numbers, who answers directly."""

from __future__ import annotations

from nodwyn.interp.analyse.arguments import Arguments
from nodwyn.interp.analyse.kinds import ANY, settle
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
from nodwyn.interp.analyse.pieces import Pieces
from nodwyn.interp.analyse.strings import Strings
from nodwyn.interp.analyse.texts import Texts
from nodwyn.interp.analyse.uses import children
from nodwyn.interp.core import Const, Let, Letrec, LocalRef, LocalSet, Node, Variable

REMAINDERS = frozenset(["remainder", "truncate-remainder"])
"""Builtins of which it is cheaper to tell whether they give 0 than what they give."""


def parts(node: Node) -> list[Node]:
    """Return the direct subforms of a converted form, in order of evaluation."""
    if isinstance(node, (Primitive, Jump, RecordAccess)):
        return node.operands
    if isinstance(node, Invoke):
        return [node.operator, *node.operands]
    if isinstance(node, Loop):
        return [*node.inits, *(member.body for member in node.members)]
    if isinstance(node, Receive):
        return [node.producer, node.body]
    if isinstance(node, (Routine, Block)):
        return [node.body]
    if isinstance(node, Leave):
        return [node.value]
    if isinstance(node, Text):
        return [node.operand]
    if isinstance(node, CaseRoutine):
        return list(node.clauses)
    return children(node)


class Finisher:
    """Numbers the nodes of a unit in order and notes what the generator wants to know of them."""

    def __init__(self, count: int = 0) -> None:
        self.count = count
        self.bindings: list[tuple[Variable, Node]] = []
        self.variables: list[Variable] = []
        self.letrecs: list[Letrec] = []
        self.texts = Texts()
        self.strings = Strings()
        self.pieces = Pieces()
        self.arguments = Arguments()

    def finish(self, routines: list[Routine]) -> None:
        """Complete the analysis of a unit, given all its routines."""
        settle_quiet(routines)
        for form in [r for r in routines if r.parent is None]:
            self._visit(form, form)
        settle(self.bindings)
        self.texts.settle()
        self.strings.settle()
        self.pieces.settle()
        self.arguments.settle()
        for node in self.letrecs:
            box_later_values(node)
        for variable in self.variables:
            owner = variable.owner
            assert isinstance(owner, Routine)
            variable.looping = variable.looping or function_of(owner).repeats
            if variable.assigned and (variable.captured or owner.body.sites):
                variable.boxed = True
        settle_direct(routines)

    def _number(self) -> int:
        self.count += 1
        return self.count

    def _variable(self, variable: Variable) -> None:
        if variable.identity == 0:
            variable.identity = self._number()
        self.variables.append(variable)

    def _parameters(self, routine: Routine) -> None:
        for variable in parameters_of(routine):
            self._variable(variable)
            variable.kind = ANY

    def _visit(self, node: Node, routine: Routine) -> bool:
        """Visit ``node``, which stands in ``routine``; return whether it holds a site."""
        node.number = self._number()
        self._bind(node)
        self.texts.visit(node)
        self.strings.visit(node)
        self.pieces.visit(node)
        self.arguments.visit(node)
        if isinstance(node, Primitive) and node.name in ("=", "zero?"):
            want_zero(node.operands)
        inner = routine
        if isinstance(node, Routine):
            self._parameters(node)
            inner = node
        elif isinstance(node, (LocalRef, LocalSet)):
            self._refer(node.variable, routine)
        sites = False
        for part in parts(node):
            sites = self._visit(part, inner) or sites
        if isinstance(node, (Routine, CaseRoutine)):
            sites = False
        elif isinstance(node, Invoke) and not (node.routine.quiet if node.routine is not None else node.quiet):
            sites = True
        node.sites = sites
        return sites

    def _bind(self, node: Node) -> None:
        if isinstance(node, Letrec):
            self.letrecs.append(node)
        if isinstance(node, Loop):
            for index, member in enumerate(node.members):
                for variable in member.variables:
                    self._variable(variable)
                if index == node.entry:
                    self._bind_all(member.variables, node.inits)
        elif isinstance(node, (Let, Letrec)):
            for variable, init in zip(node.variables, node.inits, strict=True):
                self._variable(variable)
                self._bind_to(variable, init)
        elif isinstance(node, Receive):
            for variable in [*node.variables, *([node.rest] if node.rest else [])]:
                self._variable(variable)
                variable.kind = ANY
        elif isinstance(node, Jump) and isinstance(node.target, Loop):
            node.target.jumps += 1
            variables = node.target.members[node.member].variables
            self._bind_all(variables, node.operands)

    def _bind_all(self, variables: list[Variable], values: list[Node]) -> None:
        for variable, value in zip(variables, values, strict=True):
            self._bind_to(variable, value)

    def _bind_to(self, variable: Variable, value: Node) -> None:
        self.bindings.append((variable, value))
        self.texts.bind(variable, value)
        self.pieces.bind(variable, value)

    def _refer(self, variable: Variable, routine: Routine) -> None:
        if variable.owner is routine:
            return
        variable.captured = True
        inner: Routine | None = routine
        while inner is not None and inner is not variable.owner:
            inner.free.add(variable)
            inner = inner.parent


def want_zero(operands: list[Node]) -> None:
    """Take note that a remainder is only compared with 0."""
    others = [
        each for each in operands if not (isinstance(each, Const) and each.value.__class__ is int and not each.value)
    ]
    if len(others) == 1 and isinstance(others[0], Primitive) and others[0].name in REMAINDERS:
        others[0].wanted = "zero"


def box_later_values(node: Letrec) -> None:
    """Box the values of a ``letrec*`` that a procedure before them refers to, if that may run or be captured first.

    A closure finds a later value through its cell, but a continuation captured in between would not.
    """
    seen: list[Routine] = []
    for variable, init in zip(node.variables, node.inits, strict=True):
        if isinstance(init, Routine):
            seen.append(init)
        elif (init.sites or variable.looping) and any(variable in routine.free for routine in seen):
            variable.boxed = True


def function_of(routine: Routine) -> Routine:
    """Return the routine whose function a routine is written into."""
    while routine.in_place:
        assert routine.parent is not None
        routine = routine.parent
    return routine


def parameters_of(routine: Routine) -> list[Variable]:
    """Return a routine's parameters with the rest parameter."""
    return [*routine.parameters, *([routine.rest] if routine.rest else [])]


def settle_quiet(routines: list[Routine]) -> None:
    """Find the routines in which no continuation is captured: those that call only such routines."""
    callers: dict[Routine, list[Routine]] = {}
    for routine in routines:
        for callee in routine.callees:
            callers.setdefault(callee, []).append(routine)
    pending = [callee for callee in callers if not callee.quiet]
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller.quiet:
                caller.quiet = False
                pending.append(caller)


def settle_direct(routines: list[Routine]) -> None:
    """Find the routines that never answer with a request: those whose tail calls end, in ones that do not either."""
    state: dict[Routine, bool | None] = {}

    def judge(start: Routine) -> None:
        stack = [(start, iter(start.tails))]
        state[start] = None
        while stack:
            routine, callees = stack[-1]
            for callee in callees:
                if callee not in state:
                    state[callee] = None
                    stack.append((callee, iter(callee.tails)))
                    break
            else:
                stack.pop()
                state[routine] = not routine.yields and all(state.get(c) is True for c in routine.tails)

    for routine in routines:
        if routine not in state:
            judge(routine)
    for routine in routines:
        routine.direct = state[routine] is True
