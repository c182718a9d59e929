"""Inlining of known global procedures: those that are given procedures, and small ones of the standard libraries.

``(for-each (lambda (x) …) items)`` becomes the loop that ``for-each`` is, with the body of the lambda in it. What is
inlined from another text, which only a standard library's is, gets the span of the call. A procedure is inlined where
it is called with a procedure and is not large, or where it is so small that calling it costs more than what it does;
never inside itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from nodwyn.interp.analyse.copying import Copier, fold
from nodwyn.interp.analyse.uses import children, walk
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
    Node,
    RecordProcedure,
    Seq,
    Variable,
)
from nodwyn.interp.data import FALSE, NIL
from nodwyn.interp.library_path import standard_library
from nodwyn.interp.syntax import Span

LARGE = 90
"""Nodes of a procedure that is inlined where it is given a procedure."""

SMALL = 20
"""Nodes of a standard library's procedure that is inlined wherever it is called, such as the choice of a clause by the
number of arguments. Those of programs and of their own libraries stay: a mistake in one is shown where it is."""

STANDARD = standard_library() + os.sep

EXTENT = frozenset(["%winders", "%set-winders!"])

DEPTH = 5
"""How far inside one another procedures are inlined."""

GROWTH = 4000
"""Nodes that inlining may add to one top-level form."""

Procedure = Lambda | CaseLambda


def size_of(node: Node, most: int) -> int:
    """Return the number of nodes in a form, or any number above ``most`` if there are more."""
    count = 0
    for _ in walk(node):
        count += 1
        if count > most:
            break
    return count


def inlinable(key: str, value: Node) -> bool:
    """Say whether calls of a global procedure can be replaced by its body."""
    if not isinstance(value, (Lambda, CaseLambda)):
        return False
    clauses = value.clauses if isinstance(value, CaseLambda) else [value]
    if all(size_of(clause, LARGE) > LARGE for clause in clauses):
        return False
    for node in walk(value):
        # What keeps the dynamic extent stays a procedure: an early exit from it must not become a jump.
        if isinstance(node, GlobalRef) and (node.glob.key == key or node.glob.key in EXTENT):
            return False
        if isinstance(node, (GlobalDefine, GlobalSet)):
            return False
    return True


class Inliner:
    """Rewrites the forms of a unit in place.

    known: gives the body of a global procedure that may be inlined. is_known: says whether a global is known to be a
    procedure.
    """

    def __init__(
        self,
        known: Callable[[GlobalRef], Procedure | None],
        is_known: Callable[[GlobalRef], bool],
        assigned: set[Variable],
    ) -> None:
        self.known = known
        self.is_known = is_known
        self.assigned = assigned
        self.active: list[str] = []
        self.grown = 0
        self.numbers: dict[str, Const] = {}
        """Globals that the forms so far have defined as a number for good: what follows runs after these."""

    def form(self, node: Node) -> Node:
        """Return a top-level form with calls inlined."""
        self.grown = 0
        self.active = []
        if isinstance(node, GlobalDefine):
            self.active.append(node.glob.key)
        made = self.rewrite(node)
        match made:
            case GlobalDefine(glob=glob, value=Const() as named) if glob.constant and named.value.__class__ in (
                int,
                float,
            ):
                self.numbers[glob.key] = named
        return made

    def rewrite(self, node: Node) -> Node:
        """Return a form with the calls in it inlined."""
        match node:
            case Call():
                node.operands = [self.rewrite(operand) for operand in node.operands]
                if isinstance(node.operator, GlobalRef):
                    return self._call(node, node.operator)
                node.operator = self.rewrite(node.operator)
                return node
            case GlobalRef():
                number = self.numbers.get(node.glob.key)
                return node if number is None else Const(number.value, node.span)
            case If():
                return self._if(node)
            case Lambda():
                node.body = self.rewrite(node.body)
            case CaseLambda():
                for clause in node.clauses:
                    clause.body = self.rewrite(clause.body)
            case Seq():
                node.forms = [self.rewrite(form) for form in node.forms]
            case Let() | Letrec():
                node.inits = [self.rewrite(init) for init in node.inits]
                node.body = self.rewrite(node.body)
            case LocalSet() | GlobalSet() | GlobalDefine():
                node.value = self.rewrite(node.value)
            case RecordProcedure():
                node.record_type = self.rewrite(node.record_type)
        return node

    def _if(self, node: If) -> Node:
        test = node.test = self.rewrite(node.test)
        if isinstance(test, Const):
            return self.rewrite(node.orelse if test.value is FALSE else node.then)
        node.then = self.rewrite(node.then)
        node.orelse = self.rewrite(node.orelse)
        return node

    def _call(self, node: Call, operator: GlobalRef) -> Node:
        folded = fold(operator, node.operands)
        if folded is not None:
            return folded
        key = operator.glob.key
        applied = _applied(operator, node)
        if applied is not None:
            return self.rewrite(applied)
        if key in self.active or len(self.active) > DEPTH:
            return node
        value = self.known(operator)
        procedure = clause_for(value, len(node.operands)) if value is not None else None
        if procedure is None or not self._worth(procedure, operator.glob, node):
            return node
        self.active.append(key)
        inlined = self.rewrite(self._body(procedure, node.operands, node.span))
        self.active.pop()
        return inlined

    def _worth(self, procedure: Lambda, glob: Global, node: Call) -> bool:
        size = size_of(procedure, LARGE)
        if size > LARGE or self.grown + size > GROWTH:
            return False
        is_own = _same_text(procedure.span, node.span)
        if not is_own and not _is_standard(procedure.span):
            return False
        is_small = size <= SMALL and glob.constant and not is_own
        if not is_small and not any(self._is_procedure(operand) for operand in node.operands):
            return False
        self.grown += size
        return True

    def _is_procedure(self, operand: Node) -> bool:
        if isinstance(operand, Lambda):
            return True
        if not isinstance(operand, GlobalRef):
            return False
        return (operand.glob.builtin and operand.glob.constant) or self.is_known(operand)

    def _body(self, procedure: Lambda, operands: list[Node], span: Span | None) -> Node:
        """Return a procedure's body with its parameters bound to operands."""
        count = len(procedure.parameters)
        pairs = list(zip(procedure.parameters, operands[:count], strict=True))
        if procedure.rest is not None:
            extra = operands[count:]
            rest: Node = Const(NIL, span)
            if extra:
                rest = Call(GlobalRef(LIST, span), extra, span)
            pairs.append((procedure.rest, rest))
        uses = uses_of(procedure.body, {variable for variable, _ in pairs})
        replacements = {
            variable: operand for variable, operand in pairs if not uses[variable].assigned and self._is_atom(operand)
        }
        procedures = {variable for variable, operand in pairs if self._is_procedure(operand)}
        procedures -= {variable for variable in procedures if uses[variable].assigned}
        copier = Copier(replacements, procedures, None if _same_text(procedure.span, span) else span)
        bound = [(variable, operand) for variable, operand in pairs if variable not in replacements]
        variables = copier.bind([variable for variable, _ in bound])
        body = self._copied(copier, procedure.body)
        return self._with_procedures(variables, [operand for _, operand in bound], body, span)

    def _with_procedures(self, variables: list[Variable], operands: list[Node], body: Node, span: Span | None) -> Node:
        """Return a ``let`` in which a procedure used once stands where it is used."""
        uses = uses_of(body, set(variables))
        once: dict[Variable, Node] = {}
        for variable, operand in zip(variables, operands, strict=True):
            use = uses[variable]
            # A procedure that is used once is called, or handed on, where it stands.
            if isinstance(operand, Lambda) and not use.assigned and use.count == 1:
                if use.called == 1 or not use.inside:
                    once[variable] = operand
            elif isinstance(operand, Lambda) and not use.count:
                once[variable] = operand
        if once:
            body = self._copied(Copier(once), body)
        pairs = [(v, o) for v, o in zip(variables, operands, strict=True) if v not in once]
        if not pairs:
            return body
        return Let([variable for variable, _ in pairs], [operand for _, operand in pairs], body, span)

    def _is_atom(self, operand: Node) -> bool:
        if isinstance(operand, Const):
            return True
        if isinstance(operand, LocalRef):
            return operand.variable not in self.assigned
        return isinstance(operand, GlobalRef) and (operand.glob.constant or self.is_known(operand))

    def _copied(self, copier: Copier, body: Node) -> Node:
        copied = copier.copy(body)
        self.assigned |= {node.variable for node in walk(copied) if isinstance(node, LocalSet)}
        return copied


