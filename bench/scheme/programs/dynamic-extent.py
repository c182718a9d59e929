from collections.abc import Callable
from contextvars import ContextVar

indent: ContextVar[int] = ContextVar("indent", default=0)
opened = 0


def with_resource(thunk: Callable[[], int]) -> int:
    global opened
    opened += 1
    try:
        return thunk()
    finally:
        opened -= 1


def depth_sum(n: int) -> int:
    if n == 0:
        return indent.get()
    token = indent.set(indent.get() + 2)
    try:
        return indent.get() + depth_sum(n - 1)
    finally:
        indent.reset(token)


def run() -> int:
    total = 0
    for i in range(80000):
        total += with_resource(lambda: i + opened)  # noqa: B023
        total += depth_sum(5)
    return total + opened
