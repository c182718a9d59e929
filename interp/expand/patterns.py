"""The left sides of ``syntax-rules`` (section 4.3.2), made once from their syntax and then matched.

A match stores what each pattern variable stands for: syntax, or below an ellipsis a list of it, of lists of it …
"""

from __future__ import annotations

from collections.abc import Callable

from nodwyn.interp.data import Value
from nodwyn.interp.expand.forms import FORMS, fault, is_keyword
from nodwyn.interp.expand.scope import Key, Scope, key_of, resolve, same_meaning
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Syntax, VectorSyntax

NESTING = 400
"""How deep patterns and templates may be nested: they are walked, and kept on disk, by recursion."""


class Match:
    """One attempt to match a use: the scopes of both sides and what the pattern variables stand for."""

    __slots__ = ("bindings", "defined_in", "used_in")

    def __init__(self, bindings: list[object], defined_in: Scope, used_in: Scope) -> None:
        self.bindings = bindings
        self.defined_in = defined_in
        self.used_in = used_in


class Pattern:
    """Base of the patterns."""

    __slots__ = ()

    def match(self, syntax: Syntax, match: Match) -> bool:
        """Return whether ``syntax`` has this shape, and store what the variables stand for."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the pattern as it was written, for messages."""
        raise NotImplementedError


class Anything(Pattern):
    """The pattern ``_``."""

    __slots__ = ()

    def match(self, syntax: Syntax, match: Match) -> bool:
        return True

    def text(self) -> str:
        return "_"


class PatternVariable(Pattern):
    __slots__ = ("index", "name")

    def __init__(self, index: int, name: str) -> None:
        self.index = index
        self.name = name

    def match(self, syntax: Syntax, match: Match) -> bool:
        match.bindings[self.index] = syntax
        return True

    def text(self) -> str:
        return self.name


class LiteralIdentifier(Pattern):
    """An identifier that matches those with the same binding (``free-identifier=?``)."""

    __slots__ = ("identifier",)

    def __init__(self, identifier: Identifier) -> None:
        self.identifier = identifier

    def match(self, syntax: Syntax, match: Match) -> bool:
        if syntax.__class__ is not Identifier:
            return False
        given = resolve(syntax, match.used_in)
        wanted = resolve(self.identifier, match.defined_in)
        if given is not None and wanted is not None:
            return same_meaning(given, wanted)
        if syntax.symbol is not self.identifier.symbol:
            return False
        # Both unbound; or an auxiliary keyword, such as `else`, on one side that the other did not import.
        name = self.identifier.symbol.name
        return given is wanted or (given or wanted) is FORMS.get(name)

    def text(self) -> str:
        return self.identifier.symbol.name


