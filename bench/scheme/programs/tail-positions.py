from collections.abc import Callable
from typing import Any

TABLE = {0: 1, 1: 2, 3: 5, 4: 7}

# Each step returns the next step and its arguments; `run` is the trampoline.
Step = tuple[Callable[[int, int], Any] | None, int, int]


def start(n: int, total: int) -> Step:
    if n == 0:
        return None, n, total
    entry = TABLE.get(n % 7)
    if entry is not None:
        return by_and, n - 1, total + entry
    return by_or, n - 1, total


def by_and(n: int, total: int) -> Step:
    return by_case, n, total + 1


def by_or(n: int, total: int) -> Step:
    return by_apply, n, total + 2


def by_apply(n: int, total: int) -> Step:
    return by_when, n, total + 3


def by_case(n: int, total: int) -> Step:
    kind = n % 3
    if kind == 0:
        return by_apply, n, total
    if kind == 1:
        return by_when, n, total
    return start, n, total


def by_when(n: int, total: int) -> Step:
    return start, n, total + 1


def run() -> int:
    step: Callable[[int, int], Any] | None = start
    n, total = 200000, 0
    while step:
        step, n, total = step(n, total)
    return total
