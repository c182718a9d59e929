"""Section 4: what the derived forms mean, and what they say when they are written wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.interp.errors import Condition
from nodwyn.interp.expand.forms import FORMS

FORMS_AND_VALUES = {
    "if": [("(if #f 1 2)", "2"), ("(if 0 1 2)", "1"), ("(eq? (if #f 1) 1)", "#f")],
    "cond": [
        ("(cond (#f 1) (else 2 3))", "3"),
        ("(cond ((car '(5))) (else 1))", "5"),
        ("(cond ((assv-like 2) => (lambda (x) (+ x 1))) (else 0))", "3"),
        ("(cond (#f => car) (else 'none))", "none"),
    ],
    "case": [
        ("(case (+ 1 2) ((1 2) 'low) ((3 4) 'mid 'high) (else 0))", "high"),
        ("(case 'x ((a) 1) (else => (lambda (k) (list k))))", "(x)"),
        ("(case 2 ((2) => -) (else 0))", "-2"),
        ("(case '() ((()) 'nil))", "nil"),
        ("(case 1 (() 'none) ((1) 'one))", "one"),
        ("(let ((x 1)) (case x ((1) => (begin (set! x 5) (lambda (k) k)))))", "1"),
    ],
    "and": [("(list (and) (and 1 2) (and #f 2) (and 1 #f 2))", "(#t 2 #f #f)")],
    "or": [("(list (or) (or 1 2) (or #f 2) (or #f #f))", "(#f 1 2 #f)")],
    "when": [("(when 1 2 3)", "3")],
    "unless": [("(unless #f 2 3)", "3")],
    "let": [
        ("(let ((x 1) (y 2)) (let ((x y) (y x)) (list x y)))", "(2 1)"),
        ("(let () (define x 1) x)", "1"),
        ("(let loop ((i 0) (r '())) (if (= i 3) r (loop (+ i 1) (cons i r))))", "(2 1 0)"),
        ("(let x ((x 1) (y 2)) (list x y))", "(1 2)"),
        ("(let f () 1)", "1"),
    ],
    "let*": [("(let* ((x 1) (x (+ x 1))) x)", "2"), ("(let* () 1)", "1")],
    "letrec": [
        (
            "(letrec ((even? (lambda (n) (if (= n 0) #t (odd? (- n 1)))))"
            " (odd? (lambda (n) (if (= n 0) #f (even? (- n 1))))))"
            " (even? 7))",
            "#f",
        ),
    ],
    "letrec*": [("(letrec* ((p 1) (q (+ p 1))) q)", "2")],
    "do": [
        ("(do ((i 0 (+ i 1)) (s 0 (+ s i)) (k 7)) ((= i 4) (list s k)))", "(6 7)"),
        ("(let ((n 0)) (do ((i 0 (+ i 1))) ((= i 3) n) (set! n (+ n i))))", "3"),
    ],
    "let-values": [
        (
            "(let-values (((a b) (values 1 2)) ((c) (values 3)) ((d . e) (values 4 5 6)) (f (values)))"
            " (list a b c d e f))",
            "(1 2 3 4 (5 6) ())",
        ),
        ("(let ((a 1)) (let-values (((a) (values 2)) ((b) (values a))) (list a b)))", "(2 1)"),
    ],
    "let*-values": [("(let ((a 1)) (let*-values (((a) (values 2)) ((b) (values a))) (list a b)))", "(2 2)")],
    "receive": [("(receive (a . rest) (values 1 2 3) (define x rest) (list a x))", "(1 (2 3))")],
    "lambda": [
        ("((lambda (a b . c) (list a b c)) 1 2 3)", "(1 2 (3))"),
        ("((lambda a a) 1 2)", "(1 2)"),
        ("((lambda (x) (define x 2) x) 1)", "2"),
    ],
    "case-lambda": [
        (
            "(let ((f (case-lambda ((a) (list 'one a)) ((a b) (list 'two a b)) ((a . r) (list 'many a r)))))"
            " (list (f 1) (f 1 2) (f 1 2 3)))",
            "((one 1) (two 1 2) (many 1 (2 3)))",
        ),
    ],
    "set!": [("(let ((x 1)) (set! x 2) x)", "2"), ("(define x 1) (set! x 5) x", "5")],
    "begin": [("(list (begin 1 2))", "(2)"), ("(begin (define x 1)) (begin) x", "1")],
    "delay": [("(force (delay (+ 1 2)))", "3")],
    "delay-force": [("(force (delay-force (+ 1 2)))", "3")],
    "parameterize": [
        ("(let ((p (make-parameter 1))) (list (p) (parameterize ((p 2)) (define x (p)) x) (p)))", "(1 2 1)"),
        ("(parameterize () (define x 1) x)", "1"),
    ],
    "guard": [
        ("(guard (e ((number? e) (+ e 1)) (else 'other)) (raise 1))", "2"),
        ("(guard (e ((number? e) (+ e 1)) (else 'other)) (raise 'x))", "other"),
        ("(guard (e ((pair? e) => (lambda (x) (list x e)))) (raise '(1)))", "(#t (1))"),
        ("(guard (e (#t (list 'outer e))) (guard (e ((number? e) 'number)) (raise 'x)))", "(outer x)"),
        ("(guard (e (#f 'no)) (define x 1) x)", "1"),
    ],
    "assert": [("(begin (assert #t) 1)", "1"), ("(guard (e (#t 'failed)) (assert (= 1 2)))", "failed")],
    "quote": [('\'(a . (b #(c "d")))', '(a b #(c "d"))'), ("(quote ())", "()")],
    "quasiquote": [
        ("`(1 ,(+ 1 1) ,@(list 3 4))", "(1 2 3 4)"),
        ("`(1 . ,(+ 1 1))", "(1 . 2)"),
        ("`(,@(list 1 2) . 3)", "(1 2 . 3)"),
        ("`(,@'(1) ,@'(2) 3 4 5 6 7 . ,(list 8))", "(1 2 3 4 5 6 7 8)"),
        ("`#(1 ,(+ 1 1) ,@(list 3 4))", "#(1 2 3 4)"),
        ("`(a `(b ,(c ,(+ 1 2)) ,(d e)))", "(a `(b ,(c 3) ,(d e)))"),
        ("`(a `(b ,(c ,@(list 1 2))))", "(a `(b ,(c 1 2)))"),
        ("`(1 `,(+ 1 ,(+ 2 3)))", "(1 `,(+ 1 5))"),
        ("`(1 ```,,@,,@(list (+ 1 2)) 4)", "(1 ```,,@,3 4)"),
        ("(let ((unquote list)) `(1 ,2))", "(1 ,2)"),
        ("`5", "5"),
        ("`()", "()"),
        ("(quasiquote (unquote (+ 1 2)))", "3"),
        ("`(0 (unquote 1 (+ 1 1)) (unquote) 3)", "(0 1 2 3)"),
        ("`(0 (unquote-splicing (list 1 2) '(3)) (unquote-splicing) 4)", "(0 1 2 3 4)"),
        ("`#(0 (unquote 1 2) (unquote-splicing '(3) '(4)))", "#(0 1 2 3 4)"),
        ("`(1 `(2 (unquote (unquote 3 4))))", "(1 `(2 (unquote 3 4)))"),
        ("(let ((q '((append x y) (sqrt 9)))) ``(foo ,,@q))", "`(foo (unquote (append x y) (sqrt 9)))"),
    ],
    "cond-expand": [
        ("(cond-expand (r7rs 1) (else 2))", "1"),
        ("(cond-expand ((and r7rs (not nothing)) 1))", "1"),
        ("(cond-expand ((or nothing (library (nodwyn syntax))) 1))", "1"),
        ("(cond-expand ((library (no such)) 1) (else (define x 2) x))", "2"),
        ("(list (cond-expand (nothing 1) (else 2 3)))", "(3)"),
        ("(let () (cond-expand (else (define x 2))) x)", "2"),
        ("(cond-expand ((and) 1))", "1"),
        ("(cond-expand ((or) 1) (else 2))", "2"),
    ],
    "define-record-type": [
        (
            "(define-record-type point (make-point x y) point? (x px set-px!) (y py)) "
            "(let ((p (make-point 1 2))) (set-px! p 5) (list (px p) (py p) (point? p) (point? 1)))",
            "(5 2 #t #f)",
        ),
        ("(define-record-type point (make-point y) point? (x px set-px!) (y py)) (py (make-point 1))", "1"),
        ("(let () (define-record-type (point more) #f point? (x px)) (point? 1))", "#f"),
        ("(let () (define-record-type point make #f (x px) y (z)) (px (make 1 2 3)))", "1"),
    ],
    "define-values": [
        ("(define-values (a b . c) (values 1 2 3 4)) (list a b c)", "(1 2 (3 4))"),
        ("(define-values all (values 1 2)) all", "(1 2)"),
        ("(let () (define x 1) (define-values (a . b) (values x 2)) (define y a) (list a b y))", "(1 (2) 1)"),
        ("(define-values () (values)) 1", "1"),
    ],
}


@pytest.mark.parametrize(("program", "printed"), [case for cases in FORMS_AND_VALUES.values() for case in cases])
def test_a_form_has_the_value_that_the_report_gives(program: str, printed: str, value: Callable[[str], str]) -> None:
    given = "(define (assv-like x) x)" if "assv-like" in program else ""
    assert value(given + program) == printed


def test_every_form_with_a_value_is_in_the_table() -> None:
    elsewhere = {"define", "define-syntax", "let-syntax", "letrec-syntax", "syntax-rules", "syntax-error"}
    elsewhere |= {"include", "include-ci", "else", "=>", "...", "_", "unquote", "unquote-splicing"}
    assert set(FORMS) - elsewhere == set(FORMS_AND_VALUES)


WRONG = [
    "(if)", "(if 1)", "(if 1 2 3 4)", "(if 1 . 2)", "(let)", "(let x)", "(let x 1)", "(let ((x 1)))", "(let ((x)) x)",
    "(let ((1 2)) 3)", "(let (x) x)", "(let loop ((x 1)))", "(let* ((x 1 2)) x)", "(letrec 1 2)", "(do ((x)) (#t))",
    "(do ((x 1)) ())", "(cond)", "(cond ())", "(cond (else))", "(cond (else 1) (#t 2))", "(cond (1 => car cdr))",
    "(case)", "(case 1 (1 2))", "(case 1 (else))", "(case 1 (else 2) ((1) 3))", "(case 1 ((1) => car cdr))",
    "(when 1)", "(unless)", "(lambda x)", "(lambda (1) 2)", '(lambda "x" 2)', "(case-lambda (x))", "(set! x)",
    "(set! 5 1)", "(quote)", "(quote 1 2)", "(delay)", "(guard (5) 1)", "(guard () 1)", "(parameterize (x) 1)",
    "(define)", "(define x)", "(define x 1 2)", "(define 5 1)", "(define ((f a) b) 1)", "(define (f))",
    "(define-values (a))", "(define-values (1) 2)", "(let-values ((a)) 1)", "(receive (a) 1)",
    "(define-record-type)", "(define-record-type p #t p?)", "(define-record-type p make 5)",
    "(define-record-type p make p? (x y z w))", "(+ (begin))", "`,@(list 1)",
    "(cond-expand (7 1))", "(cond-expand ((no 1) 1))", "(cond-expand ((library)))", "(define-syntax m)",
    "(let-syntax ((m)) 1)", "(syntax-error m)", '(include)', "(include 5)", "(assert)",
]  # fmt: skip


@pytest.mark.parametrize("program", WRONG)
def test_a_wrong_use_is_answered_with_the_usage(program: str, mistake: Callable[[str], Condition]) -> None:
    condition = mistake(program)
    assert condition.kind == "syntax"
    assert condition.procedure in FORMS
    assert condition.message == "expected " + ", or ".join(FORMS[condition.procedure].usage)
    assert condition.span is not None


def test_the_usage_of_let_reads_well(mistake: Callable[[str], Condition]) -> None:
    condition = mistake("(let ((x)) x)")
    assert condition.procedure == "let"
    assert condition.message == "expected (let ((variable init) …) body …), or (let name ((variable init) …) body …)"
    assert (condition.span.start, condition.span.end) == (48, 51)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("()", "() is not an expression"),
        ("(car . 1)", "a procedure call cannot have a dot in it"),
        ("(lambda (x x) 1)", "x is bound twice"),
        ("(lambda (x . x) 1)", "x is bound twice"),
        ("(let ((x 1) (x 2)) 1)", "x is bound twice"),
        ("(let-values (((a) 1) ((b a) 2)) 1)", "a is bound twice"),
        ("(define-record-type p (m x) p? (y gy))", "x is not a field of the record type"),
        ("(define-record-type p #f p? (x a) (x b))", "x is bound twice"),
        ("(+ 1 (define x 2))", "a definition cannot stand where an expression is expected"),
        ("(if #t (define-syntax x 2))", "a definition cannot stand where an expression is expected"),
        ("if", "if is a keyword, not a variable"),
        ("(set! if 1)", "if is a keyword and cannot be assigned"),
        ("(list else)", "else is a keyword, not a variable"),
        ("(else 1)", "else only has a meaning inside of other forms"),
        ("(unquote 1)", "unquote only has a meaning inside of other forms"),
        ("(syntax-rules ())", "syntax-rules stands in define-syntax, let-syntax or letrec-syntax"),
        ("(set! car 1)", "car is imported from (nodwyn builtins) and cannot be assigned"),
        ("`(unquote 1 2)", "expected (unquote expression) inside of quasiquote"),
        ("`(unquote-splicing 1)", "expected (unquote-splicing expression) in a list or vector inside of quasiquote"),
        (
            "`(1 (unquote-splicing . 2))",
            "expected (unquote-splicing expression) in a list or vector inside of quasiquote",
        ),
        (
            "(import (nodwyn syntax)) (let () (import (nodwyn syntax)) 1)",
            "it belongs at the top of a program or directly in define-library",
        ),
    ],
)
def test_mistakes_are_told(program: str, message: str, mistake: Callable[[str], Condition]) -> None:
    condition = mistake(program)
    assert condition.kind == "syntax"
    assert condition.message == message


def test_syntax_error_has_its_own_message_and_irritants(mistake: Callable[[str], Condition]) -> None:
    condition = mistake('(define-syntax m (syntax-rules () ((_ x) (syntax-error "m takes no" x 1)))) (m (a b))')
    assert condition.message == "m takes no"
    assert [repr(irritant) for irritant in condition.irritants][1] == "1"
