"""What embeds the engine: values in and out, procedures both ways, threads, errors."""

from __future__ import annotations

import doctest
import threading
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import nodwyn.interp
from nodwyn.interp import ClosedHost, Condition, Exit, Interpreter, SchemeError, SystemHost
from nodwyn.interp.data import Pair, String, Symbol, Vector, iterate
from nodwyn.interp.printer import write
from nodwyn.interp.report import report


@pytest.fixture
def scheme() -> Interpreter:
    return Interpreter()


def test_the_examples_of_the_documentation() -> None:
    assert doctest.testmod(nodwyn.interp) == (0, doctest.testmod(nodwyn.interp).attempted)
    assert doctest.testmod(nodwyn.interp).attempted >= 4


# Values.


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("42", 42),
        ("1e3", 1000.0),
        ("#t", True),
        ("#f", False),
        ('(string-append "a" "b")', "ab"),
        ("(bytevector 1 2)", b"\1\2"),
        ("(if #f #f)", None),
        ("(define x 1)", None),
        ("1 2 3", 3),
        ("", None),
    ],
)
def test_values_come_out_as_pythons_own(expression: str, value: object, scheme: Interpreter) -> None:
    assert scheme.eval(expression) == value
    assert type(scheme.eval(expression)) is type(value)


@pytest.mark.parametrize(("expression", "kind"), [("'a", Symbol), ("'(1 2)", Pair), ("#(1)", Vector)])
def test_other_values_come_out_as_they_are(expression: str, kind: type, scheme: Interpreter) -> None:
    assert isinstance(scheme.eval(expression), kind)


def test_a_value_can_be_had_as_it_is(scheme: Interpreter) -> None:
    assert isinstance(scheme.eval_scheme('"text"'), String)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (7, "7"),
        (2.5, "2.5"),
        (True, "#t"),
        (None, "#<unspecified>"),
        ('say "hi"', '"say \\"hi\\""'),
        (b"\1\xff", "#u8(1 255)"),
        ([1, ["two", (3.0,)], False], '(1 ("two" (3.0)) #f)'),
        ([], "()"),
        (1 + 2j, "1.0+2.0i"),
    ],
)
def test_values_go_in_as_schemes_own(value: object, written: str, scheme: Interpreter) -> None:
    scheme.define("value", value)
    assert write(scheme.eval_scheme("value")) == written


# Procedures.


def test_a_python_function_is_a_procedure(scheme: Interpreter) -> None:
    scheme.define("greet", lambda name, *others: [f"hello {name}", len(others)])
    assert write(scheme.eval_scheme('(greet "ann" 1 2)')) == '("hello ann" 2)'
    assert write(scheme.eval_scheme('(map greet (list "a" "b"))')) == '(("hello a" 0) ("hello b" 0))'
    assert scheme.eval("(procedure? greet)") is True


def test_an_exception_of_a_python_function_is_a_condition(scheme: Interpreter) -> None:
    def fail() -> None:
        raise KeyError("gone")

    scheme.define("fail", fail)
    assert scheme.eval("(guard (e ((error-object? e) (error-object-message e))) (fail))") == "KeyError: 'gone'"
    with pytest.raises(SchemeError) as error:
        scheme.eval("(+ 1 (fail))", "a text")
    assert report(error.value).startswith("a text:1:6: error: fail: KeyError: 'gone'\n")


def test_the_names_that_mean_something_are_known(scheme: Interpreter) -> None:
    scheme.eval("(define-syntax make (syntax-rules () ((_) (define hidden 1)))) (make) (define (my-own) 1)")
    names = scheme.names()
    assert {"car", "let", "my-own", "make"} <= set(names)
    assert "hidden" not in names
    assert names == sorted(names)


def test_an_exception_that_nothing_handles_is_the_cause_of_the_error(scheme: Interpreter) -> None:
    scheme.define("look-up", lambda key: {}[key])
    scheme.eval("(define (f) (+ 1 (look-up 5)))")
    attempts: list[Callable[[], Any]] = [lambda: scheme.eval("(f)"), scheme.procedure("f")]
    for attempt in attempts:
        with pytest.raises(SchemeError, match="look-up: KeyError: 5") as raised:
            attempt()
        assert isinstance(raised.value.__cause__, KeyError)
    with pytest.raises(SchemeError) as raised:
        scheme.eval("(car 5)")
    assert raised.value.__cause__ is None


