from collections.abc import Callable
from typing import NoReturn


class Return(Exception):
    pass


def call_cc(receiver: Callable[[Return], int]) -> int:
    """An escape: each call has an exception of its own, caught by identity."""
    k = Return()
    try:
        return receiver(k)
    except Return as thrown:
        if thrown is not k:
            raise
        result: int = thrown.args[0]
        return result


def ctak(x: int, y: int, z: int) -> int:
    return call_cc(lambda k: ctak_return(k, x, y, z))


def ctak_return(k: Return, x: int, y: int, z: int) -> NoReturn:
    while y < x:
        x, y, z = (
            call_cc(lambda k: ctak_return(k, x - 1, y, z)),  # noqa: B023
            call_cc(lambda k: ctak_return(k, y - 1, z, x)),  # noqa: B023
            call_cc(lambda k: ctak_return(k, z - 1, x, y)),  # noqa: B023
        )
    k.args = (z,)
    raise k


def run() -> int:
    return ctak(17, 8, 3)
