"""The hash tables below SRFI 69 and SRFI 125."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.builtins.hash_tables import HashTable, define
from nodwyn.interp.data import (
    FALSE,
    NIL,
    TRUE,
    Bytevector,
    Pair,
    String,
    Symbol,
    Value,
    Vector,
    character,
    intern,
    list_from,
    origin_of,
)
from nodwyn.interp.numbers.ratio import Ratio
from nodwyn.interp.numbers.rectangular import Rectangular

builtin = define.procedures
FILE = origin_of(frozenset({"external:file"}))


def table(kind: str, *keys: Value) -> HashTable:
    """Return a table that associates each key with its position."""
    made = HashTable(kind)
    for position, key in enumerate(keys):
        builtin["%table-set!"](made, key, position)
    return made


def found(made: HashTable, key: Value) -> Value:
    return builtin["%table-ref"](made, key, "absent")


DISTINCT: list[Value] = [
    0,
    1,
    1.0,
    0.0,
    -0.0,
    math.nan,
    math.inf,
    Ratio(1, 2),
    0.5,
    Rectangular(1, 2),
    Rectangular(1.0, 2.0),
    10**40,
    1e40,
    TRUE,
    FALSE,
    NIL,
    intern("a"),
    Symbol("a"),
    String("a"),
    character("a"),
    character("A"),
    97,
    list_from([1]),
    list_from([1.0]),
    list_from([intern("a")]),
    list_from([String("a")]),
    list_from([character("a")]),
    Vector([1]),
    Vector([]),
    Bytevector(bytearray(b"a")),
    len,
]


def test_no_two_different_values_are_one_key() -> None:
    made = table("equal", *DISTINCT)
    assert builtin["%table-size"](made) == len(DISTINCT)
    assert [found(made, key) for key in DISTINCT] == list(range(len(DISTINCT)))


@pytest.mark.parametrize(
    ("key", "same"),
    [
        (2**70, 2**70),
        (1.5, 1.5),
        (math.nan, -math.nan),
        (Ratio(1, 3), Ratio(1, 3)),
        (Rectangular(1, 2), Rectangular(1, 2)),
        (character("λ"), FILE["λ"]),
        (intern("x"), intern("x")),
    ],
)
@pytest.mark.parametrize("kind", ["eq", "eqv", "equal"])
def test_numbers_and_characters_are_one_key_by_value(kind: str, key: Value, same: Value) -> None:
    assert found(table(kind, key), same) == 0


@pytest.mark.parametrize(
    ("key", "same"),
    [
        (String("ab"), String(list("ab"))),
        (list_from([1, String("a")]), list_from([1, String("a")])),
        (list_from([1], 2), list_from([1], 2)),
        (Vector([1, list_from([2])]), Vector([1, list_from([2])])),
        (Bytevector(bytearray(b"x")), Bytevector(bytearray(b"x"))),
    ],
)
def test_compound_data_are_one_key_by_contents_in_equal_tables_alone(key: Value, same: Value) -> None:
    assert found(table("equal", key), same) == 0
    assert found(table("eqv", key), same) == "absent"
    assert found(table("eqv", key), key) == 0


def circle(*items: Value) -> Pair:
    first: Pair = list_from(items)
    last = first
    while last.cdr is not NIL:
        last = last.cdr
    last.cdr = first
    return first


def test_large_and_circular_keys() -> None:
    assert found(table("equal", circle(1, 2)), circle(1, 2, 1, 2)) == 0
    assert found(table("equal", circle(1, 2)), circle(2, 1)) == "absent"
    nested: Value = NIL
    for _ in range(100_000):
        nested = list_from([nested])
    assert found(table("equal", nested), nested) == 0
    assert found(table("equal", list_from(range(5000))), list_from(range(5000))) == 0


def test_strings_with_and_without_regard_to_case() -> None:
    assert found(table("string", String("Straße")), String("Straße")) == 0
    assert found(table("string", String("Straße")), String("STRASSE")) == "absent"
    assert found(table("string-ci", String("Straße")), String("STRASSE")) == 0


def test_changes() -> None:
    a, b, c = intern("a"), 5, String("c")
    made = table("equal", a, b, c)
    builtin["%table-set!"](made, c, "new")
    assert found(made, String("c")) == "new"
    assert builtin["%table-delete!"](made, String("c")) is TRUE
    assert builtin["%table-delete!"](made, String("c")) is FALSE
    assert builtin["%table-contains?"](made, c) is FALSE
    assert builtin["%table-contains?"](made, a) is TRUE
    copy = builtin["%table-copy"](made)
    builtin["%table-clear!"](made)
    assert builtin["%table-size"](made) == 0
    assert builtin["%table-size"](copy) == 2
    assert found(copy, b) == 1


def test_keys_are_listed_as_given_and_in_order() -> None:
    given = [String("b", FILE), String("a"), FILE["c"], 1.5]
    made = table("equal", *given)
    builtin["%table-set!"](made, String("b"), 9)
    keys = builtin["%table-keys"](made)
    entries = builtin["%table-entries"](made)
    values = builtin["%table-values"](made)
    for key, value in zip(given, [9, 1, 2, 3], strict=True):
        assert keys.car is key
        assert entries.car.car is key
        assert entries.car.cdr == values.car == value
        keys, entries, values = keys.cdr, entries.cdr, values.cdr
    assert keys is entries is values is NIL


def test_taking_out_the_newest() -> None:
    made = table("equal", intern("a"), String("b", FILE))
    first, second = builtin["%table-pop!"](made), builtin["%table-pop!"](made)
    assert first.car.origin is FILE
    assert second.car is intern("a")
    assert builtin["%table-size"](made) == 0


def test_a_key_taken_out_leaves_nothing_behind() -> None:
    made = table("equal", String("b"), 1.5, list_from([1]))
    for key in (String("b"), 1.5, list_from([1])):
        builtin["%table-delete!"](made, key)
    assert made.given_keys == {}


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("%table-make", ["equal"], 'type: make-hash-table: kind must be a symbol, got "equal"'),
        (
            "%table-make",
            ["'same"],
            "range: make-hash-table: kind must be one of eq, eqv, equal, numeric, string, string-ci, got same",
        ),
        ("%table-ref", [5, 1, 2], "type: hash-table-ref: table must be a hash table, got 5"),
        ("%table-set!", [5, 1, 2], "type: hash-table-set!: table must be a hash table, got 5"),
        ("%table-set!", [[], "'a", 2], "type: hash-table-set!: table must be a hash table, got ()"),
        ("%table-size", [5], "type: hash-table-size: table must be a hash table, got 5"),
        (
            "%table-set!",
            [HashTable("string"), 5, 1],
            "type: hash-table-set!: key must be a string, as the table is one of strings, got 5",
        ),
        (
            "%table-ref",
            [HashTable("string-ci"), "'a", 1],
            "type: hash-table-ref: key must be a string, as the table is one of strings, got a",
        ),
        ("%table-pop!", [HashTable("eq")], "range: hash-table-pop!: the hash table is empty"),
    ],
)
def test_complaint(complaint: Callable[..., str], name: str, arguments: list[Any], message: str) -> None:
    assert complaint(name, *arguments) == message


def test_kind_and_predicate() -> None:
    assert builtin["%table-kind"](HashTable("string-ci")) is intern("string-ci")
    assert builtin["%table?"](HashTable("eq")) is TRUE
    assert builtin["%table?"](NIL) is FALSE


@pytest.mark.parametrize(
    ("key", "same"),
    [
        (1, 1.0),
        (0.5, Ratio(1, 2)),
        (0.0, -0.0),
        (10**15 * 2**80, float(10**15 * 2**80)),
        (Rectangular(1, 2), Rectangular(1.0, 2.0)),
        (Rectangular(1.5, 0.0), Ratio(3, 2)),
        (math.inf, math.inf),
    ],
)
def test_a_numeric_table_takes_numbers_that_are_equal_for_one_key(key: Value, same: Value) -> None:
    made = table("numeric", key)
    assert found(made, same) == 0
    builtin["%table-set!"](made, same, 1)
    assert builtin["%table-size"](made) == 1
    assert builtin["%table-delete!"](made, same) is TRUE
    assert builtin["%table-size"](made) == 0


def test_a_numeric_table_shows_the_key_that_it_was_given_after_a_deletion() -> None:
    made = table("numeric", 2.0)
    builtin["%table-delete!"](made, 2)
    builtin["%table-set!"](made, 2, "again")
    assert builtin["%table-keys"](made).car.__class__ is int
