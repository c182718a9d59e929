"""Loops that count up to a limit: whatever the limit and the step are, they end where the variable says."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.printer import write

SUM = "(define (f n) (let loop ((i 0) (s 0)) (if (= i n) (list i s) (loop (+ i 1) (+ s i)))))"
BY_TWO = "(define (f n) (do ((i 0 (+ i 2)) (l '() (cons i l))) ((>= i n) (cons i l))))"
BY_STEP = "(define (f n k) (do ((i 1 (+ i k)) (l '() (cons i l))) ((> i n) (cons i l))))"
LOOPS = {
    "no time round": (SUM, "(f 0)", "(0 0)"),
    "several times": (SUM, "(f 5)", "(5 10)"),
    "to an inexact limit": (SUM, "(f 5.0)", "(5 10)"),
    "over the limit at once": (BY_TWO, "(f -3)", "(0)"),
    "past the limit": (BY_TWO, "(f 5)", "(6 4 2 0)"),
    "on the limit": (BY_TWO, "(f 6)", "(6 4 2 0)"),
    "to a limit between": (BY_TWO, "(f 5.5)", "(6 4 2 0)"),
    "the limit included": (BY_STEP, "(f 9 4)", "(13 9 5 1)"),
    "the limit first": (BY_STEP, "(f 1 1)", "(2 1)"),
    "beyond the limit first": (BY_STEP, "(f 0 1)", "(1)"),
    "with a loop inside": (
        """(define (f n)
             (do ((i 0 (+ i 1)) (s 0 (let inner ((j 0) (s s)) (if (= j i) s (inner (+ j 1) (+ s j))))))
                 ((= i n) (list i s))))""",
        "(list (f 0) (f 4) (f 4.0))",
        "((0 0) (4 4) (4 4))",
    ),
    "with a loop inside that goes on with the one outside": (
        """(define (f n)
             (let loop ((i 0) (l '()))
               (if (= i n) l (let inner ((j 0)) (if (< j i) (inner (+ j 1)) (loop (+ i 1) (cons j l)))))))""",
        "(f 4)",
        "(3 2 1 0)",
    ),
    "to a difference": (
        """(define (f v w)
             (let ((n (vector-length v)) (m (vector-length w)))
               (do ((i 0 (+ i 1)) (l '() (cons i l))) ((= i (- n m)) l))))""",
        "(list (f (vector 1 2 3) (vector 1)) (f (vector 1) (vector 1)))",
        "((1 0) ())",
    ),
    "to a sum with a variable of the loop": (
        "(define (f v) (let ((n (vector-length v))) (do ((i 0 (+ i 1)) (j 0 (- j 1))) ((= i (+ n j)) (list i j)))))",
        "(f (vector 1 2 3 4))",
        "(2 -2)",
    ),
    "from one, to the index before": (
        "(define (f v) (do ((i 1 (+ i 1)) (s 0 (+ s (vector-ref v (- i 1))))) ((= i (vector-length v)) s)))",
        "(f (vector 1 2 3))",
        "3",
    ),
    "from nought, to the index before": (
        """(define (f v)
             (guard (e (#t 'error))
               (do ((i 0 (+ i 1)) (s 0 (+ s (vector-ref v (- i 1))))) ((= i (vector-length v)) s))))""",
        "(f (vector 1 2 3))",
        "error",
    ),
    "on different ways": (
        """(define (f n)
             (let loop ((i 0) (j 10))
               (if (= i n) (list i j) (if (odd? i) (loop (+ i 1) j) (loop (+ i 1) (- j i))))))""",
        "(f 7)",
        "(7 -2)",
    ),
    "left in between": (
        "(define (f n) (let loop ((i 0)) (cond ((= i n) 'end) ((= i 3) 'three) (else (loop (+ i 1))))))",
        "(list (f 2) (f 9))",
        "(end three)",
    ),
    "with a procedure for each": (
        "(define (f n) (let loop ((i 0) (l '())) (if (= i n) l (loop (+ i 1) (cons (lambda () i) l)))))",
        "(map (lambda (g) (g)) (f 4))",
        "(3 2 1 0)",
    ),
    "a limit that is assigned": (
        "(define (f n) (let loop ((i 0)) (if (< i n) (begin (set! n (- n 1)) (loop (+ i 1))) (list i n))))",
        "(f 9)",
        "(5 4)",
    ),
    "entered again": (
        """(define again #f) (define count 0)
           (define (f n)
             (let loop ((i 0) (l '()))
               (if (< i n)
                   (begin (call/cc (lambda (k) (if (= i 2) (set! again k)))) (loop (+ i 1) (cons i l)))
                   l)))""",
        "(let ((l (f 5))) (set! count (+ count 1)) (if (< count 3) (again #f) (list count l)))",
        "(3 (4 3 2 1 0))",
    ),
    "entered again in an operand": (
        """(define again #f) (define count 0)
           (define (step x) (call/cc (lambda (k) (if (= x 2) (set! again k)) x)))
           (define (f n) (let loop ((i 0) (l '())) (if (< i n) (loop (+ i 1) (cons (step i) l)) l)))""",
        "(let ((l (f 4))) (set! count (+ count 1)) (if (< count 3) (again 7) (list count l)))",
        "(3 (3 7 1 0))",
    ),
}


@pytest.mark.parametrize(("definitions", "call", "expected"), LOOPS.values(), ids=LOOPS.keys())
def test_counting(definitions: str, call: str, expected: str) -> None:
    scheme = Interpreter()
    scheme.eval(definitions)
    assert write(scheme.eval_scheme(call)) == expected


def test_a_step_of_nothing_goes_on_for_ever_until_it_is_left() -> None:
    scheme = Interpreter()
    scheme.eval("(define (f n k) (let loop ((i 0) (c 0)) (if (> i n) c (if (= c 50) 'left (loop (+ i k) (+ c 1))))))")
    assert write(scheme.eval_scheme("(f 3 0)")) == "left"
