"""Section 4.3.2: syntax-rules, and the hygiene that it promises."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.interp.errors import Condition

MATCHING = [
    # A pattern variable, a literal and a datum.
    (
        "(define-syntax m (syntax-rules (at) ((_ at 1 x) '(one x)) ((_ y ...) '(other y ...))))"
        "(list (m at 1 2) (m 1 1 2) (m at 2 2))",
        "((one 2) (other 1 1 2) (other at 2 2))",
    ),
    (
        '(define-syntax m (syntax-rules () ((_ "a" #\\b #t) 1) ((_ . r) \'r))) (list (m "a" #\\b #t) (m "a" #\\c #t))',
        '(1 ("a" #\\c #t))',
    ),
    # _ matches anything any number of times.
    ("(define-syntax m (syntax-rules () ((_ _ x _) 'x))) (m 1 2 3)", "2"),
    # Ellipses: none, some, nested to three levels.
    ("(define-syntax m (syntax-rules () ((_ x ...) '(x ...)))) (list (m) (m 1 2))", "(() (1 2))"),
    (
        "(define-syntax m (syntax-rules () ((_ ((a b ...) ...)) '((b ... a) ...)))) (m ((1 2 3) (4) (5 6)))",
        "((2 3 1) (4) (6 5))",
    ),
    (
        "(define-syntax m (syntax-rules () ((_ (((a ...) ...) ...)) '(a ... ... ...)))) (m (((1 2) (3)) () ((4))))",
        "(1 2 3 4)",
    ),
    (
        "(define-syntax m (syntax-rules () ((_ (a b ...) ...) '((a b) ... ...)))) (m (1 2 3) (4) (5 6))",
        "((1 2) (1 3) (5 6))",
    ),
    (
        "(define-syntax m (syntax-rules () ((_ (a b ...) ...) '(((a b) ...) ...)))) (m (1 2 3) (4 5 6))",
        "(((1 2) (1 3)) ((4 5) (4 6)))",
    ),
    # Patterns after an ellipsis, and tails.
    (
        "(define-syntax m (syntax-rules () ((_ a ... y z) '((a ...) y z)))) (list (m 1 2) (m 1 2 3 4))",
        "((() 1 2) ((1 2) 3 4))",
    ),
    (
        "(define-syntax m (syntax-rules () ((_ a ... . r) '((a ...) r)))) (list (m 1 2) (m 1 . 2))",
        "(((1 2) ()) ((1) 2))",
    ),
    (
        "(define-syntax m (syntax-rules () ((_ a ... y . r) '((a ...) y r)))) (list (m 1 2) (m 1 2 . 3))",
        "(((1) 2 ()) ((1) 2 3))",
    ),
    ("(define-syntax m (syntax-rules () ((_ (x . y)) '(y . x)))) (list (m (1 2)) (m (1 . 2)))", "(((2) . 1) (2 . 1))"),
    ("(define-syntax m (syntax-rules () ((_ . x) 'x))) (list (m) (m 1) (m 1 . 2))", "(() (1) (1 . 2))"),
    # Vectors.
    ("(define-syntax m (syntax-rules () ((_ #(a b ... z)) '#(z #(b ...) a)))) (m #(1 2 3 4))", "#(4 #(2 3) 1)"),
    ("(define-syntax m (syntax-rules () ((_ #(#(a ...) ...)) '(a ... ...)))) (m #(#(1 2) #() #(3)))", "(1 2 3)"),
    # Another ellipsis, an escaped one, and one that is a literal.
    (
        "(define-syntax m (syntax-rules ::: () ((_ (a b :::) :::) '((b ::: a ...) :::)))) (m (1 2 3) (4))",
        "((2 3 1 ...) (4 ...))",
    ),
    ("(define-syntax m (syntax-rules () ((_ x) '(x (... ...) (... (x ...)))))) (m 1)", "(1 ... (1 ...))"),
    ("(define-syntax m (syntax-rules (...) ((_ ...) 'dots) ((_ x) 'other))) (list (m ...) (m 1))", "(dots other)"),
    ("(define-syntax m (syntax-rules (_) ((m _) 'bar) ((m x) 'other))) (list (m _) (m 1))", "(bar other)"),
    # The first rule that matches.
    ("(define-syntax m (syntax-rules () ((_) 0) ((_ x) 1) ((_ x ...) 2))) (list (m) (m 1) (m 1 1))", "(0 1 2)"),
]

HYGIENE = [
    # What a template binds does not capture, and what it refers to is not captured.
    (
        "(define-syntax my-or (syntax-rules () ((_) #f) ((_ e) e) ((_ e r ...) (let ((t e)) (if t t (my-or r ...))))))"
        "(let ((t 5)) (my-or #f t))",
        "5",
    ),
    ("(define-syntax m (syntax-rules () ((_ e) (if e 1 2)))) (let ((if list)) (m #f))", "2"),
    ("(define x 'top) (define-syntax m (syntax-rules () ((_) x))) (let ((x 'local)) (m))", "top"),
    ("(let ((x 1)) (define-syntax m (syntax-rules () ((_) x))) (let ((x 2)) (m)))", "1"),
    (
        "(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))"
        "(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other))",
        "(2 1)",
    ),
    # Literals match by binding.
    ("(let ((=> #f)) (cond (#t => 'ok)))", "ok"),
    ("(let ((else #f)) (cond (else 1) (#t 2)))", "2"),
    (
        "(define-syntax m (syntax-rules (else) ((_ else) 'keyword) ((_ x) 'variable)))"
        "(list (m else) (let ((else 1)) (m else)))",
        "(keyword variable)",
    ),
    # Ellipsis and underscore, bound as variables, are no longer special.
    ("(let ((... 1)) (define-syntax m (syntax-rules () ((_ x ...) '(... x)))) (m 1 2))", "(2 1)"),
    # Keywords can be variables, and variables keywords.
    ("(let ((if list) (quote 3)) (if 1 2 quote))", "(1 2 3)"),
    ("(define (f define) (+ define 1)) (f 1)", "2"),
    ("(let loop ((let 0)) (if (< let 3) (loop (+ let 1)) let))", "3"),
    ("(let ((list 1)) `(,list ,@'(2)))", "(1 2)"),
    ("(let ((cons 1) (append 2)) `(,cons ,@'(2) . ,append))", "(1 2 . 2)"),
    ("(let ((eqv? 1)) (case 2 ((2) 'two)))", "two"),
    # Quoting an inserted name gives the symbol.
    ("(define-syntax m (syntax-rules () ((_ a) '(a b #(c))))) (m x)", "(x b #(c))"),
    # Each expansion's names are its own.
    (
        "(define-syntax m (syntax-rules () ((_ (v ...) ()) (list v ...))"
        " ((_ (v ...) (a r ...)) (let ((t a)) (m (v ... t) (r ...)))))) (m () (1 2 3))",
        "(1 2 3)",
    ),
]

DEFINITIONS = [
    ("(define-syntax def (syntax-rules () ((_ n v) (define n v)))) (def x 1) x", "1"),
    (
        "(define-syntax def2 (syntax-rules () ((_ a b v) (begin (define a v) (define b v))))) (def2 x y 1) (list x y)",
        "(1 1)",
    ),
    (
        "(define-syntax def (syntax-rules () ((_ n v) (define n v)))) (let () (def x 1) (def y (+ x 1)) (list x y))",
        "(1 2)",
    ),
    # A definition of a name that the template inserts is private to the expansion.
    (
        "(define tmp 'mine) (define-syntax counter (syntax-rules () ((_ get) (begin (define tmp 1) "
        "(define (get) tmp))))) (counter a) (list (a) tmp)",
        "(1 mine)",
    ),
    (
        "(define-syntax counter (syntax-rules () ((_ get v) (begin (define tmp v) (define (get) tmp)))))"
        "(counter a 1) (counter b 2) (list (a) (b))",
        "(1 2)",
    ),
    (
        "(define-syntax record (syntax-rules () ((_ make get) (define-record-type thing (make x) thing? (x get)))))"
        "(record m g) (g (m 5))",
        "5",
    ),
    (
        "(define-syntax two (syntax-rules () ((_ a b) (define-values (a b) (values 1 2))))) (two x y) (list x y)",
        "(1 2)",
    ),
    # Macros that make macros.
    (
        "(define-syntax make (syntax-rules () ((_ name value) (define-syntax name (syntax-rules () ((_) value))))))"
        "(make one 1) (make two 2) (list (one) (two))",
        "(1 2)",
    ),
    (
        "(define-syntax make (syntax-rules () ((_ name) (define-syntax name (syntax-rules () ((_ a (... ...)) "
        "'(a (... ...))))))))(make m) (m 1 2)",
        "(1 2)",
    ),
    (
        "(define-syntax be-like-begin (syntax-rules () ((be-like-begin name) (define-syntax name (syntax-rules ()"
        " ((name expr (... ...)) (begin expr (... ...))))))))(be-like-begin sequence) (sequence 1 2 3 4)",
        "4",
    ),
    (
        "(define-syntax ell (syntax-rules () ((ell body) (define-syntax emm (syntax-rules ...1 () ((emm) body))))))"
        "(ell (define-syntax enn (syntax-rules ...1 () ((enn args ...1) (quote (args ...1)))))) 'defined",
        "defined",
    ),
    # let-syntax and letrec-syntax are scopes.
    ("(let ((x 'outer)) (let-syntax ((m (syntax-rules () ((m) x)))) (let ((x 'inner)) (m))))", "outer"),
    ("(define-syntax m (syntax-rules () ((_) 'outer))) (let-syntax ((m (syntax-rules () ((_) (m))))) (m))", "outer"),
    (
        "(letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ x . r) (od? . r))))"
        " (od? (syntax-rules () ((_) #f) ((_ x . r) (ev? . r))))) (ev? 1 1 1))",
        "#f",
    ),
    ("(let ((x 1)) (let-syntax () (define x 2) x) x)", "1"),
    # A keyword under another name.
    ("(define-syntax my-if if) (my-if #t 1 2)", "1"),
    # Expansion to a transformer.
    ("(define-syntax rules (syntax-rules () ((_ x) (syntax-rules () ((_) x))))) (define-syntax m (rules 7)) (m)", "7"),
]


@pytest.mark.parametrize(("program", "printed"), MATCHING)
def test_a_use_is_rewritten_by_the_first_pattern_that_matches(
    program: str, printed: str, value: Callable[[str], str]
) -> None:
    assert value(program) == printed


@pytest.mark.parametrize(("program", "printed"), HYGIENE)
def test_names_mean_what_they_mean_where_they_are_written(
    program: str, printed: str, value: Callable[[str], str]
) -> None:
    assert value(program) == printed


@pytest.mark.parametrize(("program", "printed"), DEFINITIONS)
def test_macros_can_define(program: str, printed: str, value: Callable[[str], str]) -> None:
    assert value(program) == printed


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "(define-syntax m (syntax-rules () ((_ a b) a) ((_ (x ...) . r) 1))) (m 1)",
            "expected (m a b), or (m (x ...) . r)",
        ),
        ("(define-syntax m (syntax-rules () ((_ a a) a)))", "a is twice in the pattern"),
        ("(define-syntax m (syntax-rules () ((_ a ... b ...) 1)))", "a pattern list can have one ellipsis"),
        ("(define-syntax m (syntax-rules () ((_ (... a)) 1)))", "an ellipsis needs a pattern before it"),
        (
            "(define-syntax m (syntax-rules () ((_ a ...) a)))",
            "a stands for a sequence here and needs an ellipsis after it",
        ),
        (
            "(define-syntax m (syntax-rules () ((_ a) (a ...))))",
            "no variable before this ellipsis stands for a sequence",
        ),
        (
            "(define-syntax m (syntax-rules () ((_ (a ...) (b ...)) '((a b) ...)))) (m (1) (1 2))",
            "an ellipsis of the macro's template repeats lists of 1 and of 2 elements",
        ),
        (
            "(define-syntax m (syntax-rules))",
            "expected (syntax-rules (literal …) (pattern template) …), or (syntax-rules ellipsis (literal …) …)",
        ),
        (
            "(define-syntax m (syntax-rules () (_ 1)))",
            "expected (syntax-rules (literal …) (pattern template) …), or (syntax-rules ellipsis (literal …) …)",
        ),
        ("(define-syntax m (lambda (x) x))", "a keyword is defined by (syntax-rules (literal …) (pattern template) …)"),
        ("(define-syntax m (syntax-rules ())) (m)", "m has no rules, so no use is right"),
        ("(define-syntax m (syntax-rules () ((_) 1))) m", "m is a keyword, not a variable"),
        ('(define-syntax m (syntax-rules () ((_ x) (syntax-error "no good" x 1)))) (let () (m y) 1)', "no good"),
    ],
)
def test_mistakes_are_told(program: str, message: str, mistake: Callable[[str], Condition]) -> None:
    condition = mistake(program)
    assert condition.kind == "syntax"
    assert condition.message == message


def test_an_inserted_mistake_is_shown_at_the_use(mistake: Callable[[str], Condition]) -> None:
    condition = mistake("(define-syntax m (syntax-rules () ((_ x) (let x))))\n  (m 5)")
    assert (condition.span.line, condition.span.column) == (2, 3)
    assert condition.procedure == "let"


@pytest.mark.parametrize(
    "program",
    [
        "(define-syntax f (syntax-rules () ((_ x) (f (x x))))) (f 1)",
        "(define-syntax f (syntax-rules () ((_) (begin (f))))) (f)",
        "(define-syntax f (syntax-rules () ((_) (+ 1 (f))))) (f)",
        "(define-syntax f (syntax-rules () ((_ x ...) (f x ... x ... 1)))) (f)",
        pytest.param(
            "(define-syntax f (syntax-rules () ((_ n) "
            "(begin (define-syntax n (syntax-rules () ((_ m) (f m)))) (n g))))) (f h)",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_expansion_without_end_ends_with_a_limit(program: str, mistake: Callable[[str], Condition]) -> None:
    assert mistake(program).kind == "limit"
