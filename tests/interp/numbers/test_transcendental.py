"""Laws of the transcendental functions; their examples are with the builtins."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.data import Value
from nodwyn.interp.numbers import Ratio, Rectangular
from nodwyn.interp.numbers.transcendental import acos, asin, atan, atan2, cos, exp, log, sin, tan

parts = st.floats(min_value=-20, max_value=20)
FUNCTIONS = [(exp, cmath.exp), (sin, cmath.sin), (cos, cmath.cos), (tan, cmath.tan)]
INVERSES = [(asin, sin), (acos, cos)]


def close(a: complex) -> Value:
    return pytest.approx(a, rel=1e-9, abs=1e-9)


def as_complex(number: Value) -> complex:
    return complex(number.re, number.im) if isinstance(number, Rectangular) else complex(number)


@pytest.mark.parametrize(("function", "expected"), FUNCTIONS)
@given(re=parts, im=parts)
def test_complex_arguments(
    function: Callable[[Value], Value], expected: Callable[[complex], complex], re: float, im: float
) -> None:
    assert as_complex(function(Rectangular(re, im))) == close(expected(complex(re, im)))


@pytest.mark.parametrize(("inverse", "function"), INVERSES)
@given(x=st.floats(min_value=-100, max_value=100))
def test_inverses_are_defined_everywhere(
    inverse: Callable[[Value], Value], function: Callable[[Value], Value], x: float
) -> None:
    assert as_complex(function(inverse(x))) == pytest.approx(x, rel=1e-6, abs=1e-6)


@given(st.integers(1, 10**400) | st.builds(Ratio, st.integers(1, 10**400), st.just(10**390 + 1)))
def test_logarithms_of_numbers_beyond_the_range_of_floats(x: Value) -> None:
    num, den = (x.num, x.den) if isinstance(x, Ratio) else (x, 1)
    assert log(x) == close(math.log(num) - math.log(den))


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (log(0), -math.inf),
        (log(Rectangular(0.0, 0.0)), -math.inf),
        (log(8, Ratio(1, 2)), -3.0),
        (log(-0.0), -math.inf),
        (exp(-math.inf), 0.0),
        (exp(Ratio(1, 2)), math.exp(0.5)),
        (atan(math.inf), math.pi / 2),
        (atan2(10**400, 10**400), math.pi / 4),
        (atan2(10**400, -1), math.pi / 2),
        (atan2(0, -1), math.pi),
        (atan2(0, 1.5), 0.0),
        (atan2(Ratio(1, 2), Ratio(1, 2)), math.pi / 4),
    ],
)
def test_special_cases(result: Value, expected: float) -> None:
    assert result == pytest.approx(expected)


@pytest.mark.parametrize("function", [sin, cos, tan])
def test_no_angle_is_infinite(function: Callable[[Value], Value]) -> None:
    assert math.isnan(function(math.inf))
    assert math.isnan(function(-(10**400)))


@pytest.mark.parametrize("function", [sin, cos, tan, exp, asin, acos, atan])
def test_no_complex_argument_fails_as_python_does(function: Callable[[Value], Value]) -> None:
    for re in (0.0, -1.0, 1e308, math.inf, -math.inf, math.nan):
        for im in (0.0, 2.0, 1e308, math.inf, -math.inf, math.nan):
            assert isinstance(function(Rectangular(re, im)), Rectangular)
