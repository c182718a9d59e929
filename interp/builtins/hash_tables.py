"""Hash tables: what the libraries of SRFI 69 and SRFI 125 are built on.

A table keeps two Python dictionaries. Objects that are keys by identity (symbols, pairs in an ``eqv?`` table …)
are in ``by_identity``; numbers and text, whose keys compare by value, in ``by_value``. One dictionary
for both would now and then compare an integer with an object that happens to have the same hash, which
is an error for the classes of Scheme data.
"""

from __future__ import annotations

from math import isfinite
from typing import Final

from nodwyn.interp.builtins.hashing import default_hash
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    FALSE,
    TRUE,
    UNSPECIFIED,
    Boolean,
    Bytevector,
    Char,
    Pair,
    String,
    Symbol,
    Value,
    Vector,
    cons,
    intern,
    list_from,
)
from nodwyn.interp.datum import Datum
from nodwyn.interp.equality import equal
from nodwyn.interp.errors import SchemeError, failure, out_of_range, wrong_type
from nodwyn.interp.numbers.ratio import Ratio
from nodwyn.interp.numbers.rectangular import Rectangular

define = Table()

KINDS: Final = ("eq", "eqv", "equal", "numeric", "string", "string-ci")
"""Named after the predicate that compares keys; "numeric" is by ``=``, and by ``equal?`` for text."""


class Compound:
    """The key that stands for a pair, vector or bytevector in an ``equal?`` table: compares as ``equal?`` does."""

    __slots__ = ("code", "datum")

    def __init__(self, datum: Value) -> None:
        self.datum = datum
        self.code: int = default_hash(datum)

    def __hash__(self) -> int:
        return self.code

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Compound and equal(self.datum, other.datum)


class HashTable(Datum):
    """A hash table.

    kind: one of ``KINDS``; ``eq`` tables compare as ``eqv?`` does. by_identity, by_value: see the module.
    given_keys: the key as the program gave it, for those that something else stands for in ``by_value``.
    compares_text: strings are keys by their exact contents.
    """

    __slots__ = ("by_identity", "by_value", "compares_text", "given_keys", "holds_strings_only", "table_kind")

    def __init__(self, kind: str) -> None:
        self.table_kind = kind
        self.by_identity: dict[Value, Value] = {}
        self.by_value: dict[Value, Value] = {}
        self.given_keys: dict[Value, Value] = {}
        self.holds_strings_only = kind in ("string", "string-ci")
        self.compares_text = kind in ("equal", "numeric", "string")

    def place(self, procedure: str, key: Value) -> tuple[dict[Value, Value], Value]:
        """Return the dictionary that ``key`` belongs in, and what stands for it there."""
        kind = self.table_kind
        type_of_key = key.__class__
        if type_of_key is String:
            if self.compares_text:
                return self.by_value, key.text()
            if kind == "string-ci":
                return self.by_value, key.text().casefold()
            return self.by_identity, key
        if self.holds_strings_only:
            raise wrong_type(procedure, "key", "a string, as the table is one of strings", key)
        if type_of_key is int:
            return self.by_value, key
        if type_of_key is Char:
            return self.by_value, (key.char,)
        if type_of_key is float or type_of_key is Ratio or type_of_key is Rectangular:
            return self.by_value, _equal_number(key) if kind == "numeric" else _stand_in(key)
        if kind == "equal" and (type_of_key is Pair or type_of_key is Vector or type_of_key is Bytevector):
            return self.by_value, Compound(key)
        return self.by_identity, key


def _stand_in(number: Value) -> tuple[Value, ...]:
    """Return what stands for a number that Python would take to be equal to another: a tuple of text and integers."""
    kind = number.__class__
    if kind is float:
        return ("inexact", repr(number))
    if kind is Ratio:
        return ("ratio", number.num, number.den)
    if kind is Rectangular:
        return ("complex", _stand_in(number.re), _stand_in(number.im))
    return ("integer", number)


def _equal_number(number: Value) -> Value:
    """Return what stands for a number where it is the same key as all numbers that are ``=`` to it."""
    kind = number.__class__
    if kind is float and isfinite(number):
        numerator, denominator = number.as_integer_ratio()
        return numerator if denominator == 1 else ("ratio", numerator, denominator)
    if kind is Rectangular:
        if number.im == 0:
            return _equal_number(number.re)
        return ("complex", _equal_number(number.re), _equal_number(number.im))
    return number if kind is int else _stand_in(number)


def _not_a_table(procedure: str, value: Value) -> SchemeError:
    return wrong_type(procedure, "table", "a hash table", value)


def _table(procedure: str, value: Value) -> HashTable:
    if value.__class__ is not HashTable:
        raise _not_a_table(procedure, value)
    return value


