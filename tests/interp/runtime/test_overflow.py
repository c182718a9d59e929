"""Arithmetic of inexact numbers with exact ones beyond their range, which Python refuses and Scheme defines."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter

INFINITY = float("inf")
SETTING = "(define big (expt 10 400)) (define (product a b) (* a b))"

ANSWERS = [
    ("(* 1.0 (expt 10 400))", INFINITY),
    ("(- 0.5 (expt 10 400))", -INFINITY),
    ("(/ 1.0 (expt 10 400))", 0.0),
    ("(< 1.0 (expt 10 400))", True),
    ("(product big -1.5)", -INFINITY),
    ("(+ 1 (product 1.5 big))", INFINITY),
    ("(let loop ((i 0) (sum 0.0)) (if (= i 3) sum (loop (+ i 1) (+ sum (* 2 big)))))", INFINITY),
    ("(let ((x 2)) (+ (* x 2) (* 1.0 big) (* x 3)))", INFINITY),
    ("(guard (e (#t 'an-error)) (* 2.0 big))", INFINITY),
    ("(with-exception-handler (lambda (e) 1) (lambda () (+ 1 (* 2.0 big))))", INFINITY),
    ("(vector-ref (vector-map (lambda (x) (* x big)) (vector 2.0)) 0)", INFINITY),
    ("(sqrt (* 1.0 big))", INFINITY),
]


@pytest.mark.parametrize(("text", "value"), ANSWERS)
def test_the_answer_is_what_the_numeric_tower_says(text: str, value: object) -> None:
    scheme = Interpreter()
    scheme.eval(SETTING)
    assert scheme.eval(text) == value
    assert scheme.eval(text) == value
