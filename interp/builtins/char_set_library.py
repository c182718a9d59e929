"""The procedures of SRFI 14 that call no procedure of the program. All sets are immutable."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from nodwyn.interp.builtins import char_sets
from nodwyn.interp.builtins.arguments import char_text, string_text
from nodwyn.interp.builtins.char_sets import LAST, CharSet, named
from nodwyn.interp.builtins.hashing import string_hash
from nodwyn.interp.builtins.lists import proper
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    FALSE,
    TRUE,
    UNLABELLED,
    Boolean,
    Char,
    String,
    Value,
    Values,
    boolean,
    character,
    list_from,
    several,
)
from nodwyn.interp.errors import failure, out_of_range, wrong_type

define = Table()


def _set(procedure: str, value: Value, parameter: str = "cs") -> CharSet:
    if value.__class__ is not CharSet:
        raise wrong_type(procedure, parameter, "a set of characters", value)
    return value


def _combined(first: list[int], second: list[int], holds: Callable[[bool, bool], bool]) -> list[int]:
    """Return the edges of the set of what ``holds``, given membership in two sets by their edges."""
    edges: list[int] = []
    one = other = inside = False
    left, right = iter(first), iter(second)
    at, bt = next(left, None), next(right, None)
    while at is not None or bt is not None:
        edge = min(each for each in (at, bt) if each is not None)
        if at == edge:
            one = not one
            at = next(left, None)
        if bt == edge:
            other = not other
            bt = next(right, None)
        if holds(one, other) != inside:
            inside = not inside
            edges.append(edge)
    return edges


def _either(one: bool, other: bool) -> bool:
    return one or other


def _both(one: bool, other: bool) -> bool:
    return one and other


def _first_alone(one: bool, other: bool) -> bool:
    return one and not other


def _one_alone(one: bool, other: bool) -> bool:
    return one != other


def _folded(procedure: str, whole: CharSet, sets: tuple[Value, ...], holds: Callable[[bool, bool], bool]) -> CharSet:
    edges = whole.edges
    for each in sets:
        edges = _combined(edges, _set(procedure, each).edges, holds)
    return CharSet(edges)


def codes_of(chars: CharSet) -> list[int]:
    """Return the members' code points in ascending order."""
    edges = chars.edges
    return [code for low, high in zip(edges[::2], edges[1::2], strict=True) for code in range(low, high)]


# Comparison


@define("char-set=")
def are_equal(*sets: Value) -> Boolean:
    edges = [_set("char-set=", each).edges for each in sets]
    return boolean(all(each == edges[0] for each in edges))


@define("char-set<=")
def are_nested(*sets: Value) -> Boolean:
    edges = [_set("char-set<=", each).edges for each in sets]
    return boolean(not any(_combined(first, second, _first_alone) for first, second in pairwise(edges)))


@define("char-set-hash")
def char_set_hash(chars: Value, bound: Value = DEFAULT) -> int:
    edges = _set("char-set-hash", chars).edges
    return string_hash(String(",".join(map(str, edges))), bound)


# Cursors: the code point of a member, or #f behind the last.


def _member_from(chars: CharSet, code: int) -> Value:
    for low, high in zip(chars.edges[::2], chars.edges[1::2], strict=True):
        if code < high:
            return max(code, low)
    return FALSE


@define("char-set-cursor")
def cursor(chars: Value) -> Value:
    return _member_from(_set("char-set-cursor", chars), 0)


def _code(procedure: str, place: Value) -> int:
    if place.__class__ is not int:
        raise wrong_type(procedure, "cursor", "a cursor that is not at the end", place)
    return place


@define("char-set-ref")
def cursor_ref(chars: Value, place: Value) -> Char:
    code = _code("char-set-ref", place)
    if not 0 <= code <= LAST or not _set("char-set-ref", chars).test(chr(code)):
        raise out_of_range("char-set-ref", "cursor", "a cursor of this set", place)
    return character(chr(code))


@define("char-set-cursor-next")
def cursor_next(chars: Value, place: Value) -> Value:
    return _member_from(_set("char-set-cursor-next", chars), _code("char-set-cursor-next", place) + 1)


@define("end-of-char-set?")
def is_at_end(place: Value) -> Boolean:
    return boolean(place is FALSE)


# Creation


def _with_base(procedure: str, chars: CharSet, base: Value) -> CharSet:
    return chars if base is DEFAULT else _folded(procedure, _set(procedure, base, "base-cs"), (chars,), _either)


