"""A global that a program or library defines as a number is that number in what comes after, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.interp import Interpreter, SchemeError
from nodwyn.interp.data import iterate
from nodwyn.interp.printer import write

PROGRAMS = {
    "an index": ("(define n 2) (define (f v) (vector-ref v n)) (f (vector 1 2 3))", "3"),
    "arithmetic": (
        "(define half 0.5) (define n 7) (list (* half n) (modulo 20 n) (- n) (eqv? half 0.5))",
        "(3.5 6 -7 #t)",
    ),
    "a branch": ("(define zero 0) (define (f) (if zero 'true 'false)) (f)", "true"),
    "one that is assigned": ("(define n 1) (define (f) n) (set! n 2) (f)", "2"),
    "one that an inner variable hides": ("(define n 1) (define (f n) n) (let ((n 5)) (list n (f 2)))", "(5 2)"),
    "one that is computed": ("(define n (+ 1 1)) (define (f) n) (f)", "2"),
    "a procedure from before it": ("(define (f) n) (define n 3) (f)", "3"),
}


@pytest.mark.parametrize(("program", "answer"), PROGRAMS.values(), ids=PROGRAMS)
def test_what_comes_after_sees_the_number(program: str, answer: str, tmp_path: Path) -> None:
    *definitions, last = iterate(Interpreter().eval_scheme(f"'({program})"))
    body = " ".join(map(write, definitions))
    path = tmp_path / "it.sld"
    path.write_text(
        f"(define-library (it) (export answer) (import (scheme base)) (begin {body} (define answer {write(last)})))"
    )
    inside = Interpreter(library_path=[str(tmp_path)])
    inside.eval("(import (it))")
    assert write(inside.eval_scheme("answer")) == answer
    assert write(Interpreter().eval_scheme(program)) == answer


def test_what_runs_before_the_definition_has_no_number() -> None:
    scheme = Interpreter()
    with pytest.raises(SchemeError, match=r"unbound variable: n|n has no value yet|before"):
        scheme.eval(
            """(define-library (early) (export answer) (import (scheme base))
                 (begin (define (f) n) (define answer (f)) (define n 3)))
               (import (early))"""
        )


def test_a_number_defined_anew_at_the_prompt_is_the_new_one() -> None:
    scheme = Interpreter()
    scheme.eval("(define n 1) (define (f) (+ n 1))")
    assert scheme.eval("(f)") == 2
    scheme.eval("(define n 10)")
    assert scheme.eval("(f)") == 11
