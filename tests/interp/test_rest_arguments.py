"""Rest parameters that are only handed on, counted or asked for the first: the same as those that are lists."""

from __future__ import annotations

import re

import pytest

from nodwyn.interp import Interpreter, SchemeError
from nodwyn.interp.printer import write

PROGRAMS = {
    "handed on": ("(define (f . rest) (apply list rest))", ["(f)", "(f 1)", "(f 1 2 3)"]),
    "handed on with others before": ("(define (f a . rest) (apply list a 'b rest))", ["(f 1)", "(f 1 2 3)"]),
    "handed on to a builtin": ("(define (f . rest) (apply + 1 rest))", ["(f)", "(f 2)", "(f 2 3)"]),
    "handed on to a procedure of two": (
        "(define (f . rest) (apply cons rest))",
        ["(f 1 2)", "(f 1)", "(f)", "(f 1 2 3)"],
    ),
    "handed on to what is no procedure": ("(define (f . rest) (apply 5 rest))", ["(f)", "(f 1)"]),
    "an optional argument": ("(define (f a . rest) (if (null? rest) a (car rest)))", ["(f 1)", "(f 1 2)", "(f 1 2 3)"]),
    "an optional argument, the other way": (
        "(define (f . rest) (if (not (pair? rest)) 'none (list (pair? rest) (null? rest) (car rest))))",
        ["(f)", "(f #f)", "(f 1 2)"],
    ),
    "the first of none": ("(define (f . rest) (car rest))", ["(f)", "(f 1)"]),
    "handed on as a list": ("(define (f . rest) (cons (apply list rest) rest))", ["(f)", "(f 1 2)"]),
    "assigned": ("(define (f . rest) (set! rest (list 5)) (apply list rest))", ["(f)", "(f 1 2)"]),
    "seen by a procedure that outlives the call": (
        "(define (f . rest) (lambda (g) (apply g rest))) (define (both . all) (list ((apply f all) list) (f list)))",
        ["(car (both 1 2 3))", "(car (both))"],
    ),
    "a loop that hands on fewer": (
        "(define (f n . rest) (if (= n 0) (apply list rest) (apply f (- n 1) rest)))",
        ["(f 100000)", "(f 100000 1 2)"],
    ),
    "recursion through apply": (
        "(define (f n . rest) (if (= n 0) (car rest) (+ 1 (apply f (- n 1) rest))))",
        ["(f 200000 5)"],
    ),
    "in a clause of case-lambda": (
        "(define f (case-lambda ((a) a) ((a . rest) (apply list (car rest) rest))))",
        ["(f 1)", "(f 1 2)", "(f 1 2 3)"],
    ),
    "handed on from a continuation entered again": (
        """(define k #f) (define count 0)
           (define (f . rest)
             (let ((x (call/cc (lambda (c) (set! k c) 0))))
               (if (null? rest) 'none (list x (car rest) (apply + x rest)))))
           (define (again)
             (let ((result (f 1 2))) (set! count (+ count 1)) (if (< count 3) (k count) (list result count))))""",
        ["(again)"],
    ),
    "an error in what it is handed on to": (
        "(define (f . rest) (with-exception-handler (lambda (e) 7) (lambda () (+ 1 (apply raise-continuable rest)))))",
        ["(f 'x)", "(f)", "(f 1 2)"],
    ),
}

KNOWN = re.compile(r"\((apply|null\?|pair\?|car) ")


def hidden(program: str) -> str:
    """Return a program in which the compiler does not know what it does with the rest, so that it is a list."""
    return KNOWN.sub(r"(hidden:\1 ", program)


def outcome(scheme: Interpreter, form: str) -> str:
    try:
        return write(scheme.eval_scheme(form))
    except SchemeError as error:
        return f"error in {error.payload.procedure}: {error.payload.message}"


@pytest.mark.parametrize(("program", "forms"), PROGRAMS.values(), ids=PROGRAMS)
def test_rest_parameters_are_lists_to_whoever_looks(program: str, forms: list[str]) -> None:
    scheme, other = Interpreter(), Interpreter()
    for name in ("apply", "null?", "pair?", "car"):
        other.eval(f"(define hidden:{name} (vector-ref (vector {name}) 0))")
    scheme.eval(program)
    other.eval(hidden(program))
    for form in forms:
        assert outcome(scheme, form) == outcome(other, form), form
