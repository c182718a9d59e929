"""The checks of arguments that builtins of several types share, and how a wrong one is reported."""

from __future__ import annotations

from nodwyn.interp.data import DEFAULT, Char, String, Value
from nodwyn.interp.errors import Condition, SchemeError, failure, out_of_range, wrong_type

MOST_ELEMENTS = 2**28
"""The longest string, vector, bytevector or list that one call makes."""


def within_limit(procedure: str, count: int) -> int:
    """Return ``count``, the length of a result, or raise the "limit" error for one that is too long."""
    if count > MOST_ELEMENTS:
        raise failure("limit", procedure, f"a result of {count} elements is above the limit of {MOST_ELEMENTS}")
    return count


def length_of(procedure: str, parameter: str, value: Value) -> int:
    """Return ``value``, an argument that is the length of a new object, once checked."""
    if value.__class__ is not int:
        raise wrong_type(procedure, parameter, "an exact non-negative integer", value)
    if value < 0:
        raise out_of_range(procedure, parameter, "an exact non-negative integer", value)
    if value > MOST_ELEMENTS:
        # The value may have thousands of digits, so the message shows the limit alone.
        raise failure("limit", procedure, f"{parameter} is above the limit of {MOST_ELEMENTS} elements")
    return value


def bad_index(procedure: str, value: Value, length: int, parameter: str = "index") -> SchemeError:
    """Return the error for an index that is no exact integer from 0 to ``length`` - 1."""
    if value.__class__ is not int:
        return wrong_type(procedure, parameter, "an exact non-negative integer", value)
    if length == 0:
        return out_of_range(procedure, parameter, "an index, but there are no elements", value)
    return out_of_range(procedure, parameter, f"an index from 0 to {length - 1}", value)


def position(procedure: str, parameter: str, value: Value, first: int, last: int) -> int:
    """Return ``value``, a place between elements, once checked to be an exact integer from first to last."""
    if value.__class__ is not int:
        raise wrong_type(procedure, parameter, "an exact non-negative integer", value)
    if not first <= value <= last:
        raise out_of_range(procedure, parameter, f"an index from {first} to {last}", value)
    return value


def bounds(procedure: str, start: Value, end: Value, length: int) -> tuple[int, int]:
    """Return the range that the optional arguments ``start`` and ``end`` mean in an object of ``length`` elements."""
    end = length if end is DEFAULT else position(procedure, "end", end, 0, length)
    start = 0 if start is DEFAULT else position(procedure, "start", start, 0, end)
    return start, end


def string_text(procedure: str, parameter: str, value: Value) -> str:
    """Return the text of ``value``, which must be a string."""
    if value.__class__ is not String:
        raise wrong_type(procedure, parameter, "a string", value)
    return value.text()


def char_text(procedure: str, parameter: str, value: Value) -> str:
    """Return the one code point of ``value``, which must be a character."""
    if value.__class__ is not Char:
        raise wrong_type(procedure, parameter, "a character", value)
    return value.char


def mutable_chars(procedure: str, value: Value) -> list[str]:
    """Return the characters of the string ``value`` as the list that mutation works on."""
    if value.__class__ is not String:
        raise wrong_type(procedure, "string", "a string", value)
    if value.frozen:
        condition = wrong_type(procedure, "string", "a string that can be changed", value).payload
        assert isinstance(condition, Condition)
        condition.message += ", a constant"
        condition.hint = "string-copy makes a string that can be changed"
        raise SchemeError(condition)
    return value.unsettle()
