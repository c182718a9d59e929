"""Builtins applied to Python values, so that their tests are tables of calls and results.

``[1, 2]`` is a list, ``(1, 2)`` a vector, ``"abc"`` a string, ``b"abc"`` a bytevector, ``"'abc"`` a symbol,
``"#\\\\a"`` a character, ``None`` the unspecified value. Whatever else is itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.builtins import (
    booleans,
    bytevectors,
    chars,
    control_data,
    equivalence,
    hash_tables,
    lists,
    pairs,
    ports,
    strings,
    symbols,
    system,
    vectors,
)
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    FALSE,
    NIL,
    TRUE,
    UNSPECIFIED,
    Boolean,
    Bytevector,
    Char,
    Pair,
    String,
    Symbol,
    Value,
    Vector,
    character,
    intern,
    list_from,
)
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.host import ClosedHost, Host

MODULES = (
    booleans,
    bytevectors,
    chars,
    control_data,
    equivalence,
    hash_tables,
    lists,
    pairs,
    ports,
    strings,
    symbols,
    system,
    vectors,
)


class Runtime:
    """As much of an interpreter as builtins are bound to: a host, and parameters that never change."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def parameter(self, default: Value, converter: Callable[[Value], Value] | None = None) -> Callable[[], Value]:
        """Return what gives the value of the parameter."""
        value = default if converter is None else converter(default)
        return lambda: value


def bound_to(host: Host) -> dict[str, Callable[..., Value]]:
    """Return all builtins on data by name, bound to ``host``."""
    table = Table()
    for module in MODULES:
        table.procedures.update(module.define.procedures)
    runtime: Any = Runtime(host)
    for module in (ports, system):
        module.bind(runtime, table)
    return table.procedures


def to_scheme(value: Any) -> Value:
    """Return the Scheme value that a Python one stands for."""
    if value is None:
        return UNSPECIFIED
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, str):
        if value.startswith("'"):
            return intern(value[1:])
        return character(value[2:]) if value.startswith("#\\") else String(value)
    if isinstance(value, bytes):
        return Bytevector(bytearray(value))
    if isinstance(value, list):
        return list_from([to_scheme(each) for each in value])
    if isinstance(value, tuple):
        return Vector([to_scheme(each) for each in value])
    return value


def to_python(value: Value) -> Any:
    """Return the Python value that stands for a Scheme one; an improper list ends in ``"."`` and its tail."""
    if value is UNSPECIFIED:
        return None
    if isinstance(value, Boolean):
        return value.truth
    if isinstance(value, String):
        return value.text()
    if isinstance(value, Symbol):
        return f"'{value.name}"
    if isinstance(value, Char):
        return f"#\\{value.char}"
    if isinstance(value, Bytevector):
        return bytes(value.octets)
    if isinstance(value, Vector):
        return tuple(to_python(each) for each in value.items)
    items: list[Any] = []
    while isinstance(value, Pair):
        items.append(to_python(value.car))
        value = value.cdr
    if value is NIL:
        return items
    return [*items, ".", to_python(value)] if items else value


@pytest.fixture
def bind() -> Callable[[Host], dict[str, Callable[..., Value]]]:
    """The function that binds the builtins to a host."""
    return bound_to


@pytest.fixture(scope="session")
def builtins() -> dict[str, Callable[..., Value]]:
    """All builtins on data, bound to a host that grants nothing."""
    return bound_to(ClosedHost())


@pytest.fixture(scope="session")
def apply(builtins: dict[str, Callable[..., Value]]) -> Callable[..., Any]:
    """Apply a builtin, by name, to Python values; so is the result."""
    return lambda name, *arguments: to_python(builtins[name](*map(to_scheme, arguments)))


@pytest.fixture(scope="session")
def complaint(builtins: dict[str, Callable[..., Value]]) -> Callable[..., str]:
    """Apply a builtin to arguments that are wrong; the result is the error as ``kind: procedure: message``."""

    def apply_wrongly(name: str, *arguments: Any) -> str:
        with pytest.raises(SchemeError) as error:
            builtins[name](*map(to_scheme, arguments))
        condition = error.value.payload
        assert isinstance(condition, Condition)
        return f"{condition.kind}: {condition.procedure}: {condition.message}"

    return apply_wrongly


@pytest.fixture(scope="session")
def circular() -> Pair:
    """A circular list of the numbers 1 to 3."""
    first: Pair = list_from([1, 2, 3])
    first.cdr.cdr.cdr = first
    return first
