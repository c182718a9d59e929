"""Early exits through dynamic extents, however the code around them is compiled."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.printer import write

PROGRAMS = {
    "out of dynamic-wind": """
        (let ((steps '()))
          (call/cc (lambda (return)
            (dynamic-wind
              (lambda () (set! steps (cons 'in steps)))
              (lambda () (return 'left))
              (lambda () (set! steps (cons 'out steps))))))
          steps)""",
    "out of a loop in dynamic-wind": """
        (let ((steps '()))
          (call/cc (lambda (return)
            (dynamic-wind
              (lambda () (set! steps (cons 'in steps)))
              (lambda () (for-each (lambda (x) (if (= x 2) (return x))) '(1 2 3)))
              (lambda () (set! steps (cons 'out steps))))))
          steps)""",
    "out of parameterize": """
        (let ((p (make-parameter 'out)))
          (call/cc (lambda (return) (parameterize ((p 'in)) (return 1))))
          (list (p) 'in))""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_an_early_exit_leaves_the_extent(program: str) -> None:
    assert write(Interpreter().eval_scheme(program)) == "(out in)"


KEPT = {
    "an error inside a continuation that is kept, under guard": (
        """(begin (define kept #f)
             (call/cc (lambda (outer)
               (guard (e (#t 'caught)) (+ 1 (call/cc (lambda (k) (set! kept k) (car 5))))))))""",
        "caught",
    ),
    "a capture before a variable that a procedure refers to has its value": (
        "(let () (call/cc (lambda (k) k)) (letrec ((f (lambda (n) g)) (g 0)) (f 28)))",
        "0",
    ),
}


@pytest.mark.parametrize(("program", "value"), KEPT.values(), ids=KEPT)
def test_a_continuation_that_is_kept_costs_nothing_else(program: str, value: str) -> None:
    assert write(Interpreter().eval_scheme(program)) == value
