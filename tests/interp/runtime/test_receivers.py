"""``(call/cc (lambda (k) …))`` where the frames are on the heap: the body runs in the place of the call."""

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.errors import SchemeError

PRELUDE = """
(define (hop)
  (let ((k (call/cc (lambda (k) k))))
    (if (procedure? k) (k 'hopped) k)))
(define log '())
(define (note what) (set! log (cons what log)) what)
(define again #f)
(define x 0)
(define (twice k) (if again (let ((k again)) (set! again #f) (k 'second)) k))
(define (text value)
  (let ((port (open-output-string)))
    (write value port)
    (get-output-string port)))
"""

CASES = {
    "a value": ("(list 1 (call/cc (lambda (k) 2)) 3)", "(1 2 3)"),
    "an escape": ("(list 1 (call/cc (lambda (k) (+ 10 (k 2)))) 3)", "(1 2 3)"),
    "an escape from a procedure": (
        "(list (call/cc (lambda (k) (for-each (lambda (i) (if (> i 1) (k i))) '(1 2 3)) 0)))",
        "(2)",
    ),
    "several values": ("(call-with-values (lambda () (call/cc (lambda (k) (k 1 2)))) list)", "(1 2)"),
    "entered again": (
        "(let ((v (call/cc (lambda (k) (set! again k) 'first)))) (note v) (twice #f) log)",
        "(second first)",
    ),
    "captures in the body": (
        "(list (call/cc (lambda (k) (let* ((a (hop)) (b (call/cc (lambda (j) (j (list a 2))))))"
        " (hop) (k (cons a b))))))",
        "((hopped hopped 2))",
    ),
    "one in the tail of another": (
        "(list (call/cc (lambda (k) (call/cc (lambda (j) (hop) (k (list (eq? k j))))))))",
        "((#f))",
    ),
    "a variable that is assigned": (
        "(let* ((n 1) (r (call/cc (lambda (k) (set! n (+ n 1)) (hop) (set! n (+ n 1)) n)))) (list r n))",
        "(3 3)",
    ),
    "a global that is assigned": ("(begin (set! x 1) (call/cc (lambda (k) (set! x 2) (k 3))) x)", "2"),
    "a loop in the body": (
        "(call/cc (lambda (k) (let loop ((i 0)) (if (= i 5) (k (list i)) (begin (hop) (loop (+ i 1)))))))",
        "(5)",
    ),
    "closures of each time round": (
        "(map (lambda (f) (f)) (let loop ((i 0) (done '())) (if (= i 3) (reverse done)"
        " (loop (+ i 1) (cons (call/cc (lambda (k) (let ((j (* i i))) (lambda () (list i j))))) done)))))",
        "((0 0) (1 1) (2 4))",
    ),
    "continuations of each time round": (
        "(let loop ((i 0)) (if (< i 3) (begin (note (list i (call/cc (lambda (k) (if (= i 1) (set! again k)) 'here))))"
        " (loop (+ i 1))) (begin (twice #f) (reverse log))))",
        "((0 here) (1 here) (2 here) (1 second) (2 here))",
    ),
    "under guard": ("(guard (e (#t (list 'caught e))) (hop) (+ 1 (call/cc (lambda (k) (raise 'x)))))", "(caught x)"),
    "a guard in the body": ("(list (call/cc (lambda (k) (guard (e (#t (k (list e)))) (hop) (raise 'x)))))", "((x))"),
    "under dynamic-wind": (
        "(begin (call/cc (lambda (k) (dynamic-wind (lambda () (note 'in)) (lambda () (hop) (k 1))"
        " (lambda () (note 'out))))) (reverse log))",
        "(in out)",
    ),
    "coroutines": (
        "(letrec ((other #f) (give (lambda (v) (call/cc (lambda (k) (let ((to other)) (set! other k) (to v)))))))"
        " (call/cc (lambda (done) (set! other (lambda (v) (let loop ((v v)) (note (list 'b v)) (if (> v 3) (done 'end))"
        "  (loop (give (+ v 1)))))) (let loop ((v 0)) (note (list 'a v)) (loop (give (+ v 1)))))) (reverse log))",
        "((a 0) (b 1) (a 2) (b 3) (a 4) (b 5))",
    ),
}


@pytest.mark.parametrize("start", ["", "(hop) "], ids=["on the stack", "on the heap"])
@pytest.mark.parametrize(("form", "expected"), CASES.values(), ids=CASES)
def test_it_does_what_a_call_does(form: str, expected: str, start: str) -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE)
    scheme.eval(f"(define (go) {start}{form})")
    assert scheme.eval("(text (go))") == expected


def test_an_error_in_the_body_has_its_place() -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE)
    with pytest.raises(SchemeError) as error:
        scheme.eval("(define (go)\n (hop)\n (+ 1 (call/cc (lambda (k)\n  (car 5)))))\n(go)")
    assert error.value.payload.span.line == 4
