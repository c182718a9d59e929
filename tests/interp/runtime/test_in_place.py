"""``guard`` and ``parameterize`` whose bodies stand in the function around them, entered again by continuations."""

import pytest

from nodwyn.interp import Interpreter, Limits
from nodwyn.interp.errors import SchemeError

PRELUDE = """
(define log '())
(define (note what) (set! log (cons what log)) what)
(define p (make-parameter 0))
(define q (make-parameter 'q))
(define saved #f)
(define times 0)
(define (save! value) (call/cc (lambda (k) (set! saved k) value)))
(define (again! most . value)
  (set! times (+ times 1))
  (if (< times most) (saved (if (null? value) times (car value)))))
(define (outcome thunk)
  (set! log '())
  (set! times 0)
  (let* ((result (thunk)) (port (open-output-string)))
    (write (cons result (reverse log)) port)
    (get-output-string port)))
"""

CASES = {
    "a body of guard entered again": (
        "(let ((result (guard (e ((symbol? e) (list 'caught e)))"
        " (let ((n (save! 0))) (if (= n 2) (raise 'two) (list n))))))"
        " (note result) (again! 3) 'end)",
        "(end (0) (1) (caught two))",
    ),
    "a body of guard in a loop": (
        "(let ((result (let loop ((i 0) (done '())) (if (= i 3) (reverse done)"
        " (loop (+ i 1) (cons (guard (e ((symbol? e) (list e i))) (let ((n (if (= i 1) (save! 0) 9)))"
        " (if (= n 2) (raise 'two) (list n i)))) done))))))"
        " (note result) (again! 3) 'end)",
        "(end ((9 0) (0 1) (9 2)) ((9 0) (1 1) (9 2)) ((9 0) (two 1) (9 2)))",
    ),
    "clauses of guard entered again": (
        "(let ((result (guard (e ((save! (eq? e 'x)) => list) (else (note e) 'else)) (raise 'x))))"
        " (note result) (again! 3 (if (= times 1) 'one #f)) 'end)",
        "(end (#t) x else (one))",
    ),
    "guards in guards": (
        "(let ((result (guard (e ((string? e) (list 'outer e)))"
        " (cons 'in (guard (e ((symbol? e) (list 'inner e)))"
        '  (let ((n (save! 0))) (if (= n 1) (raise \'one) (if (= n 2) (raise "two") n))))))))'
        " (note result) (again! 3) 'end)",
        '(end (in . 0) (in inner one) (outer "two"))',
    ),
    "a body of parameterize entered again": (
        "(let ((result (parameterize ((p 1)) (let ((n (save! 0))) (list n (p))))))"
        " (note (list result (p))) (parameterize ((p 7)) (again! 3)) 'end)",
        "(end ((0 1) 0) ((1 1) 0) ((2 1) 0))",
    ),
    "what a body of parameterize has set is as it was left": (
        "(let ((result (parameterize ((p 1)) (save! 0) (p (+ (p) 1)) (p)))) (note (list result (p))) (again! 3) 'end)",
        "(end (2 0) (3 0) (4 0))",
    ),
    "parameterize in guard in parameterize": (
        "(let ((result (parameterize ((p 1) (q 'inner)) (list (guard (e (#t (list 'caught e (p) (q))))"
        " (parameterize ((p 2)) (let ((n (save! 0))) (if (= n 1) (raise (p)) (list n (p) (q)))))) (p)))))"
        " (note (list result (p) (q))) (again! 3) 'end)",
        "(end (((0 2 inner) 1) 0 q) (((caught 2 1 inner) 1) 0 q) (((2 2 inner) 1) 0 q))",
    ),
    "guard in the thunk of dynamic-wind": (
        "(let ((result (dynamic-wind (lambda () (note 'in)) (lambda () (guard (e (#t (list 'caught e)))"
        " (let ((n (save! 0))) (if (= n 1) (raise 'one) n)))) (lambda () (note 'out)))))"
        " (note result) (again! 2) 'end)",
        "(end in out 0 in out (caught one))",
    ),
    "dynamic-wind in guard": (
        "(let ((result (guard (e (#t (list 'caught e)))"
        " (dynamic-wind (lambda () (note 'in)) (lambda () (let ((n (save! 0))) (if (= n 1) (raise 'one) n)))"
        "  (lambda () (note 'out))))))"
        " (note result) (again! 2) 'end)",
        "(end in out 0 in out (caught one))",
    ),
    "closures of a body, for each time round": (
        "(let loop ((i 0) (done '())) (if (= i 3) (map (lambda (f) (f)) (reverse done))"
        " (loop (+ i 1) (guard (e (#t 'no)) (let* ((j (* i i)) (f (lambda () (list i j)))) (cons f done))))))",
        "(((0 0) (1 1) (2 4)))",
    ),
    "closures of clauses, for each time round": (
        "(let loop ((i 0) (done '())) (if (= i 3) (map (lambda (f) (f)) (reverse done))"
        " (loop (+ i 1) (guard (e (#t (let ((j (* 2 e))) (cons (lambda () (list i j e)) done)))) (raise (* 10 i))))))",
        "(((0 0 0) (1 20 10) (2 40 20)))",
    ),
    "recursive procedures of a body, for each time round": (
        "(let loop ((i 0) (done '())) (if (= i 3) (map (lambda (f) (f 3)) (reverse done))"
        " (loop (+ i 1) (parameterize ((p i)) (letrec ((down (lambda (n) (if (= n 0) (list i base) (up (- n 1)))))"
        "  (up (lambda (n) (down n))) (base (p))) (cons down done))))))",
        "(((0 0) (1 1) (2 2)))",
    ),
    "variables of a body that are assigned, for each time round": (
        "(let loop ((i 0) (done '())) (if (= i 3) (map (lambda (f) (f) (f)) (reverse done))"
        " (loop (+ i 1) (guard (e (#t 'no)) (let ((n i)) (set! n (* n 10))"
        "  (cons (lambda () (set! n (+ n 1)) n) done))))))",
        "((2 12 22))",
    ),
    "no clause: a handler's value goes back in": (
        "(with-exception-handler (lambda (e) (note e) 40)"
        " (lambda () (+ 1 (guard (e ((string? e) 'no)) (+ 2 (raise-continuable 'x))))))",
        "(43 x)",
    ),
    "no clause: the guard is still there after that": (
        "(with-exception-handler (lambda (e) (note e) 40) (lambda ()"
        ' (guard (e ((string? e) (list e))) (let ((x (raise-continuable \'x))) (raise (if (= x 40) "s" "t"))))))',
        '(("s") x)',
    ),
    "no clause in guards in guards": (
        "(with-exception-handler (lambda (e) (note e) 40) (lambda ()"
        " (list (guard (e ((string? e) 'no)) (list (guard (e ((number? e) 'no)) (list (raise-continuable 'x))))))))",
        "((((40))) x)",
    ),
    "no clause: parameters of the raise": (
        "(with-exception-handler (lambda (e) (note (p)) 40) (lambda ()"
        " (parameterize ((p 1)) (guard (e ((string? e) 'no)) (parameterize ((p 2))"
        "  (list (raise-continuable 'x) (p)))))))",
        "((40 2) 2)",
    ),
    "no clause, once a test of one was entered again": (
        "(with-exception-handler (lambda (e) (note e) 40) (lambda ()"
        " (let ((result (list (guard (e ((save! #f) 'chosen)) (list (raise-continuable 'x))))))"
        "  (note result) (again! 3 (= times 1)) 'end)))",
        "(end x ((40)) x ((40)) (chosen))",
    ),
    "no clause, at the end of many tail calls": (
        "(define (step n) (if (= n 0) (guard (e ((string? e) 'no)) (list (raise-continuable 'x))) (other n)))"
        " (define (other n) (step (- n 1)))"
        " (with-exception-handler (lambda (e) 40) (lambda ()"
        "  (let loop ((n 0)) (if (< n 99) (begin (step n) (loop (+ n 1)))) (step n))))",
        "((40))",
    ),
    "errors of primitives without a clause": (
        "(guard (e ((error-object? e) (error-object-message e)))"
        " (guard (e ((string? e) 'no)) (parameterize ((p 1)) (list (vector-ref (vector 1) 1)))))",
        '("k must be an index from 0 to 0, got 1")',
    ),
    "error without a clause: its handler must not return": (
        "(guard (e (#t (error-object-message e)))"
        " (with-exception-handler (lambda (e) 'back)"
        '  (lambda () (guard (e ((string? e) \'no)) (list (error "what"))))))',
        '("a handler returned from a non-continuable raise of #<condition error: what>")',
    ),
    "clauses that go on in tail position": (
        "(let loop ((n 100000)) (guard (e ((= n 0) 'end) (#t (loop (- n 1)))) (raise n)))",
        "(end)",
    ),
    "a guard in each of many calls": (
        "(let deep ((n 1000)) (guard (e ((string? e) 'no)) (if (= n 0) 1 (+ 1 (deep (- n 1))))))",
        "(1001)",
    ),
    "an escape through guards and bindings": (
        "(list (call/cc (lambda (k) (guard (e (#t 'no)) (parameterize ((p 1)) (guard (e (#t 'no)) (k (p)))))))) (p)",
        "(0)",
    ),
    "an inexact result too large, in a body": (
        "(guard (e (#t 'no)) (let ((x (expt 10 400))) (parameterize ((p 1)) (list (p) (* 1.0 x)))))",
        "((1 +inf.0))",
    ),
    "a converter": (
        "(let ((r (make-parameter 1 (lambda (x) (* x 10))))) (list (parameterize ((r 2) (p 5)) (list (r) (p))) (r)))",
        "(((20 5) 10))",
    ),
    "guards nested deeply, in loops nested deeply": (
        "(do ((a 0 (+ a 1))) ((= a 2)) (do ((b 0 (+ b 1))) ((= b 2)) (do ((c 0 (+ c 1))) ((= c 2))"
        " (guard (e (#t 1)) (do ((d 0 (+ d 1))) ((= d 1)) (guard (e (#t 2)) (do ((f 0 (+ f 1))) ((= f 1))"
        " (guard (e (#t 3)) (do ((g 0 (+ g 1))) ((= g 1)) (guard (e (#t 4)) (do ((h 0 (+ h 1))) ((= h 1))"
        " (guard (e (#t 5)) (do ((i 0 (+ i 1))) ((= i 1)) (guard (e (#t 6)) (do ((j 0 (+ j 1))) ((= j 1))"
        " (guard (e (#t 7)) (do ((l 0 (+ l 1))) ((= l 1)) (guard (e ((eq? e 'x) (note (list a b c)))) (raise 'x))"
        " ))))))))))))))))) 'end",
        "(end (0 0 0) (0 0 1) (0 1 0) (0 1 1) (1 0 0) (1 0 1) (1 1 0) (1 1 1))",
    ),
    "generators under guard": (
        "(define return #f)"
        " (define (next) (call/cc (lambda (k) (set! return k) (saved #t))))"
        " (set! saved (lambda (go) (for-each (lambda (x) (guard (e ((eq? e 'bad) (note x)))"
        "  (parameterize ((p x)) (call/cc (lambda (rest) (set! saved rest) (return (* 2 x))))"
        "   (if (= (p) 2) (raise 'bad))))) '(1 2 3)) (return 'done)))"
        " (let* ((a (next)) (b (next)) (c (next)) (d (next))) (list a b c d (p)))",
        "((2 4 6 done 0) 2)",
    ),
}


