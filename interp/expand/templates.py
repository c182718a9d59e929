"""The right sides of ``syntax-rules`` (section 4.3.2), made once from their syntax and then filled in.

What a template inserts has the span of the use: that is the place a person can go to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nodwyn.interp.data import Symbol
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand.forms import fault
from nodwyn.interp.expand.patterns import NESTING
from nodwyn.interp.expand.scope import Alias, Key, Scope, is_of_library, key_of
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Syntax, VectorSyntax

EXPANSION_SIZE = 5_000_000
"""How many elements one expansion may insert."""


class Filling:
    """One expansion: what the pattern variables stand for, and the aliases that it inserts."""

    __slots__ = ("aliases", "bindings", "scope", "size", "span", "written")

    def __init__(self, bindings: list[Any], scope: Scope, use: ListSyntax) -> None:
        self.bindings = bindings
        self.scope = scope
        self.span = use.span
        keyword = use.items[0]
        assert isinstance(keyword, Identifier)
        self.written = keyword.alias.written if is_of_library(keyword) else keyword
        self.aliases: dict[Key, Alias] = {}
        self.size = 0

    def grow(self, count: int) -> None:
        """Count inserted elements; raise SchemeError above the limit."""
        self.size += count
        if self.size > EXPANSION_SIZE:
            message = f"an expansion of a macro inserts more than {EXPANSION_SIZE} elements"
            raise SchemeError(Condition("limit", message, span=self.span))


class Template:
    """Base of the templates."""

    __slots__ = ()

    def fill(self, filling: Filling) -> Syntax:
        """Return the syntax that an expansion puts in the place of the template."""
        raise NotImplementedError


class TemplateVariable(Template):
    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def fill(self, filling: Filling) -> Syntax:
        syntax: Syntax = filling.bindings[self.index]
        return syntax


class Inserted(Template):
    """An identifier of the template's own."""

    __slots__ = ("key", "symbol")

    def __init__(self, key: Key, symbol: Symbol) -> None:
        self.key = key
        self.symbol = symbol

    def fill(self, filling: Filling) -> Syntax:
        alias = filling.aliases.get(self.key)
        if alias is None:
            alias = filling.aliases[self.key] = Alias(self.key, filling.scope, filling.written)
        return Identifier(self.symbol, filling.span, alias)


class Constant(Template):
    """Any datum without identifiers."""

    __slots__ = ("syntax",)

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax

    def fill(self, filling: Filling) -> Syntax:
        return self.syntax


class Repetition(Template):
    """A template followed by ellipses: for each of them, outermost first, the variables that it runs through."""

    __slots__ = ("levels", "template")

    def __init__(self, template: Template, levels: list[list[int]]) -> None:
        self.template = template
        self.levels = levels

    def extend(self, items: list[Syntax], filling: Filling, level: int = 0) -> None:
        """Add to ``items`` what the template gives for each element of the variables' lists."""
        bindings = filling.bindings
        variables = self.levels[level]
        columns = [bindings[variable] for variable in variables]
        length = len(columns[0])
        filling.grow(length)
        for column in columns:
            if len(column) != length:
                raise SchemeError(
                    Condition(
                        "syntax",
                        f"an ellipsis of the macro's template repeats lists of {length} and of {len(column)} elements",
                        span=filling.span,
                    )
                )
        last = level + 1 == len(self.levels)
        if last and self.template.__class__ is TemplateVariable and self.template.index == variables[0]:
            items.extend(columns[0])
            return
        for row in range(length):
            for variable, column in zip(variables, columns):
                bindings[variable] = column[row]
            if last:
                items.append(self.template.fill(filling))
            else:
                self.extend(items, filling, level + 1)
        for variable, column in zip(variables, columns):
            bindings[variable] = column


class TemplateList(Template):
    __slots__ = ("parts", "repeats", "tail")

    def __init__(self, parts: list[Template], tail: Template | None) -> None:
        self.parts = parts
        self.tail = tail
        self.repeats = any(part.__class__ is Repetition for part in parts)

    def fill(self, filling: Filling) -> Syntax:
        items = self.fill_parts(filling)
        if self.tail is None:
            return ListSyntax(items, filling.span)
        tail = self.tail.fill(filling)
        if not items:
            return tail
        if isinstance(tail, ListSyntax):
            return ListSyntax(items + tail.items, filling.span, tail.tail)
        return ListSyntax(items, filling.span, tail)

    def fill_parts(self, filling: Filling) -> list[Syntax]:
        """Return what the parts but for the tail give."""
        filling.grow(len(self.parts))
        if not self.repeats:
            return [part.fill(filling) for part in self.parts]
        items: list[Syntax] = []
        for part in self.parts:
            if isinstance(part, Repetition):
                part.extend(items, filling)
            else:
                items.append(part.fill(filling))
        return items


