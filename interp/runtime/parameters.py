"""Parameters (section 4.2.6 and SRFI 39)."""

from __future__ import annotations

from typing import Any

from nodwyn.interp.data import UNSPECIFIED, Box, Procedure, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.runtime.state import State
from nodwyn.interp.runtime.trampoline import execute


class Parameter(Procedure):
    """A parameter object: its cell outside every ``parameterize``, and its converter or None.

    Each ``parameterize`` binds it to a new cell. Called with a value, it sets the current cell.
    """

    __slots__ = ("converter", "default", "tc")

    def __init__(self, tc: State, default: Value, converter: Any = None) -> None:
        self.tc = tc
        self.default = Box(default)
        self.converter = converter

    def __call__(self, *values: Value) -> Value:
        bindings = self.tc.bindings
        if not values:
            return bindings[self].content if self in bindings else self.default.content
        if len(values) > 1:
            message = f"takes at most one argument, got {len(values)}"
            raise SchemeError(Condition("arity", message, procedure="a parameter"))
        bindings.get(self, self.default).content = self.converted(values[0])
        return UNSPECIFIED

    def converted(self, value: Value) -> Value:
        """Return what the converter makes of a value."""
        return value if self.converter is None else execute(self.tc, self.converter, value)
