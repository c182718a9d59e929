"""A library's small procedures stand where they are called, and a mistake in one is still shown at the call."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.errors import Condition, SchemeError

MISTAKES = {
    "a clause of a case-lambda": ("(member 1 5)", "member: list must be a list, got 5"),
    "an accessor in it": ("(hash-table-ref/default 5 1 0)", "must be a record of type <hash-table>, got 5"),
    "the wrong number of arguments": ("(member 1)", "member: takes"),
}


@pytest.mark.parametrize(("call", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_at_the_call(call: str, message: str) -> None:
    scheme = Interpreter()
    scheme.eval("(import (scheme base) (srfi 69))")
    program = f"(define (f) (+ {call} 1)) (f)"
    with pytest.raises(SchemeError) as raised:
        scheme.eval(program)
    condition = raised.value.payload
    assert isinstance(condition, Condition)
    assert condition.span is not None
    assert program[condition.span.start : condition.span.end] == call
    assert message in str(raised.value)


def test_it_takes_any_number_of_arguments_that_a_clause_takes() -> None:
    scheme = Interpreter()
    scheme.eval("(import (scheme base) (srfi 69))")
    scheme.eval("(define table (make-hash-table)) (hash-table-set! table 1 2) (hash-table-set! table 3 4 5 6)")
    assert scheme.eval("(hash-table-size table)") == 3
