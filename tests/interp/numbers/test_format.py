"""From numbers to text, and back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.data import Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.numbers import Ratio, Rectangular, format_number, parse_number, ratio, rectangular

integers = st.integers(-(10**40), 10**40)
exact = st.builds(ratio, integers, st.integers(1, 10**20))
floats = st.floats(allow_nan=False)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-15, "-15"),
        (Ratio(-1, 3), "-1/3"),
        (1.5, "1.5"),
        (0.5, "0.5"),
        (100.0, "100.0"),
        (-0.0, "-0.0"),
        (1e21, "1.0e+21"),
        (1.5e100, "1.5e+100"),
        (1e-7, "1.0e-7"),
        (5e-324, "5.0e-324"),
        (math.inf, "+inf.0"),
        (-math.inf, "-inf.0"),
        (math.nan, "+nan.0"),
        (Rectangular(0, 1), "+i"),
        (Rectangular(0, -1), "-i"),
        (Rectangular(1, 2), "1+2i"),
        (Rectangular(-1, -2), "-1-2i"),
        (Rectangular(Ratio(1, 2), Ratio(-3, 4)), "1/2-3/4i"),
        (Rectangular(0.0, 1.0), "0.0+1.0i"),
        (Rectangular(1.0, -0.0), "1.0-0.0i"),
        (Rectangular(math.nan, math.inf), "+nan.0+inf.0i"),
        (Rectangular(1.0, -math.inf), "1.0-inf.0i"),
    ],
)
def test_decimal(number: Value, text: str) -> None:
    assert format_number(number) == text


@pytest.mark.parametrize(
    ("number", "radix", "text"),
    [
        (255, 16, "ff"),
        (-255, 2, "-11111111"),
        (1295, 36, "zz"),
        (0, 7, "0"),
        (Ratio(-1, 3), 3, "-1/10"),
        (0.5, 2, "0.1"),
        (255.0, 16, "ff.0"),
        (0.1, 3, "0.0022002200220022002200220022002201"),
        (1 / 3, 3, "0.1"),
        (-2.5, 8, "-2.4"),
        (0.0, 2, "0.0"),
        (-0.0, 2, "-0.0"),
        (2.0**70, 16, "400000000000000000.0"),
        (math.inf, 16, "+inf.0"),
        (Rectangular(10, -1), 16, "a-i"),
        (Rectangular(0.5, 1.0), 2, "0.1+1.0i"),
    ],
)
def test_other_radices(number: Value, radix: int, text: str) -> None:
    assert format_number(number, radix) == text


@pytest.mark.parametrize("number", [1.5, math.inf, Rectangular(0, 1)])
def test_letters_of_infinities_and_i_must_not_be_digits(number: Value) -> None:
    with pytest.raises(SchemeError) as raised:
        format_number(number, 19)
    assert raised.value.payload.kind == "range"


@given(exact, st.integers(2, 36))
def test_exact_numbers_read_back_in_every_radix(number: Value, radix: int) -> None:
    assert parse_number(format_number(number, radix), radix) == number


@given(floats, st.integers(2, 18))
def test_floats_read_back_in_every_radix(number: float, radix: int) -> None:
    assert repr(parse_number(format_number(number, radix), radix)) == repr(number)


@given(st.builds(rectangular, exact, exact) | st.builds(Rectangular, floats, floats), st.integers(2, 18))
def test_complex_numbers_read_back_in_every_radix(number: Any, radix: int) -> None:
    assert repr(parse_number(format_number(number, radix), radix)) == repr(number)


@given(st.floats(min_value=1e-4, max_value=1e15))
def test_radix_10_is_as_short_by_either_way(number: float) -> None:
    from nodwyn.interp.numbers.format import _format_float

    assert _format_float(number, 10) == format_number(number)


@pytest.mark.timeout(5)
def test_integers_longer_than_python_converts_at_once() -> None:
    number = 10**30_000 - 1
    assert format_number(number) == "9" * 30_000
    for radix in (3, 10, 36):
        assert parse_number(format_number(-number, radix), radix) == -number
