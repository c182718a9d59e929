"""Laws of powers and roots, and results that would be too large or hard to come by."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nodwyn.interp.data import Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.numbers import MAX_BITS, Ratio, Rectangular, ratio, rectangular
from nodwyn.interp.numbers.arithmetic import divide, multiply
from nodwyn.interp.numbers.power import exact_root, expt, sqrt

rationals = st.builds(ratio, st.integers(-1000, 1000), st.integers(1, 50))
exact = st.builds(rectangular, rationals, rationals)
exponents = st.integers(-12, 12)


@given(exact, exponents, exponents)
def test_exponents_add_up(base: Value, m: int, n: int) -> None:
    assume(base != 0)
    assert multiply(expt(base, m), expt(base, n)) == expt(base, m + n)
    assert divide(1, expt(base, m)) == expt(base, -m)


@given(exact)
def test_exact_squares_have_exact_roots(number: Value) -> None:
    square = multiply(number, number)
    root = sqrt(square)
    assert root in (number, -number)
    re, im = (root.re, root.im) if isinstance(root, Rectangular) else (root, 0)
    assert re > 0 or (re == 0 and im >= 0)


@given(st.integers(0, 10**30), st.integers(1, 9))
def test_exact_roots(number: int, degree: int) -> None:
    assert exact_root(number**degree, degree) == number
    root = exact_root(number, degree)
    assert root is None or root**degree == number


@given(rationals, st.integers(-5, 5), st.integers(1, 7))
def test_exact_rational_powers(number: Value, power: int, degree: int) -> None:
    assume(number > 0)
    assert expt(expt(number, degree), ratio(power, degree)) == expt(number, power)


@given(st.floats(min_value=1e-3, max_value=1e3), st.floats(-9, 9))
def test_inexact_powers_of_positive_numbers(base: float, exponent: float) -> None:
    assert expt(base, exponent) == pytest.approx(math.exp(exponent * math.log(base)), rel=1e-9)


@pytest.mark.parametrize(
    ("base", "exponent", "power"),
    [
        (2, -3, Ratio(1, 8)),
        (Ratio(2, 3), 3, Ratio(8, 27)),
        (Ratio(2, 3), -3, Ratio(27, 8)),
        (Rectangular(1, 1), 2, Rectangular(0, 2)),
        (Rectangular(0, 1), 10**30 + 1, Rectangular(0, 1)),
        (1, 10**30, 1),
        (-1, 10**30 + 1, -1),
        (0, 10**30, 0),
        (0, 1.5, 0.0),
        (0, 0.0, 1.0),
        (0, Rectangular(1, 1), 0),
        (0, Rectangular(1.0, 1.0), 0.0),
        (0, Ratio(1, 2), 0),
        (2.0, 10**30, math.inf),
        (0.5, 10**30, 0.0),
        (-1.0, 10**30 + 1, -1.0),
        (-2.0, 1025, -math.inf),
        (-0.0, -1, -math.inf),
        (-0.0, -2, math.inf),
        (10**400, 0.5, 1e200),
        (10**400, Ratio(1, 2), 10**200),
        (Rectangular(-3, 4), Ratio(1, 2), Rectangular(1, 2)),
        (math.inf, -1, 0.0),
        (math.nan, 0, 1.0),
    ],
)
def test_special_cases(base: Value, exponent: Value, power: Value) -> None:
    result = expt(base, exponent)
    assert type(result) is type(power)
    assert result == (power if type(power) is not float else pytest.approx(power, rel=1e-12))


def test_complex_powers() -> None:
    power = expt(Rectangular(0, 1), Rectangular(0, 1))
    assert power.re == pytest.approx(math.exp(-math.pi / 2))
    cube_root = expt(-8, Ratio(1, 3))
    assert (cube_root.re, cube_root.im) == (pytest.approx(1.0), pytest.approx(math.sqrt(3)))


@pytest.mark.parametrize(
    ("number", "root"),
    [
        (10**401, 3.1622776601683795e200),
        (10**1001, math.inf),
        (Ratio(10**401, 3), 1.8257418583505537e200),
        (Ratio(1, 10**700), Ratio(1, 10**350)),
        (Ratio(2, 10**601), 4.47213595499958e-301),
        (math.inf, math.inf),
        (-(10**400), Rectangular(0, 10**200)),
    ],
)
def test_roots_of_numbers_beyond_the_range_of_floats(number: Value, root: Value) -> None:
    assert sqrt(number) == (root if type(root) is not float else pytest.approx(root, rel=1e-12))


@pytest.mark.parametrize(
    ("base", "exponent"),
    [
        (2, MAX_BITS),
        (2, -MAX_BITS),
        (-2, 10**30),
        (10**30_000, 10**30_000),
        (Ratio(1, 2), 10**30),
        (Ratio(3, 2), -(10**30)),
        (Rectangular(1, 1), 10**30),
    ],
    ids=["2", "1/2", "-2", "large", "half", "two thirds", "complex"],
)
@pytest.mark.timeout(5)
def test_exact_powers_beyond_the_limit_are_refused_at_once(base: Value, exponent: Value) -> None:
    with pytest.raises(SchemeError) as raised:
        expt(base, exponent)
    assert raised.value.payload.kind == "limit"


def test_the_largest_power() -> None:
    assert expt(2, MAX_BITS - 1).bit_length() == MAX_BITS
