"""Booleans: section 6.3."""

from __future__ import annotations

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, TRUE, Boolean, Value
from nodwyn.interp.errors import wrong_type

define = Table()


@define("not")
def negate(value: Value) -> Boolean:
    return TRUE if value is FALSE else FALSE


@define("boolean?")
def is_boolean(value: Value) -> Boolean:
    return TRUE if value is TRUE or value is FALSE else FALSE


@define("boolean=?")
def are_same_booleans(first: Value, *rest: Value) -> Boolean:
    for each in (first, *rest):
        if each.__class__ is not Boolean:
            raise wrong_type("boolean=?", "boolean", "a boolean", each)
    return TRUE if all(each is first for each in rest) else FALSE
