"""From syntax to core nodes: the walk over expressions, and the door to the rest of the package."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nodwyn.interp.core import Call, Const, Global, GlobalRef, LocalRef, Node, Seq, Variable
from nodwyn.interp.data import Pair, Symbol, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand import (  # noqa: F401  imported for the forms that they declare
    binding,
    conditionals,
    definitions,
    dynamic,
    macros,
    quotation,
    records,
    values,
)
from nodwyn.interp.expand.datum import to_syntax
from nodwyn.interp.expand.forms import SpecialForm, fault
from nodwyn.interp.expand.libraries import STANDARD, Library, Registry
from nodwyn.interp.expand.procedures import give_name
from nodwyn.interp.expand.programs import ProgramBody, imports_first
from nodwyn.interp.expand.rules import Macro, name_written
from nodwyn.interp.expand.scope import Ambiguous, Scope, Toplevel, locate, resolve
from nodwyn.interp.expand.sources import Sources
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Source, Span, Syntax, strip

DEPTH = 10_000
"""How deep expressions may be nested after expansion."""

EXPANSIONS = 100_000
"""How many macro uses one form of the top may expand."""

NODES = 10_000_000
"""How many calls and forms one form of the top may consist of after expansion."""


class Program:
    """An expanded program: the names of the libraries to run before it, in order, and its own nodes."""

    __slots__ = ("body", "imports")

    def __init__(self, imports: list[str], body: list[Node]) -> None:
        self.imports = imports
        self.body = body


class Expander:
    """Turns syntax into core nodes, for one interpreter.

    read: gives the forms of a source, with the second argument true as after ``#!fold-case``.
    find_library: gives the text of a library by its printed name, such as "(srfi 1)", or None.
    include: gives the text of a file by the name that ``include`` has and that of the file it is in.
    features: what ``cond-expand`` finds true. builtins: the names of the procedures written in Python.
    cached: asked before a library's text is expanded; what it returns for the name and text is used instead.
    known_libraries: names to suggest when one is misspelt.
    """

    __slots__ = ("attributed", "builtins", "depth", "expansions", "nodes", "registry", "sources")

    def __init__(
        self,
        read: Callable[[Source, bool], Iterable[Syntax]],
        find_library: Callable[[str], Source | None],
        include: Callable[[str, str | None], Source],
        features: Iterable[str],
        builtins: Iterable[str],
        *,
        cached: Callable[[str, Source], Library | None] | None = None,
        known_libraries: Callable[[], Iterable[str]] | None = None,
    ) -> None:
        self.sources = Sources(read, find_library, include, tuple(features))
        self.builtins = {name: Global(name, name, builtin=True, constant=True) for name in builtins}
        self.registry = Registry(self, cached, known_libraries)
        self.depth = self.expansions = self.nodes = 0
        self.attributed: Value = None

    # What embeds the expander calls these.

    def program(self, forms: Iterable[Syntax]) -> Program:
        """Expand a whole program (section 5.1). One without imports has the bindings of all of R7RS-small.

        Raises SchemeError with a condition of kind "syntax", "limit", "read" or "file", as all methods here do.
        """
        forms = list(forms)
        scope = Toplevel("program", "program")
        if not imports_first(forms):
            self.import_standard(scope)
        body = self._top_forms(forms, scope)
        scope.open = False
        return Program(scope.imports, body)

    def interaction_scope(self) -> Toplevel:
        """Return a new scope for a read-eval-print loop, with the bindings of all of R7RS-small."""
        scope = Toplevel("user", "interaction")
        self.import_standard(scope)
        return scope

    def interaction(self, form: Syntax, scope: Toplevel) -> list[Node]:
        """Expand one form that was typed in. Afterwards ``scope.imports`` has the libraries that it imported, too."""
        return self._top_forms([form], scope)

    def environment(self, import_sets: Iterable[Syntax]) -> Toplevel:
        """Return the scope that ``environment`` makes of import sets (section 6.12)."""
        scope = Toplevel("environment", "environment")
        for import_set in import_sets:
            self.registry.import_into(scope, import_set)
        return scope

    def expression(self, syntax: Syntax, scope: Scope) -> Node:
        """Expand one expression."""
        self.restart(scope.top)
        try:
            return self.expand(syntax, scope)
        except RecursionError:
            raise _too_deep(syntax.span) from None

    def library(self, name: str) -> Library:
        """Return the library with that printed name, expanded when it is first asked for."""
        return self.registry.get(name, None)

    def defined(self) -> dict[str, Library]:
        """Return the libraries by name that programs, or files of others, define."""
        return {name: library for name, library in self.registry.libraries.items() if library.source is None}

    def import_standard(self, scope: Toplevel) -> None:
        """Import all of R7RS-small into a scope."""
        for name in STANDARD:
            self.registry.import_library(scope, name)

    # What the special forms call.

    def restart(self, top: Toplevel) -> None:
        """Begin with a form of the top: count anew towards the limits, and forget the local scopes of the last one."""
        self.depth = self.expansions = self.nodes = 0
        self.attributed = None
        top.shadowed.clear()

    def expand(self, syntax: Syntax, scope: Scope) -> Node:
        """Return the node for an expression."""
        if syntax.__class__ is Identifier:
            return self.reference(syntax, scope)
        if syntax.__class__ is not ListSyntax:
            return self._constant(syntax, scope)
        self._enter(syntax)
        node = self._list(syntax, scope)
        self.depth -= 1
        return node

    def _list(self, syntax: ListSyntax, scope: Scope) -> Node:
        while True:
            items = syntax.items
            if not items:
                raise fault("() is not an expression", syntax, hint="write '() for the empty list")
            head = items[0]
            if head.__class__ is Identifier:
                meaning = resolve(head, scope)
                if meaning.__class__ is SpecialForm:
                    try:
                        meaning.check(syntax)
                        return meaning.expand(self, syntax, scope)
                    except SchemeError as error:
                        self.attribute(error, syntax, scope)
                        raise
                if meaning.__class__ is Macro:
                    expansion = self.transform(meaning, syntax, scope)
                    if expansion.__class__ is not ListSyntax:
                        return self.expand(expansion, scope)
                    syntax = expansion
                    continue
            if syntax.tail is not None:
                raise fault("a procedure call cannot have a dot in it", syntax.tail)
            operator = self.expand(head, scope)
            return Call(operator, [self.expand(item, scope) for item in items[1:]], syntax.span)

    def _enter(self, syntax: Syntax) -> None:
        self.depth += 1
        self.nodes += 1
        if self.depth > DEPTH:
            raise _too_deep(syntax.span, f"more than {DEPTH} deep")
        if self.nodes > NODES:
            message = f"the form is larger than {NODES} expressions after expansion"
            raise SchemeError(Condition("limit", message, span=syntax.span))

    def attribute(self, error: SchemeError, use: ListSyntax, scope: Scope) -> None:
        """Have the error of a form name the macro that was written, if a macro of a library inserted the form.

        Called for an error that a form or what is inside of it has raised, the innermost form first.
        """
        if error.payload is not self.attributed:
            self.attributed = error.payload
            name_written(error.payload, use, scope)

    def expand_named(self, syntax: Syntax, scope: Scope, name: str) -> Node:
        """Return the node for an expression whose value gets a name: a procedure made there has it."""
        node = self.expand(syntax, scope)
        give_name(node, name)
        return node

    def sequence(self, forms: list[Syntax], scope: Scope, span: Span | None) -> Node:
        """Return the node for expressions that are evaluated in order; ``forms`` has at least one."""
        nodes = [self.expand(form, scope) for form in forms]
        return nodes[0] if len(nodes) == 1 else Seq(nodes, span)

    def transform(self, macro: Macro, use: ListSyntax, scope: Scope) -> Syntax:
        """Return the expansion of a use of a macro."""
        self.expansions += 1
        if self.expansions > EXPANSIONS:
            raise SchemeError(
                Condition(
                    "limit",
                    f"more than {EXPANSIONS} macro uses were expanded for one form",
                    procedure=macro.name,
                    span=use.span,
                    hint=f"perhaps {macro.name} expands to itself without end",
                )
            )
        return macro.expand(use, scope)

    def reference(self, identifier: Identifier, scope: Scope) -> Node:
        """Return the node for a variable."""
        meaning = resolve(identifier, scope)
        if isinstance(meaning, Variable):
            return LocalRef(meaning, identifier.span)
        if isinstance(meaning, Global):
            return GlobalRef(meaning, identifier.span)
        if meaning is None:
            top, key = locate(identifier, scope)
            assert isinstance(top, Toplevel)
            assert isinstance(key, Symbol)
            return GlobalRef(top.reference(key), identifier.span)
        if isinstance(meaning, Ambiguous):
            meaning.complain(identifier)
        name = identifier.symbol.name
        raise fault(f"{name} is a keyword, not a variable", identifier, hint=f"its uses are written ({name} …)")

    def builtin(self, name: str, operands: list[Node], span: Span | None) -> Node:
        """Return a call of a builtin whatever its name means in the program."""
        known = self.builtins.get(name)
        if known is None:
            known = self.builtins[name] = Global(name, name, builtin=True, constant=True)
        return Call(GlobalRef(known, span), operands, span)

    def _constant(self, syntax: Syntax, scope: Scope) -> Node:
        value: Value = strip(syntax)
        if isinstance(syntax, Literal) and value.__class__ in (Pair, Symbol):
            # Code that was written with datum labels.
            code = to_syntax(value, syntax.span)
            if isinstance(code, Literal):
                raise fault("circular data cannot be code", syntax, hint="quote it")
            return self.expand(code, scope)
        return Const(value, syntax.span)

    def _top_forms(self, forms: list[Syntax], scope: Toplevel) -> list[Node]:
        body = ProgramBody(self, scope)
        try:
            body.collect(forms)
            return body.finish()
        except RecursionError:
            raise _too_deep(forms[0].span if forms else None) from None


def _too_deep(span: Span | None, depth: str = "too deep") -> SchemeError:
    return SchemeError(Condition("limit", f"expressions are nested {depth}", span=span))
