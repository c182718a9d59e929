"""Lists that library procedures build: what was returned once does not change when a continuation goes back in."""

import pytest

from nodwyn.interp import Interpreter

SETTING = """
(import (scheme base) (scheme write) (scheme char) (srfi 1))
(define (shown x) (let ((port (open-output-string))) (write x port) (get-output-string port)))
(define (results build)
  (let ((again #f) (seen '()))
    (let ((result (build (lambda (x) (call/cc (lambda (k) (if (eqv? x 2) (set! again k)) x))))))
      (set! seen (cons result seen))
      (if (< (length seen) 3)
          (again (* 10 (length seen)))
          (reverse seen)))))
"""

BUILDERS = {
    "map": ("(lambda (f) (map f '(1 2 3)))", "((1 2 3) (1 10 3) (1 20 3))"),
    "map with several lists": (
        "(lambda (f) (map (lambda (x y) (f x)) '(1 2 3) '(4 5 6)))",
        "((1 2 3) (1 10 3) (1 20 3))",
    ),
    "map whose result was changed": (
        "(lambda (f) (let ((list (map f '(1 2 3)))) (set-car! list 'changed) list))",
        "((changed 2 3) (changed 10 3) (changed 20 3))",
    ),
    "map whose result was cut": (
        "(lambda (f) (let* ((list (map f '(1 2 3))) (copy (list-copy list))) (set-cdr! list '()) copy))",
        "((1 2 3) (1 10 3) (1 20 3))",
    ),
    "filter": ("(lambda (f) (filter (lambda (x) (even? (f x))) '(1 2 3 4)))", "((2 4) (2 4) (2 4))"),
    "remove": ("(lambda (f) (remove (lambda (x) (even? (f x))) '(1 2 3 4)))", "((1 3) (1 3) (1 3))"),
    "vector-map whose result was changed": (
        "(lambda (f) (let ((vector (vector-map f #(1 2 3)))) (vector-set! vector 0 'changed) vector))",
        "(#(changed 2 3) #(changed 10 3) #(changed 20 3))",
    ),
    "vector-map with several vectors": (
        "(lambda (f) (vector-map (lambda (x y) (f x)) #(1 2 3) #(4 5 6)))",
        "(#(1 2 3) #(1 10 3) #(1 20 3))",
    ),
    "vector-map of which one element captures": (
        "(lambda (f) (vector-map (lambda (x) (if (= x 2) (f x) x)) #(1 2 3)))",
        "(#(1 2 3) #(1 10 3) #(1 20 3))",
    ),
    "string-map": (
        '(lambda (f) (string-map (lambda (c) (integer->char (+ 96 (f (digit-value c))))) "123"))',
        '("abc" "ajc" "atc")',
    ),
    "string-map whose result was changed": (
        '(lambda (f) (let ((s (string-map (lambda (c) (f (digit-value c)) c) "123"))) (string-set! s 0 #\\x) s))',
        '("x23" "x23" "x23")',
    ),
    "vector-map": ("(lambda (f) (vector-map f #(1 2 3)))", "(#(1 2 3) #(1 10 3) #(1 20 3))"),
}


@pytest.mark.parametrize(("builder", "printed"), BUILDERS.values(), ids=BUILDERS)
def test_a_continuation_builds_a_new_list(builder: str, printed: str) -> None:
    scheme = Interpreter()
    scheme.eval(SETTING)
    assert scheme.eval(f"(shown (results {builder}))") == printed


def test_code_knows_whether_it_continues_a_frame_that_was_captured() -> None:
    scheme = Interpreter()
    scheme.eval(
        "(import (scheme base) (only (nodwyn builtins) %resumed?))"
        "(define k #f) (define seen '())"
        "(define (look f) (f) (set! seen (cons (%resumed?) seen)))"
    )
    scheme.eval("(look list)")
    scheme.eval("(look (lambda () (call/cc (lambda (leave) (leave 1)))))")
    assert scheme.eval("(equal? seen (list #f #f))") is True
    scheme.eval("(look (lambda () (call/cc (lambda (c) (set! k c)))))")
    scheme.eval("(k 0)")
    scheme.eval("(k 0)")
    assert scheme.eval("(equal? seen (list #t #t #t #f #f))") is True
