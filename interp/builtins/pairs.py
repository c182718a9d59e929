"""Pairs: the first half of section 6.4, and all of (scheme cxr)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import attrgetter

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, NIL, TRUE, UNSPECIFIED, Boolean, Pair, Value
from nodwyn.interp.errors import wrong_type

define = Table()


@define("pair?")
def is_pair(value: Value) -> Boolean:
    return TRUE if value.__class__ is Pair else FALSE


@define("null?")
def is_null(value: Value) -> Boolean:
    return TRUE if value is NIL else FALSE


@define("cons")
def cons(car: Value, cdr: Value) -> Pair:
    pair = Pair()
    pair.car = car
    pair.cdr = cdr
    return pair


@define("car")
def car(pair: Value) -> Value:
    try:
        return pair.car
    except AttributeError:
        raise wrong_type("car", "pair", "a pair", pair) from None


@define("cdr")
def cdr(pair: Value) -> Value:
    try:
        return pair.cdr
    except AttributeError:
        raise wrong_type("cdr", "pair", "a pair", pair) from None


@define("set-car!")
def set_car(pair: Value, value: Value) -> Value:
    if pair.__class__ is not Pair:
        raise wrong_type("set-car!", "pair", "a pair", pair)
    pair.car = value
    return UNSPECIFIED


@define("set-cdr!")
def set_cdr(pair: Value, value: Value) -> Value:
    if pair.__class__ is not Pair:
        raise wrong_type("set-cdr!", "pair", "a pair", pair)
    pair.cdr = value
    return UNSPECIFIED


def _selector(letters: str) -> Callable[[Value], Value]:
    """Return the procedure that takes the part of a pair that ``letters``, as in c``addr``r, mean."""
    steps = ["car" if letter == "a" else "cdr" for letter in reversed(letters)]
    select = attrgetter(".".join(steps))

    def part(pair: Value) -> Value:
        try:
            return select(pair)
        except AttributeError:
            raise _without_part(f"c{letters}r", steps, pair) from None

    return part


def _without_part(procedure: str, steps: list[str], pair: Value) -> Exception:
    reached = pair
    taken = 0
    while reached.__class__ is Pair:
        reached = getattr(reached, steps[taken])
        taken += 1
    if taken == 0:
        return wrong_type(procedure, "pair", "a pair", pair)
    path = "".join(step[1] for step in reversed(steps[:taken]))
    return wrong_type(procedure, f"the c{path}r of its argument", "a pair", reached)


for _count in (2, 3, 4):
    for _letters in product("ad", repeat=_count):
        define(f"c{''.join(_letters)}r")(_selector("".join(_letters)))
