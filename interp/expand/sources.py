"""Text from outside of the program: what ``include`` and ``cond-expand`` ask for (sections 4.1.7 and 4.2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os.path import normpath
from typing import TYPE_CHECKING

from nodwyn.interp.core import Node
from nodwyn.interp.data import String
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand.bodies import Body, unspecified
from nodwyn.interp.expand.forms import expression, fault, in_body, list_in, misuse
from nodwyn.interp.expand.names import library_name
from nodwyn.interp.expand.scope import Scope
from nodwyn.interp.report import place_of
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Source, Span, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander


class Sources:
    """What an :class:`Expander` was given to find and read text; see there."""

    __slots__ = ("features", "find_library", "include", "read")

    def __init__(
        self,
        read: Callable[[Source, bool], Iterable[Syntax]],
        find_library: Callable[[str], Source | None],
        include: Callable[[str, str | None], Source],
        features: tuple[str, ...],
    ) -> None:
        self.read = read
        self.find_library = find_library
        self.include = include
        self.features = features

    def included(self, form: str, use: ListSyntax) -> list[Syntax]:
        """Return the forms of the files that a use of ``include`` or its kin names."""
        forms: list[Syntax] = []
        for name in use.items[1:]:
            if not isinstance(name, Literal) or not isinstance(name.value, String):
                raise misuse(form, name)
            forms.extend(self.read(self._source(form, name.value.text(), name.span), form == "include-ci"))
        return forms

    def _source(self, form: str, name: str, at: Span | None) -> Source:
        try:
            source = self.include(name, None if at is None else at.source.name)
        except SchemeError as error:
            if isinstance(error.payload, Condition) and error.payload.span is None:
                error.payload.span = at
                error.payload.procedure = form
            raise
        if at is not None:
            _forbid_circle(form, source, at)
        source.included_at = at
        return source


MOST_INCLUDED = 100
"""How many files may be included each in the one before. A circle can have a new name for a file each time round."""


def _forbid_circle(form: str, source: Source, at: Span) -> None:
    """Raise SchemeError if ``at``, where a file is included, is in the file itself or in one that it includes."""
    file = normpath(source.name)
    steps: list[Span] = []
    step: Span | None = at
    while step is not None and len(steps) < MOST_INCLUDED:
        steps.append(step)
        if normpath(step.source.name) == file:
            wrong = "a file includes itself" if len(steps) == 1 else "files include each other in a circle"
            message = f"{wrong}: {_chain(steps)} includes {source.name}"
            raise SchemeError(Condition("syntax", message, span=at, procedure=form))
        step = step.source.included_at
    if step is not None:
        message = f"files include one another more than {MOST_INCLUDED} deep: … {_chain(steps[:3])}"
        raise SchemeError(Condition("syntax", message, span=at, procedure=form))


def _chain(steps: list[Span]) -> str:
    """Return the places where files are included, outermost first."""
    return " includes ".join(place_of(step) for step in reversed(steps))


@expression("include", '(include "file" …)', least=2)
def expand_include(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _as_expression(expander, expander.sources.included("include", use), use, scope)


@in_body("include")
def splice_include(expander: Expander, use: ListSyntax, body: Body) -> None:
    body.splice(expander.sources.included("include", use))


@expression("include-ci", '(include-ci "file" …)', least=2)
def expand_include_ci(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _as_expression(expander, expander.sources.included("include-ci", use), use, scope)


@in_body("include-ci")
def splice_include_ci(expander: Expander, use: ListSyntax, body: Body) -> None:
    body.splice(expander.sources.included("include-ci", use))


@expression("cond-expand", "(cond-expand (requirement form …) … (else form …))")
def expand_cond_expand(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return _as_expression(expander, chosen(expander, use), use, scope)


@in_body("cond-expand")
def splice_cond_expand(expander: Expander, use: ListSyntax, body: Body) -> None:
    body.splice(chosen(expander, use))


def _as_expression(expander: Expander, forms: list[Syntax], use: ListSyntax, scope: Scope) -> Node:
    return expander.sequence(forms, scope, use.span) if forms else unspecified(use.span)


def chosen(expander: Expander, use: ListSyntax) -> list[Syntax]:
    """Return the forms of the first clause of a ``cond-expand`` whose requirement holds, none if there is none."""
    for clause in use.items[1:]:
        requirement, *forms = list_in("cond-expand", clause, 1)
        if _holds(expander, requirement, 0):
            return forms
    return []


REQUIREMENT_NESTING = 400
"""How deep feature requirements may be nested."""


def _holds(expander: Expander, requirement: Syntax, nesting: int) -> bool:
    if isinstance(requirement, Identifier):
        name = requirement.symbol.name
        return name == "else" or name in expander.sources.features
    if nesting > REQUIREMENT_NESTING:
        raise fault(f"a requirement is nested more than {REQUIREMENT_NESTING} deep", requirement, "cond-expand")
    items = list_in("cond-expand", requirement, 1)
    head, *rest = items
    operator = head.symbol.name if isinstance(head, Identifier) else ""
    if operator == "library" and len(rest) == 1:
        return expander.registry.exists(library_name(rest[0]))
    if operator == "and":
        return all(_holds(expander, part, nesting + 1) for part in rest)
    if operator == "or":
        return any(_holds(expander, part, nesting + 1) for part in rest)
    if operator == "not" and len(rest) == 1:
        return not _holds(expander, rest[0], nesting + 1)
    raise misuse("cond-expand", requirement, "a requirement is a feature, (library …), (and …), (or …) or (not …)")
