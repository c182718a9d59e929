"""Section 6.1: what eqv? and equal? hold the same, on large, shared and circular data too."""

from __future__ import annotations

import math
import time
from typing import Any

import pytest

from nodwyn.interp import Interpreter
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
    cons,
    intern,
    list_from,
    origin_of,
)
from nodwyn.interp.equality import equal, eqv
from nodwyn.interp.numbers.ratio import Ratio
from nodwyn.interp.numbers.rectangular import Rectangular

EXTERNAL = origin_of(frozenset({"external:file"}))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (2, 2, True),
        (10**30, 10**30, True),
        (2, 2.0, False),
        (2.0, 2, False),
        (1.5, 1.5, True),
        (0.0, -0.0, False),
        (-0.0, -0.0, True),
        (math.nan, -math.nan, True),
        (math.inf, math.inf, True),
        (Ratio(1, 2), Ratio(1, 2), True),
        (Ratio(1, 2), Ratio(1, 3), False),
        (Ratio(1, 2), 0.5, False),
        (Rectangular(1, 2), Rectangular(1, 2), True),
        (Rectangular(1, 2), Rectangular(1, 3), False),
        (Rectangular(1.0, 0.0), Rectangular(1.0, -0.0), False),
        (character("a"), EXTERNAL["a"], True),
        (character("a"), character("b"), False),
        (intern("a"), intern("a"), True),
        (Symbol("a"), Symbol("a"), False),
        (TRUE, TRUE, True),
        (TRUE, FALSE, False),
        (NIL, NIL, True),
        (NIL, FALSE, False),
        (1, TRUE, False),
        (0, FALSE, False),
        (len, len, True),
    ],
)
def test_eqv_and_equal_agree_on_what_has_no_parts(first: Value, second: Value, same: bool) -> None:
    assert eqv(first, second) is same
    assert equal(first, second) is same


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (String("abc"), String(list("abc")), True),
        (String("abc"), String("abc", EXTERNAL), True),
        (String("abc"), String("abd"), False),
        (String("abc"), intern("abc"), False),
        (Bytevector(bytearray(b"ab")), Bytevector(bytearray(b"ab")), True),
        (Bytevector(bytearray(b"ab")), Bytevector(bytearray(b"a")), False),
        (list_from([1, 2, 3]), list_from([1, 2, 3]), True),
        (list_from([1, 2, 3]), list_from([1, 2]), False),
        (list_from([1, 2, 3]), list_from([1, 2.0, 3]), False),
        (list_from([1, 2], 3), list_from([1, 2], 3), True),
        (list_from([1, 2], 3), list_from([1, 2, 3]), False),
        (Vector([1, String("a")]), Vector([1, String("a")]), True),
        (Vector([1, 2]), Vector([1]), False),
        (Vector([]), Vector([]), True),
        (Vector([1]), list_from([1]), False),
        (list_from([Vector([NIL])]), list_from([Vector([NIL])]), True),
        (list_from([Vector([NIL])]), list_from([Vector([FALSE])]), False),
    ],
)
def test_equal_compares_contents_and_eqv_identity(first: Value, second: Value, same: bool) -> None:
    assert equal(first, second) is same
    assert not eqv(first, second)


def circle(*items: Value) -> Pair:
    """Return a circular list."""
    last = cons(items[-1], NIL)
    first: Pair = list_from(items[:-1], last)
    last.cdr = first
    return first


def test_circular_lists_are_equal_when_they_unfold_alike() -> None:
    assert equal(circle(1, 2), circle(1, 2))
    assert equal(circle(1, 2), circle(1, 2, 1, 2))
    assert not equal(circle(1, 2), circle(1, 2, 1))
    assert not equal(circle(1, 2), list_from([1, 2]))


def test_data_circular_through_car_and_vector_end() -> None:
    def knot(leaf: int) -> Pair:
        pair = cons(NIL, leaf)
        pair.car = Vector([pair, leaf])
        return pair

    assert equal(knot(1), knot(1))
    assert not equal(knot(1), knot(2))


def shared_tree(levels: int, leaf: Value) -> Value:
    """Return a tree of 2**levels leaves that are one."""
    tree = leaf
    for _ in range(levels):
        tree = cons(tree, tree)
    return tree


def test_shared_structure_takes_time_by_its_objects_not_by_its_unfolding() -> None:
    start = time.perf_counter()
    assert equal(shared_tree(2000, 1), shared_tree(2000, 1))
    assert not equal(shared_tree(2000, 1), shared_tree(2000, 2))
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    "grow", [lambda inner: cons(inner, NIL), lambda inner: cons(1, inner), lambda inner: Vector([inner])]
)
def test_depth_is_no_limit(grow: Any) -> None:
    first: Value = NIL
    second: Value = NIL
    third: Value = FALSE
    for _ in range(100_000):
        first, second, third = grow(first), grow(second), grow(third)
    assert equal(first, second)
    assert not equal(first, third)


def test_a_difference_after_many_steps_is_found() -> None:
    items = list(range(10_000))
    assert equal(list_from(items), list_from(items))
    assert not equal(list_from(items), list_from([*items[:-1], -1]))
    assert not equal(Vector([Vector(items), 1]), Vector([Vector(list(items)), 2]))


ATOMS = ["1", "-1", "1.0", "0.0", "-0.0", "+nan.0", "1/2", "#t", "#f", "'a", "'()", "#\\a", "100000000000000000000"]
OTHERS = [*ATOMS, '"a"', "(vector 1)", "(list 1)", "car", "(eof-object)", '(string-ref "a" 0)', "(bytevector 1)"]


def test_equal_with_a_constant_is_what_the_procedure_says() -> None:
    scheme = Interpreter()
    for first in ATOMS:
        for second in OTHERS:
            said = [
                scheme.eval(f"(let ((same? equal?) (x {second})) (set! same? same?) ({form}))")
                for form in (f"equal? {first} x", f"equal? x {first}", f"same? {first} x")
            ]
            assert said[0] is said[1] is said[2], (first, second)
