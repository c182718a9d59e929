"""Copies of core forms with variables of their own, and with some variables replaced."""

from __future__ import annotations

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
from nodwyn.interp.data import FALSE, NIL, TRUE, Pair
from nodwyn.interp.syntax import Span


class Copier:
    """Copies core forms, leaving out branches that are then known not to be taken.

    replacements: for variables that are never assigned, what stands in their place; used as it is, so one that is no
    constant or reference may take the place of one use only. procedures: variables known to hold procedures.
    place: the span that copies get instead of their own.
    """

    def __init__(
        self,
        replacements: dict[Variable, Node],
        procedures: frozenset[Variable] | set[Variable] = frozenset(),
        place: Span | None = None,
    ) -> None:
        self.place = place
        self.replacements = replacements
        self.procedures = procedures
        self.variables: dict[Variable, Variable] = {}

    def _span(self, node: Node) -> Span | None:
        return self.place or node.span

    def variable(self, variable: Variable) -> Variable:
        """Return the copy of a variable; one that is bound outside of what is copied is itself."""
        return self.variables.get(variable, variable)

    def bind(self, variables: list[Variable]) -> list[Variable]:
        """Return new variables that stand for ``variables`` in what is copied from now on."""
        made = []
        for variable in variables:
            copied = self.variables[variable] = Variable(variable.name, variable.span)
            made.append(copied)
        return made

    def copy(self, node: Node) -> Node:
        """Return a copy of a core form."""
        match node:
            case Const():
                return Const(node.value, self._span(node))
            case LocalRef():
                replacement = self.replacements.get(node.variable)
                if replacement is None:
                    return LocalRef(self.variable(node.variable), self._span(node))
                return _again(replacement, self._span(node))
            case GlobalRef():
                return GlobalRef(node.glob, self._span(node))
            case Call():
                return self._call(node)
            case If():
                test = self.copy(node.test)
                if isinstance(test, Const):
                    return self.copy(node.orelse if test.value is FALSE else node.then)
                return If(test, self.copy(node.then), self.copy(node.orelse), self._span(node))
            case Seq():
                return Seq([self.copy(form) for form in node.forms], self._span(node))
            case Lambda():
                return self.procedure(node)
            case _:
                return self._copy_other(node)

    def _call(self, node: Call) -> Node:
        operator = node.operator
        if isinstance(operator, GlobalRef) and operator.glob.key == "procedure?" and len(node.operands) == 1:
            operand = node.operands[0]
            if isinstance(operand, LocalRef) and operand.variable in self.procedures:
                return Const(TRUE, self._span(node))
        operands = [self.copy(operand) for operand in node.operands]
        # A copy that replaces nothing may be one to compile again when a builtin has been defined anew.
        if isinstance(operator, GlobalRef) and self.replacements:
            folded = fold(operator, operands)
            if folded is not None:
                return folded
        return Call(self.copy(operator), operands, self._span(node))

    def procedure(self, node: Lambda) -> Lambda:
        """Return a copy of a procedure."""
        parameters = self.bind(node.parameters)
        rest = self.bind([node.rest])[0] if node.rest is not None else None
        return Lambda(node.name, parameters, rest, self.copy(node.body), self._span(node))

    def _copy_other(self, node: Node) -> Node:
        match node:
            case Let():
                inits = [self.copy(init) for init in node.inits]
                return Let(self.bind(node.variables), inits, self.copy(node.body), self._span(node))
            case Letrec():
                variables = self.bind(node.variables)
                return Letrec(
                    variables, [self.copy(init) for init in node.inits], self.copy(node.body), self._span(node)
                )
            case CaseLambda():
                return CaseLambda(node.name, [self.procedure(clause) for clause in node.clauses], self._span(node))
            case LocalSet():
                return LocalSet(self.variable(node.variable), self.copy(node.value), self._span(node))
            case GlobalSet():
                return GlobalSet(node.glob, self.copy(node.value), self._span(node))
            case GlobalDefine():
                return GlobalDefine(node.glob, self.copy(node.value), self._span(node))
            case RecordProcedure():
                kind = self.copy(node.record_type)
                return RecordProcedure(node.role, node.name, kind, node.attributes, self._span(node), node.others)
            case MakeRecordType():
                return MakeRecordType(node.name, node.fields, node.attributes, self._span(node))
        raise AssertionError(f"no core form: {node!r}")


ALIASED = frozenset(
    """call/cc call-with-current-continuation char-set-adjoin char-set-adjoin! char-set-complement char-set-complement!
    char-set-delete char-set-delete! char-set-diff+intersection char-set-diff+intersection! char-set-difference
    char-set-difference! char-set-intersection char-set-intersection! char-set-union char-set-union! char-set-xor
    char-set-xor! complex? emergency-exit %exit exact exact->inexact floor-remainder inexact inexact->exact modulo
    number? quotient remainder truncate-quotient truncate-remainder""".split()
)
"""Names of builtins that are not the only one of theirs."""

EQUIVALENCES = frozenset(["eq?", "eqv?", "equal?"])


def fold(operator: GlobalRef, operands: list[Node]) -> Node | None:
    """Return the constant that a test of constants is, or None."""
    answer = None
    if operator.glob.builtin and len(operands) == 1 and isinstance(operands[0], Const):
        value = operands[0].value
        answers = {"null?": value is NIL, "pair?": value.__class__ is Pair, "not": value is FALSE}
        answer = answers.get(operator.glob.key)
    elif operator.glob.builtin and len(operands) == 2 and operator.glob.key in EQUIVALENCES:
        answer = _are_same_builtin(*operands)
    return None if answer is None else Const(TRUE if answer else FALSE, operands[0].span)


def _are_same_builtin(first: Node, second: Node) -> bool | None:
    """Say whether two forms name the same builtin; None where that cannot be seen."""
    keys = [node.glob.key for node in (first, second) if isinstance(node, GlobalRef) and node.glob.builtin]
    if len(keys) < 2:
        return None
    if keys[0] == keys[1]:
        return True
    return None if ALIASED & set(keys) else False


def _again(replacement: Node, span: Span | None) -> Node:
    """Return a replacement for one more place."""
    if isinstance(replacement, Const):
        return Const(replacement.value, span)
    if isinstance(replacement, LocalRef):
        return LocalRef(replacement.variable, span)
    if isinstance(replacement, GlobalRef):
        return GlobalRef(replacement.glob, span)
    return replacement
