"""Stops: by time, memory, depth and Ctrl-C, out of anything, with the interpreter of use afterwards."""

from __future__ import annotations

import gc
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest

from nodwyn.interp import ClosedHost, Condition, Interpreter, Limits, SchemeError
from nodwyn.interp.limits import GIANT_BITS, has_giant, resident_mb

ENDLESS = {
    "a loop": "(let loop () (loop))",
    "a loop that counts": "(let loop ((i 0)) (loop (+ i 1)))",
    "a procedure that calls itself": "(define (f x) (f (+ x 1))) (f 0)",
    "procedures that call each other": "(define (f) (g)) (define (g) (f)) (f)",
    "continuations": "(let ((k (call/cc (lambda (k) k)))) (k k))",
    "a generator by re-entry": "(define k #f) (define (f) (+ 1 (call/cc (lambda (c) (set! k c) 1)))) (f) (k 1)",
    "do": "(do ((i 0 (+ i 1))) (#f))",
    "map in a loop": "(let loop () (map (lambda (x) x) '(1 2 3)) (loop))",
    "a handler that goes on": "(define (f) (with-exception-handler list (lambda () (raise-continuable 1))) (f)) (f)",
    "a guard that tries again": "(let loop () (guard (e (#t #f)) (car 1)) (loop))",
    "the evaluation of forms": "(let loop () (eval '(+ 1 1) (interaction-environment)) (loop))",
    "an enormous power": "(let loop ((n 3)) (loop (+ 1 (modulo (expt n 4000) 1000003))))",
    "an exit of dynamic-wind": "(dynamic-wind (lambda () #f) (lambda () 1) (lambda () (let loop () (loop))))",
}


def test_a_look_at_a_frame_finds_giants_and_keeps_nothing() -> None:
    """A string that somebody else has, too, cannot grow in place: it would be copied after each look."""
    text = "a string of this test"
    count = sys.getrefcount(text)
    assert not has_giant(sys._getframe())
    assert sys.getrefcount(text) == count
    giant = 1 << GIANT_BITS
    assert has_giant(sys._getframe())
    del giant


def limited(limits: Limits, library_path: str = "") -> Interpreter:
    """Return an interpreter with limits on what comes, now that the engine is there."""
    scheme = Interpreter(library_path=[library_path] if library_path else [])
    scheme.eval("(define x 1)")
    # A limit that is reached while what other tests have left is being collected would be reported as theirs.
    gc.collect()
    scheme.limits = limits
    return scheme


def message_of(error: pytest.ExceptionInfo[SchemeError]) -> str:
    """Return the message of a stop, which must be a condition of kind "limit"."""
    payload = error.value.payload
    assert isinstance(payload, Condition)
    assert payload.kind == "limit"
    return str(payload.message)


@pytest.mark.parametrize(
    "text", ["(let loop ((x 3)) (loop (* x x)))", "(define (grow a b) (grow (* a b) (* b a))) (grow 3 4)"]
)
def test_numbers_that_multiply_end_before_one_product_takes_longer_than_the_limit(text: str) -> None:
    scheme = limited(Limits(seconds=20))
    start = time.monotonic()
    with pytest.raises(SchemeError) as error:
        scheme.eval(text)
    assert "bits" in message_of(error)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS.keys())
def test_time_ends_everything(text: str) -> None:
    scheme = limited(Limits(seconds=0.5))
    start = time.monotonic()
    with pytest.raises(SchemeError) as error:
        scheme.eval(text)
    assert message_of(error) == "the time limit of 0.5 seconds is used up"
    assert time.monotonic() - start < 1.5
    assert scheme.eval("(+ x (call/cc (lambda (k) (k 1))))") == 2


def test_a_program_cannot_handle_a_stop() -> None:
    scheme = limited(Limits(seconds=0.3))
    for text in (
        "(guard (e (#t 'handled)) (let loop () (loop)))",
        "(with-exception-handler (lambda (e) 'handled) (lambda () (let loop () (loop))))",
        "(call/cc (lambda (k) (dynamic-wind (lambda () #f) (lambda () (let loop () (loop))) (lambda () (k 'out)))))",
    ):
        with pytest.raises(SchemeError):
            scheme.eval(text)


