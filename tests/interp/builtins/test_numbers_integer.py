"""Integer division, common divisors and integer roots (section 6.2.6)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.builtins import numbers_integer

Call = Callable[[str], str]


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("floor/ 5 2", "2 1"),
        ("floor/ -5 2", "-3 1"),
        ("floor/ 5 -2", "-3 -1"),
        ("floor/ -5 -2", "2 -1"),
        ("floor/ 5.0 2", "2.0 1.0"),
        ("truncate/ 5 2", "2 1"),
        ("truncate/ -5 2", "-2 -1"),
        ("truncate/ 5 -2", "-2 1"),
        ("truncate/ -5 -2", "2 -1"),
        ("truncate/ -5.0 2", "-2.0 -1.0"),
        ("floor-quotient -7 2", "-4"),
        ("floor-quotient -7.0 2", "-4.0"),
        ("floor-remainder -7 2", "1"),
        ("truncate-quotient -7 2", "-3"),
        ("truncate-remainder -7 2", "-1"),
        ("quotient -7 2", "-3"),
        ("quotient 7 -2", "-3"),
        ("quotient -7.0 -2", "3.0"),
        ("quotient -4611686018427387904 -1", "4611686018427387904"),
        ("modulo 13 4", "1"),
        ("remainder 13 4", "1"),
        ("modulo -13 4", "3"),
        ("remainder -13 4", "-1"),
        ("modulo 13 -4", "-3"),
        ("remainder 13 -4", "1"),
        ("modulo -13 -4", "-1"),
        ("remainder -13 -4", "-1"),
        ("remainder -13 -4.0", "-1.0"),
        ("remainder 12 4", "0"),
        ("gcd 32 -36", "4"),
        ("gcd", "0"),
        ("gcd -7", "7"),
        ("gcd 32.0 -36", "4.0"),
        ("lcm 32 -36", "288"),
        ("lcm 32.0 -36", "288.0"),
        ("lcm", "1"),
        ("lcm 0 5", "0"),
        ("exact-integer-sqrt 4", "2 0"),
        ("exact-integer-sqrt 5", "2 1"),
        ("exact-integer-sqrt 1" + "0" * 39, "31622776601683793319 62545769258890964239"),
    ],
)
def test_examples(call: Call, expression: str, result: str) -> None:
    assert call(expression) == result


@pytest.mark.parametrize("procedure", ["floor/", "truncate/", "floor-quotient", "quotient", "remainder", "modulo"])
def test_divisions_check_their_arguments(call: Call, procedure: str) -> None:
    assert call(f"{procedure} 1.5 2") == f"type: {procedure}: argument must be an integer, got 1.5"
    assert call(f"{procedure} 1 foo") == f"type: {procedure}: argument must be an integer, got foo"
    assert call(f"{procedure} +inf.0 2") == f"type: {procedure}: argument must be an integer, got +inf.0"
    assert call(f"{procedure} 1 0") == f"numeric: {procedure}: division by zero"
    assert call(f"{procedure} 1.0 0.0") == f"numeric: {procedure}: division by zero"


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("gcd 1 foo", "type: gcd: argument must be an integer, got foo"),
        ("lcm 1/2", "type: lcm: argument must be an integer, got 1/2"),
        ("exact-integer-sqrt 4.0", "type: exact-integer-sqrt: k must be an exact integer, got 4.0"),
        ("exact-integer-sqrt -1", "range: exact-integer-sqrt: k must be a non-negative integer, got -1"),
    ],
)
def test_errors(call: Call, expression: str, error: str) -> None:
    assert call(expression) == error


@given(st.integers(), st.integers().filter(bool))
def test_divisions_satisfy_their_defining_equations(n1: int, n2: int) -> None:
    for division in (numbers_integer.floor_division, numbers_integer.truncate_division):
        quotient, remainder = division(n1, n2).results
        assert n1 == n2 * quotient + remainder
        assert abs(remainder) < abs(n2)
    floor_remainder = numbers_integer.floor_division(n1, n2).results[1]
    truncate_remainder = numbers_integer.truncate_division(n1, n2).results[1]
    assert floor_remainder * n2 >= 0
    assert truncate_remainder * n1 >= 0


@given(st.integers(min_value=0, max_value=2**500))
def test_the_integer_root_is_the_largest_that_fits(k: int) -> None:
    root, rest = numbers_integer.exact_integer_sqrt(k).results
    assert root * root + rest == k < (root + 1) ** 2