def test_a_scheme_procedure_that_went_out_comes_back_itself(scheme: Interpreter) -> None:
    for expression in ("(lambda (x) (* 2 x))", "car", "(make-parameter 1)", "(call/cc (lambda (k) k))"):
        procedure = scheme.eval(expression)
        scheme.define("again", procedure)
        assert scheme.eval("again") is procedure
    scheme.define("identity", lambda value: value)
    assert scheme.eval("(eq? car (identity car))") is True


def test_procedures_can_be_called(scheme: Interpreter) -> None:
    scheme.eval(
        "(define (tally . items) (let loop ((n 0) (items items)) (if (null? items) n (loop (+ n 1) (cdr items)))))"
    )
    tally = scheme.procedure("tally")
    assert (tally(), tally(1, "two", [3])) == (0, 3)
    assert scheme.procedure("string-upcase")("text") == "TEXT"
    add = scheme.eval("(lambda (x) (lambda (y) (+ x y)))")
    assert scheme.call(scheme.call(add, 1), 2) == 3


def test_a_name_means_what_it_is_bound_to_when_called(scheme: Interpreter) -> None:
    scheme.eval("(define (f) 1)")
    f = scheme.procedure("f")
    assert f() == 1
    scheme.eval("(define (f) 2)")
    assert f() == 2
    scheme.define("f", lambda: 3)
    assert (f(), scheme.eval("(f)")) == (3, 3)


def test_a_definition_takes_effect_in_code_compiled_before(scheme: Interpreter) -> None:
    scheme.eval("(define (size x) (length x)) (define (twice) (* 2 (unit)))")
    scheme.define("length", lambda items: "mine")
    scheme.define("unit", lambda: 4)
    assert (scheme.eval("(size '(1))"), scheme.eval("(twice)")) == ("mine", 8)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "unbound variable: nothing"),
        ("value", "value is not a procedure"),
        ("if", "if is a keyword, not a variable"),
    ],
)
def test_what_cannot_be_called_is_told(name: str, message: str, scheme: Interpreter) -> None:
    scheme.eval("(define value 1)")
    with pytest.raises(SchemeError) as error:
        scheme.procedure(name)()
    assert str(error.value) == message


def test_what_is_no_procedure_cannot_be_called(scheme: Interpreter) -> None:
    with pytest.raises(SchemeError, match="the value is not a procedure"):
        scheme.call(5)


def test_a_python_function_may_use_the_interpreter(scheme: Interpreter) -> None:
    scheme.define("evaluate", scheme.eval)
    assert scheme.eval('(+ 1 (evaluate "(+ 1 (evaluate \\"40\\"))"))') == 42

    def attempt(text: str) -> str:
        try:
            scheme.eval(text)
        except SchemeError as error:
            return str(error)
        return "fine"

    scheme.define("attempt", attempt)
    assert scheme.eval('(list (attempt "(car 1)") (attempt "1"))').car.text() == "car: pair must be a pair, got 1"


def test_sorting_by_a_python_function(scheme: Interpreter) -> None:
    scheme.eval("(import (srfi 132))")
    scheme.define("before?", lambda a, b: a > b)
    assert list(iterate(scheme.eval("(list-sort before? '(1 3 2))"))) == [3, 2, 1]


# Texts and files.


def test_definitions_stay(scheme: Interpreter) -> None:
    scheme.eval("(define x 1) (define-syntax twice (syntax-rules () ((_ e) (begin e e))))")
    scheme.eval("(twice (set! x (+ x 1)))")
    assert scheme.eval("x") == 3


def test_interpreters_share_nothing() -> None:
    first, second = Interpreter(), Interpreter()
    for value, scheme in ((1, first), (2, second)):
        scheme.eval(f"(define x {value}) (define p (make-parameter {value}))")
    first.eval("(set! x 10) (p 10)")
    assert second.eval("(+ x (p))") == 4
    assert first.eval("(+ x (p))") == 20