@define("%table-make")
def table_make(kind: Value) -> HashTable:
    if kind.__class__ is not Symbol:
        raise wrong_type("make-hash-table", "kind", "a symbol", kind)
    if kind.name not in KINDS:
        raise out_of_range("make-hash-table", "kind", f"one of {', '.join(KINDS)}", kind)
    return HashTable(kind.name)


@define("%table?")
def is_table(value: Value) -> Boolean:
    return TRUE if value.__class__ is HashTable else FALSE


@define("%table-kind")
def table_kind(table: Value) -> Symbol:
    return intern(_table("hash-table-kind", table).table_kind)


@define("%table-ref")
def table_ref(table: Value, key: Value, default: Value) -> Value:
    """Return the value for ``key``, or ``default``."""
    try:
        # Symbols, strings and integers, the commonest keys, take a short cut here and below.
        kind = key.__class__
        if kind is String:
            if table.compares_text:
                text = key.chars
                return table.by_value.get(text if text.__class__ is str else key.text(), default)
        elif not table.holds_strings_only:
            if kind is Symbol:
                return table.by_identity.get(key, default)
            if kind is int:
                return table.by_value.get(key, default)
        entries, stand_in = table.place("hash-table-ref", key)
        return entries.get(stand_in, default)
    except AttributeError:
        raise _not_a_table("hash-table-ref", table) from None


@define("%table-contains?")
def table_contains(table: Value, key: Value) -> Boolean:
    entries, stand_in = _table("hash-table-contains?", table).place("hash-table-contains?", key)
    return TRUE if stand_in in entries else FALSE


@define("%table-set!")
def table_set(table: Value, key: Value, value: Value) -> Value:
    try:
        kind = key.__class__
        if kind is String:
            if table.compares_text:
                text = key.chars
                if text.__class__ is not str:
                    text = key.text()
                entries = table.by_value
                if text not in entries:
                    table.given_keys[text] = key
                entries[text] = value
                return UNSPECIFIED
        elif not table.holds_strings_only:
            if kind is Symbol:
                table.by_identity[key] = value
                return UNSPECIFIED
            if kind is int:
                table.by_value[key] = value
                return UNSPECIFIED
        entries, stand_in = table.place("hash-table-set!", key)
        if stand_in is not key and stand_in not in entries:
            table.given_keys[stand_in] = key
        entries[stand_in] = value
        return UNSPECIFIED
    except AttributeError:
        raise _not_a_table("hash-table-set!", table) from None


@define("%table-delete!")
def table_delete(table: Value, key: Value) -> Boolean:
    """Remove the association of ``key``; the result tells whether there was one."""
    table = _table("hash-table-delete!", table)
    entries, stand_in = table.place("hash-table-delete!", key)
    if stand_in not in entries:
        return FALSE
    del entries[stand_in]
    table.given_keys.pop(stand_in, None)
    return TRUE


@define("%table-size")
def table_size(table: Value) -> int:
    table = _table("hash-table-size", table)
    return len(table.by_identity) + len(table.by_value)


@define("%table-clear!")
def table_clear(table: Value) -> Value:
    table = _table("hash-table-clear!", table)
    table.by_identity.clear()
    table.by_value.clear()
    table.given_keys.clear()
    return UNSPECIFIED


@define("%table-copy")
def table_copy(table: Value) -> HashTable:
    """Return a copy that can be changed."""
    table = _table("hash-table-copy", table)
    copy = HashTable(table.table_kind)
    copy.by_identity = table.by_identity.copy()
    copy.by_value = table.by_value.copy()
    copy.given_keys = table.given_keys.copy()
    return copy


def _keys(table: HashTable) -> list[Value]:
    given = table.given_keys
    return [*table.by_identity, *(given.get(key, key) for key in table.by_value)]


@define("%table-keys")
def table_keys(table: Value) -> Value:
    """Return a list of the keys, the oldest first (and those by identity before those by value)."""
    return list_from(_keys(_table("hash-table-keys", table)))


@define("%table-values")
def table_values(table: Value) -> Value:
    """Return a list of the values, in the order of the keys."""
    table = _table("hash-table-values", table)
    return list_from([*table.by_identity.values(), *table.by_value.values()])


@define("%table-entries")
def table_entries(table: Value) -> Value:
    """Return a list of pairs of key and value, in the order of the keys."""
    table = _table("hash-table-entries", table)
    values = [*table.by_identity.values(), *table.by_value.values()]
    return list_from([cons(key, value) for key, value in zip(_keys(table), values, strict=True)])


@define("%table-pop!")
def table_pop(table: Value) -> Pair:
    """Remove the newest association of a table that is not empty; the result is its key and its value."""
    table = _table("hash-table-pop!", table)
    if table.by_value:
        stand_in, value = table.by_value.popitem()
        return cons(table.given_keys.pop(stand_in, stand_in), value)
    if table.by_identity:
        return cons(*table.by_identity.popitem())
    raise failure("range", "hash-table-pop!", "the hash table is empty")
