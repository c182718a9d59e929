"""Calls that fail before the callee begins: the message is about the callee, wherever the call was made from."""

import pytest

from nodwyn.interp import Condition, Interpreter, SchemeError
from nodwyn.interp.runtime.state import CREDIT

NO_PROCEDURE = "5 is not a procedure, so it cannot be called"

CALLS = {
    "in generated code": ("(define (f x) x) (list (f 1 2))", "f: takes 1 argument, as in (f x), got 2"),
    "of a builtin": ("(list (car 1 2))", "car: takes 1 argument, as in (car pair), got 2"),
    "of a procedure that was inlined around it": (
        "(map (lambda (x y) x) '(1))",
        "a procedure: takes 2 arguments, as in (procedure x y), got 1",
    ),
    "by apply": ("(list (apply car '(1 2)))", "car: takes 1 argument, as in (car pair), got 2"),
    "of the thunk of with-exception-handler": (
        "(with-exception-handler raise list-tail)",
        "list-tail: takes 2 arguments, as in (list-tail items k), got 0",
    ),
    "of a handler for raise": (
        "(with-exception-handler (lambda () 0) (lambda () (list (raise 1))))",
        "a procedure: takes 0 arguments, as in (procedure), got 1",
    ),
    "by call/cc": ("(list (call/cc (lambda () 0)))", "a procedure: takes 0 arguments, as in (procedure), got 1"),
    "by call/cc, of no procedure": ("(list (call/cc 5))", NO_PROCEDURE),
    "by call/cc in tail position, of no procedure": ("(call/cc 5)", NO_PROCEDURE),
    "of a converter": (
        "(list (make-parameter 1 (lambda () 0)))",
        "a procedure: takes 0 arguments, as in (procedure), got 1",
    ),
    "of a case-lambda": (
        "(define f (case-lambda ((x) 1) ((x y z . r) 2))) (list (f 1 2))",
        "f: takes 1 or 3 or more arguments, got 2",
    ),
}


def message_of(program: str) -> str:
    """Return what the error of a program says."""
    with pytest.raises(SchemeError) as raised:
        Interpreter().eval(program)
    assert isinstance(raised.value.payload, Condition)
    return str(raised.value)


@pytest.mark.parametrize(("program", "message"), CALLS.values(), ids=CALLS)
def test_the_message_is_about_the_callee(program: str, message: str) -> None:
    assert message_of(program) == message


@pytest.mark.parametrize(
    ("last", "message"), [("car", "car: takes 1 argument, as in (car pair), got 2"), ("5", NO_PROCEDURE)]
)
@pytest.mark.parametrize("rounds", [0, 1, CREDIT - 1, CREDIT, CREDIT + 1, CREDIT + 2, 5 * CREDIT])
def test_tail_calls_tell_the_same_however_they_are_made(rounds: int, last: str, message: str) -> None:
    program = (
        "(define (down n last) (if (= n 0) (last 1 2) ((vector-ref steps 0) (- n 1) last)))"
        f"(define steps (vector down)) (list (down {rounds} {last}))"
    )
    assert message_of(program) == message
