"""From the text of a number to the number: the grammar of section 7.1.1, in time linear in the text.

Beyond the grammar, as R7RS allows: the exponent markers ``s f d l`` of earlier reports, a point in
every radix (there is no exponent but in radix 10, where ``e`` is no digit), and radices to 36.
"""

from __future__ import annotations

import math
from typing import Final

from nodwyn.interp.data import Value
from nodwyn.interp.numbers.conversion import exact, is_finite
from nodwyn.interp.numbers.limits import MAX_BITS, check_size, too_large
from nodwyn.interp.numbers.ratio import INFINITY, ratio, to_float
from nodwyn.interp.numbers.rectangular import polar, rectangular

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"

COMPLEX_RADIX: Final = 18
"""The largest radix in which ``i`` and ``inf`` are not made of digits."""

_CHUNK: Final = 4000
"""Digits that Python converts at once: it refuses more than 4300, and takes quadratic time."""

_EXPONENT_MARKERS: Final = "esfdl"
_RADICES: Final = {"b": 2, "o": 8, "d": 10, "x": 16}
_SPECIAL: Final = {"+inf.0": INFINITY, "-inf.0": -INFINITY, "+nan.0": math.nan, "-nan.0": math.nan}


def parse_number(text: str, radix: int = 10) -> Value | None:
    """Return the number that ``text`` denotes, or None if it denotes none.

    text: what may be a number, in any case, without white space around it.
    radix: 2 to 36, for a text without a radix prefix.
    Raises: SchemeError of kind "limit" for an exact number that is too large.
    """
    # Nearly all numbers are of these forms; a text of these characters alone that Python
    # does not take is something else to Scheme as well, or has a fraction or an imaginary part.
    if text.isdecimal() and text.isascii() and len(text) <= _CHUNK and radix >= 10:
        return int(text) if radix == 10 else int(text, radix)
    if radix == 10:
        if not text.strip("0123456789+-.eE"):
            return _flonum(text) if "." in text else _plain_decimal(text)
        if text[0] not in "0123456789+-.#":
            return None
    if not text.isascii():
        return None
    if radix == 16 and len(text) <= _CHUNK and text.isalnum() and text[1:2] not in ("x", "X"):
        try:
            return int(text, 16)
        except ValueError:
            return None
    return _prefixed(text.lower(), radix)


def _plain_decimal(text: str) -> Value | None:
    if "e" not in text and "E" not in text:
        return _prefixed(text, 10) if len(text) > _CHUNK else _small_integer(text)
    return _flonum(text)


