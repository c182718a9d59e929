"""``define``, ``define-values``, ``begin`` (sections 5.3 and 4.2.3) and ``set!`` (4.1.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.core import Global, GlobalSet, Lambda, LocalRef, LocalSet, Node, Seq, Variable
from nodwyn.interp.data import Symbol
from nodwyn.interp.expand.bodies import Body, unspecified
from nodwyn.interp.expand.forms import definition, expression, fault, identifier_in, in_body, misuse
from nodwyn.interp.expand.procedures import formal_parameters, procedure, thunk
from nodwyn.interp.expand.scope import Ambiguous, Scope, Toplevel, locate, resolve
from nodwyn.interp.syntax import Identifier, ListSyntax, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander


@definition("define", "(define variable expression)", "(define (variable parameter …) body …)", least=3)
def expand_define(expander: Expander, use: ListSyntax, body: Body) -> None:
    target = use.items[1]
    if isinstance(target, ListSyntax) and target.items:
        _define_procedure(expander, use, target, body)
        return
    identifier = identifier_in("define", target)
    if len(use.items) != 3:
        raise misuse("define", use)
    name = identifier.symbol.name
    variable = body.define(identifier)
    body.initialise(variable, lambda: expander.expand_named(use.items[2], body.scope, name))


def _define_procedure(expander: Expander, use: ListSyntax, target: ListSyntax, body: Body) -> None:
    head = target.items[0]
    if isinstance(head, ListSyntax):
        raise misuse("define", head, "a procedure that returns a procedure is written with lambda in its body")
    identifier = identifier_in("define", head)
    name = identifier.symbol.name
    formals: Syntax = ListSyntax(target.items[1:], target.span, target.tail)
    forms = use.items[2:]
    variable = body.define(identifier)
    body.initialise(variable, lambda: procedure(expander, "define", name, formals, forms, body.scope, use))


@definition("define-values", "(define-values (variable …) expression)", least=3, most=3)
def expand_define_values(expander: Expander, use: ListSyntax, body: Body) -> None:
    required, rest = formal_parameters("define-values", use.items[1])
    targets = [body.define(identifier) for identifier in required]
    rest_target = None if rest is None else body.define(rest)
    for target in [*targets, rest_target]:
        if isinstance(target, Variable):
            body.initialise(target, lambda: unspecified(use.span))

    def store() -> Node:
        values = [Variable(target.name) for target in targets]
        rest_value = None if rest_target is None else Variable(rest_target.name)
        stores = [body.assignment(target, LocalRef(value), use.span) for target, value in zip(targets, values)]
        if rest_target is not None and rest_value is not None:
            stores.append(body.assignment(rest_target, LocalRef(rest_value), use.span))
        stores.append(unspecified(use.span))
        node = stores[0] if len(stores) == 1 else Seq(stores, use.span)
        receiver = Lambda("", values, rest_value, node, use.span)
        producer = thunk(expander.expand(use.items[2], body.scope), use.span)
        return expander.builtin("call-with-values", [producer, receiver], use.span)

    body.evaluate(store, defines=True)


@expression("begin", "(begin expression …)")
def expand_begin(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    if len(use.items) == 1:
        raise misuse("begin", use)
    return expander.sequence(use.items[1:], scope, use.span)


@in_body("begin")
def splice_begin(expander: Expander, use: ListSyntax, body: Body) -> None:
    body.splice(use.items[1:])


@expression("set!", "(set! variable expression)", least=3, most=3)
def expand_set(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    identifier = identifier_in("set!", use.items[1])
    meaning = resolve(identifier, scope)
    if isinstance(meaning, Variable):
        return LocalSet(meaning, expander.expand_named(use.items[2], scope, meaning.name), use.span)
    if isinstance(meaning, Ambiguous):
        meaning.complain(identifier)
    name = identifier.symbol.name
    if meaning is not None and not isinstance(meaning, Global):
        raise fault(f"{name} is a keyword and cannot be assigned", identifier, "set!")
    variable = _assignable(identifier, meaning, scope)
    return GlobalSet(variable, expander.expand_named(use.items[2], scope, name), use.span)


def _assignable(identifier: Identifier, known: Global | None, scope: Scope) -> Global:
    """Return the global variable that ``set!`` assigns. Raises SchemeError for one of another library's."""
    top, key = locate(identifier, scope)
    assert isinstance(top, Toplevel)
    if known is None:
        assert isinstance(key, Symbol)
        return top.reference(key)
    name = identifier.symbol.name
    if key in top.imported:
        hint = f"define a variable of your own: (define {name} …)" if top.kind in ("interaction", "program") else ""
        message = f"{name} is imported from {top.imported[key]} and cannot be assigned"
        raise fault(message, identifier, "set!", hint)
    if top.open:
        known.constant = False
    elif known.constant:
        raise fault(f"{name} of {top.name} cannot be assigned from outside", identifier, "set!")
    return known
