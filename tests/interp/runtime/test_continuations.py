"""Continuations that are entered again, through every procedure that calls procedures (section 6.10).

``k`` and ``times`` are global: a program keeps a continuation in one and counts in the other.
"""

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.runtime import trampoline

PRELUDE = """
(define k #f)
(define times 0)
(define log '())
(define (note what) (set! log (cons what log)))
(define (keep) (call/cc (lambda (c) (set! k c) 0)))
(define (keep-at wanted at) (call/cc (lambda (c) (if (equal? wanted at) (set! k c)) 0)))
(define (again value result)
  (set! times (+ times 1))
  (if (< times 3) (k value) (list times result)))
(define (written value) (let ((port (open-output-string))) (write value port) (get-output-string port)))
"""

ENTERED_AGAIN = {
    "map": ("(let ((r (map (lambda (x) (+ x (keep-at 2 x))) '(1 2 3)))) (again 10 r))", "(3 (1 12 3))"),
    "map over two lists": (
        "(let ((r (map (lambda (x y) (+ x y (keep-at 2 x))) '(1 2 3) '(1 1 1)))) (again 10 r))",
        "(3 (2 13 4))",
    ),
    "vector-map": (
        "(let ((r (vector-map (lambda (x) (+ x (keep-at 2 x))) #(1 2 3)))) (again 10 r))",
        "(3 #(1 12 3))",
    ),
    "string-map": (
        '(let ((r (string-map (lambda (c) (integer->char (+ (char->integer c) (keep-at #\\b c)))) "abc")))'
        " (again 1 r))",
        '(3 "acc")',
    ),
    "for-each": (
        "(begin (for-each (lambda (x) (keep-at 2 x) (note x)) '(1 2 3)) (again 0 (reverse log)))",
        "(3 (1 2 3 2 3 2 3))",
    ),
    "vector-for-each": (
        "(begin (vector-for-each (lambda (x) (keep-at 2 x) (note x)) #(1 2 3)) (again 0 (reverse log)))",
        "(3 (1 2 3 2 3 2 3))",
    ),
    "string-for-each": (
        '(begin (string-for-each (lambda (c) (keep-at #\\b c) (note c)) "abc") (again 0 (length log)))',
        "(3 7)",
    ),
    "member, global variables all around": (
        "(let ((r (member 2 '(1 2 3) (lambda (a b) (call/cc (lambda (c) (set! k c))) (= a b)))))"
        " (set! times (+ times 1)) (if (< times 3) (k 0) r))",
        "(2 3)",
    ),
    "apply": ("(let ((r (apply + (list 1 (keep))))) (again times r))", "(3 2)"),
    "a loop": (
        "(let ((r (let loop ((i 0)) (if (< i 3) (begin (keep-at 1 i) (note i) (loop (+ i 1))) i))))"
        " (again 0 (reverse log)))",
        "(3 (0 1 2 1 2 1 2))",
    ),
    "dynamic-wind": (
        "(begin (dynamic-wind (lambda () (note 'in)) (lambda () (keep)) (lambda () (note 'out)))"
        " (again 0 (reverse log)))",
        "(3 (in out in out in out))",
    ),
    "guard": (
        "(let ((r (guard (e (#t (list 'caught e))) (keep) (raise times)))) (again 0 r))",
        "(3 (caught 2))",
    ),
    "a clause of guard": ("(let ((r (guard (e (#t (+ e (keep)))) (raise 1)))) (again 5 r))", "(3 6)"),
    "the test of a clause of guard": (
        "(let ((r (guard (e ((keep) => (lambda (n) (+ e n)))) (raise 1)))) (again 5 r))",
        "(3 6)",
    ),
    "a handler": (
        "(let ((r (with-exception-handler (lambda (e) (+ e (keep))) (lambda () (list (raise-continuable 1))))))"
        " (again 5 r))",
        "(3 (6))",
    ),
    "parameterize": (
        "(let* ((p (make-parameter 1)) (r (parameterize ((p 2)) (+ (p) (keep))))) (again 5 (list r (p))))",
        "(3 (7 1))",
    ),
    "a string port": (
        "(let ((port (open-output-string))) (keep) (write times port) (again 0 (get-output-string port)))",
        '(3 "012")',
    ),
    "call-with-values": (
        "(let ((r (call-with-values (lambda () (values 1 (keep))) list))) (again 5 r))",
        "(3 (1 5))",
    ),
    "force": ("(let ((r (force (make-promise (keep))))) (again 5 r))", "(3 5)"),
    "force, from within the promise that delay-force gives": (
        "(force (delay-force (begin (keep) (delay (again 5 'forced)))))",
        "(3 forced)",
    ),
    "eval": ("(let ((r (eval '(+ 1 (keep)) (interaction-environment)))) (again 5 r))", "(3 6)"),
    "a binding of letrec": ("(letrec ((a (keep)) (b (lambda () a))) (again 5 (b)))", "(3 5)"),
    "an operand, beside a list under construction": ("(let ((r (list 1 (keep) 3))) (again times r))", "(3 (1 1 3))"),
    "a sort with a comparison of the program": (
        "(let ((r (list-sort (lambda (a b) (keep) (< a b)) '(3 1 2)))) (again 0 r))",
        "(3 (1 2 3))",
    ),
}