def _flonum(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _small_integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _prefixed(text: str, radix: int) -> Value | None:
    """Return the number of a text in lower case with any prefixes."""
    exactness = ""
    radix_given = False
    start = 0
    while text.startswith("#", start):
        letter = text[start + 1 : start + 2]
        if letter in ("e", "i") and not exactness:
            exactness = letter
        elif letter in _RADICES and not radix_given:
            radix = _RADICES[letter]
            radix_given = True
        else:
            return None
        start += 2
    try:
        return _complex(_Notation(text, radix, exactness), start)
    except _NoNumber:
        return None


class _NoNumber(Exception):
    """The text is no number."""


class _Notation:
    """A text in lower case, its radix, and "e", "i" or "" for its exactness."""

    __slots__ = ("exactness", "radix", "text")

    def __init__(self, text: str, radix: int, exactness: str) -> None:
        self.text = text
        self.radix = radix
        self.exactness = exactness


def _complex(notation: _Notation, start: int) -> Value:
    """Return the number from ``start`` to the end. Raises: _NoNumber."""
    text = notation.text
    size = len(text)
    real, end = _signed_real(notation, start)
    if end == size:
        return _required(real)
    if notation.radix > COMPLEX_RADIX:
        raise _NoNumber
    if text[end] == "i" and end + 1 == size and text[start] in "+-":
        return rectangular(0, _unit(notation, start) if real is None else real)
    if text[end] == "@":
        angle, after = _signed_real(notation, end + 1)
        if after != size:
            raise _NoNumber
        number = polar(_required(real), _required(angle))
        return _exact(number) if notation.exactness == "e" else number
    if text[end] not in "+-":
        raise _NoNumber
    imaginary, after = _signed_real(notation, end)
    if after + 1 != size or text[after] != "i":
        raise _NoNumber
    return rectangular(_required(real), _unit(notation, end) if imaginary is None else imaginary)


def _required(real: Value | None) -> Value:
    if real is None:
        raise _NoNumber
    return real


def _exact(number: Value) -> Value:
    if not is_finite(number):
        raise _NoNumber
    return exact(number)


def _unit(notation: _Notation, sign: int) -> Value:
    """Return the imaginary part of ``+i`` or ``-i``: the sign is at that position."""
    unit = -1 if notation.text[sign] == "-" else 1
    return float(unit) if notation.exactness == "i" else unit


def _signed_real(notation: _Notation, start: int) -> tuple[Value | None, int]:
    """Return the real number at ``start`` and where it ends; None for a sign alone. Raises: _NoNumber."""
    text = notation.text
    negative = False
    position = start
    if text.startswith(("+", "-"), start):
        special = _SPECIAL.get(text[start : start + 6])
        if special is not None and notation.radix <= COMPLEX_RADIX:
            return (_exact(special) if notation.exactness == "e" else special), start + 6
        negative = text[start] == "-"
        position += 1
    whole_end = _skip_digits(text, position, notation.radix)
    if text.startswith("/", whole_end):
        return _fraction(notation, position, whole_end, negative)
    end = whole_end
    if text.startswith(".", end):
        end = _skip_digits(text, end + 1, notation.radix)
    digits = end - position - (end > whole_end)
    if digits == 0:
        if position == start or end > whole_end:
            raise _NoNumber
        return None, position
    mantissa_end = end
    if notation.radix == 10:
        end = _skip_exponent(text, end)
    if end == whole_end:
        whole = _integer(text[position:end], notation.radix, notation.exactness == "i")
        return _finish(whole, negative, notation.exactness == "i"), end
    return _decimal(notation, (position, whole_end, mantissa_end, end), negative), end


def _skip_digits(text: str, start: int, radix: int) -> int:
    rest = text[start:]
    return start + len(rest) - len(rest.lstrip(DIGITS[:radix]))


def _skip_exponent(text: str, start: int) -> int:
    if start == len(text) or text[start] not in _EXPONENT_MARKERS:
        return start
    digits = start + 1
    if text.startswith(("+", "-"), digits):
        digits += 1
    end = _skip_digits(text, digits, 10)
    return end if end > digits else start


def _finish(magnitude: Value, negative: bool, as_float: bool) -> Value:
    number = to_float(magnitude) if as_float else magnitude
    return -number if negative else number


def _fraction(notation: _Notation, start: int, slash: int, negative: bool) -> tuple[Value, int]:
    end = _skip_digits(notation.text, slash + 1, notation.radix)
    if slash == start or end == slash + 1:
        raise _NoNumber
    num = _integer(notation.text[start:slash], notation.radix)
    den = _integer(notation.text[slash + 1 : end], notation.radix)
    if den == 0:
        raise _NoNumber
    return _finish(ratio(num, den), negative, notation.exactness == "i"), end


def _integer(digits: str, radix: int, as_float: bool = False) -> Value:
    """Return the value of digits of any number; a float if it need not be exact and is long."""
    if len(digits) <= _CHUNK:
        return int(digits, radix)
    if as_float and radix == 10:
        return float(digits)
    digits = digits.lstrip("0")
    if (len(digits) - 1) * math.log2(radix) > MAX_BITS:
        raise too_large(None)
    value = 0
    for start in range(0, len(digits), _CHUNK):
        chunk = digits[start : start + _CHUNK]
        value = value * radix ** len(chunk) + int(chunk, radix)
    return check_size(value)


def _decimal(notation: _Notation, bounds: tuple[int, int, int, int], negative: bool) -> Value:
    """Return a number with a point or an exponent.

    bounds: where the mantissa starts, where its point is (or would be), where it ends, and where
        the exponent ends.
    """
    start, point, mantissa_end, end = bounds
    text = notation.text
    if notation.radix == 10 and notation.exactness != "e":
        value = float(text[start:mantissa_end] + _exponent(text[mantissa_end:end], "e"))
        return -value if negative else value
    fraction = text[point + 1 : mantissa_end].rstrip("0")
    digits = text[start:point] + fraction
    power = -len(fraction)
    if mantissa_end < end:
        power += _bounded(_exponent(text[mantissa_end:end], ""))
    magnitude = _scaled(digits.lstrip("0"), notation.radix, power)
    return _finish(magnitude, negative, notation.exactness != "e")


def _exponent(suffix: str, marker: str) -> str:
    return marker + suffix[1:] if suffix else ""


def _bounded(exponent: str) -> int:
    """Return an exponent, or one of the same sign that is beyond every limit."""
    sign = -1 if exponent.startswith("-") else 1
    digits = exponent.lstrip("+-").lstrip("0")
    return sign * (int(digits or "0") if len(digits) < 8 else 10**8)


def _scaled(digits: str, radix: int, power: int) -> Value:
    """Return digits times a power of the radix, exactly. Raises: SchemeError of kind "limit"."""
    if not digits:
        return 0
    stripped = digits.rstrip("0")
    power += len(digits) - len(stripped)
    # A common factor can make the denominator smaller, but not by more than the digits are long.
    if (abs(power) - (len(stripped) if power < 0 else 0)) * math.log2(radix) > MAX_BITS:
        raise too_large(None)
    value = _integer(stripped, radix)
    if power < 0:
        return ratio(value, radix**-power)
    return check_size(value * radix**power)
