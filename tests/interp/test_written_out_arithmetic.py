"""Division and roots that are written out as Python operations give what the builtins give, whatever the operands."""

from __future__ import annotations

import itertools

import pytest

from nodwyn.interp import Interpreter, SchemeError
from nodwyn.interp.data import iterate, list_from
from nodwyn.interp.printer import write

NUMBERS = "7 -7 2 0 100000000000000000000000 7.0 -7.5 0.0 1/2 +inf.0 1+2i".split()
OTHERS = ["a", '"7"', "#t"]

DIVISIONS = "quotient remainder modulo floor-quotient floor-remainder truncate-quotient truncate-remainder /".split()

SHAPES = {
    "variables": "({0} a b)",
    "expressions": "({0} (first a) (first b))",
    "a variable and an expression": "({0} a (first b))",
    "an expression and a variable": "({0} (first a) b)",
    "asked for zero": "(let ((r (= 0 ({0} a b)))) (if (= 0 ({0} a b)) r (list ({0} a b))))",
}

PROLOGUE = """
(define unknown list)
(define (first x) (car (unknown x)))
(define (outcome f) (guard (e (#t (list 'error (error-object-message e)))) (f)))
"""


@pytest.fixture(scope="module")
def scheme() -> Interpreter:
    scheme = Interpreter()
    scheme.eval(PROLOGUE)
    return scheme


