"""A standard library's small procedures stand where they are called; a mistake in one is still shown at the call.

In a person's own library it is shown where it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.report import report

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


@pytest.mark.parametrize(
    ("definition", "call", "column"),
    [("(define (f x) (car x))", "(f 5)", 23), ("(define (f g) (car (g 5)))", "(f (lambda (x) x))", 23)],
    ids=["small", "given a procedure"],
)
def test_a_mistake_in_a_persons_own_library_is_where_it_is(
    definition: str, call: str, column: int, tmp_path: Path
) -> None:
    library = tmp_path / "own.sld"
    library.write_text(f"(define-library (own) (export f) (import (scheme base))\n (begin {definition}))")
    scheme = Interpreter(library_path=[str(tmp_path)])
    with pytest.raises(SchemeError) as raised:
        scheme.eval(f"(import (own)) (define (g) (+ {call} 1)) (g)")
    told = report(raised.value)
    assert told.startswith(f"{library}:2:{column}: error: car: pair must be a pair, got 5")
    assert "in f " in told
    assert "in g " in told
