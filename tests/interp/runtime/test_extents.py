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
