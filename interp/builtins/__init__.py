"""The builtins: procedures written in Python, one module a type, bound to an interpreter when they are needed."""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType
from typing import TYPE_CHECKING, Final

from nodwyn.interp.builtins.table import Table

if TYPE_CHECKING:
    from nodwyn.interp.runtime import Runtime

MODULES: Final = (
    "booleans", "bytevectors", "char_set_library", "char_sets", "chars", "collecting", "control_data", "equivalence",
    "hash_tables", "hashing", "json_reading", "json_writing", "lists", "numbers", "numbers_bitwise",
    "numbers_conversion", "numbers_integer", "numbers_transcendental", "pairs", "ports", "regexps", "sorting",
    "string_library", "string_search", "strings", "symbols", "system", "vectors",
)  # fmt: skip


class Builtins:
    """The builtins of one interpreter.

    Importing all modules takes longer than most known programs run, so each is bound when code wants one of its
    procedures; everything that could want any by name calls :meth:`bind_all` first.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._modules: dict[str, str] = {}
        self._internal: set[str] = set()
        self._bound: set[str] = set()

    def install(self, table: Table, module: str = "") -> None:
        """Make the procedures of a table global. module: the one they are of, "" for those bound from the start."""
        self.runtime.globals.update(table.procedures)
        self._modules.update(dict.fromkeys(table.procedures, module))
        self.runtime.globals.update(table.internal)
        self._modules.update(dict.fromkeys(table.internal, module))
        self._internal.update(table.internal)

    def bind(self, modules: Iterable[str]) -> None:
        """Bind the procedures of some of the modules."""
        from importlib import import_module

        for name in modules:
            if name not in self._bound:
                self._bound.add(name)
                module = import_module(f"{__name__}.{name}")
                self.install(module.define, name)
                if hasattr(module, "bind"):
                    bound = Table()
                    module.bind(self.runtime, bound)
                    self.install(bound, name)

    def bind_all(self) -> list[str]:
        """Bind all procedures and return the names of those that programs can have."""
        self.bind(MODULES)
        return [name for name in self._modules if name not in self._internal]

    def modules_for(self, codes: Iterable[CodeType]) -> list[str]:
        """Return the modules whose procedures code refers to, all being bound."""
        found: set[str] = set()
        pending = list(codes)
        while pending:
            code = pending.pop()
            found.update(self._modules.get(name, "") for name in code.co_names)
            pending.extend(each for each in code.co_consts if isinstance(each, CodeType))
        return sorted(found - {""})
