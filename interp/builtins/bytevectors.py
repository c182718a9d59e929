"""Bytevectors: section 6.9."""

from __future__ import annotations

from nodwyn.interp.builtins.arguments import bad_index, bounds, length_of, position, within_limit
from nodwyn.interp.builtins.strings import piece
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    FALSE,
    TRUE,
    UNLABELLED,
    UNSPECIFIED,
    Boolean,
    Bytevector,
    String,
    Value,
    union,
)
from nodwyn.interp.errors import failure, out_of_range, wrong_type

define = Table()


def octets_of(procedure: str, parameter: str, value: Value) -> bytearray:
    """Return the bytes of ``value``, an argument that must be a bytevector: its own, not a copy."""
    if value.__class__ is not Bytevector:
        raise wrong_type(procedure, parameter, "a bytevector", value)
    return value.octets


def octet(procedure: str, value: Value) -> int:
    """Return ``value``, an argument that must be a byte."""
    if value.__class__ is not int:
        raise wrong_type(procedure, "byte", "an exact integer from 0 to 255", value)
    if not 0 <= value <= 255:
        raise out_of_range(procedure, "byte", "an exact integer from 0 to 255", value)
    return value


def slice_of(procedure: str, bytevector: Value, start: Value, end: Value) -> bytearray:
    """Return a copy of the bytes of a bytevector between optional bounds."""
    octets = octets_of(procedure, "bytevector", bytevector)
    first, last = bounds(procedure, start, end, len(octets))
    return octets[first:last]


@define("bytevector?")
def is_bytevector(value: Value) -> Boolean:
    return TRUE if value.__class__ is Bytevector else FALSE


@define("make-bytevector")
def make_bytevector(k: Value, byte: Value = 0) -> Bytevector:
    count = length_of("make-bytevector", "k", k)
    return Bytevector(bytearray((octet("make-bytevector", byte),)) * count)


@define("bytevector")
def make_bytevector_of(*octets: Value) -> Bytevector:
    return Bytevector(bytearray([octet("bytevector", each) for each in octets]))


@define("bytevector-length")
def bytevector_length(bytevector: Value) -> int:
    return len(octets_of("bytevector-length", "bytevector", bytevector))


@define("bytevector-u8-ref")
def bytevector_ref(bytevector: Value, k: Value) -> int:
    octets = octets_of("bytevector-u8-ref", "bytevector", bytevector)
    if k.__class__ is not int or not 0 <= k < len(octets):
        raise bad_index("bytevector-u8-ref", k, len(octets), "k")
    return octets[k]


@define("bytevector-u8-set!")
def bytevector_set(bytevector: Value, k: Value, byte: Value) -> Value:
    octets = octets_of("bytevector-u8-set!", "bytevector", bytevector)
    if k.__class__ is not int or not 0 <= k < len(octets):
        raise bad_index("bytevector-u8-set!", k, len(octets), "k")
    octets[k] = octet("bytevector-u8-set!", byte)
    return UNSPECIFIED


@define("bytevector-copy")
def bytevector_copy(bytevector: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Bytevector:
    return Bytevector(slice_of("bytevector-copy", bytevector, start, end), bytevector.origin)


@define("bytevector-copy!")
def bytevector_copy_into(to: Value, at: Value, source: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    target = octets_of("bytevector-copy!", "to", to)
    octets = octets_of("bytevector-copy!", "from", source)
    first, last = bounds("bytevector-copy!", start, end, len(octets))
    at = position("bytevector-copy!", "at", at, 0, len(target))
    position("bytevector-copy!", "end", last, first, first + len(target) - at)
    target[at : at + last - first] = octets[first:last]
    to.origin = union(to.origin, source.origin)
    return UNSPECIFIED


@define("bytevector-append")
def bytevector_append(*bytevectors: Value) -> Bytevector:
    parts = [octets_of("bytevector-append", "bytevector", each) for each in bytevectors]
    within_limit("bytevector-append", sum(map(len, parts)))
    origin = UNLABELLED
    for each in bytevectors:
        origin = union(origin, each.origin)
    return Bytevector(bytearray().join(parts), origin)


@define("bytevector-fill!")
def bytevector_fill(bytevector: Value, byte: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    octets = octets_of("bytevector-fill!", "bytevector", bytevector)
    code = octet("bytevector-fill!", byte)
    first, last = bounds("bytevector-fill!", start, end, len(octets))
    octets[first:last] = bytes((code,)) * (last - first)
    return UNSPECIFIED


@define("utf8->string")
def utf8_to_string(bytevector: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> String:
    octets = slice_of("utf8->string", bytevector, start, end)
    try:
        return String(octets.decode("utf-8"), bytevector.origin)
    except UnicodeDecodeError as error:
        place = error.start + (0 if start is DEFAULT else start)
        message = f"bytevector must be UTF-8, but byte {place} starts no valid character"
        raise failure("range", "utf8->string", message, bytevector) from None


@define("string->utf8")
def string_to_utf8(string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Bytevector:
    return Bytevector(bytearray(piece("string->utf8", string, start, end).encode("utf-8")), string.origin)
