"""Parameters (section 4.2.6)."""

from __future__ import annotations

from typing import Any

from nodwyn.interp.data import Procedure, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.runtime.state import State


class Parameter(Procedure):
    """A parameter object: its value outside every ``parameterize``, and its converter or None."""

    __slots__ = ("converter", "default", "tc")

    def __init__(self, tc: State, default: Value, converter: Any = None) -> None:
        self.tc = tc
        self.default = default
        self.converter = converter

    def __call__(self, *values: Value) -> Value:
        if values:
            message = f"takes no arguments, got {len(values)}"
            raise SchemeError(Condition("arity", message, procedure="a parameter"))
        bindings = self.tc.bindings
        return bindings[self] if self in bindings else self.default
