"""Values on their way between Python and Scheme."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from nodwyn.interp.data import TRUE, UNSPECIFIED, Boolean, Bytevector, Procedure, String, Value, boolean, list_from
from nodwyn.interp.errors import Condition, SchemeError


def to_python(value: Value) -> Any:
    """Return a Scheme value as Python sees it.

    Booleans are ``bool``, strings ``str``, bytevectors ``bytes`` and the unspecified value ``None``. Everything else is
    the same object: exact integers ``int``, inexact reals ``float``, and pairs, vectors, symbols and so on of
    ``nodwyn.interp.data``. A procedure is called with ``Interpreter.call``.
    """
    kind = value.__class__
    if kind is Boolean:
        return value is TRUE
    if kind is String:
        return value.text()
    if kind is Bytevector:
        return bytes(value.octets)
    return None if value is UNSPECIFIED else value


def from_python(value: Any, name: str = "a Python function") -> Value:
    """Return a Python value as Scheme sees it: the other way round, and a new list for a list or tuple.

    A function becomes a procedure called ``name``; one that is a Scheme procedure stays itself.
    """
    if value is None:
        return UNSPECIFIED
    if value is True or value is False:
        return boolean(value)
    if isinstance(value, str):
        return String(value)
    if isinstance(value, (bytes, bytearray)):
        return Bytevector(bytearray(value))
    if isinstance(value, (list, tuple)):
        return list_from([from_python(item) for item in value])
    if isinstance(value, complex):
        from nodwyn.interp.numbers.rectangular import from_complex

        return from_complex(value)
    return wrapped(name, value) if callable(value) and not is_procedure(value) else value


def is_procedure(value: Callable[..., Any]) -> bool:
    """Say whether something that Python can call is a Scheme procedure: compiled code, a builtin, or wrapped."""
    if isinstance(value, FunctionType):
        return "%units" in value.__globals__ or (value.__module__ or "").startswith("nodwyn.interp.")
    return isinstance(value, Procedure)


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
