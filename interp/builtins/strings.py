"""Strings: section 6.7. What is made from strings or characters keeps the origins of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from operator import eq, ge, gt, le, lt
from typing import Any, Final

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
    NIL,
    TRUE,
    UNLABELLED,
    UNSPECIFIED,
    Boolean,
    Char,
    Origin,
    Pair,
    String,
    Value,
    Vector,
    bare_string,
    union,
)
from nodwyn.interp.errors import wrong_type

define = Table()

EMPTY: Final = String("", UNLABELLED, True)

_FEW: Final = 6

_USUALLY: Final = range(2**12)
"""More characters than most lists have that become strings."""


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


def _text_of_list(chars: Value) -> str | None:
    """Return the text of a list of unlabelled characters, or None if it may be something else or is very long."""
    text = ""
    try:
        for _ in _USUALLY:
            if chars is NIL:
                return text
            char = chars.car
            if char.origin is not UNLABELLED:
                return None
            text += char.char
            chars = chars.cdr
    except (AttributeError, TypeError):
        pass
    return None


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
    if char.origin is not string.origin.settled:
        string.take_in(char.origin)
    return UNSPECIFIED


def _comparison(name: str, holds: Callable[[Any, Any], bool], form: Callable[[str], str]) -> None:
    """Declare a comparison of one or more strings, each first brought into ``form``."""

    @define(name)
    def compare(first: Value, second: Value = DEFAULT, *rest: Value) -> Boolean:
        if first.__class__ is second.__class__ is String and not rest:
            left, right = first.chars, second.chars
            if form is str and left.__class__ is right.__class__ is str:
                return TRUE if holds(left, right) else FALSE
            return TRUE if holds(form(first.text()), form(second.text())) else FALSE
        strings = (first, *rest) if second is DEFAULT else (first, second, *rest)
        texts = [form(string_text(name, "string", each)) for each in strings]
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
        text = string.chars if string.__class__ is String else None
        if text.__class__ is not str:
            text = string_text(name, "string", string)
        made = bare_string()
        made.chars = mapped(text)
        made.origin = string.origin
        made.frozen = False
        return made


# Python's lower() knows the final sigma.
_mapping("string-upcase", str.upper)
_mapping("string-downcase", str.lower)
_mapping("string-foldcase", str.casefold)


def piece(procedure: str, string: Value, start: Value, end: Value) -> str:
    """Return the text of a string between optional bounds."""
    if string.__class__ is not String:
        raise wrong_type(procedure, "string", "a string", string)
    text = string.chars
    if text.__class__ is not str:
        text = string.text()
    if start is DEFAULT and end is DEFAULT:
        return text
    start, end = bounds(procedure, start, end, len(text))
    return text[start:end]


@define("substring")
def substring(string: Value, start: Value, end: Value = DEFAULT) -> String:
    made = bare_string()
    try:
        chars = string.chars
        if chars.__class__ is str and 0 <= start <= end <= len(chars):
            made.chars = chars[start:end]
        else:
            made.chars = piece("substring", string, start, end)
    except (AttributeError, TypeError):
        made.chars = piece("substring", string, start, end)
    made.origin = string.origin
    made.frozen = False
    return made


@define("string-copy")
def string_copy(string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> String:
    return String(piece("string-copy", string, start, end), string.origin)


@define("string-append")
def string_append(first: Value = EMPTY, second: Value = EMPTY, *rest: Value) -> String:
    # Most calls have few strings, of one origin, that were never mutated.
    try:
        origin = first.origin
        text = first.chars + second.chars
        if rest:
            # A few strings cannot make one that is very much longer than what there is already.
            if len(rest) > _FEW:
                return joined("string-append", (first, second, *rest))
            for string in rest:
                if string.origin is not origin:
                    return joined("string-append", (first, second, *rest))
                text += string.chars
        if origin is second.origin and text.__class__ is str and len(text) <= MOST_ELEMENTS:
            made = bare_string()
            made.chars = text
            made.origin = origin
            made.frozen = False
            return made
    except (AttributeError, TypeError):
        pass
    return joined("string-append", (first, second, *rest))


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
    result: Value = NIL
    for char in text[::-1]:
        pair = Pair()
        pair.car = origin[char]
        pair.cdr = result
        result = pair
    return result


@define("list->string")
def list_to_string(chars: Value) -> String:
    text = _text_of_list(chars)
    if text is not None:
        return new_string(text, UNLABELLED)
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
    # Taking the text of a string copied into itself has set its characters anew.
    to.unsettle()[at : at + last - first] = text[first:last]
    to.take_in(source.origin)
    return UNSPECIFIED


@define("string-fill!")
def string_fill(string: Value, fill: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    chars = mutable_chars("string-fill!", string)
    code = char_text("string-fill!", "fill", fill)
    first, last = bounds("string-fill!", start, end, len(chars))
    chars[first:last] = [code] * (last - first)
    string.take_in(fill.origin)
    return UNSPECIFIED


def new_string(text: str, origin: Origin) -> String:
    """Return a string, at less cost than a call of the class."""
    made = bare_string()
    made.chars = text
    made.origin = origin
    made.frozen = False
    return made


def check_length(text: str) -> None:
    """Raise the error of ``string-append`` for a result that is too long."""
    within_limit("string-append", len(text))


def piece_of_text(procedure: str, text: str, start: Value, end: Value = DEFAULT) -> str:
    """Return a part of a text."""
    start, end = bounds(procedure, start, end, len(text))
    return text[start:end]


define.internal["%string"] = new_string
define.internal["%too-long"] = check_length
define.internal["%piece"] = piece_of_text
