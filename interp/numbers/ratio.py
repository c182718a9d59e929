"""Exact rational numbers that are no integers, and the conversions between exact and inexact reals.

Python's operators on ``int``, ``float`` and :class:`Ratio` give Scheme's results, so that generated
code can use them as they are. ``fractions`` would cost more to import than the whole engine may.
"""

from __future__ import annotations

import math
import sys
from typing import Any, Final

from nodwyn.interp.data import Value
from nodwyn.interp.datum import WrongOperands
from nodwyn.interp.numbers.limits import check_size

INFINITY: Final = math.inf
_HASH_MODULUS: Final = sys.hash_info.modulus


class Number:
    """Base of the numeric classes that Python does not have."""

    __slots__ = ()


class Ratio(Number):
    """A non-integer exact rational in lowest terms: ``den`` is at least 2. Made by :func:`ratio`.

    Ordering with anything but a real number is left to Python, whose ``TypeError`` the engine turns
    into a condition; ``==`` raises it here, since Python's default would be a silent no.
    """

    __slots__ = ("den", "num")

    def __init__(self, num: int, den: int) -> None:
        self.num = num
        self.den = den

    def __repr__(self) -> str:
        return f"Ratio({self.num}, {self.den})"

    def __reduce__(self) -> tuple[type[Ratio], tuple[int, int]]:
        return Ratio, (self.num, self.den)

    def __hash__(self) -> int:
        # Equal numbers must have equal hashes, and Python's integers and floats have this one.
        if self.den % _HASH_MODULUS == 0:
            return sys.hash_info.inf if self.num > 0 else -sys.hash_info.inf
        return hash(self.num * pow(self.den, -1, _HASH_MODULUS))

    def __add__(self, other: Value) -> Value:
        kind = other.__class__
        if kind is int:
            return ratio(self.num + other * self.den, self.den)
        if kind is Ratio:
            return ratio(self.num * other.den + other.num * self.den, self.den * other.den)
        if kind is float:
            return to_float(self) + other
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Value) -> Value:
        kind = other.__class__
        if kind is int:
            return ratio(self.num - other * self.den, self.den)
        if kind is Ratio:
            return ratio(self.num * other.den - other.num * self.den, self.den * other.den)
        if kind is float:
            return to_float(self) - other
        return NotImplemented

    def __rsub__(self, other: Value) -> Value:
        kind = other.__class__
        if kind is int:
            return ratio(other * self.den - self.num, self.den)
        if kind is float:
            return other - to_float(self)
        return NotImplemented

    def __mul__(self, other: Value) -> Value:
        kind = other.__class__
        if kind is int:
            return ratio(self.num * other, self.den)
        if kind is Ratio:
            return ratio(self.num * other.num, self.den * other.den)
        if kind is float:
            return to_float(self) * other
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Value) -> Value:
        kind = other.__class__
        if kind is int:
            return ratio(self.num, self.den * other)
        if kind is Ratio:
            return ratio(self.num * other.den, self.den * other.num)
        if kind is float:
            return to_float(self) / other
        return NotImplemented

    def __rtruediv__(self, other: Value) -> Value:
        kind = other.__class__
        if kind is int:
            return ratio(other * self.den, self.num)
        if kind is float:
            # A ratio too small for a float is 0.0, which divides like any other inexact zero.
            return divide_floats(other, to_float(self))
        return NotImplemented

    def __neg__(self) -> Ratio:
        return Ratio(-self.num, self.den)

    def __pos__(self) -> Ratio:
        return self

    def __abs__(self) -> Ratio:
        return Ratio(abs(self.num), self.den)

    def __eq__(self, other: Value) -> bool:
        kind = other.__class__
        if kind is Ratio:
            return bool(self.num == other.num and self.den == other.den)
        if kind is int:
            return False
        if kind is float:
            return bool(_order(self, other) == 0)
        if isinstance(other, Number):
            return NotImplemented
        raise WrongOperands("==", self, other)

    def __lt__(self, other: Value) -> Any:
        order = _order(self, other)
        return order if order is NotImplemented else order < 0

    def __le__(self, other: Value) -> Any:
        order = _order(self, other)
        return order if order is NotImplemented else order <= 0

    def __gt__(self, other: Value) -> Any:
        order = _order(self, other)
        return order if order is NotImplemented else order > 0

    def __ge__(self, other: Value) -> Any:
        order = _order(self, other)
        return order if order is NotImplemented else order >= 0


def ratio(num: int, den: int) -> Value:
    """Return the exact number num/den in lowest terms: an ``int`` or a :class:`Ratio`.

    Raises: ZeroDivisionError for a denominator of 0; SchemeError of kind "limit".
    """
    if den == 0:
        raise ZeroDivisionError
    divisor = math.gcd(num, den)
    if den < 0:
        divisor = -divisor
    den //= divisor
    num //= divisor
    if den == 1:
        return num
    check_size(num)
    check_size(den)
    return Ratio(num, den)


def divide_exact(a: Value, b: Value) -> Value:
    """Return the quotient of two exact reals. Raises: ZeroDivisionError."""
    if a.__class__ is int and b.__class__ is int:
        return ratio(a, b)
    return a / b


def to_float(number: Value) -> float:
    """Return the float nearest to a real number, which is infinite beyond the range of floats."""
    try:
        if number.__class__ is Ratio:
            return float(number.num / number.den)
        return float(number)
    except OverflowError:
        return INFINITY if number > 0 else -INFINITY


def from_float(number: float) -> Value:
    """Return the exact number that a float is. Raises: ValueError or OverflowError if it is not finite."""
    num, den = number.as_integer_ratio()
    return num if den == 1 else Ratio(num, den)


def divide_floats(a: float, b: float) -> float:
    """Return a/b as IEEE 754 has it, where Python raises for a zero divisor."""
    if b:
        return a / b
    if a == 0 or a != a or b != b:
        return math.nan
    return math.copysign(INFINITY, a) * math.copysign(1.0, b)


def _order(a: Ratio, b: Value) -> Any:
    """Return a negative, zero or positive number, nan, or NotImplemented for what is no real number.

    Exact against inexact is compared exactly, so that the order is transitive (section 6.2.6).
    """
    kind = b.__class__
    if kind is int:
        return a.num - b * a.den
    if kind is Ratio:
        return a.num * b.den - b.num * a.den
    if kind is not float:
        return NotImplemented
    if b - b != 0:
        return -b
    num, den = b.as_integer_ratio()
    return a.num * den - num * a.den
