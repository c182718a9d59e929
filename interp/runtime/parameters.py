"""Parameters (section 4.2.6 and SRFI 39): each keeps its current value, so that asking for it costs a call alone.

The bindings of the ``parameterize`` forms that are being evaluated are a chain, innermost first. A binding that
is in force keeps the value from outside it; one that a continuation may come back to keeps the value from inside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nodwyn.interp.data import DEFAULT, UNSPECIFIED, Value
from nodwyn.interp.errors import SchemeError, wrong_type

if TYPE_CHECKING:
    from nodwyn.interp.runtime.state import State


class Cell:
    """The current value of a parameter, and its converter or None."""

    __slots__ = ("content", "converter")

    content: Value
    converter: Callable[[Value], Value] | None


class Binding:
    """A binding of a parameter by ``parameterize``: the value that is not in force, and the bindings outside."""

    __slots__ = ("cell", "other", "outer")

    cell: Cell
    other: Value
    outer: Binding | None


Bindings = Binding | None


def make_parameter(default: Value, convert: Callable[[Value], Value] | None) -> Callable[..., Value]:
    """Return a new parameter object. default: its value, converted. convert: calls its converter, or None."""
    cell = Cell()
    cell.content = default
    cell.converter = convert

    def parameter(value: Value = DEFAULT) -> Value:
        if value is DEFAULT:
            return cell.content
        cell.content = value if convert is None else convert(value)
        return UNSPECIFIED

    parameter.__name__ = ""
    parameter.cell = cell  # type: ignore[attr-defined]
    return parameter


def not_a_parameter(value: Value) -> SchemeError:
    """Return the error for an object that should have been a parameter."""
    return wrong_type("parameterize", "parameter", "a parameter", value)


def bind_parameter(tc: State, parameter: Value, value: Value) -> None:
    """Bind a parameter in the current dynamic extent to a value that has been converted."""
    binding = Binding()
    binding.cell = cell = parameter.cell
    binding.other = cell.content
    binding.outer = tc.bindings
    # A stop between the two leaves a binding that `rebind` takes back.
    tc.bindings = binding
    cell.content = value


def rebind(tc: State, target: Bindings) -> None:
    """Put the bindings of another dynamic extent in force."""
    common = _common(tc.bindings, target)
    binding = tc.bindings
    while binding is not common:
        assert binding is not None
        _swap(binding)
        tc.bindings = binding = binding.outer
    entered = []
    binding = target
    while binding is not common:
        assert binding is not None
        entered.append(binding)
        binding = binding.outer
    for binding in reversed(entered):
        _swap(binding)
        tc.bindings = binding


def _swap(binding: Binding) -> None:
    cell = binding.cell
    cell.content, binding.other = binding.other, cell.content


def _common(first: Bindings, second: Bindings) -> Bindings:
    """Return the innermost binding that two chains share."""
    seen = set()
    while first is not None:
        seen.add(first)
        first = first.outer
    while second is not None and second not in seen:
        second = second.outer
    return second
