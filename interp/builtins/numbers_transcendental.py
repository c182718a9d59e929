"""Powers, roots and the transcendental functions (section 6.2.6)."""

from __future__ import annotations

from typing import Final

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import DEFAULT, Value
from nodwyn.interp.numbers import transcendental
from nodwyn.interp.numbers.power import expt, sqrt

define: Final = Table()

define("sqrt")(sqrt)
define("expt")(expt)
define("exp")(transcendental.exp)
define("sin")(transcendental.sin)
define("cos")(transcendental.cos)
define("tan")(transcendental.tan)
define("asin")(transcendental.asin)
define("acos")(transcendental.acos)


@define("log")
def log(z: Value, base: Value = DEFAULT) -> Value:
    return transcendental.log(z, None if base is DEFAULT else base)


@define("atan")
def atan(y: Value, x: Value = DEFAULT) -> Value:
    return transcendental.atan(y) if x is DEFAULT else transcendental.atan2(y, x)