@pytest.mark.parametrize(
    "again",
    [
        "(define k #f) (define n 0) (call/cc (lambda (c) (set! k c)))",
        "(define k #f) (define n 0) (define (f) (call/cc (lambda (c) (set! k c))) 1) (define a (f))",
        "(define k #f) (define n 0) (define a (+ 1 (call/cc (lambda (c) (set! k c) 1))))",
        "(define k #f) (define n 0) (guard (e (#t e)) (raise-continuable (call/cc (lambda (c) (set! k c) 1))))",
        "(define k #f) (define n 0) (call-with-values (lambda () (call/cc (lambda (c) (set! k c) 1))) list)",
        "(define k #f) (define n 0) (define p (make-parameter 1))"
        " (parameterize ((p 2)) (call/cc (lambda (c) (set! k c))) (p))",
        "(define k #f) (define n 0) (with-exception-handler (lambda (e) e)"
        " (lambda () (raise-continuable (call/cc (lambda (c) (set! k c) 1)))))",
    ],
)
def test_coming_back_into_a_text_runs_the_rest_of_it_also_beside_other_interpreters(again: str) -> None:
    schemes = [Interpreter() for _ in range(3)]
    for scheme in schemes:
        assert scheme.eval(f"{again} (set! n (+ n 1)) (if (< n 3) (k n)) (* n 2)") == 6


def test_a_file_is_read_through_the_host(tmp_path: Path, scheme: Interpreter) -> None:
    file = tmp_path / "definitions.scm"
    file.write_text("(define x 5)\n(* x 2)\n")
    allowed = Interpreter(host=SystemHost())
    assert (allowed.load(str(file)), allowed.eval("x")) == (10, 5)
    assert allowed.eval(f'(load "{file}")') == 10
    with pytest.raises(SchemeError, match="has no access to files"):
        scheme.load(str(file))


def test_a_missing_file_is_a_condition(tmp_path: Path) -> None:
    scheme = Interpreter(host=SystemHost())
    with pytest.raises(SchemeError, match=r"missing\.scm") as by_host:
        scheme.load("missing.scm")
    with pytest.raises(SchemeError, match=r"missing\.scm") as by_program:
        scheme.eval('(load "missing.scm")')
    for error in (by_host, by_program):
        assert isinstance(error.value.payload, Condition)
        assert error.value.payload.kind == "file"
    assert scheme.eval('(guard (e ((file-error? e) "caught")) (load "missing.scm"))') == "caught"


def test_libraries_come_from_the_given_directories(tmp_path: Path) -> None:
    (tmp_path / "mine.sld").write_text(
        "(define-library (mine) (export f) (import (scheme base)) (begin (define (f) 'mine)))"
    )
    assert write(Interpreter(library_path=[str(tmp_path)]).eval("(import (mine)) (f)")) == "mine"


def test_output_goes_where_the_host_says() -> None:
    output = StringIO()
    host = ClosedHost(output)
    Interpreter(host=host).eval('(display "text")')
    host.flush()
    assert output.getvalue() == "text"


# Errors.


def test_an_error_has_its_place_and_the_stack(scheme: Interpreter) -> None:
    with pytest.raises(SchemeError) as error:
        scheme.eval("(define (f x) (+ 1 (car x)))\n(list (f 5))", "a text")
    payload: Any = error.value.payload
    assert (payload.kind, payload.procedure, repr(payload.span)) == ("type", "car", "a text:1:20")
    assert [(name, repr(span)) for name, span in error.value.stack] == [
        ("f", "a text:1:20"),
        ("top level", "a text:2:7"),
    ]


def test_texts_without_a_name_are_told_apart(scheme: Interpreter) -> None:
    scheme.eval("1")
    with pytest.raises(SchemeError) as error:
        scheme.eval("(car 2)")
    assert report(error.value).startswith("<text 2>:1:1: ")


def test_a_raised_object_is_the_payload(scheme: Interpreter) -> None:
    with pytest.raises(SchemeError) as error:
        scheme.eval("(raise 'oops)")
    assert write(error.value.payload) == "oops"


