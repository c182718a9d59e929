"""A fault of the engine itself is told as one, and never as a mistake of the program that ran into it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp import Condition, Interpreter, SchemeError
from nodwyn.interp.report import report

FAULTS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda value: None.end, "AttributeError: 'NoneType' object has no attribute 'end'"),  # type: ignore[attr-defined]
    (lambda value: [].car, "AttributeError: 'list' object has no attribute 'car'"),  # type: ignore[attr-defined]
    (lambda value: len(None), "TypeError: object of type 'NoneType' has no len()"),  # type: ignore[arg-type]
    (lambda value: {"a": 1}["x"], "KeyError: 'x'"),
    (lambda value: int("x"), "ValueError: invalid literal for int() with base 10: 'x'"),
    (lambda value: value + None, "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"),
]
FORMS = ["(broken 5)", "(list (broken 5))", "(map broken '(5))", "(let ((f broken)) (f 5))"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_it_is_not_told_in_terms_of_the_program(fault: Callable[[Any], Any], message: str, form: str) -> None:
    scheme = Interpreter()
    scheme.programs.define("broken", fault)
    with pytest.raises(SchemeError) as raised:
        scheme.eval(form)
    condition = raised.value.payload
    assert isinstance(condition, Condition)
    assert condition.kind == "control"
    assert condition.message.startswith("the interpreter itself failed (test_internal_faults.py:")
    assert condition.message.endswith(f": {message})")
    assert "this is a fault of nodwyn" in report(raised.value)


def test_a_wrong_operand_in_python_code_is_still_the_programs() -> None:
    scheme = Interpreter()
    scheme.programs.define("broken", lambda value: value.car)
    with pytest.raises(SchemeError, match="expected a pair, got 5"):
        scheme.eval("(broken 5)")


MISTAKES: list[tuple[Callable[[Interpreter], Any], str]] = [
    (lambda scheme: scheme.eval(5), "Interpreter.eval takes the text of a program as a str, not int"),  # type: ignore[arg-type]
    (lambda scheme: scheme.eval(None), "Interpreter.eval takes the text of a program as a str, not NoneType"),  # type: ignore[arg-type]
    (lambda scheme: scheme.eval_scheme(b"1"), "Interpreter.eval takes the text of a program as a str, not bytes"),  # type: ignore[arg-type]
    (lambda scheme: scheme.load(5), "Interpreter.load takes the name of a file as a str, not int"),  # type: ignore[arg-type]
    (lambda scheme: scheme.define(5, 1), "Interpreter.define takes the name of a variable as a str, not int"),  # type: ignore[arg-type]
    (lambda scheme: scheme.procedure(5), "Interpreter.procedure takes the name of a procedure as a str, not int"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("mistake", "message"), MISTAKES)
def test_a_mistake_of_the_embedding_program_is_an_error_of_python(
    mistake: Callable[[Interpreter], Any], message: str
) -> None:
    with pytest.raises(TypeError) as raised:
        mistake(Interpreter())
    assert str(raised.value) == message
