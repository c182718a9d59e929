"""Complex numbers under Python's operators."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.data import NIL, Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.numbers import MAX_BITS, Ratio, Rectangular, ratio, rectangular
from nodwyn.interp.numbers.arithmetic import divide
from nodwyn.interp.numbers.rectangular import is_exact, polar

small = st.integers(-50, 50)
rationals = st.builds(ratio, small, st.integers(1, 9))
numbers = st.builds(rectangular, rationals, rationals)


@given(numbers, numbers, numbers)
def test_exact_numbers_are_a_field(x: Value, y: Value, z: Value) -> None:
    assert x + y == y + x
    assert (x + y) + z == x + (y + z)
    assert x * y == y * x
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x - x == 0
    assert (x - y) + y == x
    if x != 0:
        assert divide(x, x) == 1
        assert divide(y, x) * x == y


@given(small, small, small, small)
def test_operations_agree_with_complex_floats(a: int, b: int, c: int, d: int) -> None:
    x, y = Rectangular(float(a), float(b)), Rectangular(float(c), float(d))
    for result, expected in (
        (x + y, complex(a, b) + complex(c, d)),
        (x - y, complex(a, b) - complex(c, d)),
        (x * y, complex(a, b) * complex(c, d)),
    ):
        assert (result.re, result.im) == (expected.real, expected.imag)
    if c or d:
        result, expected = x / y, complex(a, b) / complex(c, d)
        assert (result.re, result.im) == (expected.real, expected.imag)


@given(numbers, st.integers(-50, 50) | rationals)
def test_a_real_operand_on_either_side(z: Value, x: Value) -> None:
    assert z + x == x + z
    assert z - x == -(x - z)
    assert z * x == x * z
    if x != 0 and z != 0:
        assert divide(z, x) * divide(x, z) == 1


def test_an_exact_zero_imaginary_part_makes_a_real_number() -> None:
    assert rectangular(Ratio(1, 2), 0) == Ratio(1, 2)
    assert type(Rectangular(1, 2) - Rectangular(0, 2)) is int
    assert repr(rectangular(1, 0.0)) == repr(Rectangular(1.0, 0.0))


def test_parts_have_one_exactness() -> None:
    assert is_exact(rectangular(1, Ratio(1, 2)))
    for number in (rectangular(1.0, 2), rectangular(1, 2.0), Rectangular(1, 2) + 0.5, Rectangular(1, 2) * 0.5):
        assert (type(number.re), type(number.im)) == (float, float)


def test_equality() -> None:
    assert Rectangular(1, 2) == Rectangular(1.0, 2.0)
    assert hash(Rectangular(1, 2)) == hash(Rectangular(1.0, 2.0))
    assert Rectangular(0.5, 0.0) == Ratio(1, 2)
    assert Ratio(1, 2) == Rectangular(0.5, 0.0)
    assert Rectangular(1.0, 0.0) == 1
    assert hash(Rectangular(1.0, 0.0)) == hash(1)
    assert Rectangular(1, 2) != 1


@pytest.mark.parametrize("other", [NIL, "i", None, print])
def test_no_comparison_with_what_is_no_number(other: Any) -> None:
    with pytest.raises(TypeError):
        _ = Rectangular(1, 2) == other
    with pytest.raises(TypeError):
        _ = Rectangular(1, 2) * other


@pytest.mark.parametrize("other", [1, 1.0, Ratio(1, 2), Rectangular(1, 2)])
def test_complex_numbers_have_no_order(other: Any) -> None:
    with pytest.raises(TypeError):
        _ = Rectangular(1, 2) < other
    with pytest.raises(TypeError):
        _ = other >= Rectangular(1, 2)


def test_inexact_zero_divisors() -> None:
    assert repr(Rectangular(1.0, -1.0) / 0.0) == repr(Rectangular(math.inf, -math.inf))
    assert repr(Rectangular(1.0, -1.0) / Rectangular(0.0, 0.0)) == repr(Rectangular(math.inf, -math.inf))
    with pytest.raises(ZeroDivisionError):
        _ = Rectangular(1, 1) / 0


def test_polar() -> None:
    assert polar(2, 0) == 2
    assert polar(0, 1.5) == 0
    assert polar(1, math.inf) != polar(1, math.inf)
    assert repr(polar(2, 1)) == repr(Rectangular(2 * math.cos(1), 2 * math.sin(1)))


def test_the_parts_are_bounded() -> None:
    large = Rectangular(1, 2**MAX_BITS - 1)
    with pytest.raises(SchemeError) as raised:
        _ = large * large
    assert raised.value.payload.kind == "limit"


def test_pickled_in_compiled_code() -> None:
    assert pickle.loads(pickle.dumps(Rectangular(1, 2))) == Rectangular(1, 2)
