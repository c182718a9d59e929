"""Powers and roots: exact where the result is, complex where no real one exists."""

from __future__ import annotations

import cmath
import math

from nodwyn.interp.data import Value
from nodwyn.interp.numbers.arithmetic import check_numbers, division_by_zero, multiply
from nodwyn.interp.numbers.limits import MAX_BITS, check_size, too_large
from nodwyn.interp.numbers.ratio import INFINITY, Ratio, divide_exact, divide_floats, ratio, to_float
from nodwyn.interp.numbers.rectangular import Rectangular, from_complex, is_exact, rectangular, to_complex
from nodwyn.interp.numbers.transcendental import exp


def expt(base: Value, exponent: Value) -> Value:
    """Return ``(expt base exponent)`` (section 6.2.6), the principal value if there are several.

    Raises: SchemeError if either is no number, for an exact zero to a negative power, and of kind
        "limit" for too large an exact result.
    """
    if base.__class__ is int and exponent.__class__ is int and exponent >= 0:
        if exponent * base.bit_length() <= MAX_BITS:
            return base**exponent
    elif base.__class__ is float and exponent.__class__ is float:
        return _real_power(base, exponent)
    check_numbers("expt", base, exponent)
    if exponent.__class__ is int:
        return _integer_power(base, exponent)
    if exponent.__class__ is Rectangular or base.__class__ is Rectangular:
        return _complex_power(base, exponent)
    if exponent.__class__ is Ratio and base.__class__ is not float:
        exact = _rational_power(base, exponent)
        if exact is not None:
            return exact
    return _float_power(base, to_float(exponent))


def sqrt(number: Value) -> Value:
    """Return the principal square root (section 6.2.6): exact if the number is and has an exact one.

    Raises: SchemeError if it is no number.
    """
    kind = number.__class__
    if kind is float:
        if number >= 0 or number != number:
            return math.sqrt(number)
        # Minus zero is its own root.
        return Rectangular(0.0, math.sqrt(-number)) if number else number
    if kind is int and 0 <= number < 2**52:
        # Then the float root of a square is exact.
        near = math.sqrt(number)
        whole = int(near)
        return whole if whole * whole == number else near
    check_numbers("sqrt", number)
    if kind is Rectangular:
        return _complex_sqrt(number)
    if number < 0:
        return rectangular(0, _positive_sqrt(-number))
    return _positive_sqrt(number)


