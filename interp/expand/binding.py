"""Forms that bind local variables: ``let`` and its kin, and ``do`` (sections 4.2.2 and 4.2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.core import Call, If, Lambda, Let, Letrec, LocalRef, Node, Seq, Variable
from nodwyn.interp.expand.bodies import expand_body, unspecified
from nodwyn.interp.expand.forms import expression, identifier_in, list_in
from nodwyn.interp.expand.procedures import check_distinct
from nodwyn.interp.expand.scope import Scope
from nodwyn.interp.syntax import Identifier, ListSyntax, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander


def _bindings(form: str, syntax: Syntax) -> tuple[list[Identifier], list[Syntax]]:
    """Return the identifiers and the expressions of ``((variable init) …)``."""
    identifiers = []
    inits = []
    for binding in list_in(form, syntax):
        variable, init = list_in(form, binding, 2, 2)
        identifiers.append(identifier_in(form, variable))
        inits.append(init)
    return identifiers, inits


def _named_inits(expander: Expander, identifiers: list[Identifier], inits: list[Syntax], scope: Scope) -> list[Node]:
    return [expander.expand_named(init, scope, identifier.symbol.name) for identifier, init in zip(identifiers, inits)]


@expression("let", "(let ((variable init) …) body …)", "(let name ((variable init) …) body …)", least=3)
def expand_let(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    if isinstance(use.items[1], Identifier):
        return _named_let(expander, use, scope)
    identifiers, inits = _bindings("let", use.items[1])
    check_distinct("let", identifiers)
    nodes = _named_inits(expander, identifiers, inits, scope)
    inner = Scope(scope)
    variables = [inner.bind(identifier) for identifier in identifiers]
    body = expand_body(expander, use.items[2:], inner, use)
    return Let(variables, nodes, body, use.span) if variables else body


def _named_let(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    name = identifier_in("let", use.items[1])
    identifiers, inits = _bindings("let", list_in("let", use, 4)[2])
    check_distinct("let", identifiers)
    nodes = _named_inits(expander, identifiers, inits, scope)
    around = Scope(scope)
    loop = around.bind(name)
    inner = Scope(around)
    variables = [inner.bind(identifier) for identifier in identifiers]
    body = expand_body(expander, use.items[3:], inner, use)
    step = Lambda(name.symbol.name, variables, None, body, use.span)
    return Letrec([loop], [step], Call(LocalRef(loop, name.span), nodes, use.span), use.span)


@expression("let*", "(let* ((variable init) …) body …)", least=3)
def expand_let_star(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    identifiers, inits = _bindings("let*", use.items[1])
    bound: list[tuple[Variable, Node]] = []
    for identifier, init in zip(identifiers, inits):
        node = expander.expand_named(init, scope, identifier.symbol.name)
        scope = Scope(scope)
        bound.append((scope.bind(identifier), node))
    body = expand_body(expander, use.items[2:], scope, use)
    for variable, node in reversed(bound):
        body = Let([variable], [node], body, use.span)
    return body


def _letrec(form: str, expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    identifiers, inits = _bindings(form, use.items[1])
    check_distinct(form, identifiers)
    inner = Scope(scope)
    variables = [inner.bind(identifier) for identifier in identifiers]
    nodes = _named_inits(expander, identifiers, inits, inner)
    body = expand_body(expander, use.items[2:], inner, use)
    return Letrec(variables, nodes, body, use.span) if variables else body


@expression("letrec", "(letrec ((variable init) …) body …)", least=3)
def expand_letrec(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _letrec("letrec", expander, use, scope)


@expression("letrec*", "(letrec* ((variable init) …) body …)", least=3)
def expand_letrec_star(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _letrec("letrec*", expander, use, scope)


@expression("do", "(do ((variable init step) …) (test expression …) command …)", least=3)
def expand_do(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    specs = [list_in("do", spec, 2, 3) for spec in list_in("do", use.items[1])]
    identifiers = [identifier_in("do", spec[0]) for spec in specs]
    check_distinct("do", identifiers)
    test, *results = list_in("do", use.items[2], 1)
    inits = _named_inits(expander, identifiers, [spec[1] for spec in specs], scope)
    inner = Scope(scope)
    variables = [inner.bind(identifier) for identifier in identifiers]
    loop = Variable("do", use.span)
    steps: list[Node] = []
    for variable, spec in zip(variables, specs):
        steps.append(expander.expand(spec[2], inner) if len(spec) == 3 else LocalRef(variable, spec[0].span))
    again: Node = Call(LocalRef(loop, use.span), steps, use.span)
    commands = [expander.expand(command, inner) for command in use.items[3:]]
    body = If(
        expander.expand(test, inner),
        expander.sequence(results, inner, use.span) if results else unspecified(use.span),
        Seq([*commands, again], use.span) if commands else again,
        use.span,
    )
    return Letrec(
        [loop], [Lambda("do", variables, None, body, use.span)], Call(LocalRef(loop), inits, use.span), use.span
    )
