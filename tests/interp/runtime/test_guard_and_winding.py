"""``guard`` around ``dynamic-wind``: the exits run, in order, and what follows the guard goes on (section 6.11)."""

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.printer import write

PRELUDE = """
(define log '())
(define (note what) (set! log (cons what log)))
(define (wound name thunk)
  (dynamic-wind (lambda () (note (list 'in name))) thunk (lambda () (note (list 'out name)))))
(define (outcome thunk)
  (set! log '())
  (let* ((result (thunk)) (port (open-output-string)))
    (write (cons result (reverse log)) port)
    (get-output-string port)))
"""

CASES = {
    "an error of a primitive": (
        "(guard (e (#t 'caught)) (wound 'a (lambda () (+ 1 (car 5)))))",
        "(caught (in a) (out a))",
    ),
    "several extents": (
        "(guard (e (#t 'caught)) (wound 'a (lambda () (list (wound 'b (lambda () (+ 1 (car 5))))))))",
        "(caught (in a) (in b) (out b) (out a))",
    ),
    "no clause for an error: back in, then out to the outer guard": (
        "(guard (e (#t 'outer)) (guard (e ((string? e) 'inner)) (wound 'a (lambda () (+ 1 (car 5))))))",
        "(outer (in a) (out a) (in a) (out a))",
    ),
    "a clause that raises": (
        "(guard (e (#t (list 'outer e)))"
        " (wound 'b (lambda () (guard (e (#t (raise 'second))) (wound 'a (lambda () (+ 1 (car 5))))))))",
        "((outer second) (in b) (in a) (out a) (out b))",
    ),
    "an exit that raises": (
        "(guard (e (#t (list 'outer e)))"
        " (guard (e (#t 'inner)) (dynamic-wind (lambda () #f) (lambda () (car 5)) (lambda () (raise 'exit)))))",
        "(inner)",
    ),
    "an exit that raises to a handler": (
        "(with-exception-handler (lambda (e) (note (list 'handled e)) 'back)"
        " (lambda () (guard (e ((symbol? e) 'caught))"
        '  (dynamic-wind (lambda () #f) (lambda () (raise \'body)) (lambda () (note (raise-continuable "exit")))))))',
        '(caught (handled "exit") back)',
    ),
    "an exit in which a primitive fails": (
        "(guard (e (#t (note 'outer) 'outer))"
        " (guard (e ((error-object? e) (error-object-message e)))"
        "  (dynamic-wind (lambda () #f) (lambda () (car 5)) (lambda () (vector-ref (vector) 0)))))",
        '("k must be an index, but there are no elements, got 0")',
    ),
    "an error in the clauses is for the guard outside": (
        "(guard (e (#t (list 'outer e)))"
        " (guard (e (else (note 'else) (raise 'second))) (dynamic-wind list (lambda () (car 5)) list)))",
        "((outer second) else)",
    ),
    "what a handler in the clauses returns to is for the guard outside": (
        "(guard (e (#t 'outer))"
        " (guard (e (else (note 'else) (with-exception-handler (lambda (e) 'back) (lambda () (raise 'second)))))"
        "  (dynamic-wind list (lambda () (car 5)) list)))",
        "(outer else)",
    ),
    "clauses ask the handler outside": (
        "(with-exception-handler (lambda (e) (list 'handled e))"
        " (lambda () (guard (e (else (raise-continuable 'asked))) (dynamic-wind list (lambda () (car 5)) list))))",
        "((handled asked))",
    ),
    "handlers of an exit are those of dynamic-wind": (
        "(with-exception-handler (lambda (e) (list 'outside e))"
        " (lambda () (call/cc (lambda (k) (dynamic-wind (lambda () #f)"
        "  (lambda () (with-exception-handler (lambda (e) (list 'inside e)) (lambda () (k 1))))"
        "  (lambda () (note (raise-continuable 'leaving))))))))",
        "(1 (outside leaving))",
    ),
    "parameters of entrances and exits are those of dynamic-wind": (
        "(let ((p (make-parameter 0)) (again #f) (times 0))"
        " (parameterize ((p 1)) (dynamic-wind (lambda () (note (list 'in (p))))"
        "  (lambda () (parameterize ((p 2)) (call/cc (lambda (k) (set! again k))) (note (p))))"
        "  (lambda () (note (list 'out (p))))))"
        " (set! times (+ times 1))"
        " (if (< times 2) (parameterize ((p 3)) (again #f)) (p)))",
        "(0 (in 1) 2 (out 1) (in 1) 2 (out 1))",
    ),
    "an exit that is entered again": (
        "(let ((again #f) (times 0))"
        " (let ((result (guard (e (#t 'caught))"
        "  (dynamic-wind (lambda () #f) (lambda () (+ 1 (car 5)))"
        "   (lambda () (note (call/cc (lambda (k) (set! again k) 0))))))))"
        "  (set! times (+ times 1))"
        "  (if (< times 3) (again times) (list result times))))",
        "((caught 3) 0 1 2)",
    ),
    "parameters are those of the guard": (
        "(let ((p (make-parameter 0)))"
        " (guard (e (#t (list 'caught (p)))) (parameterize ((p 1)) (wound 'a (lambda () (+ 1 (car 5)))))))",
        "((caught 0) (in a) (out a))",
    ),
}


