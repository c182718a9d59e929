"""Exact fractions under Python's operators."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from operator import add, eq, ge, gt, le, lt, mul, sub, truediv
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nodwyn.interp.data import NIL, Value, intern
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.numbers import MAX_BITS, Ratio, ratio
from nodwyn.interp.numbers.ratio import divide_exact, from_float, to_float

fractions = st.builds(Fraction, st.integers(-(10**12), 10**12), st.integers(1, 10**6))
finite = st.floats(allow_nan=False, allow_infinity=False)


def exact(fraction: Fraction) -> Value:
    return ratio(fraction.numerator, fraction.denominator)


def is_normal(number: Value) -> bool:
    if isinstance(number, Ratio):
        return number.den > 1 and math.gcd(number.num, number.den) == 1
    return type(number) is int


@given(fractions, fractions)
def test_operators_agree_with_rational_arithmetic(a: Fraction, b: Fraction) -> None:
    x, y = exact(a), exact(b)
    for operator in (add, sub, mul):
        result = operator(x, y)
        assert is_normal(result)
        assert result == exact(operator(a, b))
    if b:
        assert divide_exact(x, y) == exact(a / b)
    for compare in (lt, le, gt, ge):
        assert compare(x, y) is compare(a, b)
    assert (x == y) is (a == b)


@given(fractions, finite)
def test_comparison_with_a_float_is_exact(a: Fraction, b: float) -> None:
    x = exact(a)
    for compare in (lt, le, gt, ge):
        assert compare(x, b) is compare(a, Fraction(b))
        assert compare(b, x) is compare(Fraction(b), a)
    assert (x == b) is (a == Fraction(b))


@given(fractions, finite)
def test_arithmetic_with_a_float_is_inexact(a: Fraction, b: float) -> None:
    x = exact(a)
    assume(b and a)
    for operator in (add, sub, mul, truediv):
        for result, expected in ((operator(x, b), operator(float(a), b)), (operator(b, x), operator(b, float(a)))):
            assert type(result) is float
            assert result == expected


@given(fractions, fractions, fractions)
def test_field_laws(a: Fraction, b: Fraction, c: Fraction) -> None:
    x, y, z = exact(a), exact(b), exact(c)
    assert x + y == y + x
    assert (x + y) + z == x + (y + z)
    assert x * y == y * x
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x + -x == 0
    if a:
        assert x * divide_exact(1, x) == 1


@given(finite)
def test_every_finite_float_is_an_exact_number(number: float) -> None:
    assert to_float(from_float(number)) == number


@given(fractions)
def test_equal_numbers_have_equal_hashes(a: Fraction) -> None:
    assert hash(exact(a)) == hash(a)


@pytest.mark.parametrize("other", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite(other: float) -> None:
    for compare in (lt, le, gt, ge, eq):
        assert compare(Ratio(1, 2), other) is compare(0.5, other)
        assert compare(other, Ratio(1, 2)) is compare(other, 0.5)


@pytest.mark.parametrize("other", [NIL, intern("a"), "1/2", None, print])
def test_no_comparison_with_what_is_no_number(other: Any) -> None:
    with pytest.raises(TypeError):
        _ = Ratio(1, 2) == other
    with pytest.raises(TypeError):
        _ = Ratio(1, 2) < other
    with pytest.raises(TypeError):
        _ = Ratio(1, 2) + other


def test_a_zero_divisor_is_an_error_or_infinite() -> None:
    with pytest.raises(ZeroDivisionError):
        divide_exact(Ratio(1, 2), 0)
    assert 1.0 / Ratio(1, 10**400) == math.inf


def test_beyond_the_range_of_floats() -> None:
    assert to_float(10**400) == math.inf
    assert to_float(-(10**400)) == -math.inf
    assert to_float(Ratio(-(10**400) - 1, 10)) == -math.inf
    assert to_float(Ratio(1, 10**400)) == 0.0


def test_the_parts_are_bounded() -> None:
    large = Ratio(1, 2**MAX_BITS - 1)
    with pytest.raises(SchemeError) as raised:
        _ = large * large
    assert raised.value.payload.kind == "limit"


def test_pickled_in_compiled_code() -> None:
    assert pickle.loads(pickle.dumps(Ratio(1, 2))) == Ratio(1, 2)
