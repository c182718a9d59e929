"""Every tail position (sections 3.5, 4.2.7 and 6.10): loops through it need no more space however long they go on.

Each program defines ``(f n)``, which calls itself through ``g`` until n is 0 and then answers with ``(end)``.
"""

import gc
import sys
from types import TracebackType

import pytest

from nodwyn.interp import Interpreter, Limits
from nodwyn.interp.runtime.state import CREDIT, LEAST_CREDIT

ROUNDS = 20_000
DEPTH = 1_500
"""Python frames that the whole test may use, those of pytest included."""

PROGRAMS = {
    "if": "(define (f n) (if (= n 0) (end) (g (- n 1)))) (define (g n) (if #f 1 (f n)))",
    "cond": "(define (f n) (cond ((= n 0) (end)) (else 1 (g (- n 1))))) (define (g n) (cond (#f 1) (#t (f n))))",
    "cond =>": "(define (f n) (cond ((= n 0) (end)) ((- n 1) => g))) (define (g n) (f n))",
    "case": "(define (f n) (case n ((0) (end)) (else (g (- n 1))))) (define (g n) (f n))",
    "case =>": "(define (f n) (case n ((0) (end)) (else => g))) (define (g n) (f (- n 1)))",
    "and, or": "(define (f n) (and #t (if (= n 0) (end) (g (- n 1))))) (define (g n) (or #f (f n)))",
    "when, unless": "(define (f n) (when #t (if (= n 0) (end) (g (- n 1))))) (define (g n) (unless #f (f n)))",
    "let and its kin": "(define (f n) (let ((m n)) (define q m) (if (= q 0) (end) (g (- q 1)))))"
    "(define (g n) (let* ((m n)) (letrec ((z 1)) (letrec* ((k 1)) (let-syntax () (letrec-syntax () (f m)))))))",
    "let-values": "(define (f n) (let-values (((a b) (values n 1))) (if (= a 0) (end) (g (- a b)))))"
    "(define (g n) (let*-values (((a) n)) (f a)))",
    "do": "(define (f n) (do ((i 0 (+ i 1))) ((= i 2) (if (= n 0) (end) (g (- n 1)))))) (define (g n) (f n))",
    "begin": "(define (f n) (begin 1 (if (= n 0) (end) (g (- n 1))))) (define (g n) (begin (f n)))",
    "case-lambda": "(define f (case-lambda ((n) (if (= n 0) (end) (f (- n 1) 2))) ((n m) (g n)))) (define (g n) (f n))",
    "a rest parameter": "(define (f n . more) (if (= n 0) (end) (g (- n 1) 1 2))) (define (g n . more) (f n))",
    "parameters of procedures": "(define (f n) (h n g)) (define (h n k) (if (= n 0) (end) (k (- n 1) h)))"
    "(define (g n k) (k n g))",
    "procedures in a vector": "(define v (vector (lambda (n) (f n)) (lambda (n) (f n))))"
    "(define (f n) (if (= n 0) (end) ((vector-ref v (modulo n 2)) (- n 1))))",
    "local procedures": "(define (f n) (define (a n) (if (= n 0) (end) (b (- n 1)))) (define (b n) (a n)) (a n))",
    "apply": "(define (f n) (if (= n 0) (end) (apply g (list (- n 1))))) (define (g n) (apply f n '()))",
    "call/cc": "(define (f n) (if (= n 0) (end) (call/cc (lambda (k) (g (- n 1)))))) (define (g n) (f n))",
    "call/cc with a continuation that is kept": "(define kept #f) (define (g n) (f n))"
    "(define (f n) (if (= n 0) (end) (call/cc (lambda (k) (set! kept k) (g (- n 1))))))",
    "call-with-values": "(define (f n) (if (= n 0) (end) (call-with-values (lambda () (values n 1)) h)))"
    "(define (h a b) (g (- a b))) (define (g n) (call-with-values (lambda () n) f))",
    "force and delay-force": "(define (f n) (force (s n)))"
    "(define (s n) (if (= n 0) (begin (end) (delay (end))) (delay-force (s (- n 1)))))",
    "a clause of guard": "(define (f n) (if (= n 0) (end) (guard (e (#t (g (- n 1)))) (raise n))))(define (g n) (f n))",
    "else of guard": "(define (f n) (if (= n 0) (end) (guard (e (else (g (- n 1)))) (raise n)))) (define (g n) (f n))",
    "=> of guard": "(define (f n) (if (= n 0) (end) (guard (e ((- n 1) => g)) (raise n)))) (define (g n) (f n))",
    "a clause for an error": "(define (f n) (if (= n 0) (end) (guard (e (#t (g (- n 1)))) (car n))))"
    "(define (g n) (f n))",
}


def space_in_use(scheme: Interpreter) -> int:
    """Return how many frames there are, on Python's stack and on the heap, and how many tracebacks that hold some."""
    count, frame, heap = 0, sys._getframe(), scheme.runtime.tc.frames
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    while heap is not None:
        heap, count = heap[2], count + 1
    return count + sum(isinstance(each, TracebackType) for each in gc.get_objects())


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_loop_through_a_tail_position_needs_constant_space(program: str) -> None:
    scheme = Interpreter(limits=Limits(depth=DEPTH))
    spaces: list[int] = []

    def end() -> str:
        spaces.append(space_in_use(scheme))
        return "done"

    scheme.define("end", end)
    scheme.eval(program)
    scheme.eval("(f 10)")
    assert scheme.eval(f"(f {ROUNDS})") == "done"
    assert spaces[-1] - spaces[0] < DEPTH


@pytest.mark.parametrize("others", [LEAST_CREDIT - 1, LEAST_CREDIT, CREDIT - 1, CREDIT, CREDIT + 1, 2 * CREDIT + 1])
def test_a_loop_needs_constant_space_however_many_tail_calls_others_make_in_it(others: int) -> None:
    test_a_loop_through_a_tail_position_needs_constant_space(
        f"""(define steps (vector (lambda (n) (if (= n 0) 0 ((vector-ref steps 0) (- n 1)))) (lambda (n) (f n))))
        (define (f n) ((vector-ref steps 0) {others}) (if (= n 0) (end) ((vector-ref steps 1) (- n 1))))"""
    )