def _applied(operator: GlobalRef, node: Call) -> Call | None:
    """Return the call that ``(apply procedure … (list …))`` is, or None if it is something else."""
    if not (operator.glob.builtin and operator.glob.key == "apply" and len(node.operands) >= 2):
        return None
    procedure, *leading, last = node.operands
    if not (isinstance(last, Call) and isinstance(last.operator, GlobalRef)):
        return None
    if not (last.operator.glob.builtin and last.operator.glob.key == "list"):
        return None
    return Call(procedure, [*leading, *last.operands], node.span)


def _is_standard(span: Span | None) -> bool:
    return span is not None and span.source.name.startswith(STANDARD)


def _same_text(first: Span | None, second: Span | None) -> bool:
    """Say whether two spans are of one text: what is inlined from another stands where it is called."""
    return first is not None and second is not None and first.source is second.source


class Use:
    """How a parameter is used: how often, how often as the operator of a call, whether inside a procedure."""

    def __init__(self) -> None:
        self.count = 0
        self.called = 0
        self.inside = False
        self.assigned = False


def uses_of(body: Node, variables: set[Variable]) -> dict[Variable, Use]:
    """Return how some variables are used in a form."""
    found = {variable: Use() for variable in variables}
    pending: list[tuple[Node, bool]] = [(body, False)]
    while pending:
        node, inside = pending.pop()
        if isinstance(node, LocalRef) and node.variable in found:
            use = found[node.variable]
            use.count += 1
            use.inside = use.inside or inside
        elif isinstance(node, LocalSet) and node.variable in found:
            found[node.variable].assigned = True
        if isinstance(node, Call) and isinstance(node.operator, LocalRef) and node.operator.variable in found:
            found[node.operator.variable].called += 1
        inner = inside or isinstance(node, Lambda)
        pending.extend((child, inner) for child in children(node))
    return found


def clause_for(value: Procedure, count: int) -> Lambda | None:
    """Return the procedure, or the clause of it, that takes ``count`` arguments."""
    clauses = value.clauses if isinstance(value, CaseLambda) else [value]
    for clause in clauses:
        least = len(clause.parameters)
        if count == least or (count > least and clause.rest is not None):
            return clause
    return None


LIST = Global("list", "list", builtin=True, constant=True)
