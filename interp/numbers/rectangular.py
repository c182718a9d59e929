"""Complex numbers that are not real.

Both parts have the same exactness: R7RS leaves mixed ones open, and with them `exact?` would have no
answer. An exact zero imaginary part makes the number real; an inexact zero does not.
"""

from __future__ import annotations

import math
import sys

from nodwyn.interp.data import Value
from nodwyn.interp.datum import WrongOperands, refusing
from nodwyn.interp.numbers.limits import check_size
from nodwyn.interp.numbers.ratio import (
    Number,
    Ratio,
    divide_exact,
    divide_floats,
    to_float,
)


class Rectangular(Number):
    """A complex number ``re + im·i``: two floats, or two exact reals with ``im`` not 0.

    Made by :func:`rectangular`. It has no order and no remainder.
    """

    __slots__ = ("im", "re")

    __lt__ = refusing("<")
    __gt__ = refusing(">")
    __le__ = refusing("<=")
    __ge__ = refusing(">=")
    __mod__, __rmod__ = refusing("%"), refusing("%", reflected=True)
    __floordiv__, __rfloordiv__ = refusing("//"), refusing("//", reflected=True)

    def __init__(self, re: Value, im: Value) -> None:
        self.re = re
        self.im = im

    def __repr__(self) -> str:
        return f"Rectangular({self.re!r}, {self.im!r})"

    def __reduce__(self) -> tuple[type[Rectangular], tuple[Value, Value]]:
        return Rectangular, (self.re, self.im)

    def __hash__(self) -> int:
        # Equal to a real number when the imaginary part is 0.0: then the hash is that number's.
        return hash(self.re) + sys.hash_info.imag * hash(self.im)

    def __add__(self, other: Value) -> Value:
        if other.__class__ is Rectangular:
            return rectangular(_plus(self.re, other.re), _plus(self.im, other.im))
        if is_real(other):
            return rectangular(_plus(self.re, other), self.im)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Value) -> Value:
        if other.__class__ is Rectangular:
            return rectangular(_plus(self.re, -other.re), _plus(self.im, -other.im))
        if is_real(other):
            return rectangular(_plus(self.re, -other), self.im)
        return NotImplemented

    def __rsub__(self, other: Value) -> Value:
        if is_real(other):
            return rectangular(_plus(-self.re, other), -self.im)
        return NotImplemented

    def __mul__(self, other: Value) -> Value:
        if other.__class__ is Rectangular:
            a, b = _alike(self, other)
            return rectangular(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
        if is_real(other):
            return rectangular(_times(self.re, other), _times(self.im, other))
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Value) -> Value:
        if other.__class__ is Rectangular:
            return _quotient(self, other)
        if is_real(other):
            return rectangular(_over(self.re, other), _over(self.im, other))
        return NotImplemented

    def __rtruediv__(self, other: Value) -> Value:
        if is_real(other):
            return _quotient(Rectangular(other, 0), self)
        return NotImplemented

    def __neg__(self) -> Rectangular:
        return Rectangular(-self.re, -self.im)

    def __pos__(self) -> Rectangular:
        return self

    def __eq__(self, other: Value) -> bool:
        if other.__class__ is Rectangular:
            return bool(self.re == other.re and self.im == other.im)
        if is_real(other):
            return bool(self.im == 0 and self.re == other)
        raise WrongOperands("==", self, other)


def rectangular(re: Value, im: Value) -> Value:
    """Return ``re + im·i`` for two reals: a real number if ``im`` is an exact 0.

    Raises: SchemeError of kind "limit" when an exact part is too large.
    """
    if im.__class__ is float:
        return Rectangular(to_float(re), im)
    if im.__class__ is int:
        if im == 0:
            return re
        check_size(im)
    if re.__class__ is float:
        return Rectangular(re, to_float(im))
    if re.__class__ is int:
        check_size(re)
    return Rectangular(re, im)


def polar(magnitude: Value, angle: Value) -> Value:
    """Return the complex number with this magnitude and angle, both real; the angle in radians."""
    if angle.__class__ is int and angle == 0:
        return magnitude
    if magnitude.__class__ is int and magnitude == 0:
        return 0
    turn = to_float(angle)
    if not math.isfinite(turn):
        return Rectangular(math.nan, math.nan)
    length = to_float(magnitude)
    return Rectangular(length * math.cos(turn), length * math.sin(turn))


def from_complex(number: complex) -> Rectangular:
    """Return the inexact complex number that Python's functions on complex numbers gave."""
    return Rectangular(number.real, number.imag)


def to_complex(number: Value) -> complex:
    """Return any Scheme number as Python's complex, for Python's functions on complex numbers."""
    if number.__class__ is Rectangular:
        return complex(to_float(number.re), to_float(number.im))
    return complex(to_float(number), 0.0)


def is_real(number: Value) -> bool:
    """Return whether a value is a real number."""
    kind = number.__class__
    return kind is int or kind is float or kind is Ratio


def is_exact(number: Value) -> bool:
    """Return whether a number is exact."""
    kind = number.__class__
    return kind is int or kind is Ratio or (kind is Rectangular and number.re.__class__ is not float)


def _plus(a: Value, b: Value) -> Value:
    if a.__class__ is b.__class__:
        return a + b
    if a.__class__ is float or b.__class__ is float:
        return to_float(a) + to_float(b)
    return a + b


def _times(a: Value, b: Value) -> Value:
    if a.__class__ is float or b.__class__ is float:
        return to_float(a) * to_float(b)
    return a * b


def _over(a: Value, b: Value) -> Value:
    """Divide two reals. Raises: ZeroDivisionError for an exact zero divisor."""
    if b.__class__ is float or (a.__class__ is float and b != 0):
        return divide_floats(to_float(a), to_float(b))
    return divide_exact(a, b)


def _alike(a: Rectangular, b: Rectangular) -> tuple[Rectangular, Rectangular]:
    """Return both with inexact parts if either has them."""
    if is_exact(a) and is_exact(b):
        return a, b
    return Rectangular(to_float(a.re), to_float(a.im)), Rectangular(to_float(b.re), to_float(b.im))


def _quotient(a: Rectangular, b: Rectangular) -> Value:
    a, b = _alike(a, b)
    if is_exact(a):
        square = b.re * b.re + b.im * b.im
        re = divide_exact(a.re * b.re + a.im * b.im, square)
        return rectangular(re, divide_exact(a.im * b.re - a.re * b.im, square))
    try:
        # Python scales the operands, so that no intermediate result overflows.
        return from_complex(complex(a.re, a.im) / complex(b.re, b.im))
    except (ZeroDivisionError, OverflowError):
        return Rectangular(divide_floats(a.re, b.re), divide_floats(a.im, b.re))
