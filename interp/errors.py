"""Conditions, and the Python exceptions that carry them.

A builtin that finds a mistake raises :class:`SchemeError` with a :class:`Condition`, made by one of
the functions below so that messages read alike: ``vector-ref: index must be …, got 1.5``.
"""

from __future__ import annotations

from typing import Any

from nodwyn.interp.data import Value
from nodwyn.interp.datum import Datum

TOP_LEVEL = "top level"
"""In the place of a procedure's name: a form of the text itself. No procedure has it, since it has a space."""

ELIDED = "…"
"""In the place of a name on the stack: procedures were here that ended in a tail call."""


class Condition(Datum):
    """An error object (section 6.11).

    kind: "error" (raised by ``error``), "type", "range", "arity", "unbound", "syntax", "read",
        "file", "numeric", "limit" or "control".
    message: text that says what was wrong and what was expected, without place or procedure.
    irritants: the objects that ``error-object-irritants`` lists.
    procedure: name of the procedure it happened in, or None.
    span: where, if known. hint: a further line for a person, or "".
    """

    __slots__ = ("hint", "irritants", "kind", "message", "procedure", "span")

    def __init__(
        self,
        kind: str,
        message: Any,
        irritants: tuple[Value, ...] = (),
        *,
        procedure: str | None = None,
        span: Any = None,
        hint: str = "",
    ) -> None:
        self.kind = kind
        self.message = message
        self.irritants = irritants
        self.procedure = procedure
        self.span = span
        self.hint = hint


class SchemeError(Exception):
    """Carries any raised Scheme object through Python code.

    stack: the Scheme stack at the fault, as procedure names and spans, innermost first, once the error has left
    the interpreter.
    """

    def __init__(self, payload: Value) -> None:
        super().__init__()
        self.payload = payload
        self.stack: list[tuple[str, Any]] = []

    def __str__(self) -> str:
        from nodwyn.interp.report import summary

        return summary(self.payload)


def wrong_type(procedure: str, parameter: str, expected: str, got: Value) -> SchemeError:
    """Return the error for an argument of the wrong type.

    procedure: its Scheme name. parameter: the parameter's name. expected: with its article, such as
    "a string". got: the argument, shown abbreviated.
    """
    from nodwyn.interp.printer import abbreviated

    message = f"{parameter} must be {expected}, got {abbreviated(got)}"
    return SchemeError(Condition("type", message, (got,), procedure=procedure))


def out_of_range(procedure: str, parameter: str, expected: str, got: Value) -> SchemeError:
    """Return the error for an argument of the right type outside its range ("an index below 3")."""
    from nodwyn.interp.printer import abbreviated

    message = f"{parameter} must be {expected}, got {abbreviated(got)}"
    return SchemeError(Condition("range", message, (got,), procedure=procedure))


def failure(kind: str, procedure: str | None, message: str, *irritants: Value) -> SchemeError:
    """Return any other error of a builtin; ``kind`` is one of :class:`Condition`'s."""
    return SchemeError(Condition(kind, message, irritants, procedure=procedure))


def too_nested(span: Any = None) -> SchemeError:
    """Return the error for a form nested more deeply than it can be compiled; span: a place in it, if known."""
    message = "this form is nested too deeply to be compiled; split it into several procedures"
    return SchemeError(Condition("limit", message, span=span))
