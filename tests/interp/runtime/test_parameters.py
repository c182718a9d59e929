"""Parameters in dynamic extents that continuations leave and enter again (sections 4.2.6 and 6.10)."""

import pytest

from nodwyn.interp import Interpreter

CASES = {
    "its value, an inner and again the outer one": (
        "(let ((p (make-parameter 1))) (list (p) (parameterize ((p 2)) (p)) (p)))",
        "(1 2 1)",
    ),
    "several at once, each converted before any is bound": (
        "(let* ((p (make-parameter 1)) (q (make-parameter 2 (lambda (x) (list x (p))))))"
        " (list (parameterize ((p 10) (q 20)) (list (p) (q))) (p) (q)))",
        "((10 (20 1)) 1 (2 1))",
    ),
    "the same one twice": (
        "(let ((p (make-parameter 1))) (list (parameterize ((p 2)) (parameterize ((p 3)) (p))) (p)))",
        "(3 1)",
    ),
    "left by an escape": (
        "(let ((p (make-parameter 1)))"
        " (list (call/cc (lambda (k) (parameterize ((p 2)) (parameterize ((p 3)) (+ 1 (k (p))))))) (p)))",
        "(3 1)",
    ),
    "left by an error": (
        "(let ((p (make-parameter 1)))"
        " (list (guard (e (#t (p))) (parameterize ((p 2)) (+ 1 (car (p))))) (guard (e (#t (p))) (parameterize ((p 2))"
        " (raise 'x))) (p)))",
        "(1 1 1)",
    ),
    "entered again, with the value that it had inside": (
        "(let ((p (make-parameter 1)) (again #f) (seen '()))"
        " (parameterize ((p 2)) (call/cc (lambda (k) (set! again k))) (set! seen (cons (p) seen)) (p (+ (p) 10)))"
        " (set! seen (cons (p) seen))"
        " (if (< (length seen) 6) (again #f) (reverse seen)))",
        "(2 1 12 1 22 1)",
    ),
    "from one extent into another": (
        "(let ((p (make-parameter 1)) (q (make-parameter 'a)) (again #f) (seen '()))"
        " (define (note) (set! seen (cons (list (p) (q)) seen)))"
        " (parameterize ((p 2)) (parameterize ((q 'b)) (call/cc (lambda (k) (set! again k))) (note)))"
        " (note)"
        " (if (< (length seen) 4) (parameterize ((p 3)) (parameterize ((q 'c)) (note) (again #f))))"
        " (reverse seen))",
        "((2 b) (1 a) (3 c) (2 b) (1 a))",
    ),
}


@pytest.mark.parametrize(("program", "printed"), CASES.values(), ids=CASES)
def test_each_extent_has_its_values(program: str, printed: str) -> None:
    scheme = Interpreter()
    scheme.eval("(define (shown x) (let ((port (open-output-string))) (write x port) (get-output-string port)))")
    assert scheme.eval(f"(shown {program})") == printed


def test_an_error_that_ends_a_program_leaves_all_parameters_as_they_were() -> None:
    scheme = Interpreter()
    scheme.eval("(define p (make-parameter 1))")
    with pytest.raises(Exception, match="pair"):
        scheme.eval("(parameterize ((p 2)) (+ 1 (car (p))))")
    assert scheme.eval("(p)") == 1
