import sys
from typing import Any


def sum_to(n: int) -> int:
    if n == 0:
        return 0
    return n + sum_to(n - 1)


def build(n: int) -> Any:
    if n == 0:
        return None
    return (n, build(n - 1))


def count(items: Any) -> int:
    if items is None:
        return 0
    return 1 + count(items[1])


def run() -> int:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 500_000))
    return sum_to(400000) + count(build(200000))
