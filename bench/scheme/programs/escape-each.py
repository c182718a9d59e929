from collections.abc import Callable, Iterable


class Return(Exception):
    pass


def for_each(f: Callable[[int], None], items: Iterable[int]) -> None:
    for x in items:
        f(x)


def find_first(wanted: Callable[[int], bool], items: Iterable[int]) -> int | None:
    def visit(x: int) -> None:
        if wanted(x):
            raise Return(x)

    try:
        for_each(visit, items)
    except Return as found:
        result: int = found.args[0]
        return result
    return None


def even(n: int) -> bool:
    return n % 2 == 0


def negative(n: int) -> bool:
    return n < 0


def run() -> int:
    items = (1, 3, 5, 7, 9, 11, 13, 15, 18, 20, 21)
    total = 0
    for _ in range(30000):
        total += (find_first(even, items) or 0) + (find_first(negative, items) or 1)
    return total
