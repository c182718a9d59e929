"""How a special form is declared: name, usage and expander in one place, and the errors that follow from the usage."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from nodwyn.interp.core import Node
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand.scope import Scope, resolve
from nodwyn.interp.syntax import Identifier, ListSyntax, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.bodies import Body
    from nodwyn.interp.expand.expander import Expander

Expand: TypeAlias = "Callable[[Expander, ListSyntax, Scope], Node]"
"""Expands a use of a form as an expression."""

Define: TypeAlias = "Callable[[Expander, ListSyntax, Body], None]"
"""Expands a use of a form where definitions are allowed."""

UNLIMITED = 1 << 60


class SpecialForm:
    """A keyword with a meaning of its own.

    usage: how it is written, one text for each way. least, most: the number of elements of a use, keyword included.
    expand: what it is as an expression. define: what it is in a body, None for one that is always an expression.
    """

    __slots__ = ("define", "expand", "least", "most", "name", "usage")

    def __init__(self, name: str, usage: tuple[str, ...], least: int, most: int, expand: Expand) -> None:
        self.name = name
        self.usage = usage
        self.least = least
        self.most = most
        self.expand = expand
        self.define: Define | None = None

    def check(self, use: ListSyntax) -> None:
        """Raise the error for a use with too few or too many elements, or with a dot."""
        if not self.least <= len(use.items) <= self.most or use.tail is not None:
            raise self.misuse(use)

    def misuse(self, at: Syntax, hint: str = "") -> SchemeError:
        """Return the error for a wrong use, whose message is the usage."""
        return SchemeError(Condition("syntax", self.expected(), procedure=self.name, span=at.span, hint=hint))

    def expected(self) -> str:
        """Return the message that tells the usage."""
        return "expected " + ", or ".join(self.usage)


FORMS: dict[str, SpecialForm] = {}
"""Every special form by name. Filled by the modules that ``nodwyn.interp.expand.expander`` imports."""


def expression(name: str, *usage: str, least: int = 1, most: int = UNLIMITED) -> Callable[[Expand], Expand]:
    """Return a decorator that declares a form which is an expression."""

    def declare(function: Expand) -> Expand:
        FORMS[name] = SpecialForm(name, usage, least, most, function)
        return function

    return declare


def definition(name: str, *usage: str, least: int = 1, most: int = UNLIMITED) -> Callable[[Define], Define]:
    """Return a decorator that declares a form which is a definition: in the place of an expression it is an error."""

    def declare(function: Define) -> Define:
        form = SpecialForm(name, usage, least, most, _misplaced_definition)
        form.define = function
        FORMS[name] = form
        return function

    return declare


def in_body(name: str) -> Callable[[Define], Define]:
    """Return a decorator for what the expression form ``name`` is where definitions are allowed."""

    def declare(function: Define) -> Define:
        FORMS[name].define = function
        return function

    return declare


def _misplaced_definition(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    raise SchemeError(
        Condition(
            "syntax",
            "a definition cannot stand where an expression is expected",
            procedure=keyword_of(use),
            span=use.span,
            hint="definitions belong at the top or directly in a body, such as (let () definition … expression)",
        )
    )


def _misplaced_keyword(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    name = keyword_of(use)
    raise SchemeError(
        Condition("syntax", f"{name} only has a meaning inside of other forms", procedure=name, span=use.span)
    )


AUXILIARY = {
    "else": "(else expression …) as the last clause",
    "=>": "(test => procedure) as a clause",
    "...": "... after a pattern or a template",
    "_": "_ in a pattern",
    "unquote": "(unquote expression) inside of quasiquote",
    "unquote-splicing": "(unquote-splicing expression) in a list or vector inside of quasiquote",
}
"""The keywords that only have a meaning inside of other forms, and how they are written there."""

for _name, _usage in AUXILIARY.items():
    FORMS[_name] = SpecialForm(_name, (_usage,), 0, UNLIMITED, _misplaced_keyword)


DIRECTIVES = {
    "import": SpecialForm(
        "import",
        (
            "(import set …) with sets (library name), (only set name …), (except set name …), (prefix set prefix) and "
            "(rename set (name new-name) …)",
        ),
        1,
        UNLIMITED,
        _misplaced_definition,
    ),
    "export": SpecialForm(
        "export", ("(export name … (rename name outer-name) …)",), 1, UNLIMITED, _misplaced_definition
    ),
    "define-library": SpecialForm(
        "define-library", ("(define-library (name …) declaration …)",), 2, UNLIMITED, _misplaced_definition
    ),
}
"""What is known by its bare word, at the top or in a library, and is no binding that could be imported."""


def keyword_of(use: ListSyntax) -> str:
    """Return the keyword of a use as it was written."""
    head = use.items[0]
    assert isinstance(head, Identifier)
    return head.symbol.name


def is_keyword(syntax: Syntax, name: str, scope: Scope) -> bool:
    """Return whether ``syntax`` is the auxiliary keyword ``name``, such as ``else``, and not a variable of that name.

    One that is not bound at all counts: who imports ``cond`` alone can still write ``else``.
    """
    if syntax.__class__ is not Identifier:
        return False
    meaning = resolve(syntax, scope)
    if meaning is None:
        return syntax.symbol.name == name
    return meaning is FORMS[name]


def misuse(name: str, at: Syntax, hint: str = "") -> SchemeError:
    """Return the error for a wrong use of the form ``name``, found at ``at``."""
    return (FORMS.get(name) or DIRECTIVES[name]).misuse(at, hint)


def fault(message: str, at: Syntax, procedure: str | None = None, hint: str = "") -> SchemeError:
    """Return the error for a mistake that the usage of a form does not tell."""
    return SchemeError(Condition("syntax", message, procedure=procedure, span=at.span, hint=hint))


def identifier_in(name: str, syntax: Syntax) -> Identifier:
    """Return ``syntax`` as the identifier that the form ``name`` needs there, or raise its error."""
    if isinstance(syntax, Identifier):
        return syntax
    raise misuse(name, syntax)


def list_in(name: str, syntax: Syntax, least: int = 0, most: int = UNLIMITED) -> list[Syntax]:
    """Return the elements of ``syntax`` as the proper list that the form ``name`` needs there, or raise its error."""
    if isinstance(syntax, ListSyntax) and syntax.tail is None and least <= len(syntax.items) <= most:
        return syntax.items
    raise misuse(name, syntax)