def outcomes(scheme: Interpreter, form: str, pairs: list[tuple[str, str]]) -> list[str]:
    scheme.eval(f"(define (f a b) {form})")
    listed = " ".join(f"({a} {b})" for a, b in pairs)
    results = scheme.eval_scheme(f"(map (lambda (p) (outcome (lambda () (apply f p)))) '({listed}))")
    return [write(result) for result in iterate(results)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("operation", DIVISIONS)
def test_division_of_all_kinds_of_operands(scheme: Interpreter, operation: str, shape: str) -> None:
    values = NUMBERS + OTHERS
    pairs = [(a, b) for a in values for b in values]
    written_out = outcomes(scheme, SHAPES[shape].format(operation), pairs)
    called = outcomes(scheme, SHAPES[shape].format(f"(first {operation})"), pairs)
    assert written_out == called


@pytest.mark.parametrize("operation", DIVISIONS)
@pytest.mark.parametrize("constant", ["2", "-2", "0", "2.5", "0.0"])
def test_division_by_and_of_constants(scheme: Interpreter, operation: str, constant: str) -> None:
    pairs = [(a, "0") for a in NUMBERS + OTHERS]
    for form in ("({0} a {1})", "({0} {1} a)", "({0} (first a) {1})", "({0} {1} (first a))", "({0} (* 2.0 a) {1})"):
        written_out = outcomes(scheme, form.format(operation, constant), pairs)
        assert written_out == outcomes(scheme, form.format(f"(first {operation})", constant), pairs)


def test_roots_of_all_kinds_of_operands(scheme: Interpreter) -> None:
    pairs = [(a, "0") for a in NUMBERS + OTHERS]
    for form in ("({0} a)", "({0} (first a))", "({0} (* 2.0 (first a)))", "(let ((b (* 2.0 a))) ({0} b))"):
        assert outcomes(scheme, form.format("sqrt"), pairs) == outcomes(scheme, form.format("(first sqrt)"), pairs)


NUMBERS_AND_BEYOND = [*NUMBERS, "9007199254740993", "-0.0", "+nan.0", "-1/2"]

ONE = "abs square inexact exact-integer? integer? exact floor ceiling truncate round".split()


@pytest.mark.parametrize("operation", ONE)
def test_operations_on_one_number_of_all_kinds(scheme: Interpreter, operation: str) -> None:
    pairs = [(a, "0") for a in NUMBERS_AND_BEYOND + OTHERS]
    for form in ("({0} a)", "({0} (first a))", "(let ((n (vector-length (vector 1 2)))) (list ({0} n) ({0} (- n 5))))"):
        assert outcomes(scheme, form.format(operation), pairs) == outcomes(
            scheme, form.format(f"(first {operation})"), pairs
        )


@pytest.mark.parametrize("operation", ["min", "max"])
def test_the_least_and_largest_of_all_kinds_of_numbers(scheme: Interpreter, operation: str) -> None:
    values = NUMBERS_AND_BEYOND + OTHERS
    pairs = [(a, b) for a in values for b in values]
    for form in (
        "({0} a b)",
        "({0} (first a) (first b))",
        "({0} a (first b) 3)",
        "({0} 5 a b)",
        "(let ((n (vector-length (vector 1 2)))) (list ({0} n 7) ({0} a n) ({0} n -3 b) ({0} 1 n (* n n))))",
        "({0} (first a) b 7 8)",
    ):
        assert outcomes(scheme, form.format(operation), pairs) == outcomes(
            scheme, form.format(f"(first {operation})"), pairs
        )


def test_operands_are_evaluated_from_left_to_right(scheme: Interpreter) -> None:
    scheme.eval("(define seen '()) (define (note x) (set! seen (cons x seen)) x)")
    for operation in [*DIVISIONS, "min", "max"]:
        scheme.eval("(set! seen '())")
        scheme.eval(f"(define (f) ({operation} (note 8) (note 4))) (f)")
        assert write(scheme.eval_scheme("seen")) == "(4 8)"


OPERATIONS = {
    **dict.fromkeys(["+", "*", "=", "<", ">", "<=", ">="], (2, 3)),
    "-": (1, 2, 3),
    **dict.fromkeys(["modulo", "quotient", "remainder", "floor-quotient", "/"], (2,)),
    **dict.fromkeys(
        [
            "zero?",
            "positive?",
            "negative?",
            "even?",
            "odd?",
            "abs",
            "square",
            "inexact",
            "exact",
            "floor",
            "ceiling",
            "truncate",
            "round",
        ],
        (1,),
    ),
    **dict.fromkeys(["min", "max"], (2, 3)),
}
NO_NUMBERS = ["'sym", '"text"', "#\\a", "#t", "'()", "(list 1)", "(vector 1)", "(bytevector 1)", "(eof-object)"]


def message_of(scheme: Interpreter, form: str) -> tuple[str | None, str, str]:
    with pytest.raises(SchemeError) as caught:
        scheme.eval(form)
    payload = caught.value.payload
    return payload.procedure, payload.message, write(list_from(payload.irritants))


@pytest.mark.parametrize(("operation", "counts"), OPERATIONS.items(), ids=OPERATIONS)
def test_operands_that_are_calls_are_shown_when_they_are_wrong(operation: str, counts: tuple[int, ...]) -> None:
    """Nothing keeps such an operand: it is the exception that has it."""
    scheme = Interpreter()
    scheme.eval(f"(define (same x) x) (define hidden (vector-ref (vector {operation}) 0))")
    for count in counts:
        for number, wrong, position in itertools.product(["3", "1.5", "1/2", "+i"], NO_NUMBERS, range(count)):
            operands = [f"(same {wrong if each == position else number})" for each in range(count)]
            if number == "+i" and operation not in ("+", "*", "-", "/", "="):
                continue
            form = f"({{}} {' '.join(operands)})"
            assert message_of(scheme, form.format(operation)) == message_of(scheme, form.format("hidden")), form


@pytest.mark.parametrize("operation", [*"< > <= >=".split(), "modulo", "floor-quotient"])
def test_complex_operands_that_are_calls_are_shown_where_a_real_number_is_wanted(operation: str) -> None:
    scheme = Interpreter()
    scheme.eval(f"(define (same x) x) (define hidden (vector-ref (vector {operation}) 0))")
    for operands in ("(same +i) (same 3)", "(same 3) (same 1.5+2.0i)", "(same +i) (same 1/2)", "(same -i) (same -i)"):
        written_out = message_of(scheme, f"({operation} {operands})")
        assert written_out == message_of(scheme, f"(hidden {operands})"), operands


@pytest.mark.parametrize(
    "call",
    [
        '(string-append (same "4") "2")',
        '(string-upcase (same "a"))',
        '(substring (same "abc") 0 2)',
        "(number->string (same 0))",
        "(symbol->string (same 'a))",
        '(string-ref (same "abc") 0)',
        '(read-char (open-input-string (same "abc")))',
        "(list (same 1) 2)",
        "(vector (same 1))",
        "(cons (same 1) 2)",
        "(get-output-string (open-output-string))",
        "(not (same 1))",
        "(eq? (same 1) 2)",
    ],
)
def test_what_a_call_gives_that_is_no_number_equals_none(call: str) -> None:
    scheme = Interpreter()
    scheme.eval("(define (same x) x) (define hidden (vector-ref (vector = zero?) 0))")
    for operands in (f"0 {call}", f"{call} 0", f"1 {call}"):
        assert message_of(scheme, f"(= {operands})") == message_of(scheme, f"(hidden {operands})")
    with pytest.raises(SchemeError, match=r"zero\?: argument must be a number"):
        scheme.eval(f"(zero? {call})")
