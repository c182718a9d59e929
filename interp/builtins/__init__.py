"""The builtins: procedures written in Python, one module a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.builtins.table import Table

if TYPE_CHECKING:
    from nodwyn.interp.runtime import Runtime


def all_tables(runtime: Runtime) -> list[Table]:
    """Return the tables of all builtins, those that need an interpreter's state bound to ``runtime``."""
    from nodwyn.interp.builtins import (
        booleans,
        bytevectors,
        char_set_library,
        char_sets,
        chars,
        control_data,
        equivalence,
        hash_tables,
        hashing,
        json_reading,
        json_writing,
        lists,
        numbers,
        numbers_bitwise,
        numbers_conversion,
        numbers_integer,
        numbers_transcendental,
        pairs,
        ports,
        regexps,
        sorting,
        string_library,
        string_search,
        strings,
        symbols,
        system,
        vectors,
    )

    modules = [
        booleans, bytevectors, char_set_library, char_sets, chars, control_data, equivalence, hash_tables, hashing,
        json_reading, json_writing, lists, numbers, numbers_bitwise, numbers_conversion, numbers_integer,
        numbers_transcendental, pairs, ports, regexps, sorting, string_library, string_search, strings, symbols,
        system, vectors,
    ]  # fmt: skip
    tables = [module.define for module in modules]
    bound = Table()
    for module in modules:
        bind = getattr(module, "bind", None)
        if bind is not None:
            bind(runtime, bound)
    return [*tables, bound]
