"""Vectors: section 6.8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.builtins.vectors import define
from nodwyn.interp.data import Value, Vector

Apply = Callable[..., Any]


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("vector?", [(1,)], True),
        ("vector?", [[1]], False),
        ("make-vector", [2, "'a"], ("'a", "'a")),
        ("make-vector", [0], ()),
        ("vector", [1, 2], (1, 2)),
        ("vector-length", [(1, 2)], 2),
        ("vector-ref", [(1, 2), 1], 2),
        ("vector->list", [(1, 2, 3)], [1, 2, 3]),
        ("vector->list", [(1, 2, 3), 1], [2, 3]),
        ("vector->list", [(1, 2, 3), 1, 2], [2]),
        ("list->vector", [[1, 2]], (1, 2)),
        ("vector-copy", [(1, 2, 3)], (1, 2, 3)),
        ("vector-copy", [(1, 2, 3), 2, 3], (3,)),
        ("vector-append", [], ()),
        ("vector-append", [(1,), (), (2, 3)], (1, 2, 3)),
    ],
)
def test_result(apply: Apply, name: str, arguments: list[Any], result: Any) -> None:
    assert apply(name, *arguments) == result


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("vector-set!", [1, "x"], [1, "x", 3, 4]),
        ("vector-fill!", [0], [0, 0, 0, 0]),
        ("vector-fill!", [0, 1, 3], [1, 0, 0, 4]),
        ("vector-copy!", [1, Vector([7, 8, 9])], [1, 7, 8, 9]),
        ("vector-copy!", [0, Vector([7, 8, 9]), 1, 2], [8, 2, 3, 4]),
        ("vector-copy!", [4, Vector([])], [1, 2, 3, 4]),
    ],
)
def test_mutation(name: str, arguments: list[Value], result: list[Value]) -> None:
    vector = Vector([1, 2, 3, 4])
    define.procedures[name](vector, *arguments)
    assert vector.items == result


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_a_vector_copied_into_itself_may_overlap(length: int, at: int, start: int, end: int) -> None:
    if not (start <= end <= length and at + end - start <= length):
        return
    items = list(range(length))
    vector = Vector(items.copy())
    define.procedures["vector-copy!"](vector, at, vector, start, end)
    assert vector.items == items[:at] + items[start:end] + items[at + end - start :]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("vector-length", [[1]], "type: vector-length: vector must be a vector, got (1)"),
        ("vector-ref", [(1, 2), 2], "range: vector-ref: k must be an index from 0 to 1, got 2"),
        ("vector-ref", [(1, 2), -1], "range: vector-ref: k must be an index from 0 to 1, got -1"),
        ("vector-ref", [(1, 2), 1.5], "type: vector-ref: k must be an exact non-negative integer, got 1.5"),
        ("vector-ref", [(), 0], "range: vector-ref: k must be an index, but there are no elements, got 0"),
        ("vector-set!", [(1, 2), 2, 0], "range: vector-set!: k must be an index from 0 to 1, got 2"),
        ("vector-copy!", [(1, 2), 1, (1, 2)], "range: vector-copy!: end must be an index from 0 to 1, got 2"),
        ("vector-copy!", [(1, 2), 0, [1]], "type: vector-copy!: from must be a vector, got (1)"),
        ("vector-fill!", [(1, 2), 0, 3], "range: vector-fill!: start must be an index from 0 to 2, got 3"),
        ("vector-append", [(1,), [2]], "type: vector-append: vector must be a vector, got (2)"),
        ("make-vector", [-1], "range: make-vector: k must be an exact non-negative integer, got -1"),
        ("make-vector", [2**40], "limit: make-vector: k is above the limit of 268435456 elements"),
        ("list->vector", [5], "type: list->vector: list must be a list, got 5"),
    ],
)
def test_complaint(complaint: Callable[..., str], name: str, arguments: list[Any], message: str) -> None:
    assert complaint(name, *arguments) == message


def test_a_copy_is_another_vector(builtins: dict[str, Callable[..., Value]]) -> None:
    vector = Vector([1, 2])
    assert builtins["vector-copy"](vector).items is not vector.items
