"""Pairs: the first half of section 6.4, and (scheme cxr)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from nodwyn.interp.data import NIL, Value, cons

Apply = Callable[..., Any]

TREE = [[[[1], 2], [3], 4], [[5, 6], 7, 8], [[9]], 10, 11]


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("pair?", [[1]], True),
        ("pair?", [[]], False),
        ("null?", [[]], True),
        ("null?", [[1]], False),
        ("cons", [1, [2]], [1, 2]),
        ("car", [[1, 2]], 1),
        ("cdr", [[1, 2]], [2]),
        ("cadr", [[1, 2, 3]], 2),
        ("cddr", [[1, 2, 3]], [3]),
        ("caddr", [[1, 2, 3]], 3),
        ("cadddr", [[1, 2, 3, 4]], 4),
        ("caaaar", [TREE], 1),
        ("cdadr", [TREE], [7, 8]),
        ("caaddr", [TREE], [9]),
    ],
)
def test_result(apply: Apply, name: str, arguments: list[Any], result: Any) -> None:
    assert apply(name, *arguments) == result


def test_every_selector_follows_its_name(builtins: dict[str, Callable[..., Value]]) -> None:
    for count in (2, 3, 4):
        for letters in product("ad", repeat=count):
            datum: Value = 42
            for letter in letters:
                datum = cons(datum, NIL) if letter == "a" else cons(NIL, datum)
            # The last letter is taken first, so that the datum is built from the first on.
            assert builtins[f"c{''.join(letters)}r"](datum) == 42


def test_mutation(builtins: dict[str, Callable[..., Value]]) -> None:
    pair = cons(1, 2)
    builtins["set-car!"](pair, 3)
    builtins["set-cdr!"](pair, 4)
    assert (pair.car, pair.cdr) == (3, 4)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("car", [5], "type: car: pair must be a pair, got 5"),
        ("cdr", [[]], "type: cdr: pair must be a pair, got ()"),
        ("caddr", [[1, 2]], "type: caddr: the cddr of its argument must be a pair, got ()"),
        ("caddr", [5], "type: caddr: pair must be a pair, got 5"),
        ("set-car!", [len, 5], "type: set-car!: pair must be a pair, got "),
    ],
)
def test_complaint(complaint: Callable[..., str], name: str, arguments: list[Any], message: str) -> None:
    assert complaint(name, *arguments).startswith(message)
