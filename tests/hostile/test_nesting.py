"""Deep nesting, in source and in data: a value or a condition, never a crash.

Each runs in a process of its own, because a crash would take the tests with it.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.interp import Interpreter

UNCAUGHT = 70
DEEP = 100_000

# Programs that nest to a depth n. Some must run, others may be refused with a condition.
RUN: dict[str, Callable[[int], str]] = {
    "a quoted list": lambda n: f"(define x '{'(' * n}{')' * n}) (display (pair? x))",
    "quoted vectors": lambda n: f"(define x '{'#(' * n}{')' * n}) (display (vector? x))",
    "quotes": lambda n: f"(define x '{chr(39) * n}a) (display (pair? x))",
    "block comments": lambda n: f"{'#|' * n} {'|#' * n} (display #t)",
    "datum comments": lambda n: f"{'#;' * n} {'1 ' * n} (display #t)",
    "a long flat list": lambda n: f"(define x '({'1 ' * n})) (display (= (length x) {n}))",
    "a long flat vector": lambda n: f"(define x '#({'1 ' * n})) (display (= (vector-length x) {n}))",
    "a long string": lambda n: f'(display (= (string-length "{"a" * n}") {n}))',
    "a long identifier": lambda n: f"(define {'a' * n} #t) (display {'a' * n})",
    "many definitions": lambda n: "".join(f"(define x{i} {i})" for i in range(n // 20)) + "(display #t)",
}
END: dict[str, Callable[[int], str]] = {
    "an open list": lambda n: "(" * n,
    "a closed list": lambda n: ")" * n,
    "empty combinations": lambda n: "(" * n + ")" * n,
    "brackets of every kind": lambda n: "(#(" * n,
    "calls": lambda n: "(car " * n + "'()" + ")" * n,
    "sums": lambda n: "(+ 1 " * n + "1" + ")" * n,
    "string appends": lambda n: '(string-append "a" ' * n + '"b"' + ")" * n,
    "substrings": lambda n: "(substring " * n + '"text"' + " 0 1)" * n,
    "ifs": lambda n: "(if #t " * n + "1" + ")" * n,
    "conditions of ifs": lambda n: "(if " * n + "#t" + " 1 2)" * n,
    "lets": lambda n: "(let ((x 1)) " * n + "x" + ")" * n,
    "values of lets": lambda n: "(let ((x " * n + "1" + ")) x)" * n,
    "lambdas": lambda n: "(lambda (x) " * n + "x" + ")" * n,
    "lambdas called": lambda n: "((lambda (x) " * n + "x" + ") 1)" * n,
    "begins": lambda n: "(begin " * n + "1" + ")" * n,
    "loops": lambda n: "(let loop ((i 0)) (if (< i 1) (loop (+ i 1)) " * n + "1" + "))" * n,
    "do loops": lambda n: "(do ((i 0 (+ i 1))) ((= i 1)) " * n + "1" + ")" * n,
    "ands": lambda n: "(and #t " * n + "1" + ")" * n,
    "ors": lambda n: "(or #f " * n + "1" + ")" * n,
    "guards": lambda n: "(guard (e (#t 1)) " * n + "1" + ")" * n,
    "escapes": lambda n: "(call/cc (lambda (k) (if #f (k 1) " * n + "1" + ")))" * n,
    "escapes in loops": lambda n: "(let loop () (call/cc (lambda (k) (if #t (k 1) (loop)) " * n + "1" + ")))" * n,
    "handlers": lambda n: "(with-exception-handler list (lambda () " * n + "1" + "))" * n,
    "extents": lambda n: "(dynamic-wind list (lambda () " * n + "1" + ") list)" * n,
    "several values": lambda n: "(call-with-values (lambda () " * n + "1" + ") (lambda (x) x))" * n,
    "promises": lambda n: "(delay " * n + "1" + ")" * n,
    "cases": lambda n: "(case 1 ((2) 2) (else " * n + "1" + "))" * n,
    "named lets": lambda n: "(let loop ((i " * n + "1" + ")) i)" * n,
    "parameterize": lambda n: "(define p (make-parameter 1))" + "(parameterize ((p 1)) " * n + "1" + ")" * n,
    "internal definitions": lambda n: "(define (f) " * n + "1" + ")" * n,
    "a cond of many clauses": lambda n: "(cond " + "(#f 1)" * n + "(else 2))",
    "a case of many clauses": lambda n: "(case 5 " + "".join(f"(({i}) {i})" for i in range(6, n)) + "(else 2))",
    "an and of many": lambda n: "(and " + "#t " * n + ")",
    "a sum of many": lambda n: "(+ " + "1 " * n + ")",
    "a call of many": lambda n: "(list " + "1 " * n + ")",
    "a let of many": lambda n: "(let (" + "".join(f"(x{i} {i})" for i in range(n)) + ") x0)",
    "let* of many": lambda n: "(let* (" + "".join(f"(x{i} {i})" for i in range(n)) + ") x0)",
    "a lambda of many": lambda n: "((lambda (" + " ".join(f"x{i}" for i in range(n)) + ") x0) 1)",
    "a body of many": lambda n: "(define (f) " + "1 " * n + ") (f)",
    "quasiquotes": lambda n: "`" * n + "a",
    "unquotes": lambda n: "`" * n + "," * n + "1",
    "a quasiquoted list": lambda n: "`" + "(" * n + ",(+ 1 2)" + ")" * n,
    "a pattern": lambda n: f"(define-syntax m (syntax-rules () ((_ {'(' * n} x {')' * n}) x)))",
    "a template": lambda n: f"(define-syntax m (syntax-rules () ((_ x) '{'(' * n} x {')' * n}))) (m 1)",
    "ellipses": lambda n: f"(define-syntax m (syntax-rules () ((_ x {'... ' * n}) 1)))",
    "digits": lambda n: "(display " + "9" * (n * 10) + ")",
    "a number's exponent": lambda n: "(display 1e" + "9" * n + ")",
    "a fraction": lambda n: "(display 1/" + "7" * n + ")",
    "a library's name": lambda n: "(import (" + "a " * n + "))",
    "an import set": lambda n: "(import " + "(only " * n + "(scheme base)" + ")" * n + ")",
    "cond-expand": lambda n: "(cond-expand (" + "(not " * n + "full" + ")" * n + " 1) (else 2))",
    "datum labels": lambda n: "'(" + " ".join(f"#{i}=(a #{max(i - 1, 0)}#)" for i in range(n)) + ")",
    "labels of labels": lambda n: "'" + "".join(f"#{i}=" for i in range(n)) + "a",
}

DATA = """
(import (scheme base) (scheme write) (scheme read) (srfi 1) (srfi 69))
(define (nested n) (let loop ((i 0) (x '())) (if (= i n) x (loop (+ i 1) (list x)))))
(define (nested-vector n) (let loop ((i 0) (x 1)) (if (= i n) x (loop (+ i 1) (vector x)))))
(define (long n) (let loop ((i 0) (x '())) (if (= i n) x (loop (+ i 1) (cons i x)))))
(define (text datum) (let ((port (open-output-string))) (write datum port) (get-output-string port)))
(define n 1000000)
"""
DATA_USES = [
    "(display (equal? (nested n) (nested n)))",
    "(display (not (equal? (nested n) (nested (+ n 1)))))",
    "(display (equal? (nested-vector n) (nested-vector n)))",
    "(display (equal? (long n) (long n)))",
    "(display (= (string-length (text (nested n))) (* 2 (+ n 1))))",
    "(display (> (string-length (text (nested-vector n))) n))",
    "(display (equal? (read (open-input-string (text (nested 100000)))) (nested 100000)))",
    "(display (pair? (list-copy (nested n))))",
    "(display (exact-integer? (hash (nested n))))",
    "(display (= n (length (map (lambda (x) x) (long n)))))",
    "(display (= n (length (append (long n) '()))))",
    "(display (pair? (apply list (long 100000))))",
    "(display (= n (vector-length (list->vector (long n)))))",
    "(display (= n (length (filter number? (long n)))))",
    "(display (= n (fold-right (lambda (x y) (+ 1 y)) 0 (long n))))",
    "(display (begin (nested n) (nested-vector n) #t))",
    "(define (count l) (if (null? l) 0 (+ 1 (count (cdr l))))) (display (= n (count (long n))))",
    "(define (build i) (if (= i 0) '() (cons i (build (- i 1))))) (display (= n (length (build n))))",
    "(display (guard (e (#t (pair? e))) (raise (nested n))))",
    '(display (guard (e ((error-object? e) #t)) (error "deep" (nested n))))',
]


def run(tmp_path: Path, text: str) -> tuple[int, str, str]:
    file = tmp_path / "nested.scm"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "nodwyn.interp", "--time-limit", "20", "--memory-limit", "2048", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=40, check=False)
    assert "Traceback" not in done.stderr
    assert "itself failed" not in done.stderr
    assert done.returncode >= 0, f"ended by signal {-done.returncode}"
    return done.returncode, done.stdout, done.stderr[-500:]


@pytest.mark.slow
@pytest.mark.parametrize("what", RUN)
def test_text_of_any_length_and_depth_is_read(tmp_path: Path, what: str) -> None:
    assert run(tmp_path, RUN[what](DEEP)) == (0, "#t", "")


@pytest.mark.slow
@pytest.mark.parametrize("depth", [30, 1_000, DEEP])
@pytest.mark.parametrize("what", END)
def test_a_program_of_any_depth_runs_or_is_refused(tmp_path: Path, what: str, depth: int) -> None:
    status, _, shown = run(tmp_path, END[what](depth))
    assert status in (0, UNCAUGHT), shown


CHAINS = {
    "values": ("(lambda (x) ", "(define a0 x)", "(define a{0} (+ a{1} 1))", "1)"),
    "calls of the next": ("(lambda (x) ", "(define (a0) x)", "(define (a{0}) (+ (b{0}) 1)) (define (b{0}) a{1})", "1)"),
    "procedures": ("(lambda (x) ", "(define (a0 y) y)", "(define (a{0} y) (a{1} y))", "1)"),
    "top-level procedures": ("", "(define (a0 y) y)", "(define (a{0} y) (a{1} y))", "1"),
    "top-level values": ("", "(define a0 1)", "(define a{0} (+ a{1} 1))", "1"),
    "strings": ("(lambda (x) ", '(define a0 "")', '(define a{0} (string-append a{1} "."))', "1)"),
    "macros": ("", "(define a0 list)", "(define-syntax a{0} (syntax-rules () ((_ x) (a{1} x))))", "1"),
    "loops": ("(lambda (x) ", "1", "(do ((i {0} (+ i 1))) ((= i {1})))", "1)"),
    "assignments": ("(lambda (x) ", "1", "(set! x (+ x {0}))", "x)"),
}
"""Definitions that each need the one before: how the text begins, the first, each that follows, how it ends."""

COMPILED_QUICKLY = [
    *("calls", "sums", "substrings", "string appends", "conditions of ifs", "lets", "named lets", "lambdas called"),
    *("loops", "do loops", "escapes", "escapes in loops", "guards", "quasiquotes"),
]


@pytest.mark.parametrize("what", COMPILED_QUICKLY)
def test_a_program_eight_times_as_deep_compiles_in_not_much_more_than_eight_times_the_time(what: str) -> None:
    """Quadratic time would be sixty-four times."""
    assert compile_seconds(ONE, END[what](800)) < 25 * compile_seconds(ONE, END[what](100))


@pytest.mark.parametrize("what", CHAINS)
def test_a_chain_eight_times_as_long_compiles_in_not_much_more_than_eight_times_the_time(what: str) -> None:
    start, first, link, end = CHAINS[what]

    def chain(n: int) -> str:
        return start + first + "".join(link.format(i, i - 1) for i in range(1, n)) + end

    assert compile_seconds(MANY, chain(800)) < 25 * compile_seconds(MANY, chain(100))


ONE = "(lambda (x) '{} {})"
MANY = "'{} {}"


def compile_seconds(text: str, form: str) -> float:
    scheme = Interpreter()
    scheme.eval("(define (f) (substring (string-append (number->string (car (list 1))) (symbol->string 'a)) 0 1))")
    seconds = []
    gc.collect()
    gc.disable()  # the collector's time depends on what all other tests have left
    try:
        for number in range(3):
            start = time.process_time()
            scheme.eval(text.format(number, form))
            seconds.append(time.process_time() - start)
    finally:
        gc.enable()
    return min(seconds)


@pytest.mark.slow
@pytest.mark.parametrize("use", DATA_USES)
def test_data_a_million_deep_or_long_is_data(tmp_path: Path, use: str) -> None:
    assert run(tmp_path, DATA + use) == (0, "#t", "")


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["(nested n)", "(nested-vector n)", "(long n)"])
def test_an_uncaught_object_of_any_depth_is_shown_in_short(tmp_path: Path, shown: str) -> None:
    for raiser in ("(raise {})", '(error "deep" {})', "(car (vector {}))", "(+ 1 {})", "({})"):
        status, _, errors = run(tmp_path, DATA + raiser.format(shown))
        assert status == UNCAUGHT
        assert len(errors) < 5000
