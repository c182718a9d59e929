"""The procedures of SRFI 13 that call no procedure of the program; (srfi 13) exports them without the ``%``.

Case is mapped character by character here, as that document asks, and not as ``string-upcase`` of
R7RS does: no mapping changes the length of a string.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from nodwyn.interp.builtins import unicode
from nodwyn.interp.builtins.arguments import (
    bounds,
    char_text,
    length_of,
    mutable_chars,
    position,
    string_text,
    within_limit,
)
from nodwyn.interp.builtins.hashing import string_hash
from nodwyn.interp.builtins.lists import proper
from nodwyn.interp.builtins.strings import joined, piece, string_of_chars
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    FALSE,
    UNLABELLED,
    UNSPECIFIED,
    Boolean,
    Origin,
    String,
    Value,
    boolean,
    intern,
    union,
)
from nodwyn.interp.errors import failure, out_of_range, wrong_type

define = Table()

_SPACE = UNLABELLED[" "]
_BLANK = String(" ", UNLABELLED, True)
_INFIX = intern("infix")


def _made_from(first: Value, second: Value) -> Origin:
    return union(first.origin, second.origin)


@define("%string-null?")
def string_is_null(s: Value) -> Boolean:
    return boolean(not string_text("string-null?", "s", s))


# Selection


@define("%substring/shared")
def substring_shared(s: Value, start: Value, end: Value = DEFAULT) -> String:
    return String(piece("substring/shared", s, start, end), s.origin)


def _taking(name: str, part: Callable[[str, int], str]) -> None:
    @define(f"%{name}")
    def take(s: Value, nchars: Value) -> String:
        text = string_text(name, "s", s)
        return String(part(text, position(name, "nchars", nchars, 0, len(text))), s.origin)


_taking("string-take", lambda text, count: text[:count])
_taking("string-drop", lambda text, count: text[count:])
_taking("string-take-right", lambda text, count: text[len(text) - count :])
_taking("string-drop-right", lambda text, count: text[: len(text) - count])


@define("%string-pad")
def string_pad(s: Value, len_: Value, char: Value = _SPACE, start: Value = DEFAULT, end: Value = DEFAULT) -> String:
    text, padding, origin = _padding("string-pad", s, len_, char, start, end)
    return String(padding + text[max(0, len(text) - len_) :], origin)


@define("%string-pad-right")
def string_pad_right(
    s: Value, len_: Value, char: Value = _SPACE, start: Value = DEFAULT, end: Value = DEFAULT
) -> String:
    text, padding, origin = _padding("string-pad-right", s, len_, char, start, end)
    return String(text[:len_] + padding, origin)


def _padding(name: str, s: Value, len_: Value, char: Value, start: Value, end: Value) -> tuple[str, str, Origin]:
    text = piece(name, s, start, end)
    wanted = length_of(name, "len", len_)
    filler = char_text(name, "char", char)
    if wanted <= len(text):
        return text, "", s.origin
    return text, filler * (wanted - len(text)), _made_from(s, char)


# Comparison


def _fold(text: str) -> str:
    """Return the text folded for comparison without case, each character by itself."""
    if text.isascii():
        return text.lower()
    return "".join([unicode.downcase(unicode.upcase(char)) for char in text])


def _same(text: str) -> str:
    return text


def _pieces(name: str, s1: Value, s2: Value, start1: Value, end1: Value, start2: Value, end2: Value) -> tuple[str, str]:
    return piece(name, s1, start1, end1), piece(name, s2, start2, end2)


def _common_prefix(first: str, second: str) -> int:
    """Return the length of the longest prefix of both."""
    # Halving with comparisons of slices looks at each character about twice, at the speed of C.
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(first: str, second: str) -> int:
    return _common_prefix(first[::-1], second[::-1])


def _is_prefix(first: str, second: str) -> Boolean:
    return boolean(second.startswith(first))


def _is_suffix(first: str, second: str) -> Boolean:
    return boolean(second.endswith(first))


def _on_two(name: str, compute: Callable[[str, str], Any], form: Callable[[str], str]) -> None:
    """Declare a procedure on the text in two ranges, each first brought into ``form``."""

    @define(f"%{name}")
    def compare(
        s1: Value,
        s2: Value,
        start1: Value = DEFAULT,
        end1: Value = DEFAULT,
        start2: Value = DEFAULT,
        end2: Value = DEFAULT,
    ) -> Value:
        first, second = _pieces(name, s1, s2, start1, end1, start2, end2)
        return compute(form(first), form(second))


def _truth_of(holds: Callable[[str, str], bool]) -> Callable[[str, str], Boolean]:
    return lambda first, second: boolean(holds(first, second))


for _ci, _form in (("", _same), ("-ci", _fold)):
    for _sign, _holds in (("=", eq), ("<>", ne), ("<", lt), (">", gt), ("<=", le), (">=", ge)):
        _on_two(f"string{_ci}{_sign}", _truth_of(_holds), _form)
    _on_two(f"string-prefix-length{_ci}", _common_prefix, _form)
    _on_two(f"string-suffix-length{_ci}", _common_suffix, _form)
    _on_two(f"string-prefix{_ci}?", _is_prefix, _form)
    _on_two(f"string-suffix{_ci}?", _is_suffix, _form)


def _containing(name: str, form: Callable[[str], str]) -> None:
    @define(f"%{name}")
    def contains(
        s1: Value,
        s2: Value,
        start1: Value = DEFAULT,
        end1: Value = DEFAULT,
        start2: Value = DEFAULT,
        end2: Value = DEFAULT,
    ) -> Value:
        text, pattern = _pieces(name, s1, s2, start1, end1, start2, end2)
        found = form(text).find(form(pattern))
        if found < 0:
            return FALSE
        return found if start1 is DEFAULT else found + start1


_containing("string-contains", _same)
_containing("string-contains-ci", _fold)


@define("%string-hash-ci")
def string_hash_ci(s: Value, bound: Value = DEFAULT, start: Value = DEFAULT, end: Value = DEFAULT) -> int:
    """Return a hash value that is the same for all strings that SRFI 13's ``string-ci=`` holds equal."""
    return string_hash(String(_fold(piece("string-hash-ci", s, start, end))), bound)


