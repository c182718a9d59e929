"""Section 5.7: one form after the other, where everything can be defined anew."""

from __future__ import annotations

from typing import Any

import pytest

from nodwyn.interp.data import intern, list_from
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.expand import to_syntax
from nodwyn.interp.printer import write
from nodwyn.interp.reader import read_source
from nodwyn.interp.syntax import Source

LIBRARIES = {"(lib)": "(define-library (lib) (export x) (import (nodwyn syntax)) (begin (define x 'lib)))"}


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("(define x 1) (define x (+ x 1)) x", "2"),
        ("(define (f) (g)) (define (g) 1) (f)", "1"),
        ("(define (f) (g)) (define (g) 1) (define (g) 2) (f)", "2"),
        # What is imported can be defined; what was expanded before keeps the imported one.
        ("(define (f) (car '(1))) (define (car x) 'mine) (list (f) (car 1))", "(1 mine)"),
        ("(define if list) (if 1 2 3)", "(1 2 3)"),
        ("(define (f x) (m x)) (define-syntax m (syntax-rules () ((_ x) 'macro))) (m 1)", "macro"),
        ("(define-syntax m (syntax-rules () ((_) 1))) (define (m) 2) (m)", "2"),
        ("(import (lib)) x", "lib"),
        ("(define x 1) (import (lib)) x", "lib"),
        ("(import (lib)) (define x 1) (set! x 2) x", "2"),
        ("(begin (import (lib)) (define y x) y)", "lib"),
        ("(define-library (mine) (export y) (import (nodwyn syntax)) (begin (define y 1))) (import (mine)) y", "1"),
        ("(define import list) (import 1)", "(1)"),
        ("(define-record-type p (make x) p? (x px)) (px (make 1))", "1"),
        ("(define-values (a b) (values 1 2)) (list a b)", "(1 2)"),
    ],
)
def test_forms_follow_each_other(typed: str, printed: str, bench: Any) -> None:
    made = bench(LIBRARIES)
    assert write(made.type(made.scope(), typed)) == printed


def test_the_globals_of_an_interaction_are_not_constant(bench: Any) -> None:
    made = bench()
    scope = made.scope()
    (node,) = made.expander.interaction(next(read_source(Source("typed", "(define x 1)"))), scope)
    assert (node.glob.key, node.glob.constant) == ("user:x", False)


def test_an_unbound_variable_is_an_error_at_run_time_only(bench: Any) -> None:
    made = bench()
    scope = made.scope()
    made.type(scope, "(define (f) nowhere)")
    with pytest.raises(SchemeError) as caught:
        made.type(scope, "(f)")
    assert caught.value.payload.kind == "unbound"


def test_an_imported_variable_cannot_be_assigned(bench: Any) -> None:
    made = bench()
    with pytest.raises(SchemeError) as caught:
        made.type(made.scope(), "(set! car 1)")
    assert caught.value.payload.hint == "define a variable of your own: (define car …)"


def test_eval_gets_data(bench: Any) -> None:
    made = bench(LIBRARIES)
    environment = made.expander.environment([to_syntax(list_from([intern("nodwyn"), intern("builtins")]))])
    expression = list_from([intern("+"), 1, list_from([intern("+"), 2, 3])])
    assert made.evaluator.run([made.expander.expression(to_syntax(expression), environment)]) == 6


def test_an_environment_that_environment_made_cannot_be_added_to(bench: Any) -> None:
    made = bench()
    environment = made.expander.environment(read_source(Source("sets", "(nodwyn syntax)")))
    with pytest.raises(SchemeError) as caught:
        made.type(environment, "(define x 1)")
    assert caught.value.payload.message == "x cannot be defined in an environment made by `environment`"
