"""Forms about the time when something runs: ``delay``, ``parameterize``, ``guard`` (sections 4.2.5 to 4.2.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.core import Const, If, Lambda, LocalRef, LocalSet, Node, Seq, Variable
from nodwyn.interp.data import FALSE
from nodwyn.interp.expand.bodies import expand_body, unspecified
from nodwyn.interp.expand.conditionals import clauses
from nodwyn.interp.expand.forms import expression, identifier_in, list_in
from nodwyn.interp.expand.procedures import thunk
from nodwyn.interp.expand.scope import Scope
from nodwyn.interp.syntax import ListSyntax, strip

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander


@expression("delay", "(delay expression)", least=2, most=2)
def expand_delay(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return expander.builtin("%delay", [thunk(expander.expand(use.items[1], scope), use.span)], use.span)


@expression("delay-force", "(delay-force expression)", least=2, most=2)
def expand_delay_force(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return expander.builtin("%delay-force", [thunk(expander.expand(use.items[1], scope), use.span)], use.span)


@expression("parameterize", "(parameterize ((parameter value) …) body …)", least=3)
def expand_parameterize(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    bindings: list[Node] = []
    for binding in list_in("parameterize", use.items[1]):
        parameter, value = list_in("parameterize", binding, 2, 2)
        bindings += expander.expand(parameter, scope), expander.expand(value, scope)
    body = expand_body(expander, use.items[2:], scope, use)
    if not bindings:
        return body
    operands = bindings[:2]
    if len(bindings) > 2:
        operands.append(expander.builtin("list", bindings[2:], use.span))
    return expander.builtin("%parameterize", [*operands, thunk(body, use.span)], use.span)


@expression("guard", "(guard (variable clause …) body …)", least=3)
def expand_guard(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    name, *rest = list_in("guard", use.items[1], 1)
    inner = Scope(scope)
    condition = inner.bind(identifier_in("guard", name))
    reraise = Variable("reraise", use.span)
    otherwise = expander.builtin("%reraise", [LocalRef(reraise)], use.span)

    def chosen(node: Node) -> Node:
        # The stack of the raise is not kept any longer: a clause may go on for ever, by tail calls through guards.
        return Seq([LocalSet(reraise, Const(FALSE), use.span), node], use.span)

    handler = clauses("guard", expander, rest, inner, otherwise, chosen)
    body = thunk(expand_body(expander, use.items[2:], scope, use), use.span)
    return expander.builtin("%guard", [body, Lambda("", [condition, reraise], None, handler, use.span)], use.span)


@expression("assert", "(assert expression)", least=2, most=2)
def expand_assert(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    failure = expander.builtin("%assert-failure", [Const(strip(use.items[1]), use.span)], use.span)
    return If(expander.expand(use.items[1], scope), unspecified(use.span), failure, use.span)
