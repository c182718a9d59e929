"""Powers, roots and the transcendental functions (section 6.2.6)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Call = Callable[[str], str]


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("exp 0", "1"),
        ("log 1", "0"),
        ("sin 0", "0"),
        ("cos 0", "1"),
        ("tan 0", "0"),
        ("asin 0", "0"),
        ("acos 1", "0"),
        ("atan 0", "0"),
        ("atan 0 1", "0"),
        ("log 1 10", "0"),
        ("sqrt 16", "4"),
        ("sqrt 1/4", "1/2"),
        ("sqrt -1", "+i"),
        ("sqrt -3+4i", "1+2i"),
        ("expt 0 0", "1"),
        ("expt 4 1/2", "2"),
        ("expt 8 2/3", "4"),
        ("expt -4 1/2", "+2i"),
    ],
)
def test_exact_results_of_exact_arguments(call: Call, expression: str, result: str) -> None:
    assert call(expression) == result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("exp 1000", "+inf.0"),
        ("exp -inf.0", "0.0"),
        ("log 0.0", "-inf.0"),
        ("log -1", "0.0+3.141592653589793i"),
        ("log 100 10", "2.0"),
        ("log 1000 10", "3.0"),
        ("log 4096 2", "12.0"),
        ("log 1e300 10.0", "300.0"),
        ("sin +inf.0", "+nan.0"),
        ("tan 1", "1.5574077246549023"),
        ("asin 2", "1.5707963267948966-1.3169578969248166i"),
        ("acos -1", "3.141592653589793"),
        ("acos 2", "0.0+1.3169578969248166i"),
        ("atan 0.0 1.0", "0.0"),
        ("atan -0.0 1.0", "-0.0"),
        ("atan 1.0 0.0", "1.5707963267948966"),
        ("atan 0.0 -1.0", "3.141592653589793"),
        ("atan -0.0 -1.0", "-3.141592653589793"),
        ("atan 1 -1", "2.356194490192345"),
        ("sqrt 2", "1.4142135623730951"),
        ("sqrt 16.0", "4.0"),
        ("sqrt -0.0", "-0.0"),
        ("sqrt -1.0-0.0i", "0.0+1.0i"),
        ("expt 2 0.5", "1.4142135623730951"),
        ("expt 0.0 0", "1.0"),
        ("expt 0.0 -1", "+inf.0"),
        ("expt -8 1/3", "1.0000000000000002+1.7320508075688772i"),
    ],
)
def test_inexact_results(call: Call, expression: str, result: str) -> None:
    assert call(expression) == result


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("log 2 1", "numeric: log: the base of a logarithm must not be 1"),
        ("log foo", "type: log: argument must be a number, got foo"),
        ("log 2 foo", "type: log: argument must be a number, got foo"),
        ("atan 0 0", "numeric: atan: the angle of an exact 0 does not exist"),
        ("atan +i", "numeric: atan: the arc tangent of +i and -i does not exist"),
        ("atan 1 +i", "type: atan: argument must be a real number, got +i"),
        ("expt 0 -1", "numeric: expt: division by zero"),
        ("expt foo 1", "type: expt: argument must be a number, got foo"),
        ("expt 2 1000000000000", "limit: expt: the exact result would have more than 100,000 bits"),
        *((f"{name} foo", f"type: {name}: argument must be a number, got foo") for name in ("exp", "sin", "cos")),
        *((f"{name} foo", f"type: {name}: argument must be a number, got foo") for name in ("tan", "asin", "acos")),
        *((f"{name} foo", f"type: {name}: argument must be a number, got foo") for name in ("atan", "sqrt")),
    ],
)
def test_errors(call: Call, expression: str, error: str) -> None:
    assert call(expression) == error
