"""Sorting by the order of a builtin, for SRFI 132: Python's sort needs no call for each comparison.

Other orders are procedures of the program, and are sorted by in Scheme, where a comparison may
raise, capture a continuation or be entered again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from nodwyn.interp.builtins.arguments import bounds
from nodwyn.interp.builtins.lists import proper
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.builtins.unicode import foldcase
from nodwyn.interp.data import DEFAULT, UNSPECIFIED, Char, String, Symbol, Value, Vector, list_from
from nodwyn.interp.errors import out_of_range, wrong_type
from nodwyn.interp.numbers.ratio import Ratio

define = Table()

_REALS: Final = frozenset((int, float, Ratio))

# By the name of the order: the classes of what it orders, what they are called, the key to sort by, and
# whether the order descends.
_Order = tuple[frozenset[type], str, Callable[[Value], Any] | None, bool]


def _both(name: str, classes: frozenset[type], called: str, key: Callable[[Value], Any] | None) -> dict[str, _Order]:
    up, down = (name.format(sign) for sign in "<>")
    return {up: (classes, called, key, False), down: (classes, called, key, True)}


_ORDERS: Final[dict[str, _Order]] = {
    **_both("{}", _REALS, "a real number", None),
    **_both("string{}?", frozenset((String,)), "a string", String.text),
    **_both("string-ci{}?", frozenset((String,)), "a string", lambda string: string.text().casefold()),
    **_both("char{}?", frozenset((Char,)), "a character", lambda char: char.char),
    **_both("char-ci{}?", frozenset((Char,)), "a character", lambda char: foldcase(char.char)),
}


def _sorted(procedure: str, order: Value, items: list[Value]) -> list[Value]:
    if order.__class__ is not Symbol or order.name not in _ORDERS:
        raise out_of_range(procedure, "order", f"one of {', '.join(_ORDERS)}", order)
    classes, called, key, descends = _ORDERS[order.name]
    if not classes.issuperset(map(type, items)):
        wrong = next(item for item in items if type(item) not in classes)
        # A single element is never compared.
        if len(items) > 1:
            raise wrong_type(order.name, "x", called, wrong)
        return items
    return sorted(items, key=key, reverse=descends)


@define("%list-sort")
def list_sort(order: Value, values: Value) -> Value:
    """Return a sorted list of the elements of a list; ``order`` is a symbol, the name of a builtin such as ``<``."""
    return list_from(_sorted("list-sort", order, proper("list-sort", "lis", values)))


@define("%vector-sort!")
def vector_sort(order: Value, vector: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    """Sort the elements of a vector from ``start`` to ``end`` in place; ``order`` as for ``%list-sort``."""
    if vector.__class__ is not Vector:
        raise wrong_type("vector-sort!", "v", "a vector", vector)
    items = vector.items
    first, last = bounds("vector-sort!", start, end, len(items))
    items[first:last] = _sorted("vector-sort!", order, items[first:last])
    return UNSPECIFIED
