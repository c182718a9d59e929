"""Lists: the second half of section 6.4.

Each procedure that needs a proper list ends on a circular one, with an error. Walks find a cycle as
Brent's algorithm does: a mark stays behind while the walk goes on for a number of steps that doubles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nodwyn.interp.builtins.arguments import MOST_ELEMENTS, bad_index, length_of
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, NIL, TRUE, UNSPECIFIED, Boolean, Pair, Value, list_from
from nodwyn.interp.equality import COMPARED_BY_CONTENTS, COMPARED_BY_VALUE, equal, eqv
from nodwyn.interp.errors import SchemeError, wrong_type

define = Table()

_FIRST_WALK: Final = 64

DOTTED: Final = -1
CIRCULAR: Final = -2


def measure(chain: Value) -> int:
    """Return the length of a proper list, ``DOTTED`` for any other end, or ``CIRCULAR``."""
    count = 0
    limit = _FIRST_WALK
    step = 0
    try:
        while True:
            mark = chain
            for step in range(limit):  # noqa: B007 - read after the loop was left by an exception
                chain = chain.cdr
                if chain is mark:
                    return CIRCULAR
            count += limit
            limit *= 2
    except AttributeError:
        return count + step if chain is NIL else DOTTED


def proper(procedure: str, parameter: str, value: Value) -> list[Value]:
    """Return the elements of ``value``, an argument that must be a proper list."""
    items: list[Value] = []
    append = items.append
    rest = value
    limit = _FIRST_WALK
    try:
        while True:
            mark = rest
            for _ in range(limit):
                append(rest.car)
                rest = rest.cdr
                if rest is mark:
                    raise not_proper(procedure, parameter, value)
            limit *= 2
    except AttributeError:
        if rest is not NIL:
            raise not_proper(procedure, parameter, value) from None
        return items


def not_proper(procedure: str, parameter: str, value: Value) -> SchemeError:
    """Return the error for an argument that should have been a proper list."""
    if value.__class__ is not Pair:
        return wrong_type(procedure, parameter, "a list", value)
    expected = "a list that ends" if measure(value) == CIRCULAR else "a proper list"
    return wrong_type(procedure, parameter, expected, value)


@define("list?")
def is_list(value: Value) -> Boolean:
    return TRUE if measure(value) >= 0 else FALSE


@define("make-list")
def make_list(k: Value, fill: Value = UNSPECIFIED) -> Value:
    result: Value = NIL
    for _ in range(length_of("make-list", "k", k)):
        pair = Pair()
        pair.car = fill
        pair.cdr = result
        result = pair
    return result


@define("list")
def make_list_of(*items: Value) -> Value:
    return list_from(items)


@define("cons*")
def cons_star(first: Value, *rest: Value) -> Value:
    if not rest:
        return first
    return list_from((first, *rest[:-1]), rest[-1])


@define("length")
def length(items: Value) -> int:
    count = measure(items)
    if count < 0:
        raise not_proper("length", "list", items)
    return count


@define("append")
def append(*lists: Value) -> Value:
    if not lists:
        return NIL
    result = lists[-1]
    for each in reversed(lists[:-1]):
        if each is not NIL:
            result = _before(each, result)
    return result


def _before(items: Value, tail: Value) -> Value:
    """Return a copy of the proper list ``items`` that goes on with ``tail``."""
    head = last = Pair()
    rest = items
    limit = _FIRST_WALK
    try:
        while True:
            mark = rest
            for _ in range(limit):
                item = rest.car
                last.cdr = last = pair = Pair()
                pair.car = item
                rest = rest.cdr
                if rest is mark:
                    raise not_proper("append", "list", items)
            limit *= 2
    except AttributeError:
        if rest is not NIL:
            raise not_proper("append", "list", items) from None
        last.cdr = tail
        return head.cdr


@define("reverse")
def reverse(items: Value) -> Value:
    result: Value = NIL
    rest = items
    limit = _FIRST_WALK
    try:
        while True:
            mark = rest
            for _ in range(limit):
                item = rest.car
                pair = Pair()
                pair.car = item
                pair.cdr = result
                result = pair
                rest = rest.cdr
                if rest is mark:
                    raise not_proper("reverse", "list", items)
            limit *= 2
    except AttributeError:
        if rest is not NIL:
            raise not_proper("reverse", "list", items) from None
        return result


def _sublist(procedure: str, items: Value, k: Value) -> Value:
    if k.__class__ is not int or not 0 <= k <= MOST_ELEMENTS:
        raise position_error(procedure, items, k)
    rest = items
    try:
        for _ in range(k):
            rest = rest.cdr
    except AttributeError:
        raise position_error(procedure, items, k) from None
    return rest


def position_error(procedure: str, items: Value, k: Value) -> SchemeError:
    """Return the error for ``k``, which is no place in the list ``items`` or leads beyond its end."""
    if items.__class__ is not Pair and items is not NIL:
        return wrong_type(procedure, "list", "a list", items)
    length_of(procedure, "k", k)
    count = measure(items)
    if count < 0:
        return not_proper(procedure, "list", items)
    if procedure == "list-tail":
        # The tail after all elements is one, too.
        count += 1
    return bad_index(procedure, k, count, "k")


@define("list-tail")
def list_tail(items: Value, k: Value) -> Value:
    return _sublist("list-tail", items, k)


@define("list-ref")
def list_ref(items: Value, k: Value) -> Value:
    try:
        return _sublist("list-ref", items, k).car
    except AttributeError:
        raise position_error("list-ref", items, k) from None


@define("list-set!")
def list_set(items: Value, k: Value, value: Value) -> Value:
    pair = _sublist("list-set!", items, k)
    if pair.__class__ is not Pair:
        raise position_error("list-set!", items, k)
    pair.car = value
    return UNSPECIFIED


@define("list-copy")
def list_copy(value: Value) -> Value:
    if value.__class__ is not Pair:
        return value
    if measure(value) == CIRCULAR:
        raise not_proper("list-copy", "list", value)
    items = []
    while value.__class__ is Pair:
        items.append(value.car)
        value = value.cdr
    return list_from(items, value)


def _first_identical(procedure: str, key: Value, items: Value) -> Value:
    rest = items
    limit = _FIRST_WALK
    try:
        while True:
            mark = rest
            for _ in range(limit):
                if rest.car is key:
                    return rest
                rest = rest.cdr
                if rest is mark:
                    raise not_proper(procedure, "list", items)
            limit *= 2
    except AttributeError:
        if rest is NIL:
            return FALSE
        raise not_proper(procedure, "list", items) from None


def _first_same(procedure: str, same: Callable[[Value, Value], bool], key: Value, items: Value) -> Value:
    rest = items
    limit = _FIRST_WALK
    while True:
        mark = rest
        for _ in range(limit):
            if rest.__class__ is not Pair:
                if rest is NIL:
                    return FALSE
                raise not_proper(procedure, "list", items)
            if same(key, rest.car):
                return rest
            rest = rest.cdr
            if rest is mark:
                raise not_proper(procedure, "list", items)
        limit *= 2


@define("memq")
def memq(key: Value, items: Value) -> Value:
    return _first_identical("memq", key, items)


@define("memv")
def memv(key: Value, items: Value) -> Value:
    if key.__class__ in COMPARED_BY_VALUE:
        return _first_same("memv", eqv, key, items)
    return _first_identical("memv", key, items)


@define("%member")
def member(key: Value, items: Value) -> Value:
    if key.__class__ in COMPARED_BY_CONTENTS:
        return _first_same("member", equal, key, items)
    return _first_identical("member", key, items)


def _entry_identical(procedure: str, key: Value, alist: Value) -> Value:
    rest = alist
    limit = _FIRST_WALK
    try:
        while True:
            mark = rest
            for _ in range(limit):
                entry = rest.car
                if entry.car is key:
                    return entry
                rest = rest.cdr
                if rest is mark:
                    raise not_proper(procedure, "alist", alist)
            limit *= 2
    except AttributeError:
        if rest is NIL:
            return FALSE
        raise _not_an_alist(procedure, rest, alist) from None


def _entry_same(procedure: str, same: Callable[[Value, Value], bool], key: Value, alist: Value) -> Value:
    rest = alist
    limit = _FIRST_WALK
    try:
        while True:
            mark = rest
            for _ in range(limit):
                entry = rest.car
                candidate = entry.car
                if candidate is key or same(key, candidate):
                    return entry
                rest = rest.cdr
                if rest is mark:
                    raise not_proper(procedure, "alist", alist)
            limit *= 2
    except AttributeError:
        if rest is NIL:
            return FALSE
        raise _not_an_alist(procedure, rest, alist) from None


def _not_an_alist(procedure: str, rest: Value, alist: Value) -> SchemeError:
    if rest.__class__ is Pair:
        return wrong_type(procedure, "an element of alist", "a pair", rest.car)
    return not_proper(procedure, "alist", alist)


@define("assq")
def assq(key: Value, alist: Value) -> Value:
    return _entry_identical("assq", key, alist)


@define("assv")
def assv(key: Value, alist: Value) -> Value:
    if key.__class__ in COMPARED_BY_VALUE:
        return _entry_same("assv", eqv, key, alist)
    return _entry_identical("assv", key, alist)


@define("%assoc")
def assoc(key: Value, alist: Value) -> Value:
    if key.__class__ in COMPARED_BY_CONTENTS:
        return _entry_same("assoc", equal, key, alist)
    return _entry_identical("assoc", key, alist)
