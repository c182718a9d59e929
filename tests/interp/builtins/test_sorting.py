"""Sorting by the orders of builtins is stable, and an error for what they do not order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.builtins.sorting import define
from nodwyn.interp.data import NIL, UNLABELLED, String, Value, Vector, character, cons, intern, iterate, list_from
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.numbers.ratio import ratio

list_sort = define.procedures["%list-sort"]
vector_sort = define.procedures["%vector-sort!"]


def sorted_by(order: str, items: list[Value]) -> list[Value]:
    return list(iterate(list_sort(intern(order), list_from(items))))


reals = st.one_of(
    st.integers(), st.floats(allow_nan=False), st.fractions().map(lambda q: ratio(q.numerator, q.denominator))
)


@given(st.lists(reals))
def test_numbers_of_all_kinds_are_sorted_by_size(numbers: list[Any]) -> None:
    ascending = sorted_by("<", numbers)
    assert all(not second < first for first, second in pairwise(ascending))
    descending = sorted_by(">", numbers)
    assert all(not first < second for first, second in pairwise(descending))


@given(st.lists(st.text("aAbB", max_size=2)), st.sampled_from([("string-ci<?", False), ("string-ci>?", True)]))
def test_strings_that_compare_equal_keep_their_order(texts: list[str], order: tuple[str, bool]) -> None:
    name, descends = order
    found = [string.text() for string in sorted_by(name, [String(text, UNLABELLED) for text in texts])]
    assert found == sorted(texts, key=str.casefold, reverse=descends)


def test_a_part_of_a_vector_is_sorted_in_place() -> None:
    vector = Vector([5, 4, 3, 2, 1])
    vector_sort(intern("<"), vector, 1, 4)
    assert vector.items == [5, 2, 3, 4, 1]


@pytest.mark.parametrize(
    ("order", "items"),
    [
        ("<", [1, String("2", UNLABELLED)]),
        ("<", [1, NIL]),
        ("string<?", [String("a", UNLABELLED), character("b")]),
        ("char<?", [character("a"), 98]),
        ("unknown", [1, 2]),
    ],
)
def test_what_the_order_does_not_order_is_an_error(order: str, items: list[Value]) -> None:
    with pytest.raises(SchemeError):
        sorted_by(order, items)


def test_circular_lists_are_an_error() -> None:
    ring = cons(1, NIL)
    ring.cdr = ring
    with pytest.raises(SchemeError):
        list_sort(intern("<"), ring)
