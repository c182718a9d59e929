"""Circular data given to every procedure that takes lists or data: each returns or raises, none runs on."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter, Limits
from nodwyn.interp.errors import Condition, SchemeError

SETTING = """
(import (scheme base) (scheme cxr) (scheme write) (scheme read) (scheme eval) (scheme char) (srfi 1))
(define c (list 1 2 3))
(set-cdr! (cddr c) c)
(define c2 (list 1 2 3 1 2 3))
(set-cdr! (list-tail c2 5) c2)
(define chars (list #\\a))
(set-cdr! chars chars)
(define alist (list (cons 1 1)))
(set-cdr! alist alist)
(define in-car (list 1))
(set-car! in-car in-car)
(define v (vector 1 2 3))
(vector-set! v 1 v)
(define (text writer datum) (let ((port (open-output-string))) (writer datum port) (get-output-string port)))
"""

# What returns, and what.
VALUES = """
(list? c) => #f
(pair? c) => #t
(list-tail c 5) => #0=(3 1 2 . #0#)
(list-ref c 7) => 2
(memv 3 c) => #0=(3 1 2 . #0#)
(assv 1 alist) => (1 . 1)
(member 2 c) => #0=(2 3 1 . #0#)
(append '(0) c) => (0 . #0=(1 2 3 . #0#))
(map + c '(1 2)) => (2 4)
(let ((n 0)) (for-each (lambda (a b) (set! n (+ n a b))) c '(1 1 1 1)) n) => 11
(equal? c c2) => #t
(equal? c c) => #t
(equal? in-car in-car) => #t
(equal? v v) => #t
(equal? c in-car) => #f
(equal? c (list 1 2 3)) => #f
(text write c) => "#0=(1 2 3 . #0#)"
(text display c) => "#0=(1 2 3 . #0#)"
(text write-shared c) => "#0=(1 2 3 . #0#)"
(text write in-car) => "#0=(#0#)"
(text write v) => "#0=#(1 #0# 3)"
(length+ c) => #f
(circular-list? c) => #t
(proper-list? c) => #f
(dotted-list? c) => #f
(take c 4) => (1 2 3 1)
(drop c 4) => #0=(2 3 1 . #0#)
(find even? c) => 2
(list-index even? c) => 1
(any even? c) => #t
(every odd? c) => #f
(take-while odd? c) => (1)
(fold + 0 c '(10 20)) => 33
(first c) => 1
(read (open-input-string (text write c))) => #0=(1 2 3 . #0#)
""".strip()

# What raises: an error of its own, or the time limit where the procedure may look for ever.
FAILURES = """
(length c)
(reverse c)
(append c '(1))
(append c c)
(list-copy c)
(list->vector c)
(list->string chars)
(apply + c)
(apply max c)
(apply list 1 c)
(map + c)
(map + c c)
(for-each (lambda (x) x) c)
(memq 'x c)
(memv 5 c)
(member "x" c)
(member 5 c (lambda (a b) #f))
(assq 'x alist)
(assv 5 alist)
(assoc "x" alist)
(assoc 5 alist (lambda (a b) #f))
(list-tail c 1000000000000)
(list-ref c 1000000000000)
(list-set! c 1000000000000 1)
(string-append (list->string chars) "b")
(text write-simple c)
(text write-simple in-car)
(text write-simple v)
(eval c (environment '(scheme base)))
(eval (cons 'quote c) (environment '(scheme base)))
(eval (list 'let c 1) (environment '(scheme base)))
(eval (cons 'begin c) (environment '(scheme base)))
(error "circular:" c)
(fold + 0 c)
(fold-right + 0 c)
(pair-fold cons '() c)
(reduce + 0 c)
(append-map list c)
(filter odd? c)
(partition odd? c)
(remove odd? c)
(delete 5 c)
(delete-duplicates c)
(filter-map (lambda (x) x) c)
(find (lambda (x) #f) c)
(find-tail (lambda (x) #f) c)
(any (lambda (x) #f) c)
(every (lambda (x) #t) c)
(list-index (lambda (x) #f) c)
(take-while (lambda (x) #t) c)
(drop-while (lambda (x) #t) c)
(span (lambda (x) #t) c)
(break (lambda (x) #f) c)
(take c 1000000000000)
(drop c 1000000000000)
(take-right c 1)
(drop-right c 1)
(last c)
(last-pair c)
(count odd? c)
(concatenate (list c c))
(append-reverse c '())
(append! c '(1))
(reverse! c)
(zip c c)
(unzip1 (circular-list '(1)))
(alist-copy alist)
(alist-delete 5 alist)
(lset-union eqv? c '(1))
(lset-intersection eqv? '(4) c)
(lset-difference eqv? '(4) c)
(lset<= eqv? c c2)
(list= eqv? c c2)
(append-reverse! c '())
(delete-duplicates c (lambda (a b) #f))
(map-in-order (lambda (x) x) c)
(unfold-right (lambda (x) #f) (lambda (x) x) (lambda (x) x) 1)
(unfold (lambda (x) #f) (lambda (x) x) (lambda (x) x) 1)
""".strip()

OTHER_LIBRARIES = """
(srfi 132): (list-sort < c)
(srfi 132): (list-sorted? (lambda (a b) #f) c)
(srfi 132): (list-delete-neighbor-dups = c)
(srfi 132): (list-merge < c '(1))
(srfi 133): (reverse-list->vector c)
(srfi 13): (string-concatenate (let ((l (list "a"))) (set-cdr! l l) l))
(srfi 13): (string-join (let ((l (list "a"))) (set-cdr! l l) l))
(srfi 13): (reverse-list->string chars)
(srfi 69): (alist->hash-table alist)
(srfi 151): (list->bits (circular-list #t))
(srfi 158): (generator->list (apply circular-generator '(1 2)))
(srfi 158): (generator-fold + 0 (list->generator c))
(srfi 180): (let ((p (open-output-string))) (json-write (let ((x (vector 1))) (vector-set! x 0 x) x) p))
(scheme lazy): (letrec ((p (delay (force p)))) (force p))
""".strip()


@pytest.fixture(scope="module")
def scheme() -> Interpreter:
    scheme = Interpreter()
    scheme.eval(SETTING)
    for line in OTHER_LIBRARIES.splitlines():
        scheme.eval(f"(import {line.split(': ')[0]})")
    # The libraries may be compiled here for the first time; the limit is for what the tests do with them.
    scheme.limits = Limits(seconds=1)
    return scheme


def test_hashing_ends(scheme: Interpreter) -> None:
    assert scheme.eval("(= (hash c) (hash c))") is scheme.eval("#t")
    table = "(let ((t (make-hash-table equal?))) (hash-table-set! t c 1) (hash-table-ref/default t c2 0))"
    assert scheme.eval(table) == 1


@pytest.mark.parametrize("line", VALUES.splitlines())
def test_what_ends_gives_its_value(scheme: Interpreter, line: str) -> None:
    text, expected = line.split(" => ")
    written = scheme.eval(f"(text write {text})")
    assert getattr(written, "text", lambda: written)() == expected


def assert_fails(scheme: Interpreter, text: str) -> None:
    with pytest.raises(SchemeError) as raised:
        scheme.eval(text)
    assert isinstance(raised.value.payload, Condition)
    assert scheme.eval("(list-ref c 3)") == 1


@pytest.mark.parametrize("text", FAILURES.splitlines())
def test_what_cannot_end_is_an_error(scheme: Interpreter, text: str) -> None:
    # Procedures that change the list change a list of their own here.
    assert_fails(scheme, f"(let ((c (list 1 2 3))) (set-cdr! (cddr c) c) {text})")


@pytest.mark.parametrize("line", OTHER_LIBRARIES.splitlines())
def test_what_cannot_end_in_other_libraries_is_an_error(scheme: Interpreter, line: str) -> None:
    assert_fails(scheme, line.split(": ", 1)[1])


@pytest.mark.parametrize("source", ["'#0=(a . #0#)", "(quote #0=#(1 #0#))", "(cadr '(1 . #0=(2 . #0#)))"])
def test_a_circular_literal_is_a_value(scheme: Interpreter, source: str) -> None:
    scheme.eval(source)


@pytest.mark.parametrize(
    "source",
    [
        "#0=(+ 1 . #0#)",
        "(+ 1 #0=(+ 1 #0#))",
        "(let #0=((x 1) . #0#) x)",
        "(lambda #0=(x . #0#) x)",
        "(begin . #0=(1 . #0#))",
    ],
)
def test_a_circular_program_is_an_error(scheme: Interpreter, source: str) -> None:
    with pytest.raises(SchemeError):
        scheme.eval(source)


def test_an_uncaught_circular_object_is_shown(scheme: Interpreter) -> None:
    for text in ('(error "round and round:" c in-car v)', "(raise c)", "(car (vector c))", "(c)"):
        with pytest.raises(SchemeError) as raised:
            scheme.eval(text)
        assert str(raised.value)