# Case


def _upcase(text: str) -> str:
    return text.upper() if text.isascii() else "".join(map(unicode.upcase, text))


def _downcase(text: str) -> str:
    return text.lower() if text.isascii() else "".join(map(unicode.downcase, text))


def _titlecase(text: str) -> str:
    result = []
    after_cased = False
    for char in text:
        title = char.title()
        result.append(unicode.downcase(char) if after_cased else title if len(title) == 1 else char)
        after_cased = char.islower() or char.isupper() or char.istitle()
    return "".join(result)


def _reverse(text: str) -> str:
    return text[::-1]


def _rewriting(name: str, rewrite: Callable[[str], str]) -> None:
    """Declare a procedure that makes text of the same length, and the one that writes it in place."""

    @define(f"%{name}")
    def rewritten(s: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> String:
        return String(rewrite(piece(name, s, start, end)), s.origin)

    @define(f"%{name}!")
    def rewrite_in_place(s: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
        chars = mutable_chars(f"{name}!", s)
        first, last = bounds(f"{name}!", start, end, len(chars))
        chars[first:last] = rewrite("".join(chars[first:last]))
        return UNSPECIFIED


_rewriting("string-upcase", _upcase)
_rewriting("string-downcase", _downcase)
_rewriting("string-titlecase", _titlecase)
_rewriting("string-reverse", _reverse)


# Putting together


@define("%reverse-list->string")
def reverse_list_to_string(chars: Value) -> String:
    items = proper("reverse-list->string", "char-list", chars)
    return string_of_chars("reverse-list->string", "an element of char-list", reversed(items))


@define("%string-concatenate")
def string_concatenate(strings: Value) -> String:
    return joined("string-concatenate", proper("string-concatenate", "string-list", strings))


@define("%string-concatenate-reverse")
def string_concatenate_reverse(strings: Value, final: Value = DEFAULT, end: Value = DEFAULT) -> String:
    items = proper("string-concatenate-reverse", "string-list", strings)[::-1]
    if final is not DEFAULT:
        items.append(String(piece("string-concatenate-reverse", final, DEFAULT, end), final.origin))
    return joined("string-concatenate-reverse", items)


@define("%string-join")
def string_join(strings: Value, delimiter: Value = _BLANK, grammar: Value = _INFIX) -> String:
    items = proper("string-join", "string-list", strings)
    between = string_text("string-join", "delimiter", delimiter)
    how = getattr(grammar, "name", None)
    if how not in ("infix", "strict-infix", "suffix", "prefix"):
        raise out_of_range("string-join", "grammar", "one of infix, strict-infix, suffix and prefix", grammar)
    if not items:
        if how == "strict-infix":
            raise failure("range", "string-join", "string-list must not be empty with the grammar strict-infix")
        return String("", UNLABELLED)
    if how == "suffix":
        items.append(String("", UNLABELLED))
    elif how == "prefix":
        items.insert(0, String("", UNLABELLED))
    return joined("string-join", items, between, delimiter.origin)


@define("%string-replace")
def string_replace(
    s1: Value, s2: Value, start1: Value, end1: Value, start2: Value = DEFAULT, end2: Value = DEFAULT
) -> String:
    text = string_text("string-replace", "s1", s1)
    first, last = bounds("string-replace", start1, end1, len(text))
    inserted = piece("string-replace", s2, start2, end2)
    return String(text[:first] + inserted + text[last:], _made_from(s1, s2))


def _replicated(name: str, s: Value, from_: Value, to: Value, start: Value, end: Value) -> str:
    text = piece(name, s, start, end)
    if from_.__class__ is not int:
        raise wrong_type(name, "from", "an exact integer", from_)
    if to is DEFAULT:
        to = from_ + len(text)
    if to.__class__ is not int:
        raise wrong_type(name, "to", "an exact integer", to)
    if to < from_:
        raise out_of_range(name, "to", f"at least from, which is {from_}", to)
    count = within_limit(name, to - from_)
    if count == 0:
        return ""
    if not text:
        raise failure("range", name, "an empty string cannot be replicated")
    offset = from_ % len(text)
    copies = (offset + count + len(text) - 1) // len(text)
    return (text * copies)[offset : offset + count]


@define("%xsubstring")
def xsubstring(s: Value, from_: Value, to: Value = DEFAULT, start: Value = DEFAULT, end: Value = DEFAULT) -> String:
    return String(_replicated("xsubstring", s, from_, to, start, end), s.origin)


@define("%string-xcopy!")
def string_xcopy(
    target: Value,
    tstart: Value,
    s: Value,
    sfrom: Value,
    sto: Value = DEFAULT,
    start: Value = DEFAULT,
    end: Value = DEFAULT,
) -> Value:
    text = _replicated("string-xcopy!", s, sfrom, sto, start, end)
    chars = mutable_chars("string-xcopy!", target)
    position("string-xcopy!", "tstart", tstart, 0, len(chars) - len(text))
    chars[tstart : tstart + len(text)] = text
    target.take_in(s.origin)
    return UNSPECIFIED