def exact_root(number: int, degree: int) -> int | None:
    """Return the exact root of that degree of a non-negative integer, or None if it has none."""
    if number < 2 or degree == 1:
        return number
    if degree >= number.bit_length():
        return None
    # Newton's method from above, where it falls until it reaches the integer part of the root.
    root = 1 << -(-number.bit_length() // degree)
    while True:
        closer = ((degree - 1) * root + number // root ** (degree - 1)) // degree
        if closer >= root:
            return root if root**degree == number else None
        root = closer


def _integer_power(base: Value, exponent: int) -> Value:
    kind = base.__class__
    if kind is float:
        return _real_power(base, to_float(exponent)) if abs(exponent) < 2**53 else _huge_power(base, exponent)
    if exponent < 0:
        if kind is int and base == 0:
            raise division_by_zero("expt", base, exponent)
        power = _integer_power(base, -exponent)
        return divide_exact(1, power) if power.__class__ is int else 1 / power
    if kind is int:
        _check_power(base, exponent)
        return check_size(base**exponent, "expt")
    if kind is Ratio:
        _check_power(base.num, exponent)
        _check_power(base.den, exponent)
        return ratio(base.num**exponent, base.den**exponent)
    return _repeated_squares(base, exponent)


def _check_power(base: int, exponent: int) -> None:
    # At least this many bits; what is just above is found out afterwards.
    if abs(base) > 1 and (abs(base).bit_length() - 1) * exponent > MAX_BITS:
        raise too_large("expt")


def _huge_power(base: float, exponent: int) -> float:
    # A float cannot tell whether such an exponent is odd, which decides the sign.
    size: float = _real_power(abs(base), to_float(exponent))
    return -size if exponent & 1 and math.copysign(1.0, base) < 0 else size


def _repeated_squares(base: Value, exponent: int) -> Value:
    power: Value = 1 if is_exact(base) else 1.0
    while exponent:
        if exponent & 1:
            power = multiply(power, base)
        exponent >>= 1
        if exponent:
            base = multiply(base, base)
    return power


def _rational_power(base: Value, exponent: Ratio) -> Value | None:
    """Return an exact base to a fraction, or None if the result is not exact."""
    if base.__class__ is int and base == 0:
        if exponent.num < 0:
            raise division_by_zero("expt", base, exponent)
        return 0
    if exponent.den == 2:
        root = sqrt(base)
        return _integer_power(root, exponent.num) if is_exact(root) else None
    if base < 0:
        return None
    num = exact_root(base.num if base.__class__ is Ratio else base, exponent.den)
    den = exact_root(base.den, exponent.den) if base.__class__ is Ratio else 1
    if num is None or den is None:
        return None
    return _integer_power(divide_exact(num, den), exponent.num)


def _float_power(base: Value, exponent: float) -> Value:
    x = to_float(base)
    if base.__class__ is int and math.isinf(x) and math.isfinite(exponent) and base > 0:
        # An integer too large for a float can have a root that is not.
        return exp(math.log(base) * exponent)
    return _real_power(x, exponent)


def _real_power(base: float, exponent: float) -> Value:
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError):
        if base < 0 and not exponent.is_integer():
            size = _real_power(-base, exponent)
            turn = math.pi * exponent
            return Rectangular(size * math.cos(turn), size * math.sin(turn))
        return -INFINITY if math.copysign(1.0, base) < 0 and exponent % 2 == 1 else INFINITY


def _complex_power(base: Value, exponent: Value) -> Value:
    if base == 0:
        real = exponent.re if exponent.__class__ is Rectangular else exponent
        if real > 0:
            return 0 if is_exact(base) and is_exact(exponent) else 0.0
        raise division_by_zero("expt", base, exponent)
    if base.__class__ is Rectangular and exponent.__class__ is Ratio and exponent.den == 2:
        return _integer_power(sqrt(base), exponent.num)
    try:
        return from_complex(cmath.exp(to_complex(exponent) * cmath.log(to_complex(base))))
    except (OverflowError, ValueError):
        return Rectangular(math.nan, math.nan)


def _positive_sqrt(number: Value) -> Value:
    """Return the root of an exact number that is not negative."""
    if number.__class__ is Ratio:
        num, den = math.isqrt(number.num), math.isqrt(number.den)
        if num * num == number.num and den * den == number.den:
            return Ratio(num, den)
        x = to_float(number)
        if 0 < x < INFINITY:
            return math.sqrt(x)
        return divide_floats(_large_sqrt(number.num), _large_sqrt(number.den))
    root = math.isqrt(number)
    return root if root * root == number else _large_sqrt(number)


def _large_sqrt(number: int) -> float:
    excess = max(0, (number.bit_length() - 1000) // 2)
    try:
        return math.ldexp(math.sqrt(number >> (2 * excess)), excess)
    except OverflowError:
        return INFINITY


def _complex_sqrt(number: Rectangular) -> Value:
    if is_exact(number):
        exact = _exact_complex_sqrt(number)
        if exact is not None:
            return exact
    root = cmath.sqrt(to_complex(number))
    if root.real == 0 and root.imag < 0:
        # "A zero real part and a non-negative imaginary part", also below the branch cut.
        return Rectangular(0.0, -root.imag)
    return from_complex(root)


def _exact_complex_sqrt(number: Rectangular) -> Value | None:
    size = _positive_sqrt(number.re * number.re + number.im * number.im)
    if not is_exact(size):
        return None
    half: Value = Ratio(1, 2)
    re = _positive_sqrt((size + number.re) * half)
    im = _positive_sqrt((size - number.re) * half)
    if not (is_exact(re) and is_exact(im)):
        return None
    return rectangular(re, -im if number.im < 0 else im)
