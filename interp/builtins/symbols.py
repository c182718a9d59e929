"""Symbols: section 6.5, and symbols that no text can name."""

from __future__ import annotations

from itertools import count

from nodwyn.interp.builtins.arguments import string_text
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, TRUE, UNLABELLED, Boolean, String, Symbol, Value, intern
from nodwyn.interp.errors import wrong_type

define = Table()

_generated = count(1)


@define("symbol?")
def is_symbol(value: Value) -> Boolean:
    return TRUE if value.__class__ is Symbol else FALSE


@define("symbol=?")
def are_same_symbols(first: Value, *rest: Value) -> Boolean:
    for each in (first, *rest):
        if each.__class__ is not Symbol:
            raise wrong_type("symbol=?", "symbol", "a symbol", each)
    return TRUE if all(each is first for each in rest) else FALSE


@define("symbol->string")
def symbol_to_string(symbol: Value) -> String:
    if symbol.__class__ is not Symbol:
        raise wrong_type("symbol->string", "symbol", "a symbol", symbol)
    return String(symbol.name, UNLABELLED, True)


@define("string->symbol")
def string_to_symbol(string: Value) -> Symbol:
    return intern(string_text("string->symbol", "string", string))


@define("string->uninterned-symbol")
def string_to_uninterned_symbol(string: Value) -> Symbol:
    return Symbol(string_text("string->uninterned-symbol", "string", string))


@define("generate-symbol")
def generate_symbol(prefix: Value = String("g")) -> Symbol:  # noqa: B008 - never mutated
    """Return a new uninterned symbol whose name starts with ``prefix``."""
    return Symbol(f"{string_text('generate-symbol', 'prefix', prefix)}{next(_generated)}")