@pytest.mark.parametrize(("expression", "expected"), CASES.values(), ids=CASES)
def test_a_body_is_continued_in_its_own_dynamic_state(expression: str, expected: str) -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE)
    assert scheme.eval(f"(outcome (lambda () {expression}))") == expected


@pytest.mark.parametrize(("expression", "expected"), CASES.values(), ids=CASES)
def test_it_is_the_same_where_the_frames_are_on_the_heap(expression: str, expected: str) -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE)
    scheme.eval("(define first #t) (define back #f)")
    scheme.eval(
        "(define (twice thunk) (let ((once (outcome thunk))) (call/cc (lambda (k) (set! back k))) (outcome thunk)))"
    )
    scheme.eval(f"(define results (list (twice (lambda () {expression}))))")
    scheme.eval("(if first (begin (set! first #f) (back #f)))")
    assert scheme.eval("(car results)") == expected


STOPPED = {
    "a loop in guard": "(let loop () (guard (e (#t (loop))) (let spin () (spin))))",
    "clauses": "(let loop () (guard (e (#t (loop))) (raise 'x)))",
    "clauses without one that applies": "(guard (e ((string? e) 1)) (guard (e ((let spin () (spin)) 1)) (raise 'x)))",
    "parameterize": "(let loop () (parameterize ((p 1)) (loop)))",
    "guard in an exit": "(dynamic-wind (lambda () 1) (lambda () (let spin () (spin)))"
    " (lambda () (let loop () (guard (e (#t (loop))) (loop)))))",
}


@pytest.mark.parametrize("expression", STOPPED.values(), ids=STOPPED)
def test_a_stop_passes_through(expression: str) -> None:
    scheme = Interpreter()
    scheme.eval(PRELUDE)
    scheme.limits = Limits(seconds=0.3)
    with pytest.raises(SchemeError, match="time limit"):
        scheme.eval(expression)
    scheme.limits = Limits()
    assert scheme.eval("(+ (p) (guard (e (#t e)) (raise 5)))") == 5
