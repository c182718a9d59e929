"""Characters: section 6.6, over the whole of Unicode but surrogates."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from operator import eq, ge, gt, le, lt
from typing import Any

from nodwyn.interp.builtins import unicode
from nodwyn.interp.builtins.arguments import char_text
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import DEFAULT, FALSE, TRUE, Boolean, Char, Value, character
from nodwyn.interp.errors import out_of_range, wrong_type

define = Table()


@define("char?")
def is_char(value: Value) -> Boolean:
    return TRUE if value.__class__ is Char else FALSE


def _comparison(name: str, holds: Callable[[Any, Any], bool], form: Callable[[str], str]) -> None:
    """Declare a comparison of one or more characters, each first brought into ``form``."""

    @define(name)
    def compare(first: Value, second: Value = DEFAULT, *rest: Value) -> Boolean:
        if first.__class__ is second.__class__ is Char and not rest:
            return TRUE if holds(form(first.char), form(second.char)) else FALSE
        chars = (first, *rest) if second is DEFAULT else (first, second, *rest)
        codes = [form(char_text(name, "char", each)) for each in chars]
        for left, right in pairwise(codes):
            if not holds(left, right):
                return FALSE
        return TRUE


for _sign, _holds in (("=", eq), ("<", lt), (">", gt), ("<=", le), (">=", ge)):
    _comparison(f"char{_sign}?", _holds, str)
    _comparison(f"char-ci{_sign}?", _holds, unicode.foldcase)


def _property(name: str, holds: Callable[[str], bool]) -> None:
    @define(name)
    def has_property(char: Value) -> Boolean:
        try:
            return TRUE if holds(char.char) else FALSE
        except AttributeError:
            raise wrong_type(name, "char", "a character", char) from None


_property("char-alphabetic?", unicode.is_alphabetic)
_property("char-numeric?", str.isdecimal)
_property("char-whitespace?", unicode.is_whitespace)
_property("char-upper-case?", str.isupper)
_property("char-lower-case?", str.islower)


def _mapping(name: str, mapped: Callable[[str], str]) -> None:
    @define(name)
    def map_char(char: Value) -> Char:
        try:
            return char.origin[mapped(char.char)]  # type: ignore[no-any-return]
        except AttributeError:
            raise wrong_type(name, "char", "a character", char) from None


_mapping("char-upcase", unicode.upcase)
_mapping("char-downcase", unicode.downcase)
_mapping("char-foldcase", unicode.foldcase)


@define("digit-value")
def digit_value(char: Value) -> Value:
    try:
        code = char.char
    except AttributeError:
        raise wrong_type("digit-value", "char", "a character", char) from None
    return int(code) if code.isdecimal() else FALSE


@define("char->integer")
def char_to_integer(char: Value) -> int:
    try:
        return ord(char.char)
    except AttributeError:
        raise wrong_type("char->integer", "char", "a character", char) from None


@define("integer->char")
def integer_to_char(code: Value) -> Char:
    if code.__class__ is not int:
        raise wrong_type("integer->char", "n", "an exact integer", code)
    if not 0 <= code <= 0x10FFFF:
        raise out_of_range("integer->char", "n", "a code point, from 0 to #x10FFFF", code)
    if 0xD800 <= code <= 0xDFFF:
        raise out_of_range("integer->char", "n", "a code point that is no surrogate (#xD800 to #xDFFF)", code)
    return character(chr(code))
