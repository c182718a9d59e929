"""``lambda``, ``case-lambda`` and the parameters that they and other forms bind (sections 4.1.4 and 4.2.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.core import CaseLambda, Lambda, Let, Letrec, Node, Seq, Variable
from nodwyn.interp.expand.bodies import expand_body
from nodwyn.interp.expand.forms import expression, fault, identifier_in, list_in, misuse
from nodwyn.interp.expand.scope import Scope, key_of
from nodwyn.interp.syntax import Identifier, ListSyntax, Span, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander


def formal_parameters(form: str, formals: Syntax) -> tuple[list[Identifier], Identifier | None]:
    """Return the identifiers of ``formals``, which the form ``form`` has: the required ones and the rest parameter.

    Raises SchemeError for what is no identifier and for one that is there twice.
    """
    if isinstance(formals, Identifier):
        return [], formals
    if not isinstance(formals, ListSyntax):
        raise misuse(form, formals)
    required = [identifier_in(form, item) for item in formals.items]
    rest = None if formals.tail is None else identifier_in(form, formals.tail)
    check_distinct(form, required if rest is None else [*required, rest])
    return required, rest


def check_distinct(form: str, identifiers: list[Identifier]) -> None:
    """Raise SchemeError when the form ``form`` would bind an identifier twice."""
    seen = set()
    for identifier in identifiers:
        key = key_of(identifier)
        if key in seen:
            raise fault(f"{identifier.symbol.name} is bound twice", identifier, form)
        seen.add(key)


def bind_formals(form: str, formals: Syntax, scope: Scope) -> tuple[list[Variable], Variable | None]:
    """Bind ``formals`` in ``scope`` and return their variables."""
    required, rest = formal_parameters(form, formals)
    return [scope.bind(identifier) for identifier in required], None if rest is None else scope.bind(rest)


def procedure(
    expander: Expander, form: str, name: str, formals: Syntax, forms: list[Syntax], scope: Scope, use: Syntax
) -> Lambda:
    """Return the node for a procedure written with the form ``form``; ``use`` is the whole of it."""
    inner = Scope(scope)
    parameters, rest = bind_formals(form, formals, inner)
    return Lambda(name, parameters, rest, expand_body(expander, forms, inner, use), use.span)


def thunk(body: Node, span: Span | None) -> Lambda:
    """Return a procedure without parameters around a node."""
    return Lambda("", [], None, body, span)


def give_name(node: Node, name: str) -> None:
    """Name the procedure that the node's value is made by, if it has no name yet."""
    while True:
        if isinstance(node, (Let, Letrec)):
            node = node.body
        elif isinstance(node, Seq):
            node = node.forms[-1]
        else:
            break
    if isinstance(node, (Lambda, CaseLambda)) and not node.name:
        node.name = name


@expression("lambda", "(lambda (parameter …) body …)", "(lambda (parameter … . rest) body …)", least=3)
def expand_lambda(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return procedure(expander, "lambda", "", use.items[1], use.items[2:], scope, use)


@expression("case-lambda", "(case-lambda ((parameter …) body …) …)")
def expand_case_lambda(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    clauses = []
    for clause in use.items[1:]:
        formals, *forms = list_in("case-lambda", clause, 2)
        clauses.append(procedure(expander, "case-lambda", "", formals, forms, scope, clause))
    return CaseLambda("", clauses, use.span)