@pytest.mark.parametrize(("expression", "expected"), CASES.values(), ids=CASES)
def test_the_exits_run_and_the_program_goes_on(expression: str, expected: str) -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE)
    assert scheme.eval(f"(outcome (lambda () {expression}))") == expected


RETURNING = {
    "raise": "(with-exception-handler (lambda (e) 'back) (lambda () (list (raise 'x))))",
    "a primitive": "(with-exception-handler (lambda (e) 'back) (lambda () (list (car 'x))))",
    "two handlers": "(with-exception-handler (lambda (e) 'back)"
    " (lambda () (with-exception-handler (lambda (e) 'back) (lambda () (list (raise 'x))))))",
    "two handlers and a primitive": "(with-exception-handler (lambda (e) 'back)"
    " (lambda () (with-exception-handler (lambda (e) 'back) (lambda () (list (car 'x))))))",
    "raise in a guard without a clause for it": "(with-exception-handler (lambda (e) 'back)"
    " (lambda () (list (guard (e (#f 'no)) (list (raise 'x))))))",
    "a primitive in a guard without a clause for it": "(with-exception-handler (lambda (e) 'back)"
    " (lambda () (list (guard (e (#f 'no)) (list (car 'x))))))",
    "a continuation captured in the handler": "(with-exception-handler (lambda (e) (call/cc note) 'back)"
    " (lambda () (list (guard (e (#f 'no)) (list (raise 'x))))))",
}


@pytest.mark.parametrize("expression", RETURNING.values(), ids=RETURNING)
def test_no_handler_of_raise_may_return(expression: str) -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE)
    message = scheme.eval(f"(guard (e (#t (error-object-message e))) {expression})")
    assert message.startswith("a handler returned from a non-continuable raise of ")


def test_a_handler_of_raise_continuable_may_return_through_a_guard() -> None:
    expression = "(with-exception-handler (lambda (e) 41) (lambda () (guard (e (#f 0)) (+ 1 (raise-continuable 'x)))))"
    assert Interpreter().eval(expression) == 42


CAPTURE = "(call/cc (lambda (k) (set! kept (cons k kept)) 0))"

PLACES = {
    "the body": f"(guard (e (#t 'caught)) {CAPTURE} 'value)",
    "the end of the body": f"(guard (e (#t 'caught)) (list {CAPTURE}))",
    "a body that raises": f"(guard (e (#t e)) {CAPTURE} (raise 'raised))",
    "the test of a clause": f"(guard (e ({CAPTURE} e)) (raise 'raised))",
    "a clause": f"(guard (e (#t {CAPTURE} e)) (raise 'raised))",
    "the receiver of a clause": f"(guard (e (#t => (lambda (found) {CAPTURE} e))) (raise 'raised))",
    "a test where none fits": f"(guard (e (#t e)) (guard (e ((begin {CAPTURE} #f) e)) (raise 'raised)))",
    "a clause after a primitive's mistake": f"(guard (e (#t {CAPTURE} 'caught)) (car 5))",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_guard_that_goes_on_from_the_heap_can_be_captured_and_entered_again(place: str) -> None:
    """What follows a capture runs in a resume function, where ``guard`` is a procedure."""
    straight = write(Interpreter().eval(f"(define kept '()) {place}"))
    resumed = Interpreter().eval(
        "(define kept '()) (define results '())"
        f"(let () (call/cc (lambda (k) k)) (set! results (cons {place} results))"
        "  (if (< (length results) 3) ((car kept) 0)) results)"
    )
    assert write(resumed) == f"({' '.join([straight] * 3)})"
