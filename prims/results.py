"""What primitives return, as Scheme has it and as JSON.

A primitive returns plain Python: None, true or false, numbers, texts, lists, dictionaries and named tuples. In Scheme a
dictionary or named tuple is an association list with symbols for keys, and every text carries the labels of where it
came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nodwyn.interp.data import (
    UNSPECIFIED,
    Bytevector,
    String,
    Value,
    boolean,
    cons,
    intern,
    list_from,
    origin_of,
)
from nodwyn.interp.datum import Datum


def scheme_of(result: Any, labels: frozenset[str]) -> Value:
    """Return a primitive's result as a Scheme value whose texts carry ``labels``."""
    origin = origin_of(labels)

    def convert(value: Any) -> Value:
        if isinstance(value, str):
            return String(value, origin)
        if value is None:
            return UNSPECIFIED
        if isinstance(value, bool):
            return boolean(value)
        if isinstance(value, (bytes, bytearray)):
            return Bytevector(bytearray(value), origin)
        items = _named_items(value)
        if items is not None:
            return list_from([cons(intern(name), convert(item)) for name, item in items.items()])
        if isinstance(value, (list, tuple)):
            return list_from([convert(item) for item in value])
        return value

    return convert(result)


def json_of(result: Any) -> Any:
    """Return a primitive's result as JSON; what has no form there as Scheme writes it."""
    if result is None or isinstance(result, (str, bool, int, float)):
        return result
    items = _named_items(result)
    if items is not None:
        return {name: json_of(item) for name, item in items.items()}
    if isinstance(result, (list, tuple)):
        return [json_of(item) for item in result]
    from nodwyn.interp.printer import abbreviated

    return abbreviated(result) if isinstance(result, Datum) else str(result)


def _named_items(value: Any) -> Mapping[str, Any] | None:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return value._asdict()  # type: ignore[no-any-return]
    return None
