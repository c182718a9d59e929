"""Numeric builtins called as text, so that tables of examples read as Scheme."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.interp.builtins import (
    numbers,
    numbers_bitwise,
    numbers_conversion,
    numbers_integer,
    numbers_transcendental,
)
from nodwyn.interp.data import FALSE, NIL, TRUE, Boolean, Pair, String, Value, Values, Vector, intern, iterate
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.numbers import format_number, parse_number

PROCEDURES = {
    name: procedure
    for module in (numbers, numbers_integer, numbers_transcendental, numbers_conversion, numbers_bitwise)
    for name, procedure in module.define.procedures.items()
}


def datum(text: str) -> Value:
    """Return the number, boolean, string without spaces, or else symbol, that ``text`` denotes."""
    if text in ("#t", "#f"):
        return TRUE if text == "#t" else FALSE
    if text.startswith('"'):
        return String(text[1:-1])
    number = parse_number(text)
    return intern(text) if number is None else number


def shown(value: Value) -> str:
    """Return the text of a result; of several values with spaces between."""
    if isinstance(value, Values):
        return " ".join(map(shown, value.results))
    if isinstance(value, Pair) or value is NIL:
        return f"({' '.join(map(shown, iterate(value)))})"
    if isinstance(value, Vector):
        return f"#({' '.join(map(shown, value.items))})"
    if isinstance(value, String):
        return f'"{value.text()}"'
    if isinstance(value, Boolean):
        return repr(value)
    return format_number(value)


@pytest.fixture
def call() -> Callable[[str], str]:
    """Return a function from a call without its parentheses, ``+ 1 2``, to its result, ``3``.

    The result of a call that fails is the kind of the condition and its message.
    """

    def called(text: str) -> str:
        procedure, *operands = text.split()
        try:
            return shown(PROCEDURES[procedure](*map(datum, operands)))
        except SchemeError as error:
            condition = error.payload
            return f"{condition.kind}: {condition.procedure}: {condition.message}"

    return called