@pytest.mark.parametrize(
    "failing",
    [
        "(car 1)",
        "(raise 'x)",
        "(with-exception-handler (lambda (e) (car e)) (lambda () (raise 'x)))",
        '(parameterize ((p 2)) (error "in it"))',
        "(dynamic-wind (lambda () #f) (lambda () (car 1)) (lambda () #f))",
        "(define (f) (+ 1 (f))) (if",
        "(import (no such library))",
        "(call/cc (lambda (k) (with-exception-handler k (lambda () (vector-ref (vector) 0))))) (car '())",
    ],
)
def test_after_an_error_all_is_as_before(failing: str, scheme: Interpreter) -> None:
    scheme.eval("(define p (make-parameter 1))")
    with pytest.raises(SchemeError):
        scheme.eval(failing)
    assert (
        scheme.eval("(+ (p) (call/cc (lambda (k) (dynamic-wind (lambda () 0) (lambda () (k 1)) (lambda () 0)))))") == 2
    )
    with pytest.raises(SchemeError, match="uncaught"):
        scheme.eval("(raise 'no-handler-is-left)")


def test_exit_leaves_and_the_interpreter_stays(scheme: Interpreter) -> None:
    with pytest.raises(Exit) as left:
        scheme.eval("(define x 1) (exit 3)")
    assert (left.value.status, scheme.eval("x")) == (3, 1)


# Threads.


def in_thread(work: Any) -> list[Any]:
    """Return the value or the exception that ``work`` ends with in a thread of its own."""
    ended: list[Any] = []

    def run() -> None:
        try:
            ended.append(work())
        except Exception as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    return ended


def test_another_thread_may_use_it_afterwards(scheme: Interpreter) -> None:
    scheme.eval("(define x 1)")
    assert in_thread(lambda: scheme.eval("(+ x 1)")) == [2]
    assert in_thread(scheme.procedure("+")) == [0]


@pytest.mark.parametrize(
    "use",
    [lambda s: s.eval("1"), lambda s: s.procedure("list")(), lambda s: s.define("y", 1), lambda s: s.call(len)],
    ids=["eval", "procedure", "define", "call"],
)
def test_another_thread_may_not_use_it_meanwhile(use: Any, scheme: Interpreter) -> None:
    scheme.define("elsewhere", lambda: str(in_thread(lambda: use(scheme))[0]))
    message = "the interpreter is in use by another thread; give each thread its own"
    assert scheme.eval("(elsewhere)") == message


def test_each_thread_may_have_its_own() -> None:
    results: list[Any] = []

    def work(number: int) -> None:
        scheme = Interpreter()
        results.append(
            scheme.eval(f"(let loop ((i 0) (sum 0)) (if (= i 1000) (+ sum {number}) (loop (+ i 1) (+ sum 1))))")
        )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(results) == [1000, 1001, 1002, 1003]


# Space.


@pytest.mark.parametrize(
    "text",
    [
        '(list 1 \'(2 3) "text")',
        "(eval '(list '(1)) (interaction-environment))",
        "(define (f x) (lambda (y) (list x y '(1))))",
        "(guard (e (#t 0)) (length 5))",
        "(for-each (lambda (x) x) '(1))",
    ],
)
def test_what_nothing_can_come_back_to_is_forgotten(text: str, scheme: Interpreter) -> None:
    for _ in range(500):
        scheme.eval(text)
    assert len(scheme.runtime.globals["%units"].named) < 200
    assert len(scheme.programs.linker.texts.texts) < 200
    assert len([name for name in scheme.runtime.globals if name.startswith("%k")]) < 500


def test_what_is_still_there_is_not_forgotten(scheme: Interpreter) -> None:
    scheme.eval("(define (g) 1) (define (f x) (if x (vector '(lit) (g)) (car x)))")
    scheme.eval("(define k #f) (define n 0) (define (again) (list (call/cc (lambda (c) (set! k c) 0)) '(x)))")
    scheme.eval("(define r (again)) (set! n (+ n 1))")
    for _ in range(300):
        scheme.eval("(list '(1) (lambda (x) x))")
    scheme.eval("(define (g) 2)")
    assert write(scheme.eval_scheme("(f #t)")) == "#((lit) 2)"
    with pytest.raises(SchemeError, match="car: pair must be a pair"):
        scheme.eval("(f #f)")
    scheme.eval("(k n)")
    assert write(scheme.eval_scheme("(list n r)")) == "(2 (1 (x)))"


def test_a_function_of_no_module_is_a_procedure() -> None:
    """Such is what ``exec`` and ``eval`` make in a dictionary of their own."""

    def half(x: float) -> float:
        return x / 2

    half.__module__ = None  # type: ignore[assignment]
    scheme = Interpreter()
    scheme.define("half", half)
    assert scheme.eval("(half 5)") == 2.5
