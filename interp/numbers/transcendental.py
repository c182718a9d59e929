"""The transcendental functions of section 6.2.6: exact only where R7RS's mathematics demands it.

Python's ``math`` raises where IEEE 754 has an infinity or no number; here these are the results.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable

from nodwyn.interp.data import Value
from nodwyn.interp.errors import failure
from nodwyn.interp.numbers.arithmetic import check_numbers, check_reals, divide
from nodwyn.interp.numbers.ratio import INFINITY, Ratio, to_float
from nodwyn.interp.numbers.rectangular import Rectangular, from_complex, is_exact, to_complex


def exp(number: Value) -> Value:
    """Return e to a power; 1 for an exact 0."""
    if number.__class__ is float:
        return _exp(number)
    check_numbers("exp", number)
    if number.__class__ is Rectangular:
        size = _exp(to_float(number.re))
        turn = to_float(number.im)
        return Rectangular(_zero_or(size, _cos(turn)), _zero_or(size, _sin(turn)))
    return 1 if _is_exact(number, 0) else _exp(to_float(number))


def log(number: Value, base: Value | None = None) -> Value:
    """Return the natural logarithm, or that to a base; 0 for an exact 1.

    number: any number. base: any number but 1, or None for e.
    """
    if base is None:
        if number.__class__ is float and number > 0:
            return math.log(number)
        check_numbers("log", number)
        return _natural_log(number)
    check_numbers("log", number)
    check_numbers("log", base)
    if base == 1:
        raise failure("numeric", "log", "the base of a logarithm must not be 1", base)
    if _is_exact(number, 1):
        return 0
    if number.__class__ in (int, float) and number > 0 and base.__class__ in (int, float):
        # These two are correctly rounded, so that the logarithm of 1000 to the base 10 is 3.0.
        if base == 2:
            return math.log2(number)
        if base == 10:
            return math.log10(number)
    return divide(_natural_log(number), _natural_log(base))


def sin(number: Value) -> Value:
    """Return the sine of an angle in radians; 0 for an exact 0."""
    if number.__class__ is float:
        return _sin(number)
    check_numbers("sin", number)
    if number.__class__ is Rectangular:
        return _complex(cmath.sin, number)
    return 0 if _is_exact(number, 0) else _sin(to_float(number))


def cos(number: Value) -> Value:
    """Return the cosine of an angle in radians; 1 for an exact 0."""
    if number.__class__ is float:
        return _cos(number)
    check_numbers("cos", number)
    if number.__class__ is Rectangular:
        return _complex(cmath.cos, number)
    return 1 if _is_exact(number, 0) else _cos(to_float(number))


def tan(number: Value) -> Value:
    """Return the tangent of an angle in radians; 0 for an exact 0."""
    check_numbers("tan", number)
    if number.__class__ is Rectangular:
        return _complex(cmath.tan, number)
    if _is_exact(number, 0):
        return 0
    angle = to_float(number)
    return math.tan(angle) if math.isfinite(angle) else math.nan


def asin(number: Value) -> Value:
    """Return the arc sine in radians, complex outside -1 to 1; 0 for an exact 0."""
    check_numbers("asin", number)
    if number.__class__ is Rectangular:
        return _complex(cmath.asin, number)
    if _is_exact(number, 0):
        return 0
    x = to_float(number)
    return from_complex(cmath.asin(_on_the_cut(x))) if abs(x) > 1 else math.asin(x)


def acos(number: Value) -> Value:
    """Return the arc cosine in radians, complex outside -1 to 1; 0 for an exact 1."""
    check_numbers("acos", number)
    if number.__class__ is Rectangular:
        return _complex(cmath.acos, number)
    if _is_exact(number, 1):
        return 0
    x = to_float(number)
    return from_complex(cmath.acos(_on_the_cut(x))) if abs(x) > 1 else math.acos(x)


def atan(number: Value) -> Value:
    """Return the arc tangent in radians; 0 for an exact 0."""
    check_numbers("atan", number)
    if number.__class__ is not Rectangular:
        return 0 if _is_exact(number, 0) else math.atan(to_float(number))
    if number.re == 0 and abs(number.im) == 1:
        raise failure("numeric", "atan", "the arc tangent of +i and -i does not exist", number)
    return _complex(cmath.atan, number)


def atan2(y: Value, x: Value) -> Value:
    """Return the angle of ``x + y·i`` in radians, in R7RS's order; an exact 0 for a positive x and an exact 0."""
    if y.__class__ is float and x.__class__ is float:
        return math.atan2(y, x)
    check_reals("atan", y, x)
    if _is_exact(y, 0) and is_exact(x):
        if x > 0:
            return 0
        if x == 0:
            raise failure("numeric", "atan", "the angle of an exact 0 does not exist", y, x)
    if is_exact(y) and is_exact(x) and max(abs(y), abs(x)) > 2**1000:
        scale = max(abs(y), abs(x))
        y, x = divide(y, scale), divide(x, scale)
    return math.atan2(to_float(y), to_float(x))


def _is_exact(number: Value, value: int) -> bool:
    return number.__class__ is int and bool(number == value)


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return INFINITY


def _sin(angle: float) -> float:
    try:
        return math.sin(angle)
    except ValueError:
        return math.nan


def _cos(angle: float) -> float:
    try:
        return math.cos(angle)
    except ValueError:
        return math.nan


def _zero_or(size: float, factor: float) -> float:
    # An infinite size has no imaginary part, rather than not a number, along the real axis.
    return factor if factor == 0 else size * factor


def _natural_log(number: Value) -> Value:
    if number.__class__ is Rectangular:
        if number == 0:
            return -INFINITY
        return _complex(cmath.log, number)
    if number == 0:
        return -INFINITY
    if _is_exact(number, 1):
        return 0
    size = _positive_log(abs(number))
    return Rectangular(size, math.pi) if number < 0 else size


def _positive_log(number: Value) -> float:
    if number.__class__ is Ratio:
        x = to_float(number)
        if 0 < x < INFINITY:
            return math.log(x)
        return math.log(number.num) - math.log(number.den)
    return math.log(number)


def _on_the_cut(x: float) -> complex:
    # R7RS's formula for the arc sine approaches the cut from below on its right and from above on
    # its left; the sign of the zero tells Python.
    return complex(x, -0.0 if x > 0 else 0.0)


def _complex(function: Callable[[complex], complex], number: Value) -> Value:
    try:
        return from_complex(function(to_complex(number)))
    except (OverflowError, ValueError):
        return Rectangular(math.nan, math.nan)
