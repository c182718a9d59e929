"""Lists: the second half of section 6.4.

Each procedure that needs a proper list ends on a circular one, with an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Final

from nodwyn.interp.builtins.arguments import MOST_ELEMENTS, bad_index, length_of
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import DEFAULT, FALSE, NIL, TRUE, UNSPECIFIED, Boolean, Pair, String, Value, list_from
from nodwyn.interp.equality import COMPARED_BY_CONTENTS, COMPARED_BY_VALUE
from nodwyn.interp.errors import SchemeError, wrong_type

define = Table()

_STEPS: Final = range(2**16)
"""How far a walk goes before it looks whether the list is circular: most lists have ended before."""

_FIRST_STEPS: Final = range(16)

_ENDLESSLY: Final = repeat(None)

DOTTED: Final = -1
CIRCULAR: Final = -2


def measure(chain: Value) -> int:
    """Return the length of a proper list, ``DOTTED`` for any other end, or ``CIRCULAR``."""
    try:
        for count in _FIRST_STEPS:
            if chain is NIL:
                return count
            chain = chain.cdr
    except AttributeError:
        return DOTTED
    return _measure_long(chain, len(_FIRST_STEPS))


def _measure_long(chain: Value, count: int) -> int:
    """Go on measuring after ``count`` pairs, eight at a time, as Brent's algorithm does.

    A mark stays behind while the walk goes on for a number of strides that doubles.
    """
    limit = 2**10
    stride = 0
    seen = chain
    try:
        while True:
            mark = chain
            for stride in range(limit):  # noqa: B007 - read after the loop was left by an exception
                seen = chain
                chain = chain.cdr.cdr.cdr.cdr.cdr.cdr.cdr.cdr
                if chain is mark:
                    return CIRCULAR
            count += 8 * limit
            limit *= 2
    except AttributeError:
        count += 8 * stride
    while seen.__class__ is Pair:
        count += 1
        seen = seen.cdr
    return count if seen is NIL else DOTTED


def proper(procedure: str, parameter: str, value: Value) -> list[Value]:
    """Return the elements of ``value``, an argument that must be a proper list."""
    items: list[Value] = []
    append = items.append
    rest = value
    steps: Iterable[object] = _STEPS
    try:
        while True:
            for _ in steps:
                if rest is NIL:
                    return items
                append(rest.car)
                rest = rest.cdr
            steps = to_its_end(procedure, parameter, value)
    except AttributeError:
        raise not_proper(procedure, parameter, value) from None


def to_its_end(procedure: str, parameter: str, value: Value) -> Iterable[object]:
    """Return steps for a walk through the rest of a long list, once it is known not to be circular."""
    if measure(value) == CIRCULAR:
        raise not_proper(procedure, parameter, value)
    return _ENDLESSLY


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
    result: Value = NIL
    for item in reversed(items):
        pair = Pair()
        pair.car = item
        pair.cdr = result
        result = pair
    return result


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
def append(first: Value = NIL, second: Value = DEFAULT, *rest: Value) -> Value:
    if rest:
        lists = (first, second, *rest)
        result = lists[-1]
        for each in reversed(lists[:-1]):
            if each is not NIL:
                result = _before(each, result)
        return result
    if second is DEFAULT:
        return first
    return second if first is NIL else _before(first, second)


def _before(items: Value, tail: Value) -> Value:
    """Return a copy of the list ``items``, which must be proper and not empty, that goes on with ``tail``."""
    head = last = Pair()
    rest = items
    steps: Iterable[object] = _STEPS
    try:
        while True:
            for _ in steps:
                if rest is NIL:
                    last.cdr = tail
                    return head.cdr
                pair = Pair()
                pair.car = rest.car
                last.cdr = pair
                last = pair
                rest = rest.cdr
            steps = to_its_end("append", "list", items)
    except AttributeError:
        raise not_proper("append", "list", items) from None


@define("reverse")
def reverse(items: Value) -> Value:
    result: Value = NIL
    rest = items
    steps: Iterable[object] = _STEPS
    try:
        while True:
            for _ in steps:
                if rest is NIL:
                    return result
                pair = Pair()
                pair.car = rest.car
                pair.cdr = result
                result = pair
                rest = rest.cdr
            steps = to_its_end("reverse", "list", items)
    except AttributeError:
        raise not_proper("reverse", "list", items) from None


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
    to_its_end("list-copy", "list", value)
    items = []
    while value.__class__ is Pair:
        items.append(value.car)
        value = value.cdr
    return list_from(items, value)


def _first_identical(procedure: str, key: Value, items: Value) -> Value:
    rest = items
    steps: Iterable[object] = _STEPS
    try:
        while True:
            for _ in steps:
                if rest is NIL:
                    return FALSE
                if rest.car is key:
                    return rest
                rest = rest.cdr
            steps = to_its_end(procedure, "list", items)
    except AttributeError:
        raise not_proper(procedure, "list", items) from None


def _text(key: Value) -> str | None:
    """Return the text of a key that is a string: most others have theirs as ``str``, too, which compare at once."""
    return key.text() if key.__class__ is String else None


def _first_same(procedure: str, same: Callable[[Value, Value], bool], key: Value, items: Value) -> Value:
    """Find the first element that is ``same`` as the key, which compares values of the key's class."""
    kind, text = key.__class__, _text(key)
    rest = items
    steps: Iterable[object] = _STEPS
    try:
        while True:
            for _ in steps:
                if rest is NIL:
                    return FALSE
                item = rest.car
                if item.__class__ is kind:
                    if text is None or item.chars.__class__ is not str:
                        if same(key, item):
                            return rest
                    elif item.chars == text:
                        return rest
                rest = rest.cdr
            steps = to_its_end(procedure, "list", items)
    except AttributeError:
        raise not_proper(procedure, "list", items) from None


