"""Predicates, comparison and arithmetic (section 6.2.6)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.interp.builtins import numbers
from nodwyn.interp.data import FALSE

Call = Callable[[str], str]


@pytest.mark.parametrize(
    ("predicate", "true_of", "false_of"),
    [
        ("number?", "1 1.5 1/2 1+i +nan.0", "a #t"),
        ("complex?", "3+4i 3", "a"),
        ("real?", "3 -2.5+0i #e1e10 +inf.0 +nan.0", "-2.5+0.0i a"),
        ("rational?", "6/10 6/3 1.5 9007199254740992.0", "-inf.0 +nan.0 1+i a"),
        ("integer?", "3+0i 3.0 8/4 -0.0", "1/2 1.5 +inf.0 1.0+0.0i a"),
        ("exact-integer?", "32 -1", "32.0 32/5 a"),
        ("exact-rational?", "32 32/5", "32.0 1+i a"),
        ("exact?", "1 1/2 1+i #e3.0", "3. 1.0+i +inf.0"),
        ("inexact?", "3. 1.0+i +nan.0", "1 1/2 1+i"),
        ("finite?", "3 1/2 1.5 1+i", "+inf.0 3.0+inf.0i +nan.0"),
        ("infinite?", "+inf.0 -inf.0 3.0+inf.0i +nan.0+inf.0i", "3 1/2 +nan.0"),
        ("nan?", "+nan.0 +nan.0+5.0i 1.0+nan.0i", "32 1+2i +inf.0"),
        ("zero?", "0 0.0 -0.0 0.0+0.0i", "1 -1 1/2 +i +nan.0"),
        ("positive?", "1 1.0 1/2 +inf.0", "0 0.0 -1 -1.0 -inf.0 +nan.0"),
        ("negative?", "-1 -1.0 -1/2 -inf.0", "0 -0.0 1 +inf.0 +nan.0"),
        ("odd?", "1 -1 3.0", "0 102 4.0"),
        ("even?", "0 -2 102 4.0", "1 3.0"),
    ],
)
def test_predicates(call: Call, predicate: str, true_of: str, false_of: str) -> None:
    assert {each: call(f"{predicate} {each}") for each in true_of.split()} == dict.fromkeys(true_of.split(), "#t")
    assert {each: call(f"{predicate} {each}") for each in false_of.split()} == dict.fromkeys(false_of.split(), "#f")


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("= 1 1.0 1.0+0.0i", "= 1.0 1.0+1.0i"),
        ("= 1/2 0.5", "= 1/3 0.3333333333333333"),
        ("= 5", "= 1 1 2"),
        ("= +i +i", "= +nan.0 +nan.0"),
        ("= 9007199254740992.0 9007199254740992", "= 9007199254740992.0 9007199254740993"),
        ("< 1 2 3", "< 1 1 2"),
        ("< 1/3 0.5 1", "< +nan.0 0"),
        ("> 3.0 2.0 1.0", "> -3.0 2.0 1.0"),
        ("> +inf.0 1/2", "> 1/2 +inf.0"),
        ("<= 1 1 2", "<= 1 2 1"),
        (">= 2 1 1", ">= 1 2 1"),
        (">= 1/2 1/2", ">= 1/3 1/2"),
        ("< 0.3333333333333333 1/3", "< 1/3 0.3333333333333333"),
    ],
)
def test_comparison(call: Call, true: str, false: str) -> None:
    assert call(true) == "#t"
    assert call(false) == "#f"


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("+ 3 4", "7"),
        ("+ 3", "3"),
        ("+", "0"),
        ("+ -0.0", "-0.0"),
        ("+ 1 2 3 4.5", "10.5"),
        ("+ 1/2 1/2", "1"),
        ("+ 1/2 0.5", "1.0"),
        ("+ 1+2i 3-2i", "4"),
        ("* 4", "4"),
        ("*", "1"),
        ("* 2 3 1/6", "1"),
        ("* 1+2i 1-2i", "5"),
        ("* +inf.0 -2", "-inf.0"),
        ("- 3 4", "-1"),
        ("- 3 4 5", "-6"),
        ("- 3", "-3"),
        ("- 0.0", "-0.0"),
        ("- 3/2+i", "-3/2-i"),
        ("/ 3 4 5", "3/20"),
        ("/ 3", "1/3"),
        ("/ 6 3", "2"),
        ("/ -1073741824 -1", "1073741824"),
        ("/ 1+i 1-i", "+i"),
        ("/ 1.0 0.0", "+inf.0"),
        ("/ 1 -0.0", "-inf.0"),
        ("/ 0 0.0", "+nan.0"),
        ("/ 0.0", "+inf.0"),
        ("abs -7", "7"),
        ("abs -1/2", "1/2"),
        ("abs -0.0", "0.0"),
        ("square 42", "1764"),
        ("square 1/2", "1/4"),
        ("max 3 4", "4"),
        ("max 3", "3"),
        ("max 3.9 4", "4.0"),
        ("max 5 3.9 4", "5.0"),
        ("max 1 +nan.0", "+nan.0"),
        ("min 3 3.1", "3.0"),
        ("min 1/2 1/3", "1/3"),
        ("min -inf.0 -100", "-inf.0"),
    ],
)
def test_arithmetic(call: Call, expression: str, result: str) -> None:
    assert call(expression) == result


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("+ foo", "type: +: argument must be a number, got foo"),
        ("+ 1 foo", "type: +: argument must be a number, got foo"),
        ("+ 1 2 foo", "type: +: argument must be a number, got foo"),
        ("- foo", "type: -: argument must be a number, got foo"),
        ("- 1 #t", "type: -: argument must be a number, got #t"),
        ("* foo", "type: *: argument must be a number, got foo"),
        ("* 1 2 foo", "type: *: argument must be a number, got foo"),
        ("/ foo 0", "type: /: argument must be a number, got foo"),
        ("/ 1 0", "numeric: /: division by zero"),
        ("/ 1.0 0", "numeric: /: division by zero"),
        ("/ 1+i 0", "numeric: /: division by zero"),
        ("/ 0", "numeric: /: division by zero"),
        ("= 1 2 foo", "type: =: argument must be a number, got foo"),
        ("= foo", "type: =: argument must be a number, got foo"),
        ("< 2 1 foo", "type: <: argument must be a real number, got foo"),
        ("< foo", "type: <: argument must be a real number, got foo"),
        ("> 1 +i", "type: >: argument must be a real number, got +i"),
        ("<= 1 foo", "type: <=: argument must be a real number, got foo"),
        (">= foo 1", "type: >=: argument must be a real number, got foo"),
        ("max 1 +i", "type: max: argument must be a real number, got +i"),
        ("min foo 1", "type: min: argument must be a real number, got foo"),
        ("zero? foo", "type: zero?: argument must be a number, got foo"),
        ("positive? +i", "type: positive?: argument must be a real number, got +i"),
        ("negative? foo", "type: negative?: argument must be a real number, got foo"),
        ("odd? 1.5", "type: odd?: argument must be an integer, got 1.5"),
        ("even? foo", "type: even?: argument must be an integer, got foo"),
        ("abs +i", "type: abs: argument must be a real number, got +i"),
        ("exact? foo", "type: exact?: argument must be a number, got foo"),
        ("inexact? foo", "type: inexact?: argument must be a number, got foo"),
        ("finite? foo", "type: finite?: argument must be a number, got foo"),
        ("infinite? foo", "type: infinite?: argument must be a number, got foo"),
        ("nan? foo", "type: nan?: argument must be a number, got foo"),
    ],
)
def test_errors_name_the_procedure_and_the_value(call: Call, expression: str, error: str) -> None:
    assert call(expression) == error


def test_a_procedure_is_no_number(call: Call) -> None:
    from nodwyn.interp.errors import SchemeError

    assert numbers.is_number(numbers.is_number) is FALSE
    for compare in (numbers.equal, numbers.less, numbers.plus, numbers.times):
        with pytest.raises(SchemeError):
            compare(1, numbers.is_number)


def test_exact_products_are_bounded(call: Call) -> None:
    half = "1" + "0" * 20_000
    message = "the exact result would have more than 100,000 bits"
    assert call(f"* {half} {half}") == f"limit: *: {message}"
    assert call(f"* 1 {half} {half}") == f"limit: *: {message}"
    assert call(f"square {half}") == f"limit: *: {message}"


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("* 1.0 {huge}", "+inf.0"),
        ("* -1.0 {huge}", "-inf.0"),
        ("* 0.0 {huge}", "0.0"),
        ("* 1e-300 {huge}", "1.0e+100"),
        ("+ 1.0 {huge}", "+inf.0"),
        ("- 1.0 {huge}", "-inf.0"),
        ("- {huge} +inf.0", "-inf.0"),
        ("/ {huge} 1e300", "1.0e+100"),
        ("/ 1.0 {huge}", "0.0"),
        ("/ {huge} 0.0", "+inf.0"),
        ("max 1.0 {huge}", "+inf.0"),
        ("< 1.5 {huge}", "#t"),
        ("= +inf.0 {huge}", "#f"),
    ],
)
def test_an_integer_beyond_the_range_of_floats(call: Call, expression: str, result: str) -> None:
    assert call(expression.format(huge="1" + "0" * 400)) == result
