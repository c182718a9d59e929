"""What whoever started a program learns of its stop, and that nothing of the program is kept."""

from __future__ import annotations

import gc
import signal
import threading
import weakref
from collections.abc import Callable, Iterator

import pytest

from nodwyn.interp import Condition, Interpreter, Limits, SchemeError
from nodwyn.interp.limits import resident_mb
from nodwyn.interp.report import report

LOOP_HINT = "if not, a loop does it without nesting: a call in tail position takes no space"


def stopped(text: str, limits: Limits, begun: Callable[[], None] = lambda: None) -> SchemeError:
    """Return what comes of a program that ends at a limit. begun: what it can call as ``(begun)``."""
    scheme = Interpreter()
    scheme.define("begun", begun)
    scheme.eval("(define x 1)")
    gc.collect()
    scheme.limits = limits
    with pytest.raises(SchemeError) as raised:
        scheme.eval(text, "program.scm")
    assert isinstance(raised.value.payload, Condition)
    assert raised.value.payload.kind == "limit"
    return raised.value


def test_an_endless_recursion_is_named_with_its_place() -> None:
    text = "(define (count-down n)\n  (+ 1 (count-down (- n 1))))\n(count-down 5)"
    assert report(stopped(text, Limits(depth=5000))).split("\n") == [
        "program.scm:2:8: error: calls are nested more than 5000 deep",
        "    (+ 1 (count-down (- n 1))))",
        "         ^^^^^^^^^^^^^^^^^^^^",
        f"  hint: is the recursion of count-down endless? {LOOP_HINT}",
        "  in count-down (program.scm:2:8)  (+ 1 (count-down (- n 1))))",
        "  … this again, at least 59 times",
    ]


@pytest.mark.parametrize(
    ("text", "recursion"),
    [
        ("(define (f n) (+ 1 (f n))) (f 0)", "the recursion of f"),
        ("(define (f n) (not (g n))) (define (g n) (not (f n))) (f 0)", "the recursion of f and g"),
        ("(define f #f) (set! f (lambda (n) (+ 1 (f n)))) (f 0)", "the recursion of f"),
        ("(define (f n) (cons n (map f (list n)))) (f 0)", "the recursion of f"),
        ("(define (f) (guard (e (#t 1)) (+ 1 (f)))) (f)", "the recursion of f"),
        ("(define (f) (+ 1 (call-with-values f list))) (f)", "the recursion of f"),
        (
            "(define (f) (parameterize ((current-output-port (current-error-port))) (+ 1 (f)))) (f)",
            "the recursion of f",
        ),
        ("(let loop ((n 0)) (+ 1 (loop n)))", "the recursion of loop"),
        ("((lambda (self) (self self)) (lambda (self) (+ 1 (self self))))", "the recursion of self"),
    ],
)
def test_a_recursion_is_named_by_its_procedures(text: str, recursion: str) -> None:
    error = stopped(text, Limits(depth=3000))
    assert isinstance(error.payload, Condition)
    found = error.payload.hint.removesuffix(f" endless? {LOOP_HINT}")
    names = [sorted(each.split("the recursion of ")[-1].split(" and ")) for each in (found[3:], recursion)]
    assert set(names[1]) <= set(names[0])
    assert error.payload.span is not None
    assert error.payload.span.source.name == "program.scm"


def test_the_memory_limit_names_a_recursion_and_a_place() -> None:
    text = "(define (f n)\n  (cons (make-vector 2000 n) (f (+ n 1))))\n(f 1)"
    error = stopped(text, Limits(memory_mb=resident_mb() + 100))
    lines = report(error).split("\n")
    assert lines[0].startswith("program.scm:2:")
    assert f"  hint: is the recursion of f endless? {LOOP_HINT}" in lines


