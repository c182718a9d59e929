"""Graphs of objects as flat tables that ``marshal`` can write: without recursion, however deep they are, and with
every object once, so that what was one object is one again.

Made for what the compiler keeps on disk: core nodes and the constants in them. ``pickle`` would cost more to import
than the rest of a cached start, and recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nodwyn.interp import data
from nodwyn.interp.data import (
    UNLABELLED,
    Boolean,
    Char,
    Origin,
    Singleton,
    String,
    Symbol,
    character,
    intern,
    literal_string,
)

Row = tuple[Any, ...]
Flat = tuple[int, list[str], list[Row], list[Any]]
"""Reference of the root, names of the rows' kinds, rows, and atoms.

A row is the index of its kind and references to its parts. A reference is the index of a row or, negative, of an
atom counted from the end of the atoms; None is a slot that is not set.
"""

ATOMS = frozenset([int, float, str, bytes, bool, type(None)])
PACKAGE = "nodwyn.interp."


class UnflattenableError(Exception):
    """An object that only lives in its process, such as a function, is part of the graph."""


def flatten(
    root: Any, named: Mapping[int, str] | None = None, without: Mapping[Any, frozenset[str]] | None = None
) -> Flat:
    """Return a graph as a flat table.

    root: made of atoms, lists, tuples, sets, dictionaries, Scheme data, and objects with slots of this package's
    classes. named: by ``id``, the objects that are written as a name alone. without: slots of a class that are written
    as None. Raises UnflattenableError.
    """
    return _Flattener(named or {}, without or {}).flatten(root)


class _Flattener:
    def __init__(self, named: Mapping[int, str], without: Mapping[Any, frozenset[str]]) -> None:
        self.named = named
        self.without = without
        self.kinds: dict[str, int] = {}
        self.rows: list[Row | None] = []
        self.atoms: list[Any] = []
        self._atoms: dict[Any, int] = {}
        self._known: dict[int, int] = {}
        self._pending: list[tuple[int, Any]] = []
        self._slots: dict[type, tuple[int, tuple[str, ...]]] = {}

    def flatten(self, root: Any) -> Flat:
        reference = self._refer(root)
        pending = self._pending
        while pending:
            index, value = pending.pop()
            self.rows[index] = self._row(value)
        self.atoms.reverse()
        rows = [row for row in self.rows if row is not None]
        return reference, list(self.kinds), rows, self.atoms

    def _refer(self, value: Any) -> int:
        kind = value.__class__
        if kind in ATOMS:
            return self._atom(kind, value)
        known = self._known.get(id(value))
        if known is not None:
            return known
        if kind is tuple:
            # After its parts: it is made when they are.
            row = (self._kind("tuple"), *[self._refer(part) for part in value])
            index = self._known[id(value)] = len(self.rows)
            self.rows.append(row)
            return index
        index = self._known[id(value)] = len(self.rows)
        self.rows.append(None)
        self._pending.append((index, value))
        return index

    def _atom(self, kind: type, value: Any) -> int:
        # 0.0 equals -0.0, and 1 equals True.
        key = (kind, repr(value)) if kind is float else (kind, value)
        known = self._atoms.get(key)
        if known is None:
            self.atoms.append(value)
            known = self._atoms[key] = -len(self.atoms)
        return known

    def _kind(self, name: str) -> int:
        return self.kinds.setdefault(name, len(self.kinds))

    def _row(self, value: Any) -> Row:
        name = self.named.get(id(value))
        if name is not None:
            return self._kind("named"), self._refer(name)
        kind = value.__class__
        if kind in SIMPLE:
            word, parts = SIMPLE[kind](value)
            return self._kind(word), self._refer(parts)
        if kind is list or kind is set:
            return (self._kind(kind.__name__), *[self._refer(part) for part in value])
        if kind is dict:
            return (self._kind("dict"), *[self._refer(part) for item in value.items() for part in item])
        known = self._slots.get(kind)
        if known is None:
            known = self._slots[kind] = self._kind(f"{kind.__module__}:{kind.__qualname__}"), slots_of(kind)
        missing = self.without.get(kind, ())
        return (known[0], *[self._slot(value, slot, slot in missing) for slot in known[1]])

    def _slot(self, value: Any, slot: str, missing: bool) -> int | None:
        try:
            return self._refer(None if missing else getattr(value, slot))
        except AttributeError:
            return None


def _constant(value: Any) -> tuple[str, Any]:
    name = value.__reduce__()
    if getattr(data, name, None) is not value:
        raise UnflattenableError(f"{value!r} is known to its process alone")
    return "data", name


def _symbol(value: Symbol) -> tuple[str, Any]:
    if intern(value.name) is not value:
        raise UnflattenableError(f"symbol {value.name} is uninterned")
    return "symbol", value.name


def _string(value: String) -> tuple[str, Any]:
    if not value.frozen or value.origin is not UNLABELLED:
        raise UnflattenableError("a string is no literal")
    return "string", value.text()


def _origin(value: Origin) -> tuple[str, Any]:
    if value is not UNLABELLED:
        raise UnflattenableError("what has labels is no literal")
    return "data", "UNLABELLED"


SIMPLE: dict[type, Callable[[Any], tuple[str, Any]]] = {
    Boolean: _constant,
    Singleton: _constant,
    Symbol: _symbol,
    String: _string,
    Origin: _origin,
    Char: lambda value: ("char", value.char),
    bytearray: lambda value: ("bytearray", bytes(value)),
}
"""How objects are written that one atom says all about: the kind of their row, and the atom."""

MAKERS: dict[str, Any] = {
    "data": lambda name: getattr(data, name),
    "symbol": intern,
    "string": literal_string,
    "char": character,
    "bytearray": bytearray,
}
"""How they are made again."""


def slots_of(kind: type) -> tuple[str, ...]:
    """Return the names of all slots of a class of this package."""
    if not kind.__module__.startswith(PACKAGE) or kind.__dictoffset__:
        raise UnflattenableError(f"a {kind.__name__} lives in its process alone")
    return tuple(slot for each in reversed(kind.__mro__) for slot in each.__dict__.get("__slots__", ()))


def restore(flat: Flat, named: Mapping[str, Any] | None = None) -> Any:
    """Return the graph that :func:`flatten` made a table of. ``named``: the objects that were written as names."""
    return restore_all(flat, named)[0]


def restore_all(flat: Flat, named: Mapping[str, Any] | None = None) -> tuple[Any, Iterable[Any]]:
    """Return what :func:`restore` does, and all objects of the graph."""
    root, kinds, rows, atoms = flat
    makers = [_maker(kind, named or {}) for kind in kinds]
    table: list[Any] = []
    for row in rows:
        make, takes = makers[row[0]]
        if takes is None:
            table.append(make())
        elif takes == "parts":
            table.append(tuple([table[part] if part >= 0 else atoms[part] for part in row[1:]]))
        else:
            table.append(make(atoms[row[1]]))
    made = len(table)
    table.extend(atoms)
    fillers = [_filler(kind) for kind in kinds]
    for index in range(made):
        row = rows[index]
        fill = fillers[row[0]]
        if fill is not None:
            fill(table[index], row, table)
    return table[root], table[:made]


def _maker(kind: str, named: Mapping[str, Any]) -> tuple[Any, str | None]:
    """Return what makes the object of a row of a kind, and from what: None for nothing, "parts", or "atom"."""
    if kind == "named":
        return named.__getitem__, "atom"
    if kind in MAKERS:
        return MAKERS[kind], "atom"
    if kind == "tuple":
        return tuple, "parts"
    if kind in ("list", "set", "dict"):
        return {"list": list, "set": set, "dict": dict}[kind], None
    made = class_named(kind)
    return lambda: object.__new__(made), None


def _filler(kind: str) -> Any:
    """Return what fills an object of a kind once all are there, None if it is complete."""
    if kind == "named" or kind == "tuple" or kind in MAKERS:
        return None
    if kind == "list":
        return lambda made, row, table: made.extend([table[part] for part in row[1:]])
    if kind == "set":
        return lambda made, row, table: made.update([table[part] for part in row[1:]])
    if kind == "dict":
        return lambda made, row, table: made.update(
            zip([table[part] for part in row[1::2]], [table[part] for part in row[2::2]])
        )
    slots = slots_of(class_named(kind))

    def fill(made: Any, row: Row, table: list[Any]) -> None:
        for slot, part in zip(slots, row[1:]):
            if part is not None:
                setattr(made, slot, table[part])

    return fill


def class_named(kind: str) -> type[Any]:
    """Return a class of this package by its module and name."""
    from importlib import import_module

    module, _, name = kind.partition(":")
    if not module.startswith(PACKAGE):
        raise ValueError(f"{kind} is no class of the engine")
    found = getattr(import_module(module), name)
    if not isinstance(found, type):
        raise ValueError(f"{kind} is no class of the engine")
    return found