@pytest.fixture
def scheme() -> Interpreter:
    made = Interpreter()
    made.eval("(import (only (srfi 132) list-sort))")
    made.eval(PRELUDE)
    return made


@pytest.mark.parametrize(("expression", "written"), ENTERED_AGAIN.values(), ids=ENTERED_AGAIN)
def test_a_continuation_can_be_entered_again(scheme: Interpreter, expression: str, written: str) -> None:
    assert scheme.eval(f"(written {expression})") == written


def test_a_continuation_outlives_its_top_level_form(scheme: Interpreter) -> None:
    scheme.eval("(define result (+ 1 (keep)))")
    assert scheme.eval("result") == 1
    scheme.eval("(k 41)")
    assert scheme.eval("result") == 42


@pytest.mark.parametrize("program", ["(k 1)", "(list (k 1))", "(dynamic-wind values (lambda () (k 1)) values)"])
def test_what_a_builtin_called_cannot_be_entered_once_that_has_returned(scheme: Interpreter, program: str) -> None:
    scheme.eval("(make-parameter 1 (lambda (x) (keep) x))")
    message = scheme.eval(f"(guard (e (#t (error-object-message e))) {program})")
    assert message == "the continuation was captured inside a procedure called by a builtin that has returned"


GENERATOR = """
(define return #f)
(define (produce n)
  (if (< n 0) (return 'done) (begin (call/cc (lambda (next) (set! resume next) (return n))) (produce (+ n 1)))))
(define resume (lambda (ignored) (produce 0)))
(define (next) (call/cc (lambda (k) (set! return k) (resume #f))))
(define (run rounds) (let loop ((n 1) (got (next))) (if (< n rounds) (loop (+ n 1) (next)) got)))
"""


def test_a_generator_by_re_entry_keeps_no_frames(scheme: Interpreter) -> None:
    scheme.eval(GENERATOR)
    depths: list[int] = []

    def note_depth() -> None:
        frames, depth = scheme.runtime.tc.frames, 0
        while frames is not None:
            frames, depth = frames[2], depth + 1
        depths.append(depth)

    scheme.define("note-depth", note_depth)
    assert scheme.eval("(let ((got (run 100))) (note-depth) got)") == 99
    assert scheme.eval("(let ((got (run 10000))) (note-depth) got)") == 10_099
    assert depths[0] == depths[1]


ESCAPES = {
    "from a procedure": "(define (leave k) (k 1)) (define (run) (call/cc (lambda (k) (+ 1 (leave k)))))",
    "from a handler": "(define (run) (call/cc (lambda (k)"
    " (with-exception-handler (lambda (e) (k 1)) (lambda () (raise 'x))))))",
    "from for-each": "(define (run) (call/cc (lambda (k) (for-each (lambda (x) (if (= x 1) (k x))) (list 0 1 2)) 0)))",
    "from an inner extent": "(define (leave k) (k 1))"
    "(define (run) (call/cc (lambda (k) (dynamic-wind (lambda () #f) (lambda () (leave k)) (lambda () #f)))))",
    "of two, the outer": "(define (leave k) (k 1))"
    "(define (run) (call/cc (lambda (k) (+ 1 (call/cc (lambda (inner) (+ 1 (leave k))))))))",
}


@pytest.mark.parametrize("program", ESCAPES.values(), ids=ESCAPES)
def test_an_escape_that_nobody_keeps_moves_no_frames_to_the_heap(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def moved(*_: object, **__: object) -> None:
        raise AssertionError("frames were moved to the heap")

    scheme = Interpreter()
    scheme.eval(program + "(define (shown) run)")
    monkeypatch.setattr(trampoline, "frames_from", moved)
    assert scheme.eval("(+ (run) (run))") == 2