class DatumPattern(Pattern):
    """A number, string, character, boolean or bytevector, which matches what is ``equal?`` to it."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def match(self, syntax: Syntax, match: Match) -> bool:
        from nodwyn.interp.equality import equal

        return syntax.__class__ is Literal and equal(syntax.value, self.value)

    def text(self) -> str:
        from nodwyn.interp.printer import abbreviated

        return abbreviated(self.value)


class Elements:
    """What stands between parentheses: patterns, of which one may be repeated, before others and a tail."""

    __slots__ = ("after", "before", "repeated", "tail", "variables")

    def __init__(
        self,
        before: list[Pattern],
        repeated: Pattern | None,
        variables: list[int],
        after: list[Pattern],
        tail: Pattern | None,
    ) -> None:
        self.before = before
        self.repeated = repeated
        self.variables = variables
        self.after = after
        self.tail = tail

    def match(self, items: list[Syntax], match: Match) -> int:
        """Return how many of ``items`` the patterns but for the tail match, -1 if they do not."""
        before = self.before
        leading = len(before)
        spare = len(items) - leading - len(self.after)
        if spare < 0:
            return -1
        for index in range(leading):
            if not before[index].match(items[index], match):
                return -1
        if self.repeated is None:
            return leading
        if not self._match_repeated(items[leading : leading + spare], match):
            return -1
        for pattern, item in zip(self.after, items[leading + spare :]):
            if not pattern.match(item, match):
                return -1
        return len(items)

    def _match_repeated(self, items: list[Syntax], match: Match) -> bool:
        repeated = self.repeated
        assert repeated is not None
        bindings = match.bindings
        if repeated.__class__ is PatternVariable:
            bindings[repeated.index] = items
            return True
        columns: list[list[object]] = [[] for _ in self.variables]
        for item in items:
            if not repeated.match(item, match):
                return False
            for column, variable in zip(columns, self.variables):
                column.append(bindings[variable])
        for column, variable in zip(columns, self.variables):
            bindings[variable] = column
        return True

    def text(self) -> str:
        """Return the elements with single spaces between them."""
        words = [pattern.text() for pattern in self.before]
        if self.repeated is not None:
            words += [self.repeated.text(), "..."]
        words += [pattern.text() for pattern in self.after]
        if self.tail is not None:
            words += [".", self.tail.text()]
        return " ".join(words)


class ListPattern(Pattern):
    __slots__ = ("elements",)

    def __init__(self, elements: Elements) -> None:
        self.elements = elements

    def match(self, syntax: Syntax, match: Match) -> bool:
        elements = self.elements
        if syntax.__class__ is not ListSyntax:
            # Any datum is an improper list of no elements.
            return elements.tail is not None and elements.match([], match) == 0 and elements.tail.match(syntax, match)
        items: list[Syntax] = syntax.items
        rest: Syntax | None = syntax.tail
        matched = elements.match(items, match)
        if matched < 0:
            return False
        if elements.tail is None:
            return matched == len(items) and rest is None
        if matched < len(items) or rest is None:
            rest = ListSyntax(items[matched:], syntax.span, rest)
        return elements.tail.match(rest, match)

    def text(self) -> str:
        return f"({self.elements.text()})"


class VectorPattern(Pattern):
    __slots__ = ("elements",)

    def __init__(self, elements: Elements) -> None:
        self.elements = elements

    def match(self, syntax: Syntax, match: Match) -> bool:
        if syntax.__class__ is not VectorSyntax:
            return False
        items: list[Syntax] = syntax.items
        return self.elements.match(items, match) == len(items)

    def text(self) -> str:
        return f"#({self.elements.text()})"


class PatternMaker:
    """Makes the pattern of one rule. ``variables`` gives the index and ellipsis depth of each pattern variable."""

    __slots__ = ("is_ellipsis", "literals", "scope", "variables")

    def __init__(self, literals: dict[Key, Identifier], is_ellipsis: Callable[[Syntax], bool], scope: Scope) -> None:
        self.literals = literals
        self.is_ellipsis = is_ellipsis
        self.scope = scope
        self.variables: dict[Key, tuple[int, int]] = {}

    def rule(self, syntax: ListSyntax) -> ListPattern:
        """Return the pattern of a whole rule, whose first element stands for the keyword and matches anything."""
        rest = self.elements(syntax.items[1:], syntax.tail, 0, 1)
        rest.before.insert(0, Anything())
        return ListPattern(rest)

    def make(self, syntax: Syntax, depth: int, nesting: int) -> Pattern:
        """Return the pattern for ``syntax`` below ``depth`` ellipses and ``nesting`` parentheses."""
        if isinstance(syntax, Identifier):
            return self._identifier(syntax, depth)
        if nesting > NESTING:
            raise fault(f"the pattern is nested more than {NESTING} deep", syntax, "syntax-rules")
        if isinstance(syntax, ListSyntax):
            return ListPattern(self.elements(syntax.items, syntax.tail, depth, nesting + 1))
        if isinstance(syntax, VectorSyntax):
            return VectorPattern(self.elements(syntax.items, None, depth, nesting + 1))
        assert isinstance(syntax, Literal)
        return DatumPattern(syntax.value)

    def elements(self, items: list[Syntax], tail: Syntax | None, depth: int, nesting: int) -> Elements:
        """Return the patterns for what stands between parentheses."""
        places = [index for index, item in enumerate(items) if self.is_ellipsis(item)]
        if not places:
            before = [self.make(item, depth, nesting) for item in items]
            return Elements(before, None, [], [], self._tail(tail, depth, nesting))
        place = places[0]
        if len(places) > 1:
            raise fault("a pattern list can have one ellipsis", items[places[1]], "syntax-rules")
        if place == 0:
            raise fault("an ellipsis needs a pattern before it", items[0], "syntax-rules")
        before = [self.make(item, depth, nesting) for item in items[: place - 1]]
        first = len(self.variables)
        repeated = self.make(items[place - 1], depth + 1, nesting)
        variables = list(range(first, len(self.variables)))
        after = [self.make(item, depth, nesting) for item in items[place + 1 :]]
        return Elements(before, repeated, variables, after, self._tail(tail, depth, nesting))

    def _tail(self, tail: Syntax | None, depth: int, nesting: int) -> Pattern | None:
        if tail is None:
            return None
        if self.is_ellipsis(tail):
            raise fault("an ellipsis cannot follow a dot", tail, "syntax-rules")
        return self.make(tail, depth, nesting)

    def _identifier(self, identifier: Identifier, depth: int) -> Pattern:
        key = key_of(identifier)
        if key in self.literals:
            return LiteralIdentifier(self.literals[key])
        if is_keyword(identifier, "_", self.scope):
            return Anything()
        if key in self.variables:
            raise fault(f"{identifier.symbol.name} is twice in the pattern", identifier, "syntax-rules")
        index = len(self.variables)
        self.variables[key] = (index, depth)
        return PatternVariable(index, identifier.symbol.name)
