"""Every part of what has a frame of its own in the runtime, captured there and entered again twice (section 6.10).

``E`` in a context is the form with the part; a part says ``(keep VALUE)`` where it is captured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.printer import write
from nodwyn.interp.runtime.frames import SPECIAL

PRELUDE = """
(define k #f) (define times 0) (define log '()) (define start #f)
(define (note what) (set! log (cons what log)))
(define (keep value) (call/cc (lambda (c) (set! k c) value)))
(define (again value result) (set! times (+ times 1)) (if (< times 3) (k value) (list times result (reverse log))))
(define p (make-parameter 'outside))
(define (handled) (raise-continuable 'asked))
(define (bounce n thunk) (if (= n 0) (thunk) (apply bounce (list (- n 1) thunk))))
"""

AFRESH = "(set! times 0) (set! log '())"

PARTS: dict[str, tuple[str, str, str]] = {
    "the body of call/cc": ("(call/cc (lambda (c) (keep 1)))", "5", "()"),
    "the body of call/cc, left by its continuation": ("(call/cc (lambda (c) (c (keep 1)) 'no))", "5", "()"),
    "the producer of call-with-values": ("(call-with-values (lambda () (values (keep 1) 2)) list)", "(5 2)", "()"),
    "the producer of call-with-values, at its end": ("(call-with-values (lambda () (keep 1)) list)", "(5)", "()"),
    "the consumer of call-with-values": (
        "(call-with-values (lambda () (values 1 2)) (lambda (a b) (list a b (keep 3))))",
        "(1 2 5)",
        "()",
    ),
    "the consumer, at its end": ("(call-with-values (lambda () (values 1 2)) (lambda (a b) (keep 3)))", "5", "()"),
    "what apply calls": ("(apply (lambda (a b) (list a (keep b))) '(1 2))", "(1 5)", "()"),
    "before of dynamic-wind": (
        "(dynamic-wind (lambda () (note (list 'in (keep 0)))) (lambda () 'thunk) (lambda () (note 'out)))",
        "thunk",
        "((in 0) out (in 5) out (in 5) out)",
    ),
    "the thunk of dynamic-wind": (
        "(dynamic-wind (lambda () (note 'in)) (lambda () (list (keep 0))) (lambda () (note 'out)))",
        "(5)",
        "(in out in out in out)",
    ),
    "after of dynamic-wind": (
        "(dynamic-wind (lambda () (note 'in)) (lambda () 'thunk) (lambda () (note (list 'out (keep 0)))))",
        "thunk",
        "(in (out 0) (out 5) (out 5))",
    ),
    "before of nested": (
        "(dynamic-wind (lambda () (note 'in1)) (lambda () (dynamic-wind (lambda () (note (list 'in2 (keep"
        " 0)))) (lambda () 'thunk) (lambda () (note 'out2)))) (lambda () (note 'out1)))",
        "thunk",
        "(in1 (in2 0) out2 out1 in1 (in2 5) out2 out1 in1 (in2 5) out2 out1)",
    ),
    "after of nested": (
        "(dynamic-wind (lambda () (note 'in1)) (lambda () (dynamic-wind (lambda () (note 'in2)) (lambda ()"
        " 'thunk) (lambda () (note (list 'out2 (keep 0)))))) (lambda () (note 'out1)))",
        "thunk",
        "(in1 in2 (out2 0) out1 in1 (out2 5) out1 in1 (out2 5) out1)",
    ),
    "the body of parameterize": ("(parameterize ((p (list 'inside))) (list (keep 1) (p)))", "(5 (inside))", "()"),
    "the body of parameterize, at its end": ("(parameterize ((p 'inside)) (keep 1))", "5", "()"),
    "a value of parameterize": ("(parameterize ((p (keep 1))) (list (p)))", "(5)", "()"),
    "a parameter of parameterize": ("(parameterize (((begin (keep 1) p) 'inside)) (list (p)))", "(inside)", "()"),
    "body of parameterize with several": (
        "(let ((q (make-parameter 'q))) (parameterize ((p 1) (q 2)) (list (keep 1) (p) (q))))",
        "(5 1 2)",
        "()",
    ),
    "the second value of parameterize": (
        "(let ((q (make-parameter 'q))) (parameterize ((p 1) (q (keep 2))) (list (p) (q))))",
        "(1 5)",
        "()",
    ),
    "the second parameter of parameterize": (
        "(let ((q (make-parameter 'q))) (parameterize ((p 1) ((begin (keep 2) q) 3)) (list (p) (q))))",
        "(1 3)",
        "()",
    ),
    "the thunk of with-exception-handler": (
        "(with-exception-handler (lambda (e) (list 'handled e)) (lambda () (list (keep 1) (handled))))",
        "(5 (handled asked))",
        "()",
    ),
    "the thunk, at its end": (
        "(with-exception-handler (lambda (e) (list 'handled e)) (lambda () (keep 1)))",
        "5",
        "()",
    ),
    "a handler of raise-continuable": (
        "(with-exception-handler (lambda (e) (list 'handled e (keep 1))) (lambda () (list (handled) (handled))))",
        "((handled asked 1) (handled asked 5))",
        "()",
    ),
    "a handler of raise-continuable, at its end": (
        "(with-exception-handler (lambda (e) (keep 1)) (lambda () (list (handled) 'after)))",
        "(5 after)",
        "()",
    ),
    "a handler that asks the one outside": (
        "(with-exception-handler (lambda (e) (list 'outer e (keep 0))) (lambda () (with-exception-handler"
        " (lambda (e) (list 'inner (raise-continuable 'up))) (lambda () (list (handled) (handled))))))",
        "((inner (outer up 0)) (inner (outer up 5)))",
        "()",
    ),
    "a handler of raise, left": (
        "(call/cc (lambda (c) (with-exception-handler (lambda (e) (c (list e (keep 1)))) (lambda () (raise 'x)))))",
        "(x 5)",
        "()",
    ),
    "a handler of error, left": (
        "(call/cc (lambda (c) (with-exception-handler (lambda (e) (c (list (error-object-message e) (keep"
        ' 1)))) (lambda () (error "x")))))',
        '("x" 5)',
        "()",
    ),
    "a handler of a primitive's error, left": (
        "(call/cc (lambda (c) (with-exception-handler (lambda (e) (c (list (error-object? e) (keep 1))))"
        " (lambda () (car 5)))))",
        "(#t 5)",
        "()",
    ),
    "a handler of raise, which returns": (
        "(guard (e (#t 'returned)) (with-exception-handler (lambda (e) (note (keep 1))) (lambda () (raise 'x))))",
        "returned",
        "(1 5 5)",
    ),
    "a handler of error, which returns": (
        '(guard (e (#t \'returned)) (with-exception-handler (lambda (e) (note (keep 1))) (lambda () (error "x"))))',
        "returned",
        "(1 5 5)",
    ),
    "a handler of a primitive's error, which returns": (
        "(guard (e (#t 'returned)) (with-exception-handler (lambda (e) (note (keep 1))) (lambda () (+ 1 (car 5)))))",
        "returned",
        "(1 5 5)",
    ),
    "the handler outside of one that returned": (
        "(call/cc (lambda (c) (with-exception-handler (lambda (e) (c (list 'second (keep 1)))) (lambda ()"
        " (with-exception-handler (lambda (e) 'back) (lambda () (raise 'x)))))))",
        "(second 5)",
        "()",
    ),
    "the body of guard": ("(guard (e (#t (list 'caught e))) (list (keep 1) 'fine))", "(5 fine)", "()"),
    "the body of guard, at its end": ("(guard (e (#t (list 'caught e))) (keep 1))", "5", "()"),
    "the body of guard, before a raise": (
        "(guard (e (#t (list 'caught e))) (raise (list (keep 1))))",
        "(caught (5))",
        "()",
    ),
    "the body of guard, before an error": (
        "(guard (e (#t (list 'caught (error-object? e)))) (note (keep 1)) (vector-ref (vector) 1))",
        "(caught #t)",
        "(1 5 5)",
    ),
    "the test of a clause": ("(guard (e ((keep #t) (list 'caught e))) (raise 'x))", "(caught x)", "()"),
    "the test of a clause, with =>": (
        "(guard (e ((keep 1) => (lambda (v) (list 'caught e v)))) (raise 'x))",
        "(caught x 5)",
        "()",
    ),
    "a clause": ("(guard (e (#t (list 'caught e (keep 1)))) (raise 'x))", "(caught x 5)", "()"),
    "a clause, at its end": ("(guard (e (#t (keep 1))) (raise 'x))", "5", "()"),
    "a clause of an error": ("(guard (e (#t (list 'caught (keep 1)))) (list (car 5)))", "(caught 5)", "()"),
    "a test that fails": (
        "(guard (e (#t (list 'outer e))) (guard (e ((begin (keep 1) #f) 'inner)) (raise 'x)))",
        "(outer x)",
        "()",
    ),
    "a test that fails, of an error": (
        "(guard (e (#t (list 'outer (error-object? e)))) (guard (e ((begin (keep 1) #f) 'inner)) (list (car 5))))",
        "(outer #t)",
        "()",
    ),
    "a test that fails, with extents": (
        "(guard (e (#t (list 'outer e))) (dynamic-wind (lambda () (note 'in1)) (lambda () (guard (e ((begin"
        " (keep 1) #f) 'inner)) (dynamic-wind (lambda () (note 'in2)) (lambda () (raise 'x)) (lambda ()"
        " (note 'out2))))) (lambda () (note 'out1))))",
        "(outer x)",
        "(in1 in2 out2 in2 out2 out1 in1 in2 out2 out1 in1 in2 out2 out1)",
    ),
    "a handler outside of a guard that passes": (
        "(with-exception-handler (lambda (e) (list 'outer e (keep 1))) (lambda () (guard (e (#f 'inner))"
        " (list (raise-continuable 'x)))))",
        "((outer x 5))",
        "()",
    ),
    "a clause, with extents left": (
        "(guard (e (#t (list 'caught (keep 1)))) (dynamic-wind (lambda () (note 'in)) (lambda () (raise 'x))"
        " (lambda () (note 'out))))",
        "(caught 5)",
        "(in out)",
    ),
    "an exit on the way to a guard": (
        "(guard (e (#t (list 'caught e))) (dynamic-wind (lambda () (note 'in)) (lambda () (raise 'x))"
        " (lambda () (note (list 'out (keep 1))))))",
        "(caught x)",
        "(in (out 1) (out 5) (out 5))",
    ),
    "an exit on the way to a continuation": (
        "(call/cc (lambda (c) (dynamic-wind (lambda () (note 'in)) (lambda () (c 'left)) (lambda () (note"
        " (list 'out (keep 1)))))))",
        "left",
        "(in (out 1) (out 5) (out 5))",
    ),
    "the thunk of a promise": ("(force (delay (list (keep 1))))", "(1)", "()"),
    "the thunk of delay-force": ("(force (delay-force (begin (keep 1) (delay 2))))", "2", "()"),
    "a clause that raises": (
        "(guard (e (#t (list 'outer e))) (guard (e (#t (raise (list e (keep 1))))) (raise 'x)))",
        "(outer (x 5))",
        "()",
    ),
    "the body of guard in parameterize": (
        "(parameterize ((p 'inside)) (guard (e (#t (list 'caught e (p)))) (raise (list (keep 1)))))",
        "(caught (5) inside)",
        "()",
    ),
    "the body of parameterize in guard": (
        "(guard (e (#t (list 'caught e (p)))) (parameterize ((p 'inside)) (raise (list (keep 1) (p)))))",
        "(caught (5 inside) outside)",
        "()",
    ),
    "the form of eval": ("(eval '(list (keep 1)) (interaction-environment))", "(5)", "()"),
}

CONTEXTS = {
    "here": ("(let ((r E)) (again 5 r))", "R"),
    "called for one that is gone": ("(let ((r (bounce 400 (lambda () E)))) (again 5 r))", "R"),
    "in code on the heap": (
        "(let ((n 0)) (call/cc (lambda (c) (set! start c))) (set! n (+ n 1)) (if (< n 2) (start 0))"
        " (let ((r E)) (again 5 r)))",
        "R",
    ),
    "called from code on the heap": (
        "(let ((n 0)) (call/cc (lambda (c) (set! start c))) (set! n (+ n 1)) (if (< n 2) (start 0))"
        " (let ((r ((lambda (f) (f)) (lambda () E)))) (again 5 r)))",
        "R",
    ),
    "in a guard": ("(let ((r (guard (unused (#f 1)) E))) (again 5 r))", "R"),
    "with a handler": (
        "(let ((r (with-exception-handler (lambda (e) (list 'above e)) (lambda () (list E))))) (again 5 r))",
        "(R)",
    ),
    "in map": ("(let ((r (map (lambda (x) (if (= x 2) E x)) '(1 2 3)))) (again 5 r))", "(1 R 3)"),
    "in a loop": (
        "(let ((r (let loop ((i 0)) (if (= i 3) '() (let ((v (if (= i 1) E i))) (cons v (loop (+ i 1))))))))"
        " (again 5 r))",
        "(0 R 2)",
    ),
}


@pytest.mark.parametrize(("form", "value", "notes"), PARTS.values(), ids=PARTS)
def test_a_part_is_entered_again_wherever_it_is(form: str, value: str, notes: str) -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE)
    for name, (context, around) in CONTEXTS.items():
        scheme.eval(AFRESH)
        expected = f"(3 {around.replace('R', value)} {notes})"
        assert write(scheme.eval_scheme(context.replace("E", form))) == expected, name


def test_the_parts_are_those_of_all_that_has_a_frame_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    captured = set()

    def counting(special: Callable[..., Any]) -> Callable[..., Any]:
        def count(*arguments: Any) -> Any:
            captured.add(special)
            return special(*arguments)

        return count

    scheme = Interpreter()
    specials = dict(SPECIAL)
    for code, special in specials.items():
        monkeypatch.setitem(SPECIAL, code, counting(special))
    scheme.eval(PRELUDE)
    for form, _, _ in PARTS.values():
        # What is written where it stands is a call in code on the heap.
        for context in ("here", "in code on the heap"):
            scheme.eval(AFRESH + CONTEXTS[context][0].replace("E", form))
    assert captured == set(specials.values())


FAULTS = [
    "(with-exception-handler 5 list)",
    "(with-exception-handler list 5)",
    "(call-with-values 5 list)",
    "(call-with-values list 5)",
    "(parameterize ((5 1)) 2)",
    "(parameterize ((p 1) (5 2)) 2)",
    '(parameterize (((make-parameter 1 (lambda (x) (if (symbol? x) (error "no") x))) \'a)) 2)',
    "(parameterize ((p 1) ((make-parameter 1 (lambda (x) (if (symbol? x) (raise 'no) x))) 'a)) 2)",
    "(with-exception-handler (keep 5) list)",
    "(call-with-values (keep 5) list)",
    "(parameterize (((keep 5) 1)) 2)",
    "(parameterize ((p 1) (5 (keep 2))) 2)",
    '(parameterize (((make-parameter 1 (lambda (x) (if (symbol? x) (error "no") x))) (keep \'a))) 2)',
    "(parameterize (((make-parameter 1 (lambda (x) (if (symbol? x) (raise 'no) x))) (keep 'a))) 2)",
    "(call/cc 5)",
    "(dynamic-wind 5 list list)",
    "(dynamic-wind list 5 list)",
    "(dynamic-wind list list 5)",
    "(force (delay (car 5)))",
    "(raise)",
    "(error)",
    "(apply list 5)",
    "(make-parameter 1 5)",
]


@pytest.mark.parametrize("fault", FAULTS)
def test_what_fails_before_it_has_begun_fails_the_same_wherever_it_is(fault: str) -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE + "(define (told e) (if (error-object? e) (error-object-message e) e))")
    caught = f"(guard (e (#t (told e))) (list {fault}))"
    handled = f"(call/cc (lambda (c) (with-exception-handler (lambda (e) (c (told e))) (lambda () (list {fault})))))"
    message = write(scheme.eval_scheme(caught))
    for form in (caught, handled):
        for name in ("here", "in code on the heap", "called from code on the heap", "called for one that is gone"):
            scheme.eval(AFRESH)
            # The continuation is entered once, and there is nothing to enter again.
            assert (
                write(scheme.eval_scheme(CONTEXTS[name][0].replace("E", form).replace("(again 5 r)", "r"))) == message
            )