@define("memq")
def memq(key: Value, items: Value) -> Value:
    return _first_identical("memq", key, items)


@define("memv")
def memv(key: Value, items: Value) -> Value:
    same = COMPARED_BY_VALUE.get(key.__class__)
    return _first_identical("memv", key, items) if same is None else _first_same("memv", same, key, items)


@define("%member")
def member(key: Value, items: Value) -> Value:
    same = COMPARED_BY_CONTENTS.get(key.__class__)
    return _first_identical("member", key, items) if same is None else _first_same("member", same, key, items)


def _entry_identical(procedure: str, key: Value, alist: Value) -> Value:
    rest = alist
    steps: Iterable[object] = _STEPS
    try:
        while True:
            for _ in steps:
                if rest is NIL:
                    return FALSE
                entry = rest.car
                if entry.car is key:
                    return entry
                rest = rest.cdr
            steps = to_its_end(procedure, "alist", alist)
    except AttributeError:
        raise _not_an_alist(procedure, rest, alist) from None


def _entry_same(procedure: str, same: Callable[[Value, Value], bool], key: Value, alist: Value) -> Value:
    kind, text = key.__class__, _text(key)
    rest = alist
    steps: Iterable[object] = _STEPS
    try:
        while True:
            for _ in steps:
                if rest is NIL:
                    return FALSE
                entry = rest.car
                candidate = entry.car
                if candidate.__class__ is kind:
                    if text is None or candidate.chars.__class__ is not str:
                        if same(key, candidate):
                            return entry
                    elif candidate.chars == text:
                        return entry
                rest = rest.cdr
            steps = to_its_end(procedure, "alist", alist)
    except AttributeError:
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
    same = COMPARED_BY_VALUE.get(key.__class__)
    return _entry_identical("assv", key, alist) if same is None else _entry_same("assv", same, key, alist)


@define("%assoc")
def assoc(key: Value, alist: Value) -> Value:
    same = COMPARED_BY_CONTENTS.get(key.__class__)
    return _entry_identical("assoc", key, alist) if same is None else _entry_same("assoc", same, key, alist)
