"""Equivalence predicates: section 6.1."""

from __future__ import annotations

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, TRUE, Boolean, Value
from nodwyn.interp.equality import COMPARED_BY_CONTENTS, COMPARED_BY_VALUE, equal, eqv

define = Table()

define.internal["%compared-by-value"] = COMPARED_BY_VALUE
define.internal["%compared-by-contents"] = COMPARED_BY_CONTENTS


@define("eq?")
def eq(first: Value, second: Value) -> Boolean:
    return TRUE if first is second else FALSE


@define("eqv?")
def is_eqv(first: Value, second: Value) -> Boolean:
    return TRUE if first is second or eqv(first, second) else FALSE


@define("equal?")
def is_equal(first: Value, second: Value) -> Boolean:
    return TRUE if first is second or equal(first, second) else FALSE
