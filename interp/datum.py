"""The base of all data classes: compared by identity, and no number."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn


class WrongOperands(TypeError):
    """An operation of Python on numbers was given a datum. operands: what it was given, the left one first."""

    def __init__(self, symbol: str, *operands: object) -> None:
        kinds = " and ".join(type(operand).__name__ for operand in operands)
        super().__init__(f"'{symbol}' not supported between {kinds}")
        self.operands = operands


def refusing(symbol: str, *, reflected: bool = False) -> Callable[[object, object], NoReturn]:
    """Return the method of an operation that no datum takes: a message about it wants to show the operands."""

    def refuse(self: object, other: object) -> NoReturn:
        raise WrongOperands(symbol, other, self) if reflected else WrongOperands(symbol, self, other)

    return refuse


class Datum:
    """Base of all data classes: compared by identity, and an error when used as a number."""

    __slots__ = ()

    # `(= a b)` is generated as `a == b`; a silent no would hide a type error. Python code
    # that works on Scheme values compares with `is` or calls `nodwyn.interp.equality`.
    __eq__ = refusing("==")
    __lt__ = refusing("<")
    __gt__ = refusing(">")
    __le__ = refusing("<=")
    __ge__ = refusing(">=")
    __add__, __radd__ = refusing("+"), refusing("+", reflected=True)
    __sub__, __rsub__ = refusing("-"), refusing("-", reflected=True)
    __mul__, __rmul__ = refusing("*"), refusing("*", reflected=True)
    __mod__, __rmod__ = refusing("%"), refusing("%", reflected=True)
    __floordiv__, __rfloordiv__ = refusing("//"), refusing("//", reflected=True)

    def __neg__(self) -> NoReturn:
        raise WrongOperands("-", self)

    __hash__ = object.__hash__
