import sys
from collections.abc import Callable
from operator import add
from typing import Any

# A list is a tuple (first, rest) or None: the cheapest immutable pair that Python has.


def count_up(n: int) -> Any:
    out = None
    while n:
        n -= 1
        out = (n, out)
    return out


def reversed_list(items: Any) -> Any:
    out = None
    while items:
        first, items = items
        out = (first, out)
    return out


def appended(a: Any, b: Any) -> Any:
    if a is None:
        return b
    return (a[0], appended(a[1], b))


def mapped(f: Callable[[int], int], items: Any) -> Any:
    if items is None:
        return None
    return (f(items[0]), mapped(f, items[1]))


def filtered(keep: Callable[[int], bool], items: Any) -> Any:
    while items is not None:
        first, items = items
        if keep(first):
            return (first, filtered(keep, items))
    return None


def folded(f: Callable[[int, int], int], state: int, items: Any) -> int:
    while items is not None:
        first, items = items
        state = f(first, state)
    return state


def odd(n: int) -> bool:
    return n % 2 == 1


def run() -> int:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    total = 0
    for _ in range(300):
        items = count_up(500)
        squares = mapped(lambda x: x * x, items)
        odds = filtered(odd, squares)
        total += folded(add, 0, appended(reversed_list(odds), items))
    return total
