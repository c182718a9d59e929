"""Libraries (section 5.6): ``define-library``, import sets (5.2), and the registry that finds and keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from nodwyn.interp.core import Global, Node
from nodwyn.interp.data import Symbol, intern
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand.bodies import TopBody
from nodwyn.interp.expand.forms import FORMS, fault, identifier_in, list_in, misuse
from nodwyn.interp.expand.names import library_name, suggestion
from nodwyn.interp.expand.rules import Macro, assigned_by
from nodwyn.interp.expand.scope import Ambiguous, Denotation, Toplevel, same_meaning
from nodwyn.interp.expand.sources import chosen
from nodwyn.interp.syntax import Identifier, ListSyntax, Source, Span, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander

BUILTINS = "(nodwyn builtins)"
SYNTAX = "(nodwyn syntax)"

STANDARD = tuple(
    f"(scheme {name})"
    for name in (
        *("base", "case-lambda", "char", "complex", "cxr", "eval", "file", "inexact"),
        *("lazy", "load", "process-context", "read", "repl", "time", "write"),
    )
)
"""The libraries whose bindings a program without imports has: all of R7RS-small but (scheme r5rs)."""


class Library:
    """An expanded library.

    exports: what each exported name means. scope: what its macros can refer to. imports: the names of the libraries
    to run before it, in order. body: its own nodes; empty for those that have no code, and when loaded from a cache.
    source: the text that was found by its name, an empty one for what is native, None for a library that a program
    or the file of another one defines.
    """

    __slots__ = ("body", "exports", "imports", "name", "scope", "source")

    def __init__(
        self,
        name: str,
        exports: dict[Symbol, Denotation],
        scope: Toplevel,
        imports: list[str],
        body: list[Node],
    ) -> None:
        self.name = name
        self.exports = exports
        self.scope = scope
        self.imports = imports
        self.body = body
        self.source: Source | None = None


def _native(name: str, exports: dict[Symbol, Denotation]) -> Library:
    library = Library(name, exports, Toplevel(name, "library"), [], [])
    library.source = Source(name, "")
    return library


class Registry:
    """The libraries of one interpreter by printed name. Those that are not known yet are found and expanded."""

    __slots__ = ("cached", "expander", "known", "libraries", "loading")

    def __init__(
        self,
        expander: Expander,
        cached: Callable[[str, Source], Library | None] | None,
        known: Callable[[], Iterable[str]] | None,
    ) -> None:
        self.expander = expander
        self.cached = cached
        self.known = known
        self.loading: list[str] = []
        builtins: dict[Symbol, Denotation] = {intern(name): each for name, each in expander.builtins.items()}
        keywords: dict[Symbol, Denotation] = {intern(name): form for name, form in FORMS.items()}
        self.libraries = {BUILTINS: _native(BUILTINS, builtins), SYNTAX: _native(SYNTAX, keywords)}

    def exists(self, name: str) -> bool:
        """Return whether there is a library of that printed name."""
        # Asked first, so that what a cache notes of an expansion has all that it depends on.
        return self.expander.sources.find_library(name) is not None or name in self.libraries

    def get(self, name: str, at: Span | None) -> Library:
        """Return a library; ``at`` is the place that asked. Raises SchemeError if it is missing, wrong or circular."""
        library = self.libraries.get(name)
        if library is not None:
            return library
        if name in self.loading:
            chain = " → ".join([*self.loading[self.loading.index(name) :], name])
            raise SchemeError(Condition("syntax", f"libraries import each other in a circle: {chain}", span=at))
        source = self.expander.sources.find_library(name)
        if source is None:
            known = [*self.libraries, *(self.known() if self.known is not None else ())]
            message = f"there is no library {name}"
            hint = suggestion(name, known) or f"it would be {name[1:-1].replace(' ', '/')}.sld in a library directory"
            raise SchemeError(Condition("syntax", message, span=at, hint=hint))
        self.loading.append(name)
        try:
            library = self.cached(name, source) if self.cached is not None else None
            if library is None:
                library = self._read(name, source)
        finally:
            self.loading.pop()
        library.source = source
        self.libraries[name] = library
        return library

    def _read(self, name: str, source: Source) -> Library:
        for form in self.expander.sources.read(source, False):
            if not is_library_form(form):
                raise fault("a file of a library holds define-library forms alone", form)
            declare_library(self.expander, form)
        library = self.libraries.get(name)
        if library is None:
            start = Span(source, 0, 0)
            raise SchemeError(Condition("syntax", f"{source.name} does not define library {name}", span=start))
        return library

    def import_library(self, scope: Toplevel, name: str) -> None:
        """Import all that a library exports."""
        self._bind(scope, name, self.get(name, None).exports)

    def import_into(self, scope: Toplevel, import_set: Syntax) -> None:
        """Import an import set (section 5.2)."""
        name, bindings = self.import_set(import_set, 0)
        self._bind(scope, name, bindings)

    def import_set(self, syntax: Syntax, nesting: int) -> tuple[str, dict[Symbol, Denotation]]:
        """Return the name of the library that an import set is about, and what it binds."""
        if nesting > IMPORT_NESTING:
            raise fault(f"an import set is nested more than {IMPORT_NESTING} deep", syntax, "import")
        items = syntax.items if isinstance(syntax, ListSyntax) and syntax.tail is None else []
        head = items[0].symbol.name if items and isinstance(items[0], Identifier) else ""
        modifier = MODIFIERS.get(head)
        if modifier is None or len(items) < 2 or not isinstance(items[1], ListSyntax):
            name = library_name(syntax)
            return name, self.get(name, syntax.span).exports
        name, bindings = self.import_set(items[1], nesting + 1)
        return name, modifier(name, dict(bindings), items[2:], syntax)

    def _bind(self, scope: Toplevel, library: str, bindings: dict[Symbol, Denotation]) -> None:
        if library not in scope.imports:
            scope.imports.append(library)
        bound = scope.bindings
        for symbol, meaning in bindings.items():
            known = bound.get(symbol)
            if known is not None and scope.kind != "interaction" and not same_meaning(known, meaning):
                if symbol not in scope.imported:
                    continue  # the program's own definition comes first
                meaning = Ambiguous(symbol.name, (scope.imported[symbol], library))
            bound[symbol] = meaning
            scope.imported[symbol] = library


IMPORT_NESTING = 400
"""How deep import sets may be nested."""

Bindings = dict[Symbol, Denotation]


def _exported(library: str, bindings: Bindings, syntax: Syntax) -> Symbol:
    """Return the symbol that ``syntax`` names among ``bindings``. Raises SchemeError if it is not there."""
    symbol = identifier_in("import", syntax).symbol
    if symbol not in bindings:
        hint = suggestion(symbol.name, [each.name for each in bindings])
        raise fault(f"{library} has no export {symbol.name}", syntax, "import", hint)
    return symbol


def _only(library: str, bindings: Bindings, rest: list[Syntax], use: Syntax) -> Bindings:
    symbols = [_exported(library, bindings, item) for item in rest]
    return {symbol: bindings[symbol] for symbol in symbols}


def _except(library: str, bindings: Bindings, rest: list[Syntax], use: Syntax) -> Bindings:
    for symbol in [_exported(library, bindings, item) for item in rest]:
        bindings.pop(symbol, None)
    return bindings


def _prefix(library: str, bindings: Bindings, rest: list[Syntax], use: Syntax) -> Bindings:
    if len(rest) != 1:
        raise misuse("import", use)
    prefix = identifier_in("import", rest[0]).symbol.name
    return {intern(prefix + symbol.name): meaning for symbol, meaning in bindings.items()}


def _rename(library: str, bindings: Bindings, rest: list[Syntax], use: Syntax) -> Bindings:
    renamed: Bindings = {}
    moved: Bindings = {}
    for pair in rest:
        old, new = list_in("import", pair, 2, 2)
        symbol = _exported(library, bindings, old)
        moved[symbol] = bindings[symbol]
        renamed[identifier_in("import", new).symbol] = bindings[symbol]
    kept = {symbol: meaning for symbol, meaning in bindings.items() if symbol not in moved}
    for symbol in renamed:
        if symbol in kept:
            raise fault(f"{library} exports {symbol.name} too, which a name is changed to", use, "import")
    return kept | renamed


MODIFIERS = {"only": _only, "except": _except, "prefix": _prefix, "rename": _rename}


def is_library_form(form: Syntax) -> bool:
    """Return whether a form of the top is a ``define-library`` by its first word."""
    return starts_with(form, "define-library")


def starts_with(form: Syntax, word: str) -> bool:
    """Return whether a form is a list whose first element is written ``word``."""
    if not isinstance(form, ListSyntax) or not form.items:
        return False
    head = form.items[0]
    return isinstance(head, Identifier) and head.symbol.name == word


class _Declarations:
    """What the declarations of a library come to, in the order of the text but for imports, which come first."""

    __slots__ = ("expander", "exports", "forms", "imports")

    def __init__(self, expander: Expander) -> None:
        self.expander = expander
        self.exports: list[tuple[Identifier, Identifier]] = []
        self.imports: list[Syntax] = []
        self.forms: list[Syntax] = []

    def take(self, declarations: list[Syntax]) -> None:
        pending = list(reversed(declarations))
        while pending:
            declaration = pending.pop()
            items = list_in("define-library", declaration, 1)
            word = items[0].symbol.name if isinstance(items[0], Identifier) else ""
            assert isinstance(declaration, ListSyntax)
            if word == "export":
                self.exports += [_export(spec) for spec in items[1:]]
            elif word == "import":
                self.imports += items[1:]
            elif word == "begin":
                self.forms += items[1:]
            elif word in ("include", "include-ci"):
                self.forms += self.expander.sources.included(word, declaration)
            elif word == "include-library-declarations":
                pending += reversed(self.expander.sources.included(word, declaration))
            elif word == "cond-expand":
                pending += reversed(chosen(self.expander, declaration))
            else:
                raise fault(
                    f"{word or 'this'} is no library declaration",
                    declaration,
                    "define-library",
                    "the declarations are export, import, begin, include, include-ci, include-library-declarations "
                    "and cond-expand; definitions and expressions stand in begin",
                )


def _export(spec: Syntax) -> tuple[Identifier, Identifier]:
    """Return the inner and the outer name of an export spec."""
    if isinstance(spec, Identifier):
        return spec, spec
    word, inner, outer = list_in("export", spec, 3, 3)
    if identifier_in("export", word).symbol.name != "rename":
        raise misuse("export", spec)
    return identifier_in("export", inner), identifier_in("export", outer)


def declare_library(expander: Expander, form: Syntax) -> Library:
    """Expand a ``define-library`` form and register the library."""
    items = list_in("define-library", form, 2)
    name = library_name(items[1])
    scope = Toplevel(name, "library")
    declarations = _Declarations(expander)
    declarations.take(items[2:])
    for import_set in declarations.imports:
        expander.registry.import_into(scope, import_set)
    body = TopBody(expander, scope)
    body.collect(declarations.forms)
    exports = _exports(name, declarations.exports, scope)
    nodes = body.finish()
    own_macros = [each for each in scope.bindings.values() if isinstance(each, Macro) and each.scope is scope]
    for meaning in assigned_by(own_macros):
        if isinstance(meaning, Global) and meaning.key.startswith(name):
            meaning.constant = False
    scope.open = False
    library = Library(name, exports, scope, scope.imports, nodes)
    expander.registry.libraries[name] = library
    return library


def _exports(library: str, specs: list[tuple[Identifier, Identifier]], scope: Toplevel) -> dict[Symbol, Denotation]:
    exports: dict[Symbol, Denotation] = {}
    for inner, outer in specs:
        meaning = scope.bindings.get(inner.symbol)
        if meaning is None:
            hint = suggestion(inner.symbol.name, [key.name for key in scope.bindings if isinstance(key, Symbol)])
            message = f"{library} exports {inner.symbol.name}, which it neither defines nor imports"
            raise fault(message, inner, "export", hint)
        if isinstance(meaning, Ambiguous):
            meaning.complain(inner)
        if not same_meaning(exports.get(outer.symbol, meaning), meaning):
            raise fault(f"{library} exports {outer.symbol.name} twice", outer, "export")
        exports[outer.symbol] = meaning
    return exports
