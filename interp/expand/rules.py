"""``syntax-rules`` (section 4.3.2): macros, and how one is made from its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nodwyn.interp.data import Symbol, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand.forms import FORMS, SpecialForm, identifier_in, is_keyword, list_in, misuse
from nodwyn.interp.expand.patterns import ListPattern, Match, PatternMaker
from nodwyn.interp.expand.scope import Denotation, Key, Scope, is_of_library, key_of, resolve
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
                return rule.template.fill(Filling(bindings, self.scope, use))
        raise self._mismatch(use, scope)

    def _mismatch(self, use: ListSyntax, scope: Scope) -> SchemeError:
        """Return the error for a use that no rule matches; its message shows the patterns.

        A macro that is a part of another one, and unknown where that is used, is not spoken of.
        """
        head = use.items[0]
        assert isinstance(head, Identifier)
        written = None if _is_written(head, self, scope) else written_macro(head, scope)
        if written is not None:
            return SchemeError(Condition("syntax", written.expected(), procedure=written.name, span=use.span))
        name = head.symbol.name
        shapes = self.shapes(name)
        message = f"expected {shapes}" if shapes else f"{name} has no rules, so no use is right"
        return SchemeError(Condition("syntax", message, procedure=name, span=use.span))

    def shapes(self, name: str) -> str:
        """Return how a use under a name is written, one text for each rule."""
        return ", or ".join(f"({name}{rule.pattern.text()[2:]}" for rule in self.rules)


class Written:
    """A macro that a text uses, under the name that it has there."""

    __slots__ = ("macro", "name")

    def __init__(self, macro: Macro, name: str) -> None:
        self.macro = macro
        self.name = name

    def expected(self) -> str:
        """Return what to say where something does not fit that the macro consists of."""
        return f"a part of it does not fit; expected {self.macro.shapes(self.name)}"


def name_written(payload: Value, use: ListSyntax, scope: Scope) -> None:
    """Have a condition, if it is about a use of a special form, name the macro of a library that inserted that."""
    head = use.items[0] if use.items else None
    if not isinstance(payload, Condition) or not isinstance(head, Identifier) or not is_of_library(head):
        return
    form = resolve(head, scope)
    written = written_macro(head, scope)
    if written is not None and isinstance(form, SpecialForm) and payload.procedure == form.name:
        payload.procedure = written.name
        if payload.message == form.expected():
            payload.message = written.expected()


def written_macro(inserted: Identifier, scope: Scope) -> Written | None:
    """Return the macro in a text whose expansion, maybe after others, inserted an identifier; None if it is unknown."""
    identifier: Identifier | None = inserted
    while identifier is not None and identifier.alias is not None:
        identifier = identifier.alias.written
        meaning = None if identifier is None else resolve(identifier, scope)
        if identifier is not None and isinstance(meaning, Macro) and _is_written(identifier, meaning, scope):
            return Written(meaning, identifier.symbol.name)
    return None


def _is_written(keyword: Identifier, macro: Macro, scope: Scope) -> bool:
    """Return whether a keyword is part of the text, and not of a macro of a library or of one that has it to itself."""
    return not is_of_library(keyword) and resolve(Identifier(keyword.symbol, None), scope) is macro


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
