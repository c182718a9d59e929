"""Forms that bind keywords (sections 4.3.1 and 5.4), and ``syntax-error``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from nodwyn.interp.core import Node
from nodwyn.interp.data import String
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand.bodies import Body, expand_body
from nodwyn.interp.expand.forms import (
    FORMS,
    SpecialForm,
    definition,
    expression,
    fault,
    identifier_in,
    in_body,
    list_in,
)
from nodwyn.interp.expand.procedures import check_distinct
from nodwyn.interp.expand.rules import Macro, make_macro, written_macro
from nodwyn.interp.expand.scope import Denotation, Scope, key_of, resolve
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Syntax, strip

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander


def transformer(expander: Expander, spec: Syntax, scope: Scope, name: str) -> Denotation:
    """Return the keyword that a transformer spec in ``scope`` makes: rules, or another name for a keyword."""
    while True:
        head = spec.items[0] if isinstance(spec, ListSyntax) and spec.items else spec
        meaning = resolve(head, scope) if isinstance(head, Identifier) else None
        if head is spec and isinstance(meaning, (Macro, SpecialForm)):
            return meaning
        if isinstance(spec, ListSyntax) and meaning is FORMS["syntax-rules"]:
            try:
                return make_macro(spec, scope, name)
            except SchemeError as error:
                expander.attribute(error, spec, scope)
                raise
        if not isinstance(spec, ListSyntax) or not isinstance(meaning, Macro):
            message = "a keyword is defined by (syntax-rules (literal …) (pattern template) …)"
            raise fault(message, spec, hint="macros that are procedures are not part of R7RS")
        spec = expander.transform(meaning, spec, scope)


@definition("define-syntax", "(define-syntax keyword (syntax-rules (literal …) rule …))", least=3, most=3)
def expand_define_syntax(expander: Expander, use: ListSyntax, body: Body) -> None:
    keyword = identifier_in("define-syntax", use.items[1])
    meaning = transformer(expander, use.items[2], body.inside(), keyword.symbol.name)
    body.define_syntax(keyword, meaning)


def _keywords(form: str, expander: Expander, use: ListSyntax, scope: Scope, *, recursive: bool) -> Node:
    inner = Scope(scope)
    bindings = [list_in(form, binding, 2, 2) for binding in list_in(form, use.items[1])]
    keywords = [identifier_in(form, binding[0]) for binding in bindings]
    check_distinct(form, keywords)
    for keyword, binding in zip(keywords, bindings):
        defined_in = inner if recursive else scope
        inner.put(key_of(keyword), transformer(expander, binding[1], defined_in, keyword.symbol.name))
    return expand_body(expander, use.items[2:], inner, use)


@expression("let-syntax", "(let-syntax ((keyword transformer) …) body …)", least=3)
def expand_let_syntax(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _keywords("let-syntax", expander, use, scope, recursive=False)


@expression("letrec-syntax", "(letrec-syntax ((keyword transformer) …) body …)", least=3)
def expand_letrec_syntax(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _keywords("letrec-syntax", expander, use, scope, recursive=True)


@expression(
    "syntax-rules", "(syntax-rules (literal …) (pattern template) …)", "(syntax-rules ellipsis (literal …) …)", least=2
)
def expand_syntax_rules(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    raise fault("syntax-rules stands in define-syntax, let-syntax or letrec-syntax", use, "syntax-rules")


@expression("syntax-error", '(syntax-error "message" argument …)', least=2)
def expand_syntax_error(expander: Expander, use: ListSyntax, scope: Scope) -> NoReturn:
    message, *irritants = use.items[1:]
    text = message.value.text() if isinstance(message, Literal) and isinstance(message.value, String) else None
    if text is None:
        raise FORMS["syntax-error"].misuse(message)
    head = use.items[0]
    written = written_macro(head, scope) if isinstance(head, Identifier) else None
    # Who writes a macro for one text says in the message what it is about.
    name = written.name if written is not None and written.macro.home is not None else None
    given = tuple(strip(irritant) for irritant in irritants)
    raise SchemeError(Condition("syntax", text, given, procedure=name, span=use.span))


@in_body("syntax-error")
def body_syntax_error(expander: Expander, use: ListSyntax, body: Body) -> None:
    # At once, and not after the rest of the body has been looked at.
    expand_syntax_error(expander, use, body.scope)
