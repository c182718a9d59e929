"""Lists: the second half of section 6.4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.builtins.lists import CIRCULAR, DOTTED, measure, proper
from nodwyn.interp.data import FALSE, NIL, Pair, Value, cons, list_from
from nodwyn.interp.errors import SchemeError

Apply = Callable[..., Any]


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("list?", [[1, 2]], True),
        ("list?", [[]], True),
        ("list?", [5], False),
        ("make-list", [3, 7], [7, 7, 7]),
        ("make-list", [0], []),
        ("list", [], []),
        ("list", [1, 2], [1, 2]),
        ("cons*", [1], 1),
        ("cons*", [1, 2, [3]], [1, 2, 3]),
        ("length", [[]], 0),
        ("length", [[1, 2, 3]], 3),
        ("length", [list(range(1000))], 1000),
        ("append", [], []),
        ("append", [[1], [2, 3], [], [4]], [1, 2, 3, 4]),
        ("append", [5], 5),
        ("append", [[], 5], 5),
        ("reverse", [[1, 2, 3]], [3, 2, 1]),
        ("list-tail", [[1, 2, 3], 0], [1, 2, 3]),
        ("list-tail", [[1, 2, 3], 3], []),
        ("list-ref", [[1, 2, 3], 2], 3),
        ("memq", ["'c", ["'a", "'c", "'d"]], ["'c", "'d"]),
        ("memq", ["'e", ["'a"]], False),
        ("memv", [101, [100, 101, 102]], [101, 102]),
        ("memv", [1.0, [1, 2]], False),
        ("memv", ["'a", ["'a"]], ["'a"]),
        ("memv", [[1], [[1]]], False),
        ("%member", [[1], [2, [1], 3]], [[1], 3]),
        ("%member", ["b", ["a", "b"]], ["b"]),
        ("%member", [True, [False, True]], [True]),
        ("assq", ["'b", [["'a", 1], ["'b", 2]]], ["'b", 2]),
        ("assq", ["'x", [["'a", 1]]], False),
        ("assv", [5, [[2, 3], [5, 7]]], [5, 7]),
        ("assv", ["'a", [["'a"]]], ["'a"]),
        ("%assoc", [[1], [[[1], 2]]], [[1], 2]),
        ("%assoc", ["a", []], False),
        ("list-copy", [[1, 2]], [1, 2]),
        ("list-copy", [5], 5),
    ],
)
def test_result(apply: Apply, name: str, arguments: list[Any], result: Any) -> None:
    assert apply(name, *arguments) == result


def test_improper_lists_are_appended_to_and_copied(builtins: dict[str, Callable[..., Value]]) -> None:
    appended = builtins["append"](list_from([1]), 2)
    assert (appended.car, appended.cdr) == (1, 2)
    copied = builtins["list-copy"](appended)
    assert copied is not appended
    assert (copied.car, copied.cdr) == (1, 2)


def test_append_shares_its_last_argument(builtins: dict[str, Callable[..., Value]]) -> None:
    last = list_from([2])
    assert builtins["append"](list_from([1]), last).cdr is last


def test_mutation(builtins: dict[str, Callable[..., Value]]) -> None:
    items = list_from([1, 2, 3])
    builtins["list-set!"](items, 1, "y")
    assert proper("test", "items", items) == [1, "y", 3]


NEEDS_PROPER: dict[str, Callable[[Value], list[Value]]] = {
    "length": lambda items: [items],
    "append": lambda items: [items, NIL],
    "reverse": lambda items: [items],
    "list-copy": lambda items: [items],
    "memq": lambda items: [FALSE, items],
    "memv": lambda items: [9, items],
    "%member": lambda items: [NIL, items],
    "list->string": lambda items: [items],
    "list->vector": lambda items: [items],
}


@pytest.mark.parametrize("name", NEEDS_PROPER)
def test_a_circular_list_is_an_error_where_a_proper_one_is_needed(complaint: Apply, circular: Pair, name: str) -> None:
    assert complaint(name, *NEEDS_PROPER[name](circular)).startswith(
        f"type: {name.lstrip('%')}: list must be a list that ends, got "
    )


@pytest.mark.parametrize("name", sorted(set(NEEDS_PROPER) - {"list-copy"}))
def test_an_improper_list_is_an_error_where_a_proper_one_is_needed(complaint: Apply, name: str) -> None:
    public = name.lstrip("%")
    arguments = NEEDS_PROPER[name](cons(1, 2))
    assert complaint(name, *arguments) == f"type: {public}: list must be a proper list, got (1 . 2)"
    arguments = NEEDS_PROPER[name](5)
    assert complaint(name, *arguments) == f"type: {public}: list must be a list, got 5"


@pytest.mark.parametrize("name", ["assq", "assv", "%assoc"])
def test_association_lists_end_and_hold_pairs(complaint: Apply, name: str) -> None:
    alist = list_from([list_from([1, 2])])
    alist.cdr = alist
    public = name.lstrip("%")
    assert complaint(name, 5, alist).startswith(f"type: {public}: alist must be a list that ends, got ")
    assert complaint(name, 5, [[1, 2], 3]) == f"type: {public}: an element of alist must be a pair, got 3"
    assert complaint(name, 5, 7) == f"type: {public}: alist must be a list, got 7"


def test_circular_lists_are_no_lists(apply: Apply, circular: Pair) -> None:
    assert apply("list?", circular) is False
    assert apply("list-ref", circular, 7) == 2


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("caar", [[5]], "type: caar: the car of its argument must be a pair, got 5"),
        ("list-tail", [[1, 2], 3], "range: list-tail: k must be an index from 0 to 2, got 3"),
        ("list-ref", [[1, 2], 2], "range: list-ref: k must be an index from 0 to 1, got 2"),
        ("list-ref", [[], 0], "range: list-ref: k must be an index, but there are no elements, got 0"),
        ("list-ref", [[1], -1], "range: list-ref: k must be an exact non-negative integer, got -1"),
        ("list-ref", [[1], 1.0], "type: list-ref: k must be an exact non-negative integer, got 1.0"),
        ("list-set!", [[1], 1, 0], "range: list-set!: k must be an index from 0 to 0, got 1"),
        ("make-list", [-1], "range: make-list: k must be an exact non-negative integer, got -1"),
        ("make-list", [10**30], "limit: make-list: k is above the limit of 268435456 elements"),
    ],
)
def test_complaint(complaint: Apply, name: str, arguments: list[Any], message: str) -> None:
    assert complaint(name, *arguments).startswith(message)


# Long ones are walked in strides of eight pairs, and marks are set anew after 2**10 strides.
@given(st.integers(0, 300) | st.integers(8_190, 8_230), st.integers(0, 10_000))
def test_measure_knows_every_shape(count: int, back: int) -> None:
    items = list_from(range(count))
    assert measure(items) == count
    assert measure(list_from(range(count), 5)) == DOTTED
    if count:
        pairs = [items]
        while pairs[-1].cdr is not NIL:
            pairs.append(pairs[-1].cdr)
        pairs[-1].cdr = pairs[back % count]
        assert measure(items) == CIRCULAR
        with pytest.raises(SchemeError):
            proper("test", "items", items)
