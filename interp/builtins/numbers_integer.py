"""Integer division, common divisors and integer roots (section 6.2.6)."""

from __future__ import annotations

import math
from typing import Final

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import Value, Values, several
from nodwyn.interp.errors import out_of_range, wrong_type
from nodwyn.interp.numbers.arithmetic import (
    floor_quotient,
    integer_operand,
    integer_operands,
    like,
    modulo,
    quotient,
    remainder,
)
from nodwyn.interp.numbers.limits import check_size

define: Final = Table()

define("quotient", "truncate-quotient")(quotient)
define("remainder", "truncate-remainder")(remainder)
define("modulo", "floor-remainder")(modulo)
define("floor-quotient")(floor_quotient)


@define("floor/")
def floor_division(n1: Value, n2: Value) -> Values:
    if n1.__class__ is int and n2.__class__ is int and n2:
        return several(divmod(n1, n2))
    a, b = integer_operands("floor/", n1, n2)
    return several((like(a // b, n1, n2), like(a % b, n1, n2)))


@define("truncate/")
def truncate_division(n1: Value, n2: Value) -> Values:
    a, b = integer_operands("truncate/", n1, n2)
    return several((like(quotient(a, b), n1, n2), like(remainder(a, b), n1, n2)))


@define("gcd")
def greatest_common_divisor(*numbers: Value) -> Value:
    try:
        return math.gcd(*numbers)
    except TypeError:
        # One is inexact, or no integer.
        pass
    return like(math.gcd(*[integer_operand("gcd", number) for number in numbers]), *numbers)


@define("lcm")
def least_common_multiple(*numbers: Value) -> Value:
    if len(numbers) == 2 and numbers[0].__class__ is int and numbers[1].__class__ is int:
        return check_size(math.lcm(*numbers), "lcm")
    result = 1
    for number in numbers:
        result = check_size(math.lcm(result, integer_operand("lcm", number)), "lcm")
    return like(result, *numbers)


@define("exact-integer-sqrt")
def exact_integer_sqrt(k: Value) -> Values:
    if k.__class__ is not int:
        raise wrong_type("exact-integer-sqrt", "k", "an exact integer", k)
    if k < 0:
        raise out_of_range("exact-integer-sqrt", "k", "a non-negative integer", k)
    root = math.isqrt(k)
    return several((root, k - root * root))
