"""From a number to its text, which reads back as the same number."""

from __future__ import annotations

import math
from typing import Final

from nodwyn.interp.data import Value
from nodwyn.interp.errors import failure
from nodwyn.interp.numbers.parse import COMPLEX_RADIX, DIGITS
from nodwyn.interp.numbers.ratio import Ratio
from nodwyn.interp.numbers.rectangular import Rectangular

_SAFE_BITS: Final = 12_000
"""Integers of this size have fewer digits in every radix than Python refuses to convert at once."""

_CHUNK: Final = 3_000


def format_number(number: Value, radix: int = 10) -> str:
    """Return the shortest text that reads back as ``number`` in that radix.

    number: any number. radix: 2 to 36; for inexact and complex numbers to 18.
    Raises: SchemeError of kind "range" for a larger radix with those.
    """
    kind = number.__class__
    if kind is float and radix == 10:
        return format_flonum(number)
    if kind is int:
        return format_integer(number, radix)
    if kind is Ratio:
        return f"{format_integer(number.num, radix)}/{format_integer(number.den, radix)}"
    if radix > COMPLEX_RADIX:
        message = f"an inexact or complex number has no text in radix {radix}: at most {COMPLEX_RADIX}"
        raise failure("range", "number->string", message, number)
    if kind is Rectangular:
        return _format_rectangular(number, radix)
    return _format_float(number, radix)


def format_integer(number: int, radix: int) -> str:
    """Return the text of an exact integer in a radix from 2 to 36."""
    if radix == 10 and number.bit_length() <= _SAFE_BITS:
        return str(number)
    if radix == 16:
        return f"{number:x}"
    if radix == 2:
        return f"{number:b}"
    if radix == 8:
        return f"{number:o}"
    sign, number = ("-", -number) if number < 0 else ("", number)
    chunks = []
    unit = radix**_CHUNK
    while number >= unit:
        number, chunk = divmod(number, unit)
        chunks.append(_digits(chunk, radix).rjust(_CHUNK, "0"))
    chunks.append(_digits(number, radix))
    return sign + "".join(reversed(chunks))


def _digits(number: int, radix: int) -> str:
    if radix == 10:
        return str(number)
    digits = []
    while number >= radix:
        number, digit = divmod(number, radix)
        digits.append(DIGITS[digit])
    digits.append(DIGITS[number])
    return "".join(reversed(digits))


def format_flonum(number: float) -> str:
    """Return the shortest decimal text that reads back as ``number``."""
    text = repr(number)
    if "e" not in text and "n" not in text:
        return text
    if number - number != 0:
        return _format_special(number)
    mantissa, _, exponent = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    sign = exponent[0]
    return f"{mantissa}e{sign}{exponent[1:].lstrip('0')}"


def _format_special(number: float) -> str:
    if number != number:
        return "+nan.0"
    return "+inf.0" if number > 0 else "-inf.0"


def _format_rectangular(number: Rectangular, radix: int) -> str:
    re = "" if number.re.__class__ is int and number.re == 0 else format_number(number.re, radix)
    im = format_number(number.im, radix)
    if im in ("1", "-1") and number.im.__class__ is int:
        im = im[:-1]
    return f"{re}{'' if im.startswith(('+', '-')) else '+'}{im}i"


def _format_float(number: float, radix: int) -> str:
    """Return the text of a float in a radix other than 10, without an exponent."""
    if number - number != 0:
        return _format_special(number)
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    if number == 0:
        return f"{sign}0.0"
    digits, point = _shortest_digits(abs(number), radix)
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    digits = digits.ljust(point, "0")
    return f"{sign}{digits[:point]}.{digits[point:] or '0'}"


def _shortest_digits(number: float, radix: int) -> tuple[str, int]:
    """Return the fewest digits that only ``number`` is nearest to, and where the point belongs in them.

    This is the free-format algorithm of Steele and White: ``rest / unit`` is what is still to be
    written, and it ends when that is within half the distance to the neighbouring floats.
    """
    below = number - math.nextafter(number, 0.0)
    unit = 2 * max(number.as_integer_ratio()[1], below.as_integer_ratio()[1])
    rest = _scaled(number, unit)
    low = _scaled(below, unit) // 2
    high = _scaled(math.ulp(number), unit) // 2
    # Half way to a neighbour reads back as the one of the two whose last bit is 0.
    even = number / math.ulp(number) % 2 == 0
    point = 0
    while rest + high > unit or (even and rest + high == unit):
        unit *= radix
        point += 1
    while (rest + high) * radix < unit or (not even and (rest + high) * radix == unit):
        rest, high, low = rest * radix, high * radix, low * radix
        point -= 1
    digits = []
    while True:
        digit, rest = divmod(rest * radix, unit)
        high, low = high * radix, low * radix
        ends_low = rest < low or (even and rest == low)
        ends_high = rest + high > unit or (even and rest + high == unit)
        if ends_low or ends_high:
            break
        digits.append(DIGITS[digit])
    if ends_high and (not ends_low or 2 * rest > unit or (2 * rest == unit and digit & 1)):
        digit += 1
    digits.append(DIGITS[digit])
    return "".join(digits), point


def _scaled(number: float, unit: int) -> int:
    num, den = number.as_integer_ratio()
    return num * (unit // den)
