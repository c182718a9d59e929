"""Exactness, rounding, fractions, the parts of complex numbers, and text (sections 6.2.6 and 6.2.7)."""

from __future__ import annotations

from typing import Final

from nodwyn.interp.builtins.arguments import string_text
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import DEFAULT, FALSE, String, Value
from nodwyn.interp.errors import SchemeError, wrong_type
from nodwyn.interp.numbers import conversion
from nodwyn.interp.numbers.arithmetic import NUMBERS, check_reals
from nodwyn.interp.numbers.format import format_flonum, format_integer, format_number
from nodwyn.interp.numbers.parse import parse_number
from nodwyn.interp.numbers.rectangular import polar, rectangular

define: Final = Table()

_FEW_DIGITS: Final = 1000
"""Python converts at once what has fewer."""

_DIGITS_AND_POINT: Final = "0123456789."

define("exact", "inexact->exact")(conversion.exact)
define("inexact", "exact->inexact")(conversion.inexact)
define("floor")(conversion.floor)
define("ceiling")(conversion.ceiling)
define("truncate")(conversion.truncate)
define("round")(conversion.round_to_even)
define("numerator")(conversion.numerator)
define("denominator")(conversion.denominator)
define("rationalize")(conversion.rationalize)
define("real-part")(conversion.real_part)
define("imag-part")(conversion.imag_part)
define("magnitude")(conversion.magnitude)
define("angle")(conversion.angle)


@define("make-rectangular")
def make_rectangular(x1: Value, x2: Value) -> Value:
    check_reals("make-rectangular", x1, x2)
    return rectangular(x1, x2)


@define("make-polar")
def make_polar(x3: Value, x4: Value) -> Value:
    check_reals("make-polar", x3, x4)
    return polar(x3, x4)


def text_of_number(z: Value, radix: Value = DEFAULT) -> str:
    """Return what ``number->string`` makes a string of."""
    kind = z.__class__
    if radix is DEFAULT:
        if kind is int:
            try:
                return str(z)
            except ValueError:
                # It has more digits than Python converts at once.
                return format_integer(z, 10)
        if kind is float:
            return format_flonum(z)
        radix = 10
    elif radix.__class__ is not int or not 2 <= radix <= 36:
        raise _wrong_radix("number->string", radix)
    if kind is int:
        return format_integer(z, radix)
    if kind not in NUMBERS:
        raise wrong_type("number->string", "argument", "a number", z)
    return format_number(z, radix)


@define("number->string")
def number_to_string(z: Value, radix: Value = DEFAULT) -> String:
    return String(text_of_number(z, radix))


@define("string->number")
def string_to_number(string: Value, radix: Value = DEFAULT) -> Value:
    return number_of_text(string_text("string->number", "string", string), radix)


def number_of_text(text: str, radix: Value = DEFAULT) -> Value:
    """Return what ``string->number`` makes of a text."""
    if radix is DEFAULT:
        radix = 10
        if len(text) < _FEW_DIGITS:
            # Most texts are these; anything else is for the parser.
            if text.isdecimal() and text.isascii():
                return int(text)
            if not text.strip(_DIGITS_AND_POINT):
                return _flonum(text)
    elif radix.__class__ is not int or not 2 <= radix <= 36:
        raise _wrong_radix("string->number", radix)
    number = parse_number(text, radix)
    return FALSE if number is None else number


define.internal["%number-text"] = text_of_number
define.internal["%text-number"] = number_of_text


def _flonum(text: str) -> Value:
    try:
        return float(text)
    except ValueError:
        return FALSE


def _wrong_radix(procedure: str, radix: Value) -> SchemeError:
    return wrong_type(procedure, "radix", "an exact integer from 2 to 36", radix)
