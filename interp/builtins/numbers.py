"""Predicates, comparison and arithmetic of any number of arguments (section 6.2.6)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Final

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import DEFAULT, FALSE, TRUE, Boolean, Value, boolean
from nodwyn.interp.errors import wrong_type
from nodwyn.interp.numbers import arithmetic
from nodwyn.interp.numbers.arithmetic import NUMBERS, REALS, check_numbers, check_reals, integer_operand, not_real
from nodwyn.interp.numbers.conversion import is_finite
from nodwyn.interp.numbers.limits import MAX_BITS
from nodwyn.interp.numbers.ratio import Ratio, to_float
from nodwyn.interp.numbers.rectangular import Rectangular, is_exact

define: Final = Table()


define.internal["%numbers"] = NUMBERS


@define("number?", "complex?")
def is_number(obj: Value) -> Boolean:
    return TRUE if obj.__class__ in NUMBERS else FALSE


@define("real?")
def is_real(obj: Value) -> Boolean:
    return TRUE if obj.__class__ in REALS else FALSE


@define("rational?")
def is_rational(obj: Value) -> Boolean:
    return TRUE if obj.__class__ in REALS and is_finite(obj) else FALSE


@define("integer?")
def is_integer(obj: Value) -> Boolean:
    kind = obj.__class__
    return TRUE if kind is int or (kind is float and obj.is_integer()) else FALSE


@define("exact-integer?")
def is_exact_integer(obj: Value) -> Boolean:
    return TRUE if obj.__class__ is int else FALSE


@define("exact-rational?")
def is_exact_rational(obj: Value) -> Boolean:
    return TRUE if obj.__class__ is int or obj.__class__ is Ratio else FALSE


@define("exact?")
def exact_p(z: Value) -> Boolean:
    check_numbers("exact?", z)
    return TRUE if is_exact(z) else FALSE


@define("inexact?")
def inexact_p(z: Value) -> Boolean:
    check_numbers("inexact?", z)
    return FALSE if is_exact(z) else TRUE


@define("finite?")
def finite_p(z: Value) -> Boolean:
    check_numbers("finite?", z)
    return TRUE if is_finite(z) else FALSE


@define("infinite?")
def infinite_p(z: Value) -> Boolean:
    check_numbers("infinite?", z)
    parts = (z.re, z.im) if z.__class__ is Rectangular else (z,)
    return boolean(any(not is_finite(part) and part == part for part in parts))


@define("nan?")
def nan_p(z: Value) -> Boolean:
    check_numbers("nan?", z)
    if z.__class__ is Rectangular:
        return TRUE if z.re != z.re or z.im != z.im else FALSE
    return TRUE if z.__class__ is float and z != z else FALSE


@define("zero?")
def is_zero(z: Value) -> Boolean:
    if z.__class__ in NUMBERS:
        return TRUE if z == 0 else FALSE
    raise wrong_type("zero?", "argument", "a number", z)


@define("positive?")
def is_positive(x: Value) -> Boolean:
    try:
        return TRUE if x > 0 else FALSE
    except TypeError:
        raise wrong_type("positive?", "argument", "a real number", x) from None


@define("negative?")
def is_negative(x: Value) -> Boolean:
    try:
        return TRUE if x < 0 else FALSE
    except TypeError:
        raise wrong_type("negative?", "argument", "a real number", x) from None


@define("odd?")
def is_odd(n: Value) -> Boolean:
    if n.__class__ is int:
        return TRUE if n & 1 else FALSE
    return TRUE if integer_operand("odd?", n) & 1 else FALSE


@define("even?")
def is_even(n: Value) -> Boolean:
    if n.__class__ is int:
        return FALSE if n & 1 else TRUE
    return FALSE if integer_operand("even?", n) & 1 else TRUE


@define("=")
def equal(z: Value, other: Value = DEFAULT, *rest: Value) -> Boolean:
    if not rest and z.__class__ in NUMBERS and other.__class__ in NUMBERS:
        return TRUE if z == other else FALSE
    arguments = (z,) if other is DEFAULT else (z, other, *rest)
    check_numbers("=", *arguments)
    return boolean(all(each == z for each in arguments[1:]))


@define("<")
def less(x: Value, other: Value = DEFAULT, *rest: Value) -> Boolean:
    if not rest:
        try:
            return TRUE if x < other else FALSE
        except TypeError:
            pass
    return _chain("<", lt, x, other, rest)


@define(">")
def greater(x: Value, other: Value = DEFAULT, *rest: Value) -> Boolean:
    if not rest:
        try:
            return TRUE if x > other else FALSE
        except TypeError:
            pass
    return _chain(">", gt, x, other, rest)


@define("<=")
def less_or_equal(x: Value, other: Value = DEFAULT, *rest: Value) -> Boolean:
    if not rest:
        try:
            return TRUE if x <= other else FALSE
        except TypeError:
            pass
    return _chain("<=", le, x, other, rest)


@define(">=")
def greater_or_equal(x: Value, other: Value = DEFAULT, *rest: Value) -> Boolean:
    if not rest:
        try:
            return TRUE if x >= other else FALSE
        except TypeError:
            pass
    return _chain(">=", ge, x, other, rest)


def _chain(
    procedure: str, holds: Callable[[Value, Value], bool], first: Value, second: Value, rest: tuple[Value, ...]
) -> Boolean:
    arguments = (first,) if second is DEFAULT else (first, second, *rest)
    result = TRUE
    try:
        # All pairs, even where an earlier one gives the answer: a wrong argument is a mistake.
        for left, right in itertools.pairwise(arguments):
            if not holds(left, right):
                result = FALSE
    except TypeError:
        raise not_real(procedure, *arguments) from None
    if len(arguments) == 1:
        check_reals(procedure, first)
    return result


@define("max")
def largest(x: Value, other: Value = DEFAULT, *rest: Value) -> Value:
    if not rest and x.__class__ is other.__class__ and (x.__class__ is int or x.__class__ is float):
        # A comparison with what is not a number is false; such a result comes from the general way.
        if x >= other:
            return x
        if x < other:
            return other
    return _extreme("max", gt, x, other, rest)


@define("min")
def smallest(x: Value, other: Value = DEFAULT, *rest: Value) -> Value:
    if not rest and x.__class__ is other.__class__ and (x.__class__ is int or x.__class__ is float):
        if x <= other:
            return x
        if x > other:
            return other
    return _extreme("min", lt, x, other, rest)


def _extreme(
    procedure: str, beats: Callable[[Value, Value], bool], first: Value, second: Value, rest: tuple[Value, ...]
) -> Value:
    arguments = (first,) if second is DEFAULT else (first, second, *rest)
    check_reals(procedure, *arguments)
    best = first
    inexact = False
    for argument in arguments:
        inexact = inexact or argument.__class__ is float
        if argument != argument:
            return argument
        if beats(argument, best):
            best = argument
    return to_float(best) if inexact else best


@define("+")
def plus(z: Value = 0, other: Value = DEFAULT, *rest: Value) -> Value:
    if not rest:
        try:
            return z + other
        except (TypeError, OverflowError):
            if other is DEFAULT:
                check_numbers("+", z)
                return z
    else:
        try:
            total = z + other
            for addend in rest:
                total += addend
            return total
        except (TypeError, OverflowError):
            pass
    total = arithmetic.add(z, other)
    for addend in rest:
        total = arithmetic.add(total, addend)
    return total


@define("*")
def times(z: Value = 1, other: Value = 1, *rest: Value) -> Value:
    if not rest:
        try:
            product = z * other
            if product.__class__ is not int or product.bit_length() <= MAX_BITS:
                return product
        except (TypeError, OverflowError):
            pass
    product = arithmetic.multiply(z, other)
    for factor in rest:
        product = arithmetic.multiply(product, factor)
    return product


@define("-")
def minus(z: Value, other: Value = DEFAULT, *rest: Value) -> Value:
    if not rest:
        try:
            return z - other
        except (TypeError, OverflowError):
            if other is DEFAULT:
                return arithmetic.negate(z)
    difference = arithmetic.subtract(z, other)
    for subtrahend in rest:
        difference = arithmetic.subtract(difference, subtrahend)
    return difference


@define("/")
def over(z: Value, other: Value = DEFAULT, *rest: Value) -> Value:
    if other is DEFAULT:
        return arithmetic.divide(1, z)
    quotient = arithmetic.divide(z, other)
    for divisor in rest:
        quotient = arithmetic.divide(quotient, divisor)
    return quotient


@define("abs")
def absolute(x: Value) -> Value:
    try:
        return abs(x)
    except TypeError:
        raise wrong_type("abs", "argument", "a real number", x) from None


@define("square")
def square(z: Value) -> Value:
    check_numbers("square", z)
    return arithmetic.multiply(z, z)
