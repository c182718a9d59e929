"""How a builtin is declared: ``@define("vector-ref")`` over the Python function that it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nodwyn.interp.data import Value

Function = TypeVar("Function", bound=Callable[..., Value])


class Table:
    """The builtins of one module, by Scheme name.

    internal: what generated code uses that is no Scheme value or takes none; no program can name it.
    """

    __slots__ = ("internal", "procedures")

    def __init__(self) -> None:
        self.procedures: dict[str, Callable[..., Value]] = {}
        self.internal: dict[str, object] = {}

    def __call__(self, name: str, *aliases: str) -> Callable[[Function], Function]:
        """Return a decorator that declares a function under ``name`` and its ``aliases``, unchanged."""

        def declare(function: Function) -> Function:
            function.__name__ = name
            for each in (name, *aliases):
                self.procedures[each] = function
            return function

        return declare