def _of_chars(procedure: str, chars: list[Value] | tuple[Value, ...]) -> CharSet:
    return char_sets.of_text("".join([char_text(procedure, "char", each) for each in chars]))


@define("char-set")
def char_set(*chars: Value) -> CharSet:
    return _of_chars("char-set", chars)


@define("list->char-set")
def list_to_char_set(chars: Value, base: Value = DEFAULT) -> CharSet:
    made = _of_chars("list->char-set", proper("list->char-set", "char-list", chars))
    return _with_base("list->char-set", made, base)


@define("string->char-set")
def string_to_char_set(string: Value, base: Value = DEFAULT) -> CharSet:
    made = char_sets.of_text(string_text("string->char-set", "s", string))
    return _with_base("string->char-set", made, base)


@define("ucs-range->char-set")
def ucs_range(lower: Value, upper: Value, is_error: Value = FALSE, base: Value = DEFAULT) -> CharSet:
    for parameter, value in (("lower", lower), ("upper", upper)):
        if value.__class__ is not int:
            raise wrong_type("ucs-range->char-set", parameter, "an exact non-negative integer", value)
    if not 0 <= lower <= upper:
        raise out_of_range("ucs-range->char-set", "upper", "at least lower, which is at least 0", upper)
    whole = named("full").edges
    wanted = [lower, upper] if lower < upper else []
    found = _combined(wanted, whole, _both)
    if is_error is not FALSE and found != wanted:
        raise failure("range", "ucs-range->char-set", f"not all codes from {lower} to {upper} are characters")
    return _with_base("ucs-range->char-set", CharSet(found), base)


@define("->char-set")
def to_char_set(value: Value) -> CharSet:
    if value.__class__ is String:
        return char_sets.of_text(value.text())
    if value.__class__ is Char:
        return char_sets.of_text(value.char)
    return _set("->char-set", value, "x")


# Queries


@define("char-set-size")
def size(chars: Value) -> int:
    edges = _set("char-set-size", chars).edges
    return sum(edges[1::2]) - sum(edges[::2])


@define("char-set->list")
def to_list(chars: Value) -> Value:
    return list_from([character(chr(code)) for code in codes_of(_set("char-set->list", chars))])


@define("char-set->string")
def to_string(chars: Value) -> String:
    return String("".join(map(chr, codes_of(_set("char-set->string", chars)))), UNLABELLED)


@define("char-set-contains?")
def contains(chars: Value, char: Value) -> Boolean:
    code = char_text("char-set-contains?", "char", char)
    return TRUE if _set("char-set-contains?", chars).remembered(code) else FALSE


# Algebra


@define("char-set-adjoin", "char-set-adjoin!")
def adjoin(chars: Value, *more: Value) -> CharSet:
    return _folded("char-set-adjoin", _set("char-set-adjoin", chars), (_of_chars("char-set-adjoin", more),), _either)


@define("char-set-delete", "char-set-delete!")
def delete(chars: Value, *fewer: Value) -> CharSet:
    unwanted = _of_chars("char-set-delete", fewer)
    return _folded("char-set-delete", _set("char-set-delete", chars), (unwanted,), _first_alone)


@define("char-set-complement", "char-set-complement!")
def complement(chars: Value) -> CharSet:
    return _folded("char-set-complement", named("full"), (chars,), _first_alone)


@define("char-set-union", "char-set-union!")
def union(*sets: Value) -> CharSet:
    return _folded("char-set-union", named("empty"), sets, _either)


@define("char-set-intersection", "char-set-intersection!")
def intersection(*sets: Value) -> CharSet:
    if not sets:
        return named("full")
    return _folded("char-set-intersection", _set("char-set-intersection", sets[0]), sets[1:], _both)


@define("char-set-difference", "char-set-difference!")
def difference(first: Value, *sets: Value) -> CharSet:
    return _folded("char-set-difference", _set("char-set-difference", first), sets, _first_alone)


@define("char-set-xor", "char-set-xor!")
def exclusive(*sets: Value) -> CharSet:
    return _folded("char-set-xor", named("empty"), sets, _one_alone)


@define("char-set-diff+intersection", "char-set-diff+intersection!")
def difference_and_intersection(first: Value, *sets: Value) -> Values:
    procedure = "char-set-diff+intersection"
    others = _folded(procedure, named("empty"), sets, _either)
    whole = _set(procedure, first)
    return several((_folded(procedure, whole, (others,), _first_alone), _folded(procedure, whole, (others,), _both)))
