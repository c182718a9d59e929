"""Strings: section 6.7. What is made from strings or characters keeps the origins of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from operator import eq, ge, gt, le, lt
from typing import Any

from nodwyn.interp.builtins.arguments import (
    MOST_ELEMENTS,
    bad_index,
    bounds,
    char_text,
    length_of,
    mutable_chars,
    position,
    string_text,
    within_limit,
)
from nodwyn.interp.builtins.lists import proper
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    FALSE,
    TRUE,
    UNLABELLED,
    UNSPECIFIED,
    Boolean,
    Char,
    Origin,
    String,
    Value,
    Vector,
    list_from,
    union,
)
from nodwyn.interp.errors import wrong_type

define = Table()


@define("string?")
def is_string(value: Value) -> Boolean:
    return TRUE if value.__class__ is String else FALSE


@define("make-string")
def make_string(k: Value, fill: Value = UNLABELLED[" "]) -> String:
    count = length_of("make-string", "k", k)
    return String(char_text("make-string", "char", fill) * count, fill.origin)


@define("string")
def make_string_of(*chars: Value) -> String:
    return string_of_chars("string", "char", chars)


def string_of_chars(procedure: str, parameter: str, chars: Iterable[Value]) -> String:
    """Return the string of ``chars``, each of which must be a character."""
    origin = UNLABELLED
    codes = []
    for char in chars:
        if char.__class__ is not Char:
            raise wrong_type(procedure, parameter, "a character", char)
        codes.append(char.char)
        if char.origin is not origin:
            origin = union(origin, char.origin)
    return String("".join(codes), origin)


@define("string-length")
def string_length(string: Value) -> int:
    try:
        return len(string.chars)
    except AttributeError:
        raise wrong_type("string-length", "string", "a string", string) from None


@define("string-ref")
def string_ref(string: Value, k: Value) -> Char:
    if string.__class__ is not String:
        raise wrong_type("string-ref", "string", "a string", string)
    chars = string.chars
    if k.__class__ is not int or not 0 <= k < len(chars):
        raise bad_index("string-ref", k, len(chars), "k")
    return string.origin[chars[k]]


@define("string-set!")
def string_set(string: Value, k: Value, char: Value) -> Value:
    chars = mutable_chars("string-set!", string)
    code = char_text("string-set!", "char", char)
    if k.__class__ is not int or not 0 <= k < len(chars):
        raise bad_index("string-set!", k, len(chars), "k")
    chars[k] = code
    if char.origin is not string.origin:
        string.origin = union(string.origin, char.origin)
    return UNSPECIFIED


def _comparison(name: str, holds: Callable[[Any, Any], bool], form: Callable[[str], str]) -> None:
    """Declare a comparison of one or more strings, each first brought into ``form``."""

    @define(name)
    def compare(first: Value, *rest: Value) -> Boolean:
        if len(rest) == 1 and first.__class__ is rest[0].__class__ is String:
            return TRUE if holds(form(first.text()), form(rest[0].text())) else FALSE
        texts = [form(string_text(name, "string", each)) for each in (first, *rest)]
        for left, right in pairwise(texts):
            if not holds(left, right):
                return FALSE
        return TRUE


for _sign, _holds in (("=", eq), ("<", lt), (">", gt), ("<=", le), (">=", ge)):
    _comparison(f"string{_sign}?", _holds, str)
    _comparison(f"string-ci{_sign}?", _holds, str.casefold)


def _mapping(name: str, mapped: Callable[[str], str]) -> None:
    @define(name)
    def map_string(string: Value) -> String:
        return String(mapped(string_text(name, "string", string)), string.origin)


# Python's lower() knows the final sigma.
_mapping("string-upcase", str.upper)
_mapping("string-downcase", str.lower)
_mapping("string-foldcase", str.casefold)


def piece(procedure: str, string: Value, start: Value, end: Value) -> str:
    """Return the text of a string between optional bounds."""
    text = string_text(procedure, "string", string)
    if start is DEFAULT and end is DEFAULT:
        return text
    start, end = bounds(procedure, start, end, len(text))
    return text[start:end]


@define("substring")
def substring(string: Value, start: Value, end: Value = DEFAULT) -> String:
    if string.__class__ is String and start.__class__ is end.__class__ is int:
        text = string.text()
        if 0 <= start <= end <= len(text):
            return String(text[start:end], string.origin)
    return String(piece("substring", string, start, end), string.origin)


@define("string-copy")
def string_copy(string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> String:
    return String(piece("string-copy", string, start, end), string.origin)


@define("string-append")
def string_append(*strings: Value) -> String:
    if len(strings) == 2:
        first, second = strings
        if first.__class__ is second.__class__ is String:
            left, right = first.text(), second.text()
            if len(left) + len(right) <= MOST_ELEMENTS:
                return String(left + right, union(first.origin, second.origin))
    return joined("string-append", strings)


def joined(procedure: str, strings: Iterable[Value], between: str = "", origin: Origin = UNLABELLED) -> String:
    """Return the strings one after the other, with ``between``, which has ``origin``, between them."""
    texts = []
    for string in strings:
        if string.__class__ is not String:
            raise wrong_type(procedure, "string", "a string", string)
        texts.append(string.text())
        if string.origin is not origin:
            origin = union(origin, string.origin)
    within_limit(procedure, sum(map(len, texts)) + len(between) * len(texts))
    return String(between.join(texts), origin)


@define("string->list")
def string_to_list(string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    text = piece("string->list", string, start, end)
    origin = string.origin
    return list_from([origin[char] for char in text])


@define("list->string")
def list_to_string(chars: Value) -> String:
    return string_of_chars("list->string", "an element of list", proper("list->string", "list", chars))


@define("string->vector")
def string_to_vector(string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Vector:
    text = piece("string->vector", string, start, end)
    origin = string.origin
    return Vector([origin[char] for char in text])


@define("string-copy!")
def string_copy_into(to: Value, at: Value, source: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    chars = mutable_chars("string-copy!", to)
    text = string_text("string-copy!", "from", source)
    first, last = bounds("string-copy!", start, end, len(text))
    at = position("string-copy!", "at", at, 0, len(chars))
    position("string-copy!", "end", last, first, first + len(chars) - at)
    chars[at : at + last - first] = text[first:last]
    # Taking the text of a string copied into itself has set its characters anew.
    to.chars = chars
    if source.origin is not to.origin:
        to.origin = union(to.origin, source.origin)
    return UNSPECIFIED


@define("string-fill!")
def string_fill(string: Value, fill: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    chars = mutable_chars("string-fill!", string)
    code = char_text("string-fill!", "fill", fill)
    first, last = bounds("string-fill!", start, end, len(chars))
    chars[first:last] = [code] * (last - first)
    if fill.origin is not string.origin:
        string.origin = union(string.origin, fill.origin)
    return UNSPECIFIED
