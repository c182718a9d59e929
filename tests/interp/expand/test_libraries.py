"""Sections 5.2 and 5.6: libraries and imports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.data import Symbol
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand import Library
from nodwyn.interp.printer import write

COUNTER = """
(define-library (counter)
  (export next! count (rename private-reset reset!) with-next)
  (import (nodwyn builtins) (nodwyn syntax))
  (begin
    (define n 0)
    (define (count) n)
    (define (next!) (set! n (+ n 1)) n)
    (define (private-reset) (set! n 0))
    (define-syntax with-next
      (syntax-rules () ((_ name body) (let ((name (next!))) (twice body)))))
    (define-syntax twice
      (syntax-rules () ((_ body) (pair body))))
    (define (pair x) (list x x))))
"""

USES = [
    ("(import (counter)) (next!) (next!) (count)", "2"),
    ("(import (only (counter) next!)) (next!)", "1"),
    ("(import (nodwyn builtins) (nodwyn syntax) (except (counter) count)) (define (count) 'mine)"
     "(list (next!) (count))",
     "(1 mine)"),
    ("(import (prefix (counter) c:)) (c:next!)", "1"),
    ("(import (rename (counter) (next! step))) (step)", "1"),
    ("(import (prefix (only (rename (counter) (next! step)) step count) c-)) (c-step) (c-count)", "1"),
    ("(import (counter)) (next!) (reset!) (next!)", "1"),
    # What a macro of the library inserts means what it means there, in a program that has none of it.
    ("(import (only (counter) with-next)) (with-next x x)", "(1 1)"),
    ("(import (nodwyn syntax) (rename (counter) (with-next list))) (define (pair x) 5) (define (next!) 7)"
     "(list next! next!)",
     "(1 1)"),
    # A program may define what it imports.
    ("(import (nodwyn syntax) (nodwyn builtins)) (define (f) (car 1)) (define (car x) (list 'mine x)) (f)", "(mine 1)"),
    # Libraries can stand before the program in one text.
    ("(define-library (one) (export x) (import (nodwyn syntax)) (begin (define x 1)))"
     "(import (one) (nodwyn builtins)) (list x)", "(1)"),
    # Two names of one thing are no conflict, and two things of one name none until it is used.
    ("(import (nodwyn builtins) (only (nodwyn builtins) car)) (car (list 1))", "1"),
    ("(define-library (other) (export count other) (import (nodwyn syntax)) (begin (define count 1) (define other 2)))"
     "(import (counter) (other)) other", "2"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "printed"), USES)
def test_a_program_sees_what_its_imports_name(program: str, printed: str, bench: Any) -> None:
    assert write(bench({"(counter)": COUNTER}).program(program)) == printed


DECLARATIONS = [
    ("(export x) (import (nodwyn syntax)) (begin (define x 1))", "1"),
    # Imports count wherever they stand.
    ("(begin (define x 1)) (export x) (import (nodwyn syntax))", "1"),
    ('(export x) (import (nodwyn syntax)) (include "x.scm")', "5"),
    ('(export x) (import (nodwyn syntax)) (include-ci "loud.scm")', "6"),
    ('(include-library-declarations "all.scm")', "7"),
    ("(cond-expand (nothing (export y)) (else (export x))) (import (nodwyn syntax)) (begin (define x 1))", "1"),
    ("(cond-expand ((library (counter)) (import (only (counter) count) (nodwyn syntax))))"
     "(export x) (begin (define x count))", None),
    # Definitions see those after them, and an earlier procedure what is a keyword later.
    ("(export x) (import (nodwyn syntax) (nodwyn builtins)) (begin (define (f) (m))"
     "(define-syntax m (syntax-rules () ((_) 'macro))) (define x (f)))", "macro"),
]  # fmt: skip

FILES = {
    "x.scm": "(define x 5)",
    "loud.scm": "(DEFINE X 6)",
    "all.scm": "(export x) (import (nodwyn syntax)) (begin (define x 7))",
}


@pytest.mark.parametrize(("declarations", "printed"), DECLARATIONS)
def test_a_library_is_made_of_its_declarations(declarations: str, printed: str | None, bench: Any) -> None:
    made = bench({"(a b)": f"(define-library (a b) {declarations})", "(counter)": COUNTER}, FILES)
    result = made.program("(import (a b)) x")
    assert printed is None or write(result) == printed


def test_include_stands_in_bodies_too(bench: Any) -> None:
    program = '(let () (include "x.scm") x)'
    assert bench({}, FILES).program(program) == 5
    assert bench({}, {"two.scm": "1 2"}).program('(+ (include "two.scm"))') == 2


def test_a_missing_file_is_told_where_it_is_named(mistake: Callable[[str], Condition]) -> None:
    condition = mistake('(let ()\n  (include "missing.scm"))')
    assert (condition.kind, condition.procedure) == ("file", "include")
    assert condition.message == "cannot read missing.scm: no such file"
    assert (condition.span.line, condition.span.column) == (2, 12)


MISTAKES = [
    ("(import (no such))", "there is no library (no such)", "it would be no/such.sld in a library directory"),
    ("(import (contre))", "there is no library (contre)", "did you mean (counter)?"),
    ("(import (only (counter) nxt!))", "(counter) has no export nxt!", None),
    ("(import (except (counter) x))", "(counter) has no export x", ""),
    ("(import (rename (counter) (x y)))", "(counter) has no export x", ""),
    ("(import (rename (counter) (next! count)))", "(counter) exports count too, which a name is changed to", ""),
    ("(import counter)", "a library name is a list of identifiers and numbers, such as (scheme base)", ""),
    ("(import (counter 1.5))", "a library name is a list of identifiers and numbers, such as (scheme base)", ""),
    ("(import (prefix (counter)))", None, ""),
    ("(define-library (x) (export y))", "(x) exports y, which it neither defines nor imports", ""),
    ("(define-library (x) (export lst) (import (nodwyn builtins)))",
     "(x) exports lst, which it neither defines nor imports", "did you mean list?"),
    ("(define-library (x) (define y 1))", "define is no library declaration", None),
    ("(define-library (x) (export (rename a)))", None, ""),
    ("(define-library (x) (export a (rename b a)) (import (nodwyn syntax)) (begin (define a 1) (define b 2)))",
     "(x) exports a twice", ""),
    ("(define-library (x) (import (nodwyn syntax)) (begin (define a 1) (define a 2)))",
     "a is defined twice in library (x)", ""),
    ("(define-library (x) (import (nodwyn syntax) (nodwyn builtins)) (begin (define car 1)))",
     "car is imported from (nodwyn builtins) and cannot be defined too",
     "import all but it with (except (nodwyn builtins) car)"),
    ("(import (counter) (nodwyn syntax)) (set! count 1)", "count is imported from (counter) and cannot be assigned",
     "define a variable of your own: (define count …)"),
    ("(define-library (other) (export count) (import (nodwyn syntax)) (begin (define count 1)))"
     "(import (counter) (other)) (count)",
     "count is imported from both (counter) and (other), which mean different things by it",
     "import one without it, such as (except (counter) count), or with a prefix"),
    ("(import (circle one))",
     "libraries import each other in a circle: (circle one) → (circle two) → (circle one)", ""),
    ("(import (wrong name))", "(wrong name).sld does not define library (wrong name)", ""),
    ("(import (no library))", "a file of a library holds define-library forms alone", ""),
]  # fmt: skip


@pytest.mark.parametrize(("program", "message", "hint"), MISTAKES)
def test_mistakes_are_told(program: str, message: str | None, hint: str | None, bench: Any) -> None:
    libraries = {
        "(counter)": COUNTER,
        "(circle one)": "(define-library (circle one) (import (circle two)))",
        "(circle two)": "(define-library (circle two) (import (circle one)))",
        "(wrong name)": "(define-library (right name))",
        "(no library)": "(define x 1)",
    }
    with pytest.raises(SchemeError) as caught:
        bench(libraries).program(program + "(import)")
    condition = caught.value.payload
    assert isinstance(condition, Condition)
    assert condition.kind == "syntax"
    assert condition.span is not None
    assert message is None or condition.message == message
    assert hint is None or condition.hint == hint


def test_the_names_of_srfi_libraries_of_r6rs_are_known(bench: Any) -> None:
    one = "(define-library (srfi 1) (export x) (import (nodwyn syntax)) (begin (define x 1)))"
    assert bench({"(srfi 1)": one}).program("(import (srfi :1 lists)) x") == 1


def test_a_library_is_expanded_once_and_lists_what_runs_before_it(bench: Any) -> None:
    made = bench({"(counter)": COUNTER, "(user)": "(define-library (user) (import (counter) (nodwyn syntax)))"})
    library = made.expander.library("(user)")
    assert library.name == "(user)"
    assert library.imports == ["(counter)", "(nodwyn syntax)"]
    assert made.expander.library("(user)") is library


def test_only_variables_that_nothing_assigns_are_constant(bench: Any) -> None:
    text = """
    (define-library (a)
      (export fixed assigned by-macro! indirectly! user-of-fixed)
      (import (nodwyn builtins) (nodwyn syntax))
      (begin
        (define fixed 1)
        (define assigned 1)
        (define (f) (set! assigned 2))
        (define macro-assigned 1)
        (define-syntax by-macro! (syntax-rules () ((_ x) (set! macro-assigned (+ fixed x)))))
        (define-syntax put! (syntax-rules () ((_ x y) (set! x y))))
        (define indirect 1)
        (define-syntax indirectly! (syntax-rules () ((_ x) (put! indirect x))))
        (define-syntax user-of-fixed (syntax-rules () ((_ x) (let ((y x)) (set! y fixed) (list fixed y)))))))
    """
    made = bench({"(a)": text})
    library = made.expander.library("(a)")
    constant = {
        key.name: meaning.constant
        for key, meaning in library.scope.bindings.items()
        if isinstance(key, Symbol) and getattr(meaning, "key", "").startswith("(a):")
    }
    assert constant == {"fixed": True, "assigned": False, "f": True, "macro-assigned": False, "indirect": False}
    assert write(made.program("(import (a)) (by-macro! 1) (indirectly! 2) (user-of-fixed 5)")) == "(1 1)"


def test_the_variables_of_a_program_are_constant_unless_assigned_or_defined_twice(bench: Any) -> None:
    made = bench()
    made.program("(define a 1) (define b 1) (set! b 2) (define c 1) (define c 2) (define (f) (g)) (define (g) 1)")
    from nodwyn.interp.reader import read_source
    from nodwyn.interp.syntax import Source

    text = "(import (nodwyn syntax)) (define a 1) (define b 1) (set! b 2) (define c 1) (define c 2)"
    program = made.expander.program(read_source(Source("p", text)))
    assert {node.glob.key: node.glob.constant for node in program.body} == {
        "program:a": True,
        "program:b": False,
        "program:c": False,
    }


def test_assigning_a_private_constant_from_outside_is_an_error(bench: Any) -> None:
    # The macro hides its `set!` in a literal of the use, which no analysis of the library can see.
    text = """
    (define-library (a) (export m) (import (nodwyn builtins) (nodwyn syntax))
      (begin (define x 1) (define-syntax m (syntax-rules () ((_ operator) (operator x 2))))))
    """
    with pytest.raises(SchemeError) as caught:
        bench({"(a)": text}).program("(import (a) (nodwyn syntax)) (m set!)")
    assert caught.value.payload.message == "x of (a) cannot be assigned from outside"


def test_a_cached_library_is_used_instead_of_the_text(bench: Any) -> None:
    made = bench({"(counter)": COUNTER})
    library = Library("(counter)", {}, made.expander.library("(nodwyn syntax)").scope, [], [])
    made.expander.registry.cached = lambda name, source: library if "define n" in source.text else None
    assert made.expander.library("(counter)") is library