class TemplateVector(TemplateList):
    __slots__ = ()

    def fill(self, filling: Filling) -> Syntax:
        return VectorSyntax(self.fill_parts(filling), filling.span)


class TemplateMaker:
    """Makes the template of one rule.

    ``variables`` are the pattern variables: index and ellipsis depth. Collects the keys that the template
    inserts, and for each of its lists those that are its direct elements (None for any other element).
    """

    __slots__ = ("inserted", "is_ellipsis", "neighbours", "variables")

    def __init__(self, variables: dict[Key, tuple[int, int]], is_ellipsis: Callable[[Syntax], bool]) -> None:
        self.variables = variables
        self.is_ellipsis = is_ellipsis
        self.inserted: set[Key] = set()
        self.neighbours: list[list[Key | None]] = []

    def make(self, syntax: Syntax, depth: int, nesting: int, escaped: bool, used: set[int]) -> Template:
        """Return the template for ``syntax``.

        depth, nesting: how many ellipses apply and parentheses are around it. escaped: whether ``(... …)`` made
        ellipses ordinary. used: receives the pattern variables in it.
        """
        if isinstance(syntax, Identifier):
            return self._identifier(syntax, depth, escaped, used)
        if nesting > NESTING:
            raise fault(f"the template is nested more than {NESTING} deep", syntax, "syntax-rules")
        if isinstance(syntax, ListSyntax):
            items = syntax.items
            if len(items) == 2 and not escaped and syntax.tail is None and self.is_ellipsis(items[0]):
                return self.make(items[1], depth, nesting + 1, True, used)
            parts = self._parts(items, depth, nesting, escaped, used)
            tail = syntax.tail
            return TemplateList(parts, None if tail is None else self.make(tail, depth, nesting, escaped, used))
        if isinstance(syntax, VectorSyntax):
            return TemplateVector(self._parts(syntax.items, depth, nesting, escaped, used), None)
        assert isinstance(syntax, Literal)
        return Constant(Literal(syntax.value, None))

    def _identifier(self, identifier: Identifier, depth: int, escaped: bool, used: set[int]) -> Template:
        key = key_of(identifier)
        name = identifier.symbol.name
        variable = self.variables.get(key)
        if variable is None:
            if not escaped and self.is_ellipsis(identifier):
                raise fault(f"{name} has nothing before it to repeat", identifier, "syntax-rules")
            self.inserted.add(key)
            return Inserted(key, identifier.symbol)
        index, needed = variable
        if needed > depth:
            message = f"{name} stands for a sequence here and needs an ellipsis after it"
            raise fault(message, identifier, "syntax-rules")
        used.add(index)
        return TemplateVariable(index)

    def _parts(self, items: list[Syntax], depth: int, nesting: int, escaped: bool, used: set[int]) -> list[Template]:
        parts: list[Template] = []
        at = 0
        while at < len(items):
            item = items[at]
            at += 1
            following = at
            while not escaped and following < len(items) and self.is_ellipsis(items[following]):
                following += 1
            ellipses = following - at
            inside: set[int] = set()
            part = self.make(item, depth + ellipses, nesting + 1, escaped, inside)
            used |= inside
            if ellipses:
                part = Repetition(part, self._levels(inside, depth, ellipses, items[at]))
            parts.append(part)
            at = following
        self.neighbours.append([part.key if isinstance(part, Inserted) else None for part in parts])
        return parts

    def _levels(self, inside: set[int], depth: int, ellipses: int, at: Syntax) -> list[list[int]]:
        depths = {index: needed for index, needed in self.variables.values() if index in inside}
        levels = [
            sorted(index for index, needed in depths.items() if needed > level)
            for level in range(depth, depth + ellipses)
        ]
        if not all(levels):
            raise fault("no variable before this ellipsis stands for a sequence", at, "syntax-rules")
        return levels
