"""What is typed in later changes what was typed in before: definitions, shadowed builtins, closures that live on."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.printer import write

SESSIONS = {
    "a procedure that another calls": (
        ["(define (f x) (g x)) (define (g x) (* 2 x))", "(f 3)", "(define (g x) (list x x))"],
        "(f 3)",
        "(3 3)",
    ),
    "a builtin that was written out": (
        ["(define (f x) (car x))", "(f '(1 2))", "(define (car x) 'mine)"],
        "(f '(1 2))",
        "mine",
    ),
    "a library procedure that was inlined": (
        ["(define (f l) (map (lambda (x) (+ x 1)) l))", "(f '(1 2))", "(define (map f l) 'own)"],
        "(f '(1 2))",
        "own",
    ),
    "a procedure that was a loop": (
        ["(define (f x) (if (= x 0) 0 (f (- x 1))))", "(define h f)", "(define (f x) 'new)"],
        "(list (h 5) (f 5))",
        "(new new)",
    ),
    "procedures that were fused": (
        [
            "(define (even x) (if (= x 0) #t (odd (- x 1)))) (define (odd x) (if (= x 0) #f (even (- x 1))))",
            "(even 10)",
            "(define (odd x) 'changed)",
        ],
        "(even 10)",
        "changed",
    ),
    "what a living closure calls": (
        [
            "(define (counter) (let ((n 0)) (lambda () (set! n (+ n (step))) n))) (define (step) 1)",
            "(define c (counter))",
            "(c)",
            "(define (step) 10)",
        ],
        "(list (c) (c))",
        "(11 21)",
    ),
    "a record type": (
        [
            "(define-record-type point (make-point x) point? (x point-x))",
            "(define (f p) (point-x p))",
            "(define old (make-point 1))",
            "(define-record-type point (make-point x y) point? (x point-x) (y point-y))",
        ],
        "(list (guard (e (#t 'refused)) (f old)) (f (make-point 2 3)))",
        "(refused 2)",
    ),
    "a procedure that now answers with a request": (
        ["(define (f) (g)) (define (g) 1)", "(f)", "(define g (lambda () (apply (lambda () 7) '())))"],
        "(+ 1 (f))",
        "8",
    ),
    "an assigned variable": (["(define (f) x) (define x 1)", "(set! x 2)"], "(f)", "2"),
    "a builtin that was assigned after its definition": (
        ["(define (f x) (square x))", "(f 3)", "(define square (lambda (x) 'first))", "(set! square list)"],
        "(f 3)",
        "(3)",
    ),
}


@pytest.mark.parametrize(("texts", "last", "expected"), SESSIONS.values(), ids=SESSIONS.keys())
def test_a_change_takes_effect_in_code_compiled_before(texts: list[str], last: str, expected: str) -> None:
    scheme = Interpreter()
    for text in texts:
        scheme.eval(text)
    assert write(scheme.eval_scheme(last)) == expected


def test_a_macro_of_the_language_keeps_its_own_meaning() -> None:
    scheme = Interpreter()
    scheme.eval("(define (f x) (case x ((1) 'one) (else 'other)))")
    scheme.eval("(f 1)")
    scheme.eval("(define (eqv? a b) #f)")
    assert write(scheme.eval_scheme("(f 1)")) == "one"