@pytest.mark.parametrize("text", ["(let loop ((x '())) (loop (cons (make-vector 1000 0) x)))"])
def test_no_recursion_is_named_where_there_is_none(text: str) -> None:
    error = stopped(text, Limits(memory_mb=resident_mb() + 100))
    assert isinstance(error.payload, Condition)
    assert error.payload.hint == ""
    assert error.stack


def test_the_time_limit_says_where_the_program_was() -> None:
    error = stopped("(define (spin n)\n  (if (< n 0) n (spin (+ n 1))))\n(list (spin 1))", Limits(seconds=0.2))
    assert report(error).startswith("program.scm:")
    assert "in spin" in report(error)


def test_ctrl_c_says_where_the_program_was() -> None:
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    text = "(define (spin n)\n  (if (< n 0) n (spin (+ n 1))))\n(begun)\n(list (spin 1))"
    error = stopped(text, Limits(), timer.start)
    timer.join()
    assert report(error).startswith("program.scm:")
    assert "in spin" in report(error)


def test_a_stop_in_no_code_of_a_program_has_no_place() -> None:
    text = "(define-syntax m (syntax-rules () ((_ x) (m (x))))) (m 1)"
    error = stopped(text, Limits(seconds=0.0001))
    assert report(error) == "error: the time limit of 0.0001 seconds is used up"


def test_ctrl_c_is_handled_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGINT)
    seen: list[object] = []
    scheme = Interpreter()
    scheme.define("look", lambda: seen.append(signal.getsignal(signal.SIGINT)))
    scheme.eval("(look)")
    assert signal.getsignal(signal.SIGINT) is before
    assert seen[0] is not before


def test_a_handler_of_ctrl_c_that_raises_nothing_lets_the_program_go_on() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        scheme = Interpreter()
        scheme.define("press", lambda: signal.raise_signal(signal.SIGINT))
        assert scheme.eval("(press) (+ 1 2)") == 3
        assert heard == [signal.SIGINT]
        assert gc.isenabled()
    finally:
        signal.signal(signal.SIGINT, before)


class Thing:
    """An object of a program, which can be told to be gone."""


@pytest.fixture(name="collects_nothing")
def _collects_nothing() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("collects_nothing")
@pytest.mark.parametrize(
    "text",
    [
        "(define (f x) (+ 1 (f x)))",
        "(define (f x) (let loop ((i 0)) (loop (+ i 1))) x)",
        "(define (f x) (car 5) x)",
        "(define (f x) (error 'a) x)",
        "(define (f x) (raise 'a) x)",
        "(define (f x) (call/cc (lambda (k) (k (car 1)))) x)",
        "(define (f x) (guard (e (#t (raise 'd))) (g x)) x) (define (g x) (raise x) x)",
        "(define (f x) (guard (e (#t (raise 'd))) (g x)) x) (define (g x) (car 'x) x)",
        "(define (f x) (with-exception-handler (lambda (e) 1) (lambda () (g x))) x) (define (g x) (raise 'x) x)",
        "(define (f x) (guard (e ((string? e) 1)) (g x)) x) (define (g x) (raise 'a) x)",
        "(define (f x) (guard (e ((string? e) 1)) (g x)) x) (define (g x) (car 'a) x)",
        "(define (f x) (guard (e (#f 1)) (guard (e (#f 1)) (g x))) x) (define (g x) (error 'a) x)",
        "(define (f x) (guard (e (#f 1)) (dynamic-wind list (lambda () (g x)) list)) x) (define (g x) (error 'a) x)",
        "(define (f x) (guard (e (#f 1)) (call/cc (lambda (k) (list k (car 'a))))) x)",
    ],
)
def test_nothing_of_a_failed_program_is_kept_by_its_failure(text: str) -> None:
    scheme = Interpreter()
    scheme.eval(text)
    scheme.limits = Limits(seconds=0.5, depth=3000)
    thing = Thing()
    alive = weakref.ref(thing)
    failure = None
    try:
        scheme.procedure("f")(thing)
    except SchemeError as error:
        failure = error.payload
    del thing
    assert failure is not None
    assert alive() is None