def test_exits_of_dynamic_wind_have_a_moment() -> None:
    output = StringIO()
    host = ClosedHost(output)
    scheme = Interpreter(host=host)
    scheme.eval("0")
    scheme.limits = Limits(seconds=0.5)
    start = time.monotonic()
    with pytest.raises(SchemeError):
        scheme.eval(
            "(define (wind name thunk) (dynamic-wind (lambda () #f) thunk (lambda () (display name))))"
            "(wind 'outer (lambda () (wind 'inner (lambda () (let loop () (loop))))))"
        )
    host.flush()
    assert output.getvalue() == "innerouter"
    with pytest.raises(SchemeError):
        scheme.eval("(dynamic-wind (lambda () #f) (lambda () (let loop () (loop))) (lambda () (let loop () (loop))))")
    assert time.monotonic() - start < 3


def test_each_evaluation_has_its_own_time() -> None:
    scheme = limited(Limits(seconds=1))
    for _ in range(4):
        scheme.eval("(define start (quote now))")
        time.sleep(0.4)


@pytest.mark.skipif(sys.platform != "linux", reason="the memory in use is read from /proc")
@pytest.mark.parametrize(
    "text",
    [
        "(let loop ((x '())) (loop (cons x x)))",
        "(let loop ((x '())) (loop (cons (make-vector 1000 0) x)))",
        '(let loop ((s "text")) (loop (string-append s s)))',
    ],
)
def test_memory_is_bounded(text: str) -> None:
    scheme = Interpreter()
    scheme.eval("0")
    scheme.limits = Limits(memory_mb=resident_mb() + 150)
    with pytest.raises(SchemeError) as error:
        scheme.eval(text)
    assert isinstance(error.value.payload, Condition)
    assert error.value.payload.kind == "limit"
    assert Interpreter().eval("(+ 1 1)") == 2


def test_depth_is_bounded() -> None:
    scheme = limited(Limits(depth=2000))
    with pytest.raises(SchemeError) as error:
        scheme.eval("(define (f x) (+ 1 (f x))) (f 0)")
    assert message_of(error) == "calls are nested more than 2000 deep"
    assert scheme.eval("(+ 1 1)") == 2


def test_the_limit_of_depth_is_pythons_own_again() -> None:
    before = sys.getrecursionlimit()
    Interpreter().eval("(define (down n) (if (= n 0) 0 (+ 1 (down (- n 1))))) (down 100000)")
    assert sys.getrecursionlimit() == before


# Ctrl-C.


@contextmanager
def interrupt_after(seconds: float) -> Iterator[None]:
    """Press Ctrl-C while the block runs."""
    timer = threading.Timer(seconds, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS.keys())
def test_ctrl_c_ends_everything(text: str) -> None:
    scheme = limited(Limits())
    with interrupt_after(0.3), pytest.raises(SchemeError) as error:
        scheme.eval(text)
    assert message_of(error) == "interrupted"
    assert scheme.eval("(+ x 1)") == 2


def test_a_library_that_was_interrupted_runs_again(tmp_path: Any) -> None:
    (tmp_path / "slow.sld").write_text(
        "(define-library (slow) (export a b set-fast!) (import (scheme base) (fast))"
        " (begin (define a 1) (let loop () (unless (fast?) (loop))) (define b 2) (define (set-fast!) #t)))"
    )
    (tmp_path / "fast.sld").write_text(
        "(define-library (fast) (export fast? fast!) (import (scheme base))"
        " (begin (define fast #f) (define (fast?) fast) (define (fast!) (set! fast #t))))"
    )
    for _ in range(2):
        scheme = Interpreter(library_path=[str(tmp_path)])
        scheme.eval("(import (fast))", keep=True)
        with interrupt_after(0.5), pytest.raises(SchemeError, match="interrupted"):
            scheme.eval("(import (slow)) (+ a b)", keep=True)
        scheme.eval("(fast!)")
        assert scheme.eval("(import (slow)) (+ a b)") == 3


