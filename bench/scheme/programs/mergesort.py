from collections.abc import Callable
from operator import lt
from typing import Any


def random_list(n: int) -> Any:
    seed = 7
    out = None
    for _ in range(n):
        out = (seed, out)
        seed = (seed * 16807 + 11) % 2147483647
    return out


def merge(a: Any, b: Any, before: Callable[[int, int], bool]) -> Any:
    out = None
    while a and b:
        if before(b[0], a[0]):
            out = (b[0], out)
            b = b[1]
        else:
            out = (a[0], out)
            a = a[1]
    tail = a or b
    while out:
        first, out = out
        tail = (first, tail)
    return tail


def split(items: Any, n: int) -> tuple[Any, Any]:
    out = None
    while n:
        first, items = items
        out = (first, out)
        n -= 1
    return out, items


def merge_sorted(items: Any, n: int, before: Callable[[int, int], bool]) -> Any:
    if n < 2:
        return items
    half = n // 2
    front, back = split(items, half)
    return merge(merge_sorted(front, half, before), merge_sorted(back, n - half, before), before)


def run() -> int:
    n = 40000
    items = merge_sorted(random_list(n), n, lt)
    total = i = 0
    while items:
        first, items = items
        total = (total + i * first) % 1000000007
        i += 1
    return total
