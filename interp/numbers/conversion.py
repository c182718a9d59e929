"""Between exact and inexact, between a fraction and an integer, between a complex number and its parts."""

from __future__ import annotations

import math
from collections.abc import Callable

from nodwyn.interp.data import Value
from nodwyn.interp.errors import wrong_type
from nodwyn.interp.numbers.arithmetic import REALS, check_numbers, check_reals, not_real
from nodwyn.interp.numbers.ratio import INFINITY, Ratio, divide_exact, from_float, to_float
from nodwyn.interp.numbers.rectangular import Rectangular, rectangular


def exact(number: Value) -> Value:
    """Return the exact number equal to ``number`` (section 6.2.6).

    Raises: SchemeError if it is no number, or infinite or not a number.
    """
    kind = number.__class__
    if kind is float:
        try:
            return from_float(number)
        except (ValueError, OverflowError):
            raise wrong_type("exact", "argument", "a finite number", number) from None
    check_numbers("exact", number)
    if kind is Rectangular:
        return rectangular(exact(number.re), exact(number.im))
    return number


def is_finite(number: Value) -> bool:
    """Return whether a number has neither an infinite part nor one that is not a number."""
    if number.__class__ is Rectangular:
        return is_finite(number.re) and is_finite(number.im)
    return number.__class__ is not float or math.isfinite(number)


def inexact(number: Value) -> Value:
    """Return the inexact number nearest to ``number`` (section 6.2.6). Raises: SchemeError if it is no number."""
    kind = number.__class__
    if kind is float:
        return number
    if kind is int or kind is Ratio:
        return to_float(number)
    check_numbers("inexact", number)
    return Rectangular(to_float(number.re), to_float(number.im))


def floor(x: Value) -> Value:
    """Return the largest integer not above x (section 6.2.6). Raises: SchemeError if x is no real number."""
    return x if x.__class__ is int else _rounded("floor", x, math.floor, _floor)


def ceiling(x: Value) -> Value:
    """Return the smallest integer not below x (section 6.2.6). Raises: SchemeError if x is no real number."""
    return x if x.__class__ is int else _rounded("ceiling", x, math.ceil, _ceiling)


def truncate(x: Value) -> Value:
    """Return the integer nearest to x and not beyond it (section 6.2.6). Raises: SchemeError if x is no real number."""
    return x if x.__class__ is int else _rounded("truncate", x, int, _truncate)


def round_to_even(x: Value) -> Value:
    """Return the integer nearest to x, the even one of two (section 6.2.6). Raises: SchemeError if x is not real."""
    return x if x.__class__ is int else _rounded("round", x, round, _round)


def numerator(q: Value) -> Value:
    """Return the numerator of q in lowest terms (section 6.2.6), inexact if q is."""
    return _of_fraction("numerator", q, lambda exact_q: exact_q.num if exact_q.__class__ is Ratio else exact_q)


def denominator(q: Value) -> Value:
    """Return the denominator of q in lowest terms (section 6.2.6), inexact if q is."""
    return _of_fraction("denominator", q, lambda exact_q: exact_q.den if exact_q.__class__ is Ratio else 1)


def rationalize(x: Value, tolerance: Value) -> Value:
    """Return the simplest rational number that differs from x by no more than ``tolerance`` (section 6.2.6)."""
    check_reals("rationalize", x, tolerance)
    if x.__class__ is not float and tolerance.__class__ is not float:
        return _simplest_within(x, abs(tolerance))
    value, margin = to_float(x), abs(to_float(tolerance))
    if value != value or margin != margin:
        return math.nan
    if margin == INFINITY:
        return math.nan if abs(value) == INFINITY else 0.0
    if abs(value) == INFINITY:
        return value
    return to_float(_simplest_within(exact(x), abs(exact(tolerance))))


def _rounded(procedure: str, x: Value, of_float: Callable[[float], int], of_ratio: Callable[[Ratio], int]) -> Value:
    if x.__class__ is float:
        try:
            # The sign keeps minus zero, which an int cannot have.
            return math.copysign(of_float(x), x)
        except (OverflowError, ValueError):
            return x
    if x.__class__ is Ratio:
        return of_ratio(x)
    raise not_real(procedure, x)


def _floor(x: Ratio) -> int:
    return x.num // x.den


def _ceiling(x: Ratio) -> int:
    return -(-x.num // x.den)


def _truncate(x: Ratio) -> int:
    return x.num // x.den if x.num > 0 else -(-x.num // x.den)


def _round(x: Ratio) -> int:
    whole, rest = divmod(x.num, x.den)
    if 2 * rest > x.den or (2 * rest == x.den and whole & 1):
        return whole + 1
    return whole


def _of_fraction(procedure: str, q: Value, part: Callable[[Value], int]) -> Value:
    if q.__class__ is float and math.isfinite(q):
        return to_float(part(from_float(q)))
    if q.__class__ is float or q.__class__ not in REALS:
        raise wrong_type(procedure, "argument", "a rational number", q)
    return part(q)


def _simplest_within(x: Value, margin: Value) -> Value:
    low, high = x - margin, x + margin
    if low <= 0 <= high:
        return 0
    if high < 0:
        return -_simplest_between(-high, -low)
    return _simplest_between(low, high)


def _simplest_between(low: Value, high: Value) -> Value:
    """Return the fraction with the smallest terms in a range of positive numbers: a continued fraction."""
    whole_parts: list[int] = []
    while True:
        whole = ceiling(low)
        if whole <= high:
            break
        whole_parts.append(whole - 1)
        low, high = divide_exact(1, high - (whole - 1)), divide_exact(1, low - (whole - 1))
    simplest: Value = whole
    for part in reversed(whole_parts):
        simplest = part + divide_exact(1, simplest)
    return simplest


def real_part(z: Value) -> Value:
    """Return the real part of a number (section 6.2.6)."""
    check_numbers("real-part", z)
    return z.re if z.__class__ is Rectangular else z


def imag_part(z: Value) -> Value:
    """Return the imaginary part of a number (section 6.2.6), an exact 0 for a real one."""
    check_numbers("imag-part", z)
    return z.im if z.__class__ is Rectangular else 0


def magnitude(z: Value) -> Value:
    """Return the magnitude of a number (section 6.2.6), exact if it can be."""
    check_numbers("magnitude", z)
    if z.__class__ is not Rectangular:
        return abs(z)
    if z.re.__class__ is float:
        return math.hypot(z.re, z.im)
    from nodwyn.interp.numbers.power import sqrt

    return sqrt(z.re * z.re + z.im * z.im)


def angle(z: Value) -> Value:
    """Return the angle of a number in radians (section 6.2.6): an exact 0 for exact ones that are not negative."""
    from nodwyn.interp.numbers.transcendental import atan2

    check_numbers("angle", z)
    if z.__class__ is Rectangular:
        return atan2(z.im, z.re)
    if z.__class__ is float:
        return math.atan2(0.0, z)
    return math.pi if z < 0 else 0