def test_what_every_program_needs_is_there_after_an_early_stop() -> None:
    scheme = Interpreter(limits=Limits(seconds=0.001))
    with pytest.raises(SchemeError, match="time limit"):
        # The loop is for a first tick that finds code of others running, such as an import: it puts the stop off.
        scheme.eval("(define (square-all items) (map square items)) (let loop () (loop))")
    scheme.limits = Limits()
    assert scheme.eval("(apply + (map square '(1 2)))") == 5


# Limits of one program inside another's.


def test_an_inner_limit_leaves_the_outer_one() -> None:
    outer = limited(Limits(seconds=1))
    inner = limited(Limits(seconds=0.2))

    def run(text: str) -> str:
        try:
            return str(inner.eval(text))
        except SchemeError as error:
            return str(error)

    outer.define("run", run)
    start = time.monotonic()
    with pytest.raises(SchemeError) as error:
        outer.eval('(define said (run "(let loop () (loop))")) (run "1") (let loop () (loop))')
    assert message_of(error) == "the time limit of 1 second is used up"
    assert 0.9 < time.monotonic() - start < 2.5
    assert outer.eval("said") == "the time limit of 0.2 seconds is used up"


def test_an_outer_limit_holds_within_an_inner_one() -> None:
    outer = limited(Limits(seconds=0.5))
    inner = limited(Limits(seconds=20))
    outer.define("run", lambda text: str(inner.eval(text)))
    start = time.monotonic()
    with pytest.raises(SchemeError) as error:
        outer.eval('(run "(let loop () (loop))")')
    assert "the time limit of 0.5 seconds is used up" in message_of(error)
    assert time.monotonic() - start < 5
    assert inner.eval("(+ 1 2)") == 3


@pytest.mark.parametrize(("delay", "period", "rings"), [(0.2, 0.0, 1), (0.2, 0.2, 3), (30.0, 0.0, 0)])
def test_a_timer_of_the_host_program_rings_meanwhile_and_afterwards(delay: float, period: float, rings: int) -> None:
    rung: list[float] = []
    scheme = limited(Limits(seconds=0.7))
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, delay, period)
        with pytest.raises(SchemeError):
            scheme.eval("(let loop () (loop))")
        assert abs(len(rung) - rings) <= (1 if period else 0)
        rest, again = signal.getitimer(signal.ITIMER_REAL)
        assert again == period
        assert (rest > 0) is (period > 0 or rings == 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_signals_are_those_of_before() -> None:
    def handler(number: int, frame: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGALRM, handler)
    try:
        Interpreter(limits=Limits(seconds=5)).eval("1")
        assert signal.getsignal(signal.SIGALRM) is handler
    finally:
        signal.signal(signal.SIGALRM, before)


def test_another_thread_runs_without_a_time_limit() -> None:
    values: list[Any] = []

    def work() -> None:
        values.append(
            Interpreter(limits=Limits(seconds=0.01)).eval("(let loop ((i 0)) (if (= i 100000) i (loop (+ i 1))))")
        )

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert values == [100000]


DEEP = {
    "unknown calls": "(define g #f) (define (f n) (if (= n 0) (let loop () (loop)) (+ 1 (g (- n 1)))))"
    " (set! g f) (f 1000000)",
    "guards": "(define (f n) (if (= n 0) (let loop () (loop)) (+ 1 (guard (e (#f 1)) (f (- n 1)))))) (f 500000)",
    "a captured stack": "(define k #f) (define (f n) (if (= n 0) (call/cc (lambda (c) (set! k c) (let loop () (loop))))"
    " (+ 1 (f (- n 1))))) (f 1000000)",
}


@pytest.mark.slow
@pytest.mark.parametrize("program", DEEP.values(), ids=DEEP)
def test_a_deep_stack_is_left_within_a_second(program: str) -> None:
    scheme = limited(Limits(seconds=2))
    start = time.process_time()
    with pytest.raises(SchemeError, match="time limit"):
        scheme.eval(program)
    assert time.process_time() - start < 3
    assert gc.isenabled()
