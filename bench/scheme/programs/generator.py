from collections.abc import Iterator
from typing import Any


def walk(tree: Any) -> Iterator[int]:
    if type(tree) is tuple:
        yield from walk(tree[0])
        yield from walk(tree[1])
    else:
        yield tree


def balanced_tree(low: int, high: int) -> Any:
    if low == high:
        return low
    middle = (low + high) // 2
    return (balanced_tree(low, middle), balanced_tree(middle + 1, high))


def rebuilt(low: int, middle: int, high: int) -> Any:
    return (balanced_tree(low, middle), balanced_tree(middle + 1, high))


def same_fringe(a: Any, b: Any) -> int | None:
    next_a = walk(a)
    next_b = walk(b)
    count = 0
    while True:
        x = next(next_a, None)
        y = next(next_b, None)
        if x is None and y is None:
            return count
        if x != y:
            return None
        count += 1


def run() -> int | None:
    return same_fringe(balanced_tree(0, 60000), rebuilt(0, 22222, 60000))
