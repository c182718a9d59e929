"""Values on their way between Python and Scheme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nodwyn.interp.data import FALSE, TRUE, UNSPECIFIED, Boolean, String, Value, boolean, list_from
from nodwyn.interp.errors import Condition, SchemeError


def to_python(value: Value) -> Any:
    """Return a Scheme value as Python sees it: ``bool`` for booleans, ``str`` for strings, ``None`` for the unspecified
    value; everything else is the same object (numbers, pairs, symbols, procedures …)."""
    if value.__class__ is Boolean:
        return value is TRUE
    if value.__class__ is String:
        return value.text()
    return None if value is UNSPECIFIED else value


def from_python(value: Any) -> Value:
    """Return a Python value as Scheme sees it: the other way round, and a new list for a list or tuple."""
    if value is None:
        return UNSPECIFIED
    if value is True or value is False:
        return boolean(value)
    if isinstance(value, str):
        return String(value)
    if isinstance(value, (list, tuple)):
        return list_from([from_python(item) for item in value])
    return value


def wrapped(name: str, function: Callable[..., Any]) -> Callable[..., Value]:
    """Return a Python function as a Scheme procedure: arguments and result are converted, exceptions are conditions."""

    def procedure(*arguments: Value) -> Value:
        try:
            return from_python(function(*[to_python(argument) for argument in arguments]))
        except SchemeError:
            raise
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            raise SchemeError(Condition("error", message, procedure=name)) from error

    procedure.__name__ = name
    return procedure


__all__ = ["FALSE", "from_python", "to_python", "wrapped"]
