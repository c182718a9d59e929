"""The Scheme stack of what nobody caught, wherever its frames are: of Python, on the heap, or some of both."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter, Limits, SchemeError
from nodwyn.interp.errors import TOP_LEVEL
from nodwyn.interp.limits import resident_mb
from nodwyn.interp.report import report

TEXT = "(define (g x)\n {fault})\n(define k #f) (define p (make-parameter 1)) (define (f x)"
"""Three lines, of which the second fails."""

IN_ORDER = ["g 2", "f 4", f"{TOP_LEVEL} 5"]

CALLERS = {
    "no guard": """
 (list (g x)))
(list (f 3))""",
    "a guard": """
 (guard (e ((string? e) 1)) (g x)))
(f 3)""",
    "clauses of several kinds": """
 (guard (e (#f 1) ((string? e) => car)) (g x)))
(list (f 3))""",
    "a guard that is no tail call": """
 (list (guard (e ((string? e) 1)) (list (g x)))))
(list (f 3))""",
    "guards in one procedure": """
 (guard (e ((string? e) 1)) (guard (e ((char? e) 2)) (guard (e (#f 3)) (list (g x))))))
(f 3)""",
    "a guard in the test of one": """
 (guard (e ((guard (d ((char? d) 1)) (list (g x))))) (raise 'd)))
(f 3)""",
    "a guard in the clauses of one": """
 (guard (e (#t (guard (d ((char? d) 1)) (list (g x))))) (raise 'd)))
(f 3)""",
    "a guard after one that has caught": """
 (guard (e ((string? e) 1)) (guard (d (#t 2)) (raise 'd)) (list (g x))))
(f 3)""",
    "guards here and there": """
 (guard (e ((string? e) 1)) (g x)))
(guard (e ((char? e) 1)) (guard (e ((char? e) 1)) (f 3)))""",
    "a guard in the caller alone": """
 (list (g x)))
(guard (e ((char? e) 1)) (list (f 3)))""",
    "parameterize": """
 (parameterize ((p 2)) (guard (e ((string? e) 1)) (parameterize ((p 3)) (g x)))))
(f 3)""",
    "a loop": """
 (do ((i 0 (+ i 1))) ((= i 3)) (guard (e ((string? e) 1)) (if (= i 1) (g x) (raise "s")))))
(f 3)""",
    "a procedure given to a library": """
 (for-each (lambda (y) (guard (e ((string? e) 1)) (g y))) (list x)))
(f 3)""",
    "a continuation captured before": """
 (guard (e ((string? e) 1)) (call/cc (lambda (c) (set! k c))) (list (g x))))
(f 3)""",
    "a stack entered again in a guard": """
 (guard (e ((string? e) 1)) (if (call/cc (lambda (c) (set! k c) #f)) (list (g x)) (k #t))))
(f 3)""",
    "a guard in a stack entered again": """
 (if (call/cc (lambda (c) (set! k c) #f)) (list (guard (e ((string? e) 1)) (list (g x)))) (k #t)))
(f 3)""",
    "a stack entered again": """
 (if (call/cc (lambda (c) (set! k c) #f)) (list (g x)) (k #t)))
(list (f 3))""",
}

FAULTS = [
    "(car x)",
    "(list (car x))",
    "(raise 'x)",
    "(list (raise (list x)))",
    '(error "no" x)',
    "(raise-continuable 'x)",
]

BETWEEN = {
    "dynamic-wind": "(dynamic-wind (lambda () #f) (lambda () (list {})) (lambda () #f))",
    "call/cc": "(call/cc (lambda (k) (list {} k)))",
    "several values": "(call-with-values (lambda () (values {} 2)) list)",
    "a promise": "(force (delay (list {})))",
    "map": "(map (lambda (y) {}) (list x))",
    "vector-map": "(vector-map (lambda (y) {}) (vector x))",
}


def stack(text: str) -> list[str]:
    """Return the stack of a program that fails, of named procedures of its own: names and lines, innermost first."""
    with pytest.raises(SchemeError) as failure:
        Interpreter().eval(text, "program.scm")
    spans = [(name, span) for name, span in failure.value.stack if span is not None and name]
    own = [f"{name} {span.line}" for name, span in spans if span.source.name == "program.scm"]
    return own


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("callers", CALLERS.values(), ids=CALLERS)
def test_the_stack_is_that_of_the_raise(callers: str, fault: str) -> None:
    assert stack(TEXT.replace("{fault}", fault) + callers) == IN_ORDER


@pytest.mark.parametrize("fault", FAULTS[2:])
@pytest.mark.parametrize("guarded", ["{}", "(guard (e ((string? e) 1)) {})"])
def test_a_handler_that_raises_stands_on_the_stack_of_the_raise(guarded: str, fault: str) -> None:
    body = "(with-exception-handler (lambda (e) (raise-continuable e)) (lambda () (list (g x))))"
    callers = f"\n (list {guarded.replace('{}', body)}))\n(list (f 3))"
    assert stack(TEXT.replace("{fault}", fault) + callers) == IN_ORDER


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("inner", [True, False])
@pytest.mark.parametrize("outer", [True, False])
@pytest.mark.parametrize("between", BETWEEN.values(), ids=BETWEEN)
def test_the_stack_is_shown_across_what_stands_between(between: str, outer: bool, inner: bool, fault: str) -> None:
    guarded = "(guard (e ((string? e) 1)) {})"
    body = between.replace("{}", guarded.replace("{}", "(g x)") if inner else "(g x)")
    body = guarded.replace("{}", body) if outer else body
    assert stack(TEXT.replace("{fault}", fault) + f"\n (list {body}))\n(list (f 3))") == IN_ORDER


def test_an_object_that_is_no_condition_has_the_place_of_its_raise() -> None:
    with pytest.raises(SchemeError) as failure:
        Interpreter().eval("(define (f)\n (guard (e ((string? e) 1))\n  (raise 'x)))\n(list (f))", "program.scm")
    assert report(failure.value).split("\n") == [
        "program.scm:3:3: error: uncaught object raised: x",
        "    (raise 'x)))",
        "    ^^^^^^^^^^",
        "  in f (program.scm:3:3)  (raise 'x)))",
        "  at the top level (program.scm:4:7)  (list (f))",
    ]


def test_a_stack_on_the_heap_is_shown_innermost_first_and_not_all() -> None:
    seen = stack("""(define (count n)
 (if (= n 0)
  (guard (e ((string? e) 1)) (car n))
  (+ 1 (count (- n 1)))))
(count 5000)""")
    assert seen[:2] == ["count 3", "count 4"]
    assert set(seen[1:]) == {"count 4"}
    assert len(seen) < 100


def test_an_error_in_a_library_is_placed_where_the_program_called_it_though_that_is_on_the_heap() -> None:
    text = """(define k #f)
(define (f)
 (list (string-for-each
  (lambda (c) (call/cc (lambda (c) (set! k c))) #t) "ab" "cd")))
(f)"""
    assert stack(text.replace('"cd"', "'cd"))[0] == "f 3"


def test_a_loop_that_raises_on_and_on_takes_no_space() -> None:
    text = """(define (even n) (if (= n 0) 'done (begin (raised n) (odd (- n 1)))))
(define odd (lambda (n) (raised n) (even (- n 1))))
(define (raised n) (guard (e (#f 1)) (raise-continuable n)))
(define (deep) (with-exception-handler (lambda (e) 0) (lambda () (list (even 20000)))))
(deep)"""
    scheme = Interpreter(limits=Limits(memory_mb=resident_mb() + 60))
    assert scheme.eval(text) is not None
