"""Section 5.3.2: internal definitions are letrec*, wherever macros put them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.interp.errors import Condition


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("(let () (define (f) (g)) (define (g) 1) (f))", "1"),
        ("(let () (define a 1) (define b (+ a 1)) (list a b))", "(1 2)"),
        ("(let () (begin (define a 1) (begin) (define b 2)) (list a b))", "(1 2)"),
        ("(define x 'outer) (let () (define (f) x) (define x 'inner) (f))", "inner"),
        # Expressions between definitions are evaluated in their place.
        ("(let ((n 0)) (set! n 1) (define a n) (set! n 2) (define b n) (list a b))", "(1 2)"),
        # Keywords that a body defines, before and after their use in procedures.
        ("(let () (define-syntax m (syntax-rules () ((_) (f)))) (define (f) 1) (m))", "1"),
        ("(let () (define (g) (m)) (define-syntax m (syntax-rules () ((_) 1))) (g))", "1"),
        ("(let ((m list)) (define (g) (m 1)) (define-syntax m (syntax-rules () ((_ x) 'macro))) (g))", "macro"),
        # A body may redefine what it does not use as a keyword.
        ("(let () (define if list) (if 1 2 3))", "(1 2 3)"),
        ("(let () (define (f cond) (cond 1)) (f list))", "(1)"),
        # Templates that define names of their own and of the user's.
        ("(define-syntax both (syntax-rules () ((_ n) (begin (define hidden 1) (define n (+ hidden 1))))))"
         "(let ((hidden 10)) (both a) (both b) (list a b hidden))", "(2 2 10)"),
    ],
)  # fmt: skip
def test_definitions_are_seen_in_all_of_their_body(program: str, printed: str, value: Callable[[str], str]) -> None:
    assert value(program) == printed


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(let () (define x 1))", "a body must end with an expression"),
        ("(lambda () (define x 1) (define y 2))", "a body must end with an expression"),
        ("(let () (begin))", "a body must end with an expression"),
        ("(let () (define x 1) (define x 2) x)", "x is defined twice in this body"),
        ("(let () (define-values (x x) 1) x)", "x is bound twice"),
        (
            "(let () (when 1 2) (define when 1) when)",
            "when was used as a keyword before it is defined in the same body",
        ),
        ("(let () (define define 1) define)", "define was used as a keyword before it is defined in the same body"),
    ],
)
def test_mistakes_are_told(program: str, message: str, mistake: Callable[[str], Condition]) -> None:
    assert mistake(program).message == message


@pytest.mark.parametrize(
    "definition",
    [
        "(define (f) 1)",
        "(define f (lambda () 1))",
        "(define f (letrec ((x 1)) (lambda () x)))",
        "(let ((f (lambda () 1))) f)",
    ],
)
def test_a_procedure_has_the_name_that_it_is_bound_to(definition: str, bench: type) -> None:
    made = bench()
    made.program(definition + " (define g f) (list g)" if "define" in definition else f"(define g {definition})")
    assert made.evaluator.globals["program:g"].name == "f"


@pytest.mark.parametrize(
    "opening",
    ["(list ", "(if 1 ", "(lambda (x) ", "(let ((x 1)) ", "(let () (define x 1) ", "`(,", "(cond (1 ", "(", "(or 1 "],
)
def test_source_nested_without_bound_ends_with_a_limit(opening: str, mistake: Callable[[str], Condition]) -> None:
    depth = 10_100
    closing = ")" * (opening.count("(") - opening.count(")"))
    condition = mistake(opening * depth + "1" + closing * depth)
    assert condition.kind == "limit"
    assert "nested more than 10000 deep" in condition.message


@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("#(", ")")])
def test_quoted_data_are_nested_as_deep_as_one_likes(opening: str, closing: str, bench: type) -> None:
    assert bench().program("'" + opening * 100_000 + closing * 100_000) is not None
