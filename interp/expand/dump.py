"""Expanded libraries as bytes, for a cache: exports and macros, without the code.

What belongs to other libraries is written by name. A macro is kept with the part of its library's scope that its
rules look up, and with no source text: spans of what it inserts are those of its uses.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from nodwyn.interp.core import Fact, Global
from nodwyn.interp.data import Symbol
from nodwyn.interp.expand.forms import FORMS, SpecialForm
from nodwyn.interp.expand.libraries import Library
from nodwyn.interp.expand.patterns import NESTING
from nodwyn.interp.expand.rules import Macro
from nodwyn.interp.expand.scope import Denotation, Key, Toplevel
from nodwyn.interp.recursion import RecursionLimit

_RECURSION = 20 * NESTING


def dump_library(library: Library) -> bytes:
    """Return a library without its body as bytes for :func:`load_library`."""
    import io
    import pickle

    kept = {"bindings": _needed(library), "open": False}

    class Pickler(pickle.Pickler):
        def persistent_id(self, value: Any) -> tuple[Any, ...] | None:
            return _reference(value, library.name)

        def reducer_override(self, value: Any) -> Any:
            if value is library.scope:
                return Toplevel, (library.name, "library"), (None, kept)
            return NotImplemented

    output = io.BytesIO()
    with RecursionLimit(max(sys.getrecursionlimit(), _RECURSION)):
        Pickler(output, 5).dump((library.name, library.exports, library.scope, library.imports))
    return output.getvalue()


def load_library(data: bytes, resolve: Callable[[str], Library], facts: Mapping[str, Fact]) -> Library:
    """Return the library that :func:`dump_library` wrote, with an empty body.

    data: from a place that only the user can write to. resolve: gives another library by its printed name; it is asked
    only where a macro of that library is needed. facts: what the compiler knows of variables, by key.
    """
    import io
    import pickle

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, reference: Any) -> Any:
            kind, *rest = reference
            if kind == "form":
                return FORMS[rest[0]]
            if kind == "global":
                name, key, builtin, constant = rest
                made = Global(name, key, builtin=builtin, constant=constant)
                made.fact = facts.get(key)
                return made
            scope = resolve(rest[0]).scope
            return scope if kind == "scope" else scope.bindings[rest[1]]

        def find_class(self, module: str, name: str) -> Any:
            if module.startswith("nodwyn.interp.") or (module, name) == ("copyreg", "__newobj__"):
                return super().find_class(module, name)
            raise pickle.UnpicklingError(f"{module}.{name} does not belong into a library")

    name, exports, scope, imports = Unpickler(io.BytesIO(data)).load()
    return Library(name, exports, scope, imports, [])


def _reference(value: Any, library: str) -> tuple[Any, ...] | None:
    """Return the name by which to write what is not part of ``library`` itself, None for what is."""
    if value.__class__ is SpecialForm:
        return ("form", value.name)
    if value.__class__ is Global:
        return ("global", value.name, value.key, value.builtin, value.constant)
    if value.__class__ is Toplevel and value.name != library:
        return ("scope", value.name)
    if value.__class__ is Macro and value.home is not None and value.home[0] != library:
        return ("macro", *value.home)
    return None


def _needed(library: Library) -> dict[Key, Denotation]:
    """Return the bindings of the library's scope that its own macros look up, and the macros themselves."""
    bindings = library.scope.bindings
    needed: dict[Key, Denotation] = {}
    for key, meaning in bindings.items():
        if isinstance(meaning, Macro) and meaning.scope is library.scope:
            needed[key] = meaning
            for mentioned in meaning.mentions:
                _keep(mentioned, bindings, needed)
    return needed


def _keep(key: Key, bindings: dict[Key, Denotation], needed: dict[Key, Denotation]) -> None:
    """Keep the binding of a key, or of the first of those that it is an alias of."""
    while True:
        if key in bindings:
            needed[key] = bindings[key]
        if isinstance(key, Symbol):
            return
        key = key.original
