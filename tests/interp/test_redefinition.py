"""What is typed in later changes what was typed in before: definitions, shadowed builtins, closures that live on."""

from __future__ import annotations

import gc
from typing import Any

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
    "a small library procedure that was written out": (
        ["(define (f l) (member 2 l))", "(f '(1 2))", "(define (member x l) 'own)"],
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
    "what a closure in a list calls, and one that shares its code": (
        [
            "(define (adder n) (lambda (x) (+ n (step x)))) (define (step x) 1)",
            "(define known (adder 10)) (define kept (list (adder 20) (vector (adder 30))))",
            "(known 0)",
            "(define (step x) 2)",
        ],
        "(list (known 0) ((car kept) 0) ((vector-ref (cadr kept) 0) 0))",
        "(12 22 32)",
    ),
    "what a closure calls that only a continuation has": (
        [
            "(define (step) 1) (define again #f) (define result #f)",
            "(define (go) (let ((f (lambda () (step)))) (call/cc (lambda (k) (set! again k))) (set! result (f))))",
            "(go)",
            "(define (step) 2)",
            "(again #f)",
        ],
        "result",
        "2",
    ),
    "two names at once, one of them imported": (
        ["(define (f) (list (car '(1)) (g))) (define (g) 2)", "(f)", "(define (g) 3) (define (car x) 4)"],
        "(f)",
        "(4 3)",
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


def test_code_that_no_procedure_has_is_not_compiled_again() -> None:
    scheme = Interpreter()
    scheme.eval("(define (f x) (car x))")
    for _ in range(20):
        scheme.eval("(for-each (lambda (x) (car (f (list x)))) '((1) (2)))")
    texts = scheme.programs.linker.texts
    scheme.eval("(define (car x) x)")
    assert len(texts.texts) <= 3


def test_the_heap_is_searched_only_for_closures_that_no_variable_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    find = gc.get_referrers

    def recording(*objects: Any) -> list[Any]:
        searched.append(len(objects))
        return find(*objects)

    monkeypatch.setattr(gc, "get_referrers", recording)
    monkeypatch.setattr(gc, "get_objects", lambda: pytest.fail("all objects were looked through"))
    scheme = Interpreter()
    scheme.eval("(define (f x) (g x)) (define (g x) x) (define h f)")
    scheme.eval("(define (g x) 'new)")
    assert write(scheme.eval_scheme("(h 1)")) == "new"
    assert not searched
    scheme.eval("(define (adder) (lambda (x) (g x))) (define kept (list (adder)))")
    scheme.eval("(define (g x) 'newer)")
    assert write(scheme.eval_scheme("((car kept) 1)")) == "newer"
    assert searched == [1]


def test_a_macro_of_the_language_keeps_its_own_meaning() -> None:
    scheme = Interpreter()
    scheme.eval("(define (f x) (case x ((1) 'one) (else 'other)))")
    scheme.eval("(f 1)")
    scheme.eval("(define (eqv? a b) #f)")
    assert write(scheme.eval_scheme("(f 1)")) == "one"
