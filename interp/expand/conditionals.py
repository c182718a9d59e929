"""Forms that choose: ``if``, ``cond``, ``case``, ``and``, ``or``, ``when``, ``unless`` (sections 4.1.5 and 4.2.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nodwyn.interp.core import Call, Const, If, Let, LocalRef, Node, Variable
from nodwyn.interp.data import FALSE, TRUE
from nodwyn.interp.expand.bodies import unspecified
from nodwyn.interp.expand.forms import expression, is_keyword, list_in, misuse
from nodwyn.interp.expand.scope import Scope
from nodwyn.interp.syntax import ListSyntax, Span, Syntax, strip

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander


@expression("if", "(if test consequent alternate)", "(if test consequent)", least=3, most=4)
def expand_if(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    items = use.items
    return If(
        expander.expand(items[1], scope),
        expander.expand(items[2], scope),
        expander.expand(items[3], scope) if len(items) == 4 else unspecified(use.span),
        use.span,
    )


@expression("when", "(when test expression …)", least=3)
def expand_when(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    test = expander.expand(use.items[1], scope)
    return If(test, expander.sequence(use.items[2:], scope, use.span), unspecified(use.span), use.span)


@expression("unless", "(unless test expression …)", least=3)
def expand_unless(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    test = expander.expand(use.items[1], scope)
    return If(test, unspecified(use.span), expander.sequence(use.items[2:], scope, use.span), use.span)


@expression("and", "(and test …)")
def expand_and(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    if len(use.items) == 1:
        return Const(TRUE, use.span)
    nodes = [expander.expand(item, scope) for item in use.items[1:]]
    result = nodes.pop()
    while nodes:
        result = If(nodes.pop(), result, Const(FALSE, use.span), use.span)
    return result


@expression("or", "(or test …)")
def expand_or(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    if len(use.items) == 1:
        return Const(FALSE, use.span)
    nodes = [expander.expand(item, scope) for item in use.items[1:]]
    result = nodes.pop()
    while nodes:
        result = value_or(nodes.pop(), result, use.span)
    return result


def value_or(first: Node, second: Node, span: Span | None) -> Node:
    """Return the node for the value of ``first`` unless it is false, and else that of ``second``."""
    value = Variable("or", span)
    return Let([value], [first], If(LocalRef(value), LocalRef(value), second, span), span)


@expression("cond", "(cond (test expression …) … (else expression …))", least=2)
def expand_cond(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return clauses("cond", expander, use.items[1:], scope, unspecified(use.span))


def clauses(
    form: str,
    expander: Expander,
    syntax: list[Syntax],
    scope: Scope,
    otherwise: Node,
    chosen: Callable[[Node], Node] = lambda node: node,
) -> Node:
    """Return the node for the clauses of ``cond``, which ``guard`` has too.

    otherwise: for when no clause applies. chosen: makes what is evaluated for a clause that applies from what it says.
    """
    parts = [list_in(form, clause, 1) for clause in syntax]
    if parts and is_keyword(parts[-1][0], "else", scope):
        last = parts.pop()
        if len(last) == 1:
            raise misuse(form, syntax[-1])
        otherwise = chosen(expander.sequence(last[1:], scope, syntax[-1].span))
    result = otherwise
    made = [_clause(form, expander, items, clause, scope) for items, clause in zip(parts, syntax)]
    for clause, (test, then, by_value) in zip(reversed(syntax[: len(parts)]), reversed(made)):
        if by_value is None:
            if then is None:
                result = value_or(test, result, clause.span)
            else:
                result = If(test, chosen(then), result, clause.span)
        else:
            value = Variable("value", clause.span)
            call = chosen(Call(by_value, [LocalRef(value)], clause.span))
            result = Let([value], [test], If(LocalRef(value), call, result, clause.span), clause.span)
    return result


def _clause(
    form: str, expander: Expander, items: list[Syntax], clause: Syntax, scope: Scope
) -> tuple[Node, Node | None, Node | None]:
    """Return the nodes of a clause: test, what follows it if anything, and the receiver after ``=>``."""
    if is_keyword(items[0], "else", scope):
        raise misuse(form, clause, "the else clause is the last one")
    test = expander.expand(items[0], scope)
    if len(items) == 1:
        return test, None, None
    if is_keyword(items[1], "=>", scope):
        if len(items) != 3:
            raise misuse(form, clause, "a clause with => is written (test => procedure)")
        return test, None, expander.expand(items[2], scope)
    return test, expander.sequence(items[1:], scope, clause.span), None


@expression("case", "(case key ((datum …) expression …) … (else expression …))", least=2)
def expand_case(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    key = expander.expand(use.items[1], scope)
    variable = Variable("key", use.items[1].span)
    result: Node = unspecified(use.span)
    branches: list[tuple[Node | None, Node]] = []
    for at, clause in enumerate(use.items[2:], 3):
        items = list_in("case", clause, 2)
        if is_keyword(items[0], "else", scope):
            if at != len(use.items):
                raise misuse("case", clause, "the else clause is the last one")
            result = _case_result(expander, items, clause, variable, scope)
        else:
            test = _case_test(expander, items[0], variable)
            branches.append((test, _case_result(expander, items, clause, variable, scope)))
    for branch_test, then in reversed(branches):
        result = result if branch_test is None else If(branch_test, then, result, then.span)
    return Let([variable], [key], result, use.span)


def _case_test(expander: Expander, data: Syntax, key: Variable) -> Node | None:
    """Return the node that tells whether the key is one of the data, None for no data at all."""
    test: Node | None = None
    for datum in reversed(list_in("case", data)):
        same = expander.builtin("eqv?", [LocalRef(key), Const(strip(datum), datum.span)], datum.span)
        test = same if test is None else If(same, Const(TRUE), test, datum.span)
    return test


def _case_result(expander: Expander, items: list[Syntax], clause: Syntax, key: Variable, scope: Scope) -> Node:
    if is_keyword(items[1], "=>", scope):
        if len(items) != 3:
            raise misuse("case", clause, "a clause with => is written ((datum …) => procedure)")
        return Call(expander.expand(items[2], scope), [LocalRef(key)], clause.span)
    return expander.sequence(items[1:], scope, clause.span)
