"""Hash functions agree with the equality that they are for."""

from __future__ import annotations

import math

import pytest

from nodwyn.interp.builtins.hashing import define
from nodwyn.interp.data import NIL, UNLABELLED, String, Value, Vector, character, cons, intern, list_from
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.numbers.ratio import Ratio

builtin = define.procedures
default_hash = builtin["%default-hash"]


def text(chars: str) -> String:
    return String(chars, UNLABELLED)


EQUAL = [
    (1, 1.0),
    (Ratio(1, 2), 0.5),
    (math.nan, float("nan")),
    (text("abc"), String(list("abc"), UNLABELLED)),
    (intern("abc"), intern("abc")),
    (list_from([1, text("b")]), list_from([1.0, text("b")])),
    (Vector([NIL, character("x")]), Vector([NIL, character("x")])),
]


@pytest.mark.parametrize(("first", "second"), EQUAL)
def test_objects_that_the_default_comparator_holds_equal_hash_alike(first: Value, second: Value) -> None:
    assert default_hash(first) == default_hash(second)
    assert 0 <= default_hash(first) < 2**28


def test_different_lists_hash_differently() -> None:
    assert len({default_hash(list_from([number, number + 1])) for number in range(1000)}) > 990


def test_circular_and_deep_structures_are_hashed_in_part() -> None:
    ring = cons(1, NIL)
    ring.cdr = ring
    deep: Value = NIL
    for _ in range(100_000):
        deep = cons(deep, NIL)
    assert isinstance(default_hash(ring), int)
    assert isinstance(default_hash(deep), int)
    assert isinstance(default_hash(Vector([0] * 100_000)), int)


def test_identity_hash_outlives_mutation() -> None:
    pair = cons(1, NIL)
    before = builtin["%identity-hash"](pair)
    pair.car = 2
    assert builtin["%identity-hash"](pair) == before


def test_string_hashes_take_a_range_and_ignore_case_where_asked() -> None:
    assert builtin["%string-hash"](text("xabcx"), 1, 4) == builtin["%string-hash"](text("abc"))
    assert builtin["%string-ci-hash"](text("STRASSE")) == builtin["%string-ci-hash"](text("straße"))


@pytest.mark.parametrize("name", ["%string-hash", "%string-ci-hash", "%symbol-hash", "%number-hash"])
def test_hash_functions_of_a_type_refuse_others(name: str) -> None:
    with pytest.raises(SchemeError):
        builtin[name](NIL)


def test_how_many_arguments_a_procedure_accepts() -> None:
    def two(first: Value, second: Value) -> Value:
        return first

    def some(first: Value, second: Value = 0, *rest: Value) -> Value:
        return first

    accepts = builtin["%accepts-arguments?"]
    assert [bool(accepts(two, count)) for count in range(4)] == [False, False, True, False]
    assert [bool(accepts(some, count)) for count in range(4)] == [False, True, True, True]
