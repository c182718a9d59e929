from collections.abc import Callable
from typing import Any


class Return(Exception):
    pass


def make_tree(depth: int, first: int) -> Any:
    if depth == 0:
        return first
    return (make_tree(depth - 1, 2 * first), make_tree(depth - 1, 1 + 2 * first))


def walk(tree: Any, visit: Callable[[int], None]) -> None:
    if type(tree) is tuple:
        walk(tree[0], visit)
        walk(tree[1], visit)
    else:
        visit(tree)


def find_leaf(wanted: Callable[[int], bool], tree: Any) -> int:
    def visit(leaf: int) -> None:
        if wanted(leaf):
            raise Return(leaf)

    try:
        walk(tree, visit)
    except Return as found:
        result: int = found.args[0]
        return result
    return 0


def run() -> int:
    tree = make_tree(6, 1)
    total = 0
    for _ in range(60000):
        total += find_leaf(lambda leaf: leaf % 5 == 0, tree)
    return total
