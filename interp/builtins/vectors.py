"""Vectors: section 6.8."""

from __future__ import annotations

from nodwyn.interp.builtins.arguments import bad_index, bounds, length_of, position, within_limit
from nodwyn.interp.builtins.lists import proper
from nodwyn.interp.builtins.strings import string_of_chars
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import DEFAULT, FALSE, TRUE, UNSPECIFIED, Boolean, String, Value, Vector, list_from
from nodwyn.interp.errors import wrong_type

define = Table()


def elements(procedure: str, parameter: str, value: Value) -> list[Value]:
    """Return the elements of ``value``, an argument that must be a vector: its own list, not a copy."""
    if value.__class__ is not Vector:
        raise wrong_type(procedure, parameter, "a vector", value)
    return value.items


def _slice(procedure: str, vector: Value, start: Value, end: Value) -> list[Value]:
    items = elements(procedure, "vector", vector)
    if start is end is DEFAULT:
        return items[:]
    first, last = bounds(procedure, start, end, len(items))
    return items[first:last]


@define("vector?")
def is_vector(value: Value) -> Boolean:
    return TRUE if value.__class__ is Vector else FALSE


@define("make-vector")
def make_vector(k: Value, fill: Value = UNSPECIFIED) -> Vector:
    return Vector([fill] * length_of("make-vector", "k", k))


@define("vector")
def make_vector_of(*items: Value) -> Vector:
    return Vector(list(items))


@define("vector-length")
def vector_length(vector: Value) -> int:
    return len(elements("vector-length", "vector", vector))


@define("vector-ref")
def vector_ref(vector: Value, k: Value) -> Value:
    items = elements("vector-ref", "vector", vector)
    if k.__class__ is not int or not 0 <= k < len(items):
        raise bad_index("vector-ref", k, len(items), "k")
    return items[k]


@define("vector-set!")
def vector_set(vector: Value, k: Value, value: Value) -> Value:
    items = elements("vector-set!", "vector", vector)
    if k.__class__ is not int or not 0 <= k < len(items):
        raise bad_index("vector-set!", k, len(items), "k")
    items[k] = value
    return UNSPECIFIED


@define("vector->list")
def vector_to_list(vector: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    return list_from(_slice("vector->list", vector, start, end))


@define("list->vector")
def list_to_vector(items: Value) -> Vector:
    return Vector(proper("list->vector", "list", items))


@define("vector->string")
def vector_to_string(vector: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> String:
    chars = _slice("vector->string", vector, start, end)
    return string_of_chars("vector->string", "an element of vector", chars)


@define("vector-copy")
def vector_copy(vector: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Vector:
    return Vector(_slice("vector-copy", vector, start, end))


@define("vector-copy!")
def vector_copy_into(to: Value, at: Value, source: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    target = elements("vector-copy!", "to", to)
    items = elements("vector-copy!", "from", source)
    first, last = bounds("vector-copy!", start, end, len(items))
    at = position("vector-copy!", "at", at, 0, len(target))
    position("vector-copy!", "end", last, first, first + len(target) - at)
    target[at : at + last - first] = items[first:last]
    return UNSPECIFIED


@define("vector-append")
def vector_append(*vectors: Value) -> Vector:
    parts = [elements("vector-append", "vector", each) for each in vectors]
    within_limit("vector-append", sum(map(len, parts)))
    result: list[Value] = []
    for part in parts:
        result += part
    return Vector(result)


@define("vector-fill!")
def vector_fill(vector: Value, fill: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    items = elements("vector-fill!", "vector", vector)
    first, last = bounds("vector-fill!", start, end, len(items))
    items[first:last] = [fill] * (last - first)
    return UNSPECIFIED
