"""Exactness, rounding, fractions, parts of complex numbers, and text (sections 6.2.6 and 6.2.7)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Call = Callable[[str], str]


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("exact 1.0", "1"),
        ("exact 2.5", "5/2"),
        ("exact 1/3", "1/3"),
        ("exact 1.5+2.0i", "3/2+2i"),
        ("inexact->exact .25", "1/4"),
        ("inexact 1", "1.0"),
        ("inexact 1/3", "0.3333333333333333"),
        ("inexact 1+2i", "1.0+2.0i"),
        ("exact->inexact 1/4", "0.25"),
        ("floor -4.3", "-5.0"),
        ("ceiling -4.3", "-4.0"),
        ("truncate -4.3", "-4.0"),
        ("round -4.3", "-4.0"),
        ("floor 3.5", "3.0"),
        ("ceiling 3.5", "4.0"),
        ("truncate 3.5", "3.0"),
        ("round 3.5", "4.0"),
        ("round 2.5", "2.0"),
        ("round -0.4", "-0.0"),
        ("ceiling -0.5", "-0.0"),
        ("round 7/2", "4"),
        ("round 5/2", "2"),
        ("round 7", "7"),
        ("round 7/10", "1"),
        ("round -7/2", "-4"),
        ("floor -7/2", "-4"),
        ("ceiling -7/2", "-3"),
        ("truncate -7/2", "-3"),
        ("truncate 7/2", "3"),
        ("floor +inf.0", "+inf.0"),
        ("round +nan.0", "+nan.0"),
        ("numerator 6/4", "3"),
        ("denominator 6/4", "2"),
        ("numerator 5.5", "11.0"),
        ("denominator 5.5", "2.0"),
        ("denominator 0", "1"),
        ("rationalize 3/10 1/10", "1/3"),
        ("rationalize -3/10 1/10", "-1/3"),
        ("rationalize .3 1/10", "0.3333333333333333"),
        ("rationalize 1/10 1/2", "0"),
        ("rationalize 3/10 -1/10", "1/3"),
        ("rationalize +inf.0 1", "+inf.0"),
        ("rationalize 1 +inf.0", "0.0"),
        ("rationalize +inf.0 +inf.0", "+nan.0"),
        ("rationalize +nan.0 1", "+nan.0"),
        ("make-rectangular 1 2", "1+2i"),
        ("make-rectangular 1 0", "1"),
        ("make-rectangular 1 2.0", "1.0+2.0i"),
        ("make-polar 1 0", "1"),
        ("make-polar 1 1", "0.5403023058681398+0.8414709848078965i"),
        ("real-part 1+2i", "1"),
        ("imag-part 1+2i", "2"),
        ("real-part 1.5", "1.5"),
        ("imag-part 1.5", "0"),
        ("magnitude 3+4i", "5"),
        ("magnitude 1+2i", "2.23606797749979"),
        ("magnitude -5/2", "5/2"),
        ("angle 1+2i", "1.1071487177940904"),
        ("angle -1", "3.141592653589793"),
        ("angle 5", "0"),
        ("angle 5.0", "0.0"),
        ("number->string 255 16", '"ff"'),
        ("number->string -1/3 2", '"-1/11"'),
        ("number->string 0.5 2", '"0.1"'),
        ('string->number "100"', "100"),
        ('string->number "100" 16', "256"),
        ('string->number "1e2"', "100.0"),
        ('string->number "1e2" 16', "482"),
        ('string->number "#b101" 16', "5"),
        ('string->number "one"', "#f"),
    ],
)
def test_examples(call: Call, expression: str, result: str) -> None:
    assert call(expression) == result


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("exact +inf.0", "type: exact: argument must be a finite number, got +inf.0"),
        ("exact +nan.0+1.0i", "type: exact: argument must be a finite number, got +nan.0"),
        ("exact foo", "type: exact: argument must be a number, got foo"),
        ("inexact foo", "type: inexact: argument must be a number, got foo"),
        ("floor +i", "type: floor: argument must be a real number, got +i"),
        ("ceiling foo", "type: ceiling: argument must be a real number, got foo"),
        ("truncate foo", "type: truncate: argument must be a real number, got foo"),
        ("round foo", "type: round: argument must be a real number, got foo"),
        ("numerator +inf.0", "type: numerator: argument must be a rational number, got +inf.0"),
        ("denominator foo", "type: denominator: argument must be a rational number, got foo"),
        ("rationalize 1 foo", "type: rationalize: argument must be a real number, got foo"),
        ("make-rectangular 1 +i", "type: make-rectangular: argument must be a real number, got +i"),
        ("make-polar foo 1", "type: make-polar: argument must be a real number, got foo"),
        ("real-part foo", "type: real-part: argument must be a number, got foo"),
        ("imag-part foo", "type: imag-part: argument must be a number, got foo"),
        ("magnitude foo", "type: magnitude: argument must be a number, got foo"),
        ("angle foo", "type: angle: argument must be a number, got foo"),
        ("number->string foo", "type: number->string: argument must be a number, got foo"),
        ("number->string 1 37", "type: number->string: radix must be an exact integer from 2 to 36, got 37"),
        ("number->string 1 10.0", "type: number->string: radix must be an exact integer from 2 to 36, got 10.0"),
        ("string->number 1", "type: string->number: string must be a string, got 1"),
        ('string->number "1" foo', "type: string->number: radix must be an exact integer from 2 to 36, got foo"),
        (
            "number->string 1.5 19",
            "range: number->string: an inexact or complex number has no text in radix 19: at most 18",
        ),
    ],
)
def test_errors(call: Call, expression: str, error: str) -> None:
    assert call(expression) == error
