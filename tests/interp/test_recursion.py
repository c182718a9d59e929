"""The limit on nested calls, which all threads share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import permutations

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.recursion import RecursionLimit

LIMITS = (20_000, 30_000, 20_000)


@pytest.fixture(autouse=True)
def unchanged() -> Iterator[None]:
    before = sys.getrecursionlimit()
    yield
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("order", [*permutations(range(len(LIMITS)))])
def test_what_held_before_comes_back_in_whatever_order_they_are_left(order: tuple[int, ...]) -> None:
    """Threads enter one after another, and leave in any order."""
    before = sys.getrecursionlimit()
    entered = [RecursionLimit(depth) for depth in LIMITS]
    for each in entered:
        each.__enter__()
        assert sys.getrecursionlimit() == LIMITS[entered.index(each)]
    left = list(LIMITS)
    for number in order:
        entered[number].__exit__(None, None, None)
        left[number] = 0
        assert sys.getrecursionlimit() in {*filter(None, left), before}
    assert sys.getrecursionlimit() == before


def test_one_in_another_gives_back_the_outer_one() -> None:
    with RecursionLimit(20_000):
        with RecursionLimit(30_000):
            assert sys.getrecursionlimit() == 30_000
        assert sys.getrecursionlimit() == 20_000


def test_a_limit_that_is_passed_already_is_none() -> None:
    with pytest.raises(RecursionError), RecursionLimit(1):
        pass


def test_programs_that_overlap_leave_the_limit_of_the_host() -> None:
    first, second = Interpreter(), Interpreter()
    before = sys.getrecursionlimit()
    inside = []

    def other() -> int:
        inside.append(sys.getrecursionlimit())
        return 1

    second.define("other", other)
    first.define("run", lambda: second.eval("(other)"))
    first.eval("(run)")
    assert inside[0] > before
