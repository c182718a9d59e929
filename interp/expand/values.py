"""Forms that bind multiple values: ``let-values``, ``let*-values`` and ``receive`` (section 4.2.2, SRFI 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.core import Lambda, Node, Variable
from nodwyn.interp.expand.bodies import expand_body
from nodwyn.interp.expand.forms import expression, list_in
from nodwyn.interp.expand.procedures import bind_formals, check_distinct, formal_parameters, procedure, thunk
from nodwyn.interp.expand.scope import Scope
from nodwyn.interp.syntax import Identifier, ListSyntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander


def _bound(form: str, expander: Expander, use: ListSyntax, scope: Scope, *, in_sequence: bool) -> Node:
    """Expand ``(form ((formals init) …) body …)``: every init in ``scope``, or each in the scope of those before it."""
    bound: list[tuple[list[Variable], Variable | None, Node]] = []
    around = scope
    inner = Scope(scope)
    names: list[Identifier] = []
    for binding in list_in(form, use.items[1]):
        formals, init = list_in(form, binding, 2, 2)
        node = expander.expand(init, around)
        if in_sequence:
            inner = around = Scope(around)
        else:
            required, rest = formal_parameters(form, formals)
            names += required if rest is None else [*required, rest]
        parameters, rest_parameter = bind_formals(form, formals, inner)
        bound.append((parameters, rest_parameter, node))
    check_distinct(form, names)
    body = expand_body(expander, use.items[2:], inner, use)
    for parameters, rest_parameter, node in reversed(bound):
        receiver = Lambda("", parameters, rest_parameter, body, use.span)
        body = expander.builtin("call-with-values", [thunk(node, use.span), receiver], use.span)
    return body


@expression("let-values", "(let-values (((variable …) init) …) body …)", least=3)
def expand_let_values(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _bound("let-values", expander, use, scope, in_sequence=False)


@expression("let*-values", "(let*-values (((variable …) init) …) body …)", least=3)
def expand_let_star_values(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _bound("let*-values", expander, use, scope, in_sequence=True)


@expression("receive", "(receive (variable …) expression body …)", least=4)
def expand_receive(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    producer = thunk(expander.expand(use.items[2], scope), use.span)
    receiver = procedure(expander, "receive", "", use.items[1], use.items[3:], scope, use)
    return expander.builtin("call-with-values", [producer, receiver], use.span)
