"""Bitwise operations on exact integers (SRFI 151), without those that take procedures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    FALSE,
    NIL,
    TRUE,
    Boolean,
    Pair,
    Value,
    Vector,
    list_from,
)
from nodwyn.interp.errors import SchemeError, out_of_range, wrong_type
from nodwyn.interp.numbers.limits import MAX_BITS, check_size, too_large

define: Final = Table()


def _check(procedure: str, *integers: Value) -> None:
    for integer in integers:
        if integer.__class__ is not int:
            raise _not_integer(procedure, integer)


def _not_integer(procedure: str, *arguments: Value) -> SchemeError:
    wrong = next(argument for argument in arguments if argument.__class__ is not int)
    return wrong_type(procedure, "argument", "an exact integer", wrong)


def _check_index(procedure: str, parameter: str, index: Value) -> None:
    if index.__class__ is not int:
        raise wrong_type(procedure, parameter, "an exact integer", index)
    if index < 0:
        raise out_of_range(procedure, parameter, "a non-negative exact integer", index)


@define("bitwise-not")
def bitwise_not(i: Value) -> Value:
    _check("bitwise-not", i)
    return ~i


@define("bitwise-and")
def bitwise_and(i: Value = -1, j: Value = -1, *rest: Value) -> Value:
    try:
        result = i & j
        for each in rest:
            result &= each
    except TypeError:
        raise _not_integer("bitwise-and", i, j, *rest) from None
    return result


@define("bitwise-ior")
def bitwise_ior(i: Value = 0, j: Value = 0, *rest: Value) -> Value:
    try:
        result = i | j
        for each in rest:
            result |= each
    except TypeError:
        raise _not_integer("bitwise-ior", i, j, *rest) from None
    return result


@define("bitwise-xor")
def bitwise_xor(i: Value = 0, j: Value = 0, *rest: Value) -> Value:
    try:
        result = i ^ j
        for each in rest:
            result ^= each
    except TypeError:
        raise _not_integer("bitwise-xor", i, j, *rest) from None
    return result


@define("bitwise-eqv")
def bitwise_eqv(*integers: Value) -> Value:
    _check("bitwise-eqv", *integers)
    result = -1
    for each in integers:
        result = ~(result ^ each)
    return result


@define("bitwise-nand")
def bitwise_nand(i: Value, j: Value) -> Value:
    _check("bitwise-nand", i, j)
    return ~(i & j)


@define("bitwise-nor")
def bitwise_nor(i: Value, j: Value) -> Value:
    _check("bitwise-nor", i, j)
    return ~(i | j)


@define("bitwise-andc1")
def bitwise_andc1(i: Value, j: Value) -> Value:
    _check("bitwise-andc1", i, j)
    return ~i & j


@define("bitwise-andc2")
def bitwise_andc2(i: Value, j: Value) -> Value:
    _check("bitwise-andc2", i, j)
    return i & ~j


@define("bitwise-orc1")
def bitwise_orc1(i: Value, j: Value) -> Value:
    _check("bitwise-orc1", i, j)
    return ~i | j


@define("bitwise-orc2")
def bitwise_orc2(i: Value, j: Value) -> Value:
    _check("bitwise-orc2", i, j)
    return i | ~j


@define("arithmetic-shift")
def arithmetic_shift(i: Value, count: Value) -> Value:
    _check("arithmetic-shift", i, count)
    return i >> -count if count < 0 else _shifted("arithmetic-shift", i, count)


def _shifted(procedure: str, i: int, count: int) -> int:
    if i and i.bit_length() + count > MAX_BITS:
        raise too_large(procedure)
    return i << count if i else 0


@define("bit-count")
def bit_count(i: Value) -> Value:
    _check("bit-count", i)
    return (~i if i < 0 else i).bit_count()


@define("integer-length")
def integer_length(i: Value) -> Value:
    _check("integer-length", i)
    return (~i if i < 0 else i).bit_length()


@define("bitwise-if")
def bitwise_if(mask: Value, i: Value, j: Value) -> Value:
    _check("bitwise-if", mask, i, j)
    return (mask & i) | (~mask & j)


@define("bit-set?")
def is_bit_set(index: Value, i: Value) -> Boolean:
    _check_index("bit-set?", "index", index)
    _check("bit-set?", i)
    return TRUE if i >> index & 1 else FALSE


@define("copy-bit")
def copy_bit(index: Value, i: Value, bit: Value) -> Value:
    _check_index("copy-bit", "index", index)
    _check("copy-bit", i)
    return _with_bit("copy-bit", i, index, _bit("copy-bit", bit))


@define("bit-swap")
def bit_swap(index1: Value, index2: Value, i: Value) -> Value:
    _check_index("bit-swap", "index1", index1)
    _check_index("bit-swap", "index2", index2)
    _check("bit-swap", i)
    first, second = i >> index1 & 1, i >> index2 & 1
    return _with_bit("bit-swap", _with_bit("bit-swap", i, index1, second), index2, first)


def _with_bit(procedure: str, i: int, index: int, bit: int) -> int:
    if i >> index & 1 == bit:
        return i
    return i ^ _shifted(procedure, 1, index)


@define("any-bit-set?")
def is_any_bit_set(test_bits: Value, i: Value) -> Boolean:
    _check("any-bit-set?", test_bits, i)
    return TRUE if test_bits & i else FALSE


@define("every-bit-set?")
def is_every_bit_set(test_bits: Value, i: Value) -> Boolean:
    _check("every-bit-set?", test_bits, i)
    return TRUE if test_bits & i == test_bits else FALSE


@define("first-set-bit")
def first_set_bit(i: Value) -> Value:
    _check("first-set-bit", i)
    return (i & -i).bit_length() - 1


def _field(procedure: str, i: Value, start: Value, end: Value) -> tuple[int, int]:
    """Check the description of a bit field; return where it starts and how many bits it has."""
    _check(procedure, i)
    _check_index(procedure, "start", start)
    _check_index(procedure, "end", end)
    if end < start:
        raise out_of_range(procedure, "end", f"at least the start, {start}", end)
    return start, end - start


def _mask(procedure: str, start: int, width: int) -> int:
    """Return an integer with these bits set alone. Raises: SchemeError of kind "limit"."""
    if width and start + width > MAX_BITS:
        raise too_large(procedure)
    return ((1 << width) - 1) << start if width else 0


def _extract(procedure: str, i: int, start: int, width: int) -> int:
    field = i >> start
    # Beyond its own bits a non-negative integer has only zeros: a far end of the field costs nothing.
    if field >= 0 and width >= field.bit_length():
        return field
    return field & _mask(procedure, 0, width)


@define("bit-field")
def bit_field(i: Value, start: Value, end: Value) -> Value:
    return _extract("bit-field", i, *_field("bit-field", i, start, end))


@define("bit-field-any?")
def is_bit_field_any(i: Value, start: Value, end: Value) -> Boolean:
    low, width = _field("bit-field-any?", i, start, end)
    return TRUE if width and 0 <= first_set_bit(i >> low) < width else FALSE


@define("bit-field-every?")
def is_bit_field_every(i: Value, start: Value, end: Value) -> Boolean:
    low, width = _field("bit-field-every?", i, start, end)
    return FALSE if width and 0 <= first_set_bit(~(i >> low)) < width else TRUE


@define("bit-field-clear")
def bit_field_clear(i: Value, start: Value, end: Value) -> Value:
    low, width = _field("bit-field-clear", i, start, end)
    return i ^ _shifted("bit-field-clear", _extract("bit-field-clear", i, low, width), low)


@define("bit-field-set")
def bit_field_set(i: Value, start: Value, end: Value) -> Value:
    low, width = _field("bit-field-set", i, start, end)
    return i | _mask("bit-field-set", low, width)


@define("bit-field-replace")
def bit_field_replace(dest: Value, source: Value, start: Value, end: Value) -> Value:
    _check("bit-field-replace", source)
    low, width = _field("bit-field-replace", dest, start, end)
    return _replaced("bit-field-replace", dest, low, width, _extract("bit-field-replace", source, 0, width))


@define("bit-field-replace-same")
def bit_field_replace_same(dest: Value, source: Value, start: Value, end: Value) -> Value:
    _check("bit-field-replace-same", source)
    low, width = _field("bit-field-replace-same", dest, start, end)
    return _replaced("bit-field-replace-same", dest, low, width, _extract("bit-field-replace-same", source, low, width))


@define("bit-field-rotate")
def bit_field_rotate(i: Value, count: Value, start: Value, end: Value) -> Value:
    _check("bit-field-rotate", count)
    low, width = _field("bit-field-rotate", i, start, end)
    turn = count % width if width else 0
    if turn == 0:
        return i
    field = _extract("bit-field-rotate", i, low, width)
    upper = _extract("bit-field-rotate", field, 0, width - turn)
    rotated = _shifted("bit-field-rotate", upper, turn) | field >> (width - turn)
    return _replaced("bit-field-rotate", i, low, width, rotated)


@define("bit-field-reverse")
def bit_field_reverse(i: Value, start: Value, end: Value) -> Value:
    low, width = _field("bit-field-reverse", i, start, end)
    field = _extract("bit-field-reverse", i, low, width)
    digits = f"{field:b}"[::-1]
    mirrored = _shifted("bit-field-reverse", int(digits, 2), width - len(digits)) if field else 0
    return _replaced("bit-field-reverse", i, low, width, mirrored)


def _replaced(procedure: str, i: int, start: int, width: int, field: int) -> int:
    old = _extract(procedure, i, start, width)
    return check_size(i ^ _shifted(procedure, old ^ field, start), procedure)  # type: ignore[no-any-return]


@define("bits->list")
def bits_to_list(i: Value, length: Value = DEFAULT) -> Value:
    return list_from(_booleans("bits->list", i, length))


@define("bits->vector")
def bits_to_vector(i: Value, length: Value = DEFAULT) -> Vector:
    return Vector(_booleans("bits->vector", i, length))


@define("list->bits")
def list_to_bits(booleans: Value) -> Value:
    found = []
    pairs = booleans
    while pairs.__class__ is Pair:
        found.append(pairs.car)
        pairs = pairs.cdr
        # Reached as well by a circular list, which has no end.
        if len(found) > MAX_BITS:
            raise too_large("list->bits")
    if pairs is not NIL:
        raise wrong_type("list->bits", "list", "a list of booleans", booleans)
    return _integer("list->bits", found)


@define("vector->bits")
def vector_to_bits(vector: Value) -> Value:
    if vector.__class__ is not Vector:
        raise wrong_type("vector->bits", "vector", "a vector of booleans", vector)
    return _integer("vector->bits", vector.items)


@define("bits")
def bits(*booleans: Value) -> Value:
    return _integer("bits", booleans)


def _booleans(procedure: str, i: Value, length: Value) -> list[Value]:
    """Return the lowest ``length`` bits of an integer, all of its own by default, lowest first."""
    _check_index(procedure, "i", i)
    if length is DEFAULT:
        length = i.bit_length()
    _check_index(procedure, "len", length)
    if length > MAX_BITS:
        raise too_large(procedure)
    digits = f"{i:b}"[::-1][:length]
    booleans = [TRUE if digit == "1" else FALSE for digit in digits]
    booleans.extend([FALSE] * (length - len(digits)))
    return booleans


def _integer(procedure: str, booleans: Sequence[Value]) -> int:
    """Return the integer whose bits, lowest first, are these."""
    if len(booleans) > MAX_BITS:
        raise too_large(procedure)
    digits = ["01"[_bit(procedure, each)] for each in reversed(booleans)]
    return int("".join(digits) or "0", 2)


def _bit(procedure: str, value: Value) -> int:
    if value.__class__ is not Boolean:
        raise wrong_type(procedure, "bit", "a boolean", value)
    return 1 if value is TRUE else 0
