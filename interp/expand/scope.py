"""What names mean, and where: scopes, and the aliases that keep macros hygienic.

A macro gives every identifier that its template inserts a fresh alias. Binding forms bind the alias, not the
symbol, so the user's variable of the same name stays another one; an alias that nothing between the use of the
macro and the top binds means what its original means where the macro was defined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, TypeAlias

from nodwyn.interp.core import Global, Variable
from nodwyn.interp.data import Symbol
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.syntax import Identifier

if TYPE_CHECKING:
    from nodwyn.interp.expand.forms import SpecialForm
    from nodwyn.interp.expand.rules import Macro

Key: TypeAlias = "Symbol | Alias"
"""What a scope binds. Two identifiers are bound alike (``bound-identifier=?``) when their keys are one object."""

Denotation: TypeAlias = "Variable | Global | SpecialForm | Macro | Ambiguous"
"""What an identifier can mean."""

ALIAS_DEPTH = 300
"""How many macros may each have been made by the one before: aliases of aliases."""


class Alias:
    """A new name for ``original``, which a macro defined in ``scope`` inserted.

    written: the keyword of the use that it came of; if a macro of a library inserted that, of the use behind it.
    """

    __slots__ = ("depth", "original", "scope", "written")

    def __init__(self, original: Key, scope: Scope, written: Identifier | None) -> None:
        self.original = original
        self.scope = scope
        self.written = written
        self.depth: int = original.depth + 1 if isinstance(original, Alias) else 1
        if self.depth > ALIAS_DEPTH:
            message = f"macros made by macros are nested more than {ALIAS_DEPTH} deep"
            raise SchemeError(Condition("limit", message))

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        # What a macro of a library refers to is kept on disk, and the text in which that was used is not.
        return None, {"depth": self.depth, "original": self.original, "scope": self.scope, "written": None}


class Ambiguous:
    """A name that two imported libraries bind differently: an error once it is used."""

    __slots__ = ("libraries", "name")

    def __init__(self, name: str, libraries: tuple[str, str]) -> None:
        self.name = name
        self.libraries = libraries

    def complain(self, identifier: Identifier) -> NoReturn:
        """Raise the error for a use of the name."""
        first, second = self.libraries
        raise SchemeError(
            Condition(
                "syntax",
                f"{self.name} is imported from both {first} and {second}, which mean different things by it",
                span=identifier.span,
                hint=f"import one without it, such as (except {first} {self.name}), or with a prefix",
            )
        )


class Scope:
    """The bindings of one body, lambda or let-syntax inside of ``parent``; ``top`` is the outermost scope."""

    __slots__ = ("bindings", "parent", "top")
    parent: Scope | None
    top: Toplevel

    def __init__(self, parent: Scope) -> None:
        self.bindings: dict[Key, Denotation] = {}
        self.parent = parent
        self.top = parent.top

    def bind(self, identifier: Identifier) -> Variable:
        """Bind an identifier to a new local variable and return that."""
        variable = Variable(identifier.symbol.name, identifier.span)
        self.put(key_of(identifier), variable)
        return variable

    def put(self, key: Key, meaning: Denotation) -> None:
        """Bind a key in this local scope."""
        self.bindings[key] = meaning
        self.top.shadowed.add(key)


class Toplevel(Scope):
    """The outermost scope of a library, a program, an interaction or of ``environment``.

    name: what the keys of its globals start with, such as "(srfi 1)" or "program".
    kind: "library", "program", "interaction" or "environment" (whose bindings are fixed).
    imported: which library each imported name is from. imports: the libraries in order of their first import.
    unbound: the variables that were referred to and, so far, not defined.
    shadowed: the keys that some local scope below binds, in the form of the top that is being expanded. Lookups of
    all others, which are those of most keywords and procedures, need not walk the chain of scopes.
    """

    __slots__ = ("aliased", "imported", "imports", "kind", "name", "open", "records", "shadowed", "unbound")

    def __init__(self, name: str, kind: str) -> None:
        self.bindings = {}
        self.parent = None
        self.top = self
        self.name = name
        self.kind = kind
        self.imported: dict[Key, str] = {}
        self.imports: list[str] = []
        self.unbound: dict[Key, Global] = {}
        self.shadowed: set[Key] = set()
        self.open = True
        self.aliased = 0
        self.records = 0

    def reference(self, key: Symbol) -> Global:
        """Return the variable for a name that nothing has bound so far; to use it unbound is an error at run time."""
        known = self.unbound.get(key)
        if known is None:
            known = self.unbound[key] = Global(key.name, f"{self.name}:{key.name}")
        return known

    def define(self, identifier: Identifier) -> Global:
        """Bind an identifier to a global variable of this scope, or define again the one that it is bound to.

        A name that a macro inserted becomes a variable of its own, which only that expansion can refer to.
        Raises SchemeError for what must not be defined here.
        """
        key = key_of(identifier)
        known = self.bindings.get(key)
        self._check_definable(identifier, key, known)
        if known.__class__ is Global and key not in self.imported:
            known.constant = False
            return known
        made = self.unbound.pop(key, None) or Global(identifier.symbol.name, self._global_key(identifier))
        made.constant = self.kind != "interaction" and (known is None or key in self.imported)
        self._replace(key, made)
        return made

    def define_syntax(self, identifier: Identifier, meaning: Denotation) -> None:
        """Bind an identifier to a keyword. Raises SchemeError for what must not be defined here."""
        key = key_of(identifier)
        known = self.bindings.get(key)
        self._check_definable(identifier, key, known)
        if isinstance(known, Global) and key not in self.imported:
            known.constant = False
        self._replace(key, meaning)

    def _replace(self, key: Key, meaning: Denotation) -> None:
        self.imported.pop(key, None)
        self.bindings[key] = meaning

    def _global_key(self, identifier: Identifier) -> str:
        if identifier.alias is None:
            return f"{self.name}:{identifier.symbol.name}"
        self.aliased += 1
        return f"{self.name}#{self.aliased}:{identifier.symbol.name}"

    def _check_definable(self, identifier: Identifier, key: Key, known: Denotation | None) -> None:
        name = identifier.symbol.name
        if self.kind == "environment":
            message, hint = f"{name} cannot be defined in an environment made by `environment`", ""
        elif self.kind == "library" and key in self.imported:
            message = f"{name} is imported from {self.imported[key]} and cannot be defined too"
            hint = f"import all but it with (except {self.imported[key]} {name})"
        elif self.kind == "library" and known is not None:
            message, hint = f"{name} is defined twice in library {self.name}", ""
        else:
            return
        raise SchemeError(Condition("syntax", message, span=identifier.span, hint=hint))


def key_of(identifier: Identifier) -> Key:
    """Return what a binding form binds for an identifier."""
    alias: Alias | None = identifier.alias
    return identifier.symbol if alias is None else alias


def is_of_library(identifier: Identifier) -> bool:
    """Return whether a macro that a library defines inserted an identifier."""
    key = key_of(identifier)
    while isinstance(key, Alias):
        if key.scope.top.kind == "library":
            return True
        key = key.original
    return False


def resolve(identifier: Identifier, scope: Scope) -> Denotation | None:
    """Return what an identifier means in a scope, None if it is bound nowhere."""
    key: Key = identifier.symbol if identifier.alias is None else identifier.alias
    while True:
        top = scope.top
        if key in top.shadowed:
            frame: Scope | None = scope
            while frame is not None:
                found = frame.bindings.get(key)
                if found is not None:
                    return found
                frame = frame.parent
        else:
            found = top.bindings.get(key)
            if found is not None:
                return found
        if key.__class__ is not Alias:
            return None
        scope = key.scope
        key = key.original


def locate(identifier: Identifier, scope: Scope) -> tuple[Scope, Key]:
    """Return the scope that binds an identifier and the key that it does so by.

    For one that is bound nowhere it is the top of the last scope looked into, and the symbol.
    """
    key = key_of(identifier)
    while True:
        frame = scope
        while key not in frame.bindings and frame.parent is not None:
            frame = frame.parent
        if key in frame.bindings or isinstance(key, Symbol):
            return frame, key
        scope, key = key.scope, key.original


def same_meaning(first: Denotation | None, second: Denotation | None) -> bool:
    """Return whether two meanings, neither None, are one.

    Globals are compared by key: those of a library that came from the cache are objects of their own.
    """
    if first is second:
        return True
    return first.__class__ is Global and second.__class__ is Global and first.key == second.key
