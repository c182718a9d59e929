"""The hash of the default comparator agrees with its equality."""

from __future__ import annotations

import math

import pytest

from nodwyn.interp.builtins.hashing import accepts_arguments, default_hash
from nodwyn.interp.data import NIL, UNLABELLED, String, Value, Vector, character, cons, intern, list_from
from nodwyn.interp.numbers.ratio import Ratio


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
    assert 0 <= default_hash(first) < 2**60


def test_different_lists_hash_differently() -> None:
    assert len({default_hash(list_from([number, number + 1])) for number in range(1000)}) == 1000


def test_circular_and_deep_structures_are_hashed_in_part() -> None:
    ring = cons(1, NIL)
    ring.cdr = ring
    deep: Value = NIL
    for _ in range(100_000):
        deep = cons(deep, NIL)
    assert default_hash(ring) >= 0
    assert default_hash(deep) >= 0
    assert default_hash(Vector([0] * 100_000)) >= 0


def test_how_many_arguments_a_procedure_accepts() -> None:
    def two(first: Value, second: Value) -> Value:
        return first

    def some(first: Value, second: Value = 0, *rest: Value) -> Value:
        return first

    assert [bool(accepts_arguments(two, count)) for count in range(4)] == [False, False, True, False]
    assert [bool(accepts_arguments(some, count)) for count in range(4)] == [False, True, True, True]
