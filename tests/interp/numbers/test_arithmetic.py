"""Laws of the strict two-argument operations; their examples are with the builtins."""

from __future__ import annotations

import math
from operator import add as python_add
from operator import mul as python_mul
from operator import sub as python_sub

from hypothesis import assume, given
from hypothesis import strategies as st

from nodwyn.interp.data import Value
from nodwyn.interp.numbers import arithmetic, ratio, rectangular
from nodwyn.interp.numbers.arithmetic import add, divide, multiply, subtract
from nodwyn.interp.numbers.ratio import to_float
from nodwyn.interp.numbers.rectangular import is_exact

exact_reals = st.builds(ratio, st.integers(-(10**9), 10**9), st.integers(1, 1000))
exact = st.builds(rectangular, exact_reals, exact_reals)
huge = st.integers(10**310, 10**400) | st.integers(-(10**400), -(10**310))
floats = st.floats()
finite = st.floats(allow_nan=False, allow_infinity=False)


@given(exact, exact)
def test_operators_need_no_help_with_exact_numbers(a: Value, b: Value) -> None:
    assert add(a, b) == python_add(a, b)
    assert subtract(a, b) == python_sub(a, b)
    assert multiply(a, b) == python_mul(a, b)


@given(exact, exact)
def test_exact_arguments_have_exact_results(a: Value, b: Value) -> None:
    assert all(map(is_exact, (add(a, b), subtract(a, b), multiply(a, b))))
    if b != 0:
        assert is_exact(divide(a, b))
        assert multiply(divide(a, b), b) == a


@given(exact, st.builds(rectangular, finite, finite) | finite)
def test_an_inexact_argument_makes_the_result_inexact(a: Value, b: Value) -> None:
    assert not any(map(is_exact, (add(a, b), subtract(a, b), multiply(a, b))))


@given(huge, floats)
def test_beyond_the_range_of_floats_signs_are_right(a: int, b: float) -> None:
    stand_in = math.inf if a > 0 else -math.inf
    if math.isfinite(b):
        assert add(a, b) == subtract(a, b) == stand_in
        assert subtract(b, a) == -stand_in
        assert math.copysign(1, multiply(a, b)) == math.copysign(1, stand_in) * math.copysign(1, b)
        assert math.copysign(1, divide(a, b)) == math.copysign(1, stand_in) * math.copysign(1, b)
    elif b == b:
        assert add(a, b) == b
        assert multiply(a, b) == (b if a > 0 else -b)
        assert divide(a, b) == 0


@given(st.integers(10**310, 10**400), st.floats(min_value=1e-300, max_value=1e300))
def test_products_back_in_range_are_near(a: int, b: float) -> None:
    num, den = b.as_integer_ratio()
    assert multiply(a, b) == to_float(ratio(a * num, den))
    assert divide(a, b) == to_float(ratio(a * den, num))


@given(floats, floats)
def test_division_of_floats_is_that_of_ieee_754(a: float, b: float) -> None:
    quotient = divide(a, b)
    if b:
        assert quotient == a / b or math.isnan(quotient)
    elif a and a == a:
        assert quotient == math.copysign(math.inf, a) * math.copysign(1, b)
    else:
        assert math.isnan(quotient)


@given(st.lists(exact_reals | finite, min_size=3, max_size=3))
def test_comparison_is_transitive_and_total(numbers: list[Value]) -> None:
    a, b, c = numbers
    if arithmetic.less(a, b) and arithmetic.less(b, c):
        assert arithmetic.less(a, c)
    if arithmetic.equal(a, b) and arithmetic.equal(b, c):
        assert arithmetic.equal(a, c)
    assert [arithmetic.less(a, b), arithmetic.equal(a, b), arithmetic.greater(a, b)].count(True) == 1
    assert arithmetic.less_or_equal(a, b) is not arithmetic.greater(a, b)
    assert arithmetic.greater_or_equal(a, b) is not arithmetic.less(a, b)


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_inexact_integer_division_is_the_exact_one(n1: int, n2: int) -> None:
    assume(n2)
    for division in (arithmetic.quotient, arithmetic.remainder, arithmetic.modulo, arithmetic.floor_quotient):
        result = division(float(n1), n2)
        assert type(result) is float
        assert result == division(n1, n2) == division(n1, float(n2))
