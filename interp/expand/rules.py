"""``syntax-rules`` (section 4.3.2): macros, and how one is made from its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nodwyn.interp.data import Symbol, intern
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand.forms import FORMS, identifier_in, is_keyword, list_in, misuse
from nodwyn.interp.expand.patterns import ListPattern, Match, PatternMaker
from nodwyn.interp.expand.scope import Denotation, Key, Scope, key_of, resolve
from nodwyn.interp.expand.templates import Filling, Template, TemplateMaker
from nodwyn.interp.syntax import Identifier, ListSyntax, Syntax


class Rule:
    """A pattern, the number of variables in it, and the template."""

    __slots__ = ("pattern", "size", "template")

    def __init__(self, pattern: ListPattern, size: int, template: Template) -> None:
        self.pattern = pattern
        self.size = size
        self.template = template


class Macro:
    """A keyword whose uses are rewritten by rules.

    scope: where it was defined. home: the library and the name there, for a macro at the top of a library.
    mentions: the keys that its rules look up in ``scope``. neighbours: the elements of each list of a template
    that are such keys, None for others. assigns: whether an expansion may assign a variable that the template names.
    """

    __slots__ = ("assigns", "home", "mentions", "name", "neighbours", "rules", "scope")

    def __init__(self, name: str, scope: Scope) -> None:
        self.name = name
        self.scope = scope
        self.home: tuple[str, Symbol] | None = None
        self.rules: list[Rule] = []
        self.mentions: set[Key] = set()
        self.neighbours: list[list[Key | None]] = []
        self.assigns = False

    def expand(self, use: ListSyntax, scope: Scope) -> Syntax:
        """Return what a use in ``scope`` stands for. Raises SchemeError when no rule matches."""
        for rule in self.rules:
            bindings: list[Any] = [None] * rule.size
            if rule.pattern.match(use, Match(bindings, self.scope, scope)):
                return rule.template.fill(Filling(bindings, self.scope, use.span))
        raise self._mismatch(use, scope)

    def _mismatch(self, use: ListSyntax, scope: Scope) -> SchemeError:
        """Return the error for a use that no rule matches; its message shows the patterns.

        A macro that is a part of another one, and unknown where that is used, is not spoken of.
        """
        name, macro = self.name, self
        if resolve(Identifier(intern(name), None), scope) is not self:
            name, macro = written_macro(use, scope) or (name, macro)
        shapes = [f"({name}{rule.pattern.text()[2:]}" for rule in macro.rules]
        message = "expected " + ", or ".join(shapes) if shapes else f"{name} has no rules, so no use is right"
        if macro is not self:
            message = f"a part of it does not fit; {message}"
        return SchemeError(Condition("syntax", message, procedure=name, span=use.span))


def written_macro(use: ListSyntax, scope: Scope) -> tuple[str, Macro] | None:
    """Return the macro that the text has in the place of a use, which may come of its expansion, and its name there."""
    span = use.span
    if span is None or span.source.text[span.start : span.start + 1] != "(":
        return None
    words = span.source.text[span.start + 1 : span.end].replace("(", " ").replace(")", " ").split(maxsplit=1)
    meaning = resolve(Identifier(intern(words[0]), None), scope) if words else None
    return (words[0], meaning) if isinstance(meaning, Macro) else None


def make_macro(spec: ListSyntax, scope: Scope, name: str) -> Macro:
    """Return the macro for ``(syntax-rules …)`` in ``scope``. Raises SchemeError for what is wrong in it."""
    FORMS["syntax-rules"].check(spec)
    macro = Macro(name, scope)
    items = spec.items[1:]
    is_ellipsis: Callable[[Syntax], bool]
    if isinstance(items[0], Identifier):
        own_ellipsis = key_of(items[0])
        del items[0]

        def is_ellipsis(syntax: Syntax) -> bool:
            return isinstance(syntax, Identifier) and key_of(syntax) is own_ellipsis
    else:

        def is_ellipsis(syntax: Syntax) -> bool:
            return is_keyword(syntax, "...", scope)

    if not items:
        raise misuse("syntax-rules", spec)
    literals: dict[Key, Identifier] = {}
    for literal in list_in("syntax-rules", items[0]):
        identifier = identifier_in("syntax-rules", literal)
        literals[key_of(identifier)] = Identifier(identifier.symbol, None, identifier.alias)
        if is_ellipsis(identifier):
            # An ellipsis among the literals is a literal, and the rules have none (section 4.3.2).
            is_ellipsis = _never
    macro.mentions.update(literals)
    for rule in items[1:]:
        _add_rule(macro, rule, literals, is_ellipsis)
    return macro


def _never(syntax: Syntax) -> bool:
    return False


def _add_rule(
    macro: Macro, syntax: Syntax, literals: dict[Key, Identifier], is_ellipsis: Callable[[Syntax], bool]
) -> None:
    pattern_syntax, template_syntax = list_in("syntax-rules", syntax, 2, 2)
    if not isinstance(pattern_syntax, ListSyntax) or not pattern_syntax.items:
        raise misuse("syntax-rules", pattern_syntax, "a pattern is a list that starts with the keyword or _")
    patterns = PatternMaker(literals, is_ellipsis, macro.scope)
    pattern = patterns.rule(pattern_syntax)
    templates = TemplateMaker(patterns.variables, is_ellipsis)
    template = templates.make(template_syntax, 0, 0, False, set())
    macro.mentions |= templates.inserted
    macro.neighbours += [keys for keys in templates.neighbours if sum(key is not None for key in keys) > 1]
    macro.rules.append(Rule(pattern, len(patterns.variables), template))


def meaning_of_key(key: Key, scope: Scope) -> Denotation | None:
    """Return what a key of a macro's ``mentions`` means in the scope that the macro was defined in."""
    symbol = key
    while not isinstance(symbol, Symbol):
        symbol = symbol.original
    return resolve(Identifier(symbol, None, None if key is symbol else key), scope)


def assigned_by(macros: list[Macro]) -> Iterator[Denotation]:
    """Yield what expansions of ``macros`` may assign in other libraries, and mark the macros that assign.

    A variable is among them when a template has it after ``set!``, or in one list with a macro that assigns.
    """
    changed = True
    while changed:
        changed = False
        for macro in macros:
            if not macro.assigns and any(_assigns(key, macro.scope) for key in macro.mentions):
                macro.assigns = changed = True
    for macro in macros:
        for keys in macro.neighbours:
            for key in _assigned(keys, macro.scope):
                meaning = meaning_of_key(key, macro.scope)
                if meaning is not None:
                    yield meaning


def _assigns(key: Key, scope: Scope) -> bool:
    meaning = meaning_of_key(key, scope)
    return meaning is FORMS["set!"] or (isinstance(meaning, Macro) and meaning.assigns)


def _assigned(keys: list[Key | None], scope: Scope) -> list[Key]:
    """Return the keys of one list of a template that it may assign."""
    head = keys[0]
    if head is not None and meaning_of_key(head, scope) is FORMS["set!"]:
        keys = keys[1:2]
    elif not any(key is not None and _assigns(key, scope) for key in keys):
        return []
    return [key for key in keys if key is not None]
