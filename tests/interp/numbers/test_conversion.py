"""Laws of rounding, fractions and exactness; examples are with the builtins."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.data import Value
from nodwyn.interp.numbers import Ratio, ratio
from nodwyn.interp.numbers.arithmetic import divide
from nodwyn.interp.numbers.conversion import (
    ceiling,
    denominator,
    exact,
    floor,
    inexact,
    numerator,
    rationalize,
    round_to_even,
    truncate,
)

rationals = st.builds(ratio, st.integers(-(10**6), 10**6), st.integers(1, 1000))
finite = st.floats(allow_nan=False, allow_infinity=False)


@given(rationals | finite)
def test_rounding_brackets_its_argument(x: Value) -> None:
    low, high = floor(x), ceiling(x)
    assert low <= x <= high
    assert high - low in (0, 1)
    assert truncate(x) == (low if x >= 0 else high)
    nearest = round_to_even(x)
    assert abs(exact(nearest) - exact(x)) <= Ratio(1, 2)
    if abs(exact(nearest) - exact(x)) == Ratio(1, 2):
        assert exact(nearest) % 2 == 0


@given(finite)
def test_rounding_keeps_inexactness_and_the_sign_of_zero(x: float) -> None:
    for rounded in (truncate(x), round_to_even(x)):
        assert type(rounded) is float
        assert math.copysign(1, rounded) == math.copysign(1, x)


@given(finite)
def test_exact_and_inexact_are_inverse_on_floats(x: float) -> None:
    assert inexact(exact(x)) == x


@given(rationals)
def test_a_fraction_is_its_numerator_over_its_denominator(q: Value) -> None:
    assert divide(numerator(q), denominator(q)) == q
    assert denominator(q) > 0


@given(rationals, st.builds(ratio, st.integers(0, 100), st.integers(1, 1000)))
def test_the_simplest_fraction_is_near_and_no_other_is_simpler(x: Value, tolerance: Value) -> None:
    simplest = rationalize(x, tolerance)
    assert abs(simplest - x) <= tolerance
    for smaller in range(1, min(denominator(simplest), 60)):
        nearest = ratio(round_to_even(x * smaller), smaller)
        assert abs(nearest - x) > tolerance
