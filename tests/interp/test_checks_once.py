"""Checks are left out where they were made before, and nowhere else; mistakes are told as where all are made."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.printer import write

RECORD = "(define-record-type point (make-point x y) point? (x x set-x!) (y y set-y!))"

VALUES = {
    "an index used twice": (
        "(define (f v i) (vector-set! v i (+ 1 (vector-ref v i))) v)",
        "(f (vector 1 2) 1)",
        "#(1 3)",
    ),
    "an index that a test has found": (
        "(define (f v i) (if (and (>= i 0) (= 7 (vector-ref v i))) 'yes 'no))",
        "(list (f (vector 7) 0) (f (vector 7) -1))",
        "(yes no)",
    ),
    "an index that another is below": (
        "(define (f v n) (let loop ((i 0) (j n)) (if (<= i j) (cons (vector-ref v j) (loop (+ i 1) (- j 1))) '())))",
        "(f (vector 1 2 3 4) 3)",
        "(4 3)",
    ),
    "another vector each time round": (
        """(define (f v n)
             (let loop ((v v) (n n) (s 0))
               (if (= n 0)
                   s
                   (loop (vector (vector-ref v 1) (vector-ref v 0)) (- n 1) (+ s (vector-ref v 0))))))""",
        "(f (vector 1 10) 3)",
        "12",
    ),
    "a vector that is assigned": (
        "(define (f v w) (let ((a (vector-ref v 0))) (set! v w) (list a (vector-ref v 0) (vector-length v))))",
        "(f (vector 1) (vector 2 3))",
        "(1 2 2)",
    ),
    "other vectors for the same procedure": (
        """(define (f v w n)
             (if (= n 0)
                 (+ (vector-ref v 0) (vector-ref v 0))
                 (begin (vector-ref v 0) (vector-ref v 0) (f w v (- n 1)))))""",
        "(list (f (vector 1) (vector 5) 1) (f (vector 1) (vector 5) 2))",
        "(10 2)",
    ),
    "one branch's vector in the other": (
        "(define (f v w x) (if x (vector-ref v 0) 'none) (+ (vector-ref v 0) (vector-ref w 0) (vector-ref w 0)))",
        "(list (f (vector 1) (vector 5) #f) (f (vector 1) (vector 5) #t))",
        "(11 11)",
    ),
    "a vector that a captured frame uses": (
        """(define again #f) (define count 0)
           (define (f v i)
             (let ((a (vector-ref v i)))
               (call/cc (lambda (k) (set! again k)))
               (vector-set! v i (+ 1 (vector-ref v i)))
               (list a (vector-ref v i))))""",
        "(let ((l (f (vector 1 2) 1))) (set! count (+ count 1)) (if (< count 3) (again 7) (list count l)))",
        "(3 (2 5))",
    ),
    "a vector behind a number too large": (
        "(define (f v x) (vector-set! v 0 (* x (vector-ref v 0))) (+ (vector-ref v 0) (vector-ref v 1)))",
        "(f (vector 1.5 1) (expt 10 400))",
        "+inf.0",
    ),
    "a vector first looked at where a guard has caught something": (
        "(define (f v w) (guard (e (#t 0)) (vector-ref v 1) (vector-ref w 0)) (+ (vector-ref w 0) (vector-ref w 0)))",
        "(f (vector 1) (vector 3))",
        "6",
    ),
    "a field read and set": (
        "(define (f p) (set-x! p (+ 1 (x p))) (set-y! p (x p)) (list (x p) (y p)))",
        "(f (make-point 1 2))",
        "(2 2)",
    ),
    "a record known by its type": (
        "(define (f p) (if (point? p) (begin (set-x! p 5) (x p)) 'other))",
        "(list (f (make-point 1 2)) (f 7))",
        "(5 other)",
    ),
    "a pair set twice": (
        "(define (f p) (set-car! p (cdr p)) (set-cdr! p (list (car p))) p)",
        "(f (cons 1 2))",
        "(2 2)",
    ),
}

MISTAKES = {
    "a negative index": ("(define (f v i) (vector-ref v i))", "(f (vector 1) -1)"),
    "a negative index, after one that was none": (
        "(define (f v i j) (list (vector-ref v i) (vector-ref v j)))",
        "(f (vector 1) 0 -1)",
    ),
    "a negative index on one of two ways": (
        "(define (f v i x) (if x (vector-ref v i) 0) (vector-ref v i))",
        "(f (vector 1) -1 #f)",
    ),
    "a negative index where the test says no": (
        "(define (f v i) (if (>= i 0) 0 (vector-ref v i)))",
        "(f (vector 1) -1)",
    ),
    "a negative index where either of two holds": (
        "(define (f v i x) (if (or (>= i 0) x) (vector-ref v i) 0))",
        "(f (vector 1) -1 #t)",
    ),
    "a negative index next time round": (
        "(define (f v i) (let loop ((i i)) (vector-ref v i) (vector-set! v i 0) (loop (- i 1))))",
        "(f (vector 1 2) 1)",
    ),
    "a negative index after a guard that has caught it": (
        "(define (f v i) (guard (e (#t 'caught)) (vector-ref v i)) (vector-ref v i))",
        "(f (vector 1) -1)",
    ),
    "no vector after a guard that has caught it": (
        "(define (f v w) (guard (e (#t 'caught)) (vector-ref v 1) (vector-ref w 0)) (vector-ref w 0) (vector-ref w 1))",
        "(f (vector 1) car)",
    ),
    "an index past the end": ("(define (f v i) (vector-ref v 0) (vector-ref v i))", "(f (vector 1) 1)"),
    "an index that is no number": ("(define (f v i) (if (< i 0) 0 (vector-ref v i)))", "(f (vector 1) 1.5)"),
    "no vector, of which the length was asked": (
        "(define (f v w) (vector-length v) (vector-ref w 0) (vector-ref w 1))",
        "(f (vector 1) '(1))",
    ),
    "no vector next time round": (
        "(define (f v) (let loop ((v v)) (vector-ref v 0) (loop (vector-ref v 0))))",
        "(f (vector (vector 1)))",
    ),
    "a field of another type": ("(define (f p q) (set-x! p (x p)) (set-x! q (x p)))", "(f (make-point 1 2) car)"),
    "a field where the type is another": ("(define (f p) (if (point? p) 0 (set-x! p 5)))", "(f car)"),
    "no pair": ("(define (f p q) (set-car! p (car p)) (set-car! q (car p)))", "(f (list 1) car)"),
    "no pair on one of two ways": ("(define (f p x) (if x (car p)) (set-car! p 1))", "(f car #f)"),
}  # fmt: skip

PROLOGUE = f"""
{RECORD}
(define (message thunk) (guard (e (#t (error-object-message e))) (thunk)))
"""


@pytest.fixture
def scheme() -> Interpreter:
    scheme = Interpreter()
    scheme.eval(PROLOGUE)
    return scheme


@pytest.mark.parametrize(("definition", "call", "expected"), VALUES.values(), ids=VALUES)
def test_values(scheme: Interpreter, definition: str, call: str, expected: str) -> None:
    scheme.eval(definition)
    assert write(scheme.eval_scheme(call)) == expected


@pytest.mark.parametrize(("definition", "call"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_told_as_the_builtins_do(scheme: Interpreter, definition: str, call: str) -> None:
    scheme.eval(definition)
    written_out = scheme.eval(f"(message (lambda () {call}))")
    # As unknown procedures, the builtins make their own checks.
    for name in ("vector-ref", "vector-set!", "vector-length", "set-car!", "set-cdr!", "car", "cdr", "set-x!", "x"):
        definition = definition.replace(f"({name} ", f"((car (list {name})) ")
    scheme.eval(definition)
    assert isinstance(written_out, str)
    assert written_out == scheme.eval(f"(message (lambda () {call}))")
