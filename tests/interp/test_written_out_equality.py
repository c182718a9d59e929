"""``eq?``, ``eqv?``, ``equal?`` and hash tables, which are written out where they are called: as the builtins are."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.analyse.copying import ALIASED
from nodwyn.interp.printer import write

VALUES = """0 1 -1 1000 0.0 -0.0 1.0 +nan.0 (/ 0. 0.) 1/2 1+i (expt 10 30) #\\a #\\b "" "a" (string #\\a)
    (let ((s (make-string 1 #\\b))) (string-set! s 0 #\\a) s) 'a 'b #t #f '() '(1) (list 1) (vector) (vector 1)
    (bytevector 1) (bytevector) car cdr (eof-object) (if #f #f) (lambda () 1) (make-hash-table) (delay 1)"""

FORMS = (
    "({0} a b)",
    "({0} (same a) (same b))",
    "(let ((a (same a))) (if ({0} a b) #t #f))",
    "(not (not ({0} b (car (list a)))))",
    "(let ((n (vector-length (vector 1)))) (list ({0} n a) ({0} b n) ({0} n (vector-length (vector 1)))))",
)


@pytest.fixture
def scheme() -> Interpreter:
    made = Interpreter()
    made.eval(f"(import (srfi 69)) (define (same x) x) (define all (list {VALUES}))")
    return made


def outcomes(scheme: Interpreter, form: str) -> str:
    scheme.eval(f"(define (try a b) (guard (e (#t (error-object-message e))) {form}))")
    return write(scheme.eval_scheme("(map (lambda (a) (map (lambda (b) (try a b)) all)) all)"))


@pytest.mark.parametrize("predicate", ["eq?", "eqv?", "equal?", "symbol=?", "boolean=?"])
def test_equivalence_of_all_kinds_of_operands(scheme: Interpreter, predicate: str) -> None:
    scheme.eval(f"(define hidden (vector-ref (vector {predicate}) 0))")
    for form in FORMS:
        assert outcomes(scheme, form.format(predicate)) == outcomes(scheme, form.format("hidden")), form


def test_operands_are_evaluated_once_and_from_left_to_right(scheme: Interpreter) -> None:
    scheme.eval("(define seen '()) (define (note x) (set! seen (cons x seen)) x)")
    for predicate, first, second in (("eqv?", "1000", "1/2"), ("equal?", "1000", "1/2"), ("symbol=?", "a", "b")):
        scheme.eval(f"(set! seen '()) (define (f) ({predicate} (note '{first}) (note '{second}))) (f)")
        assert write(scheme.eval_scheme("seen")) == f"({second} {first})"


BUILTINS = ["eq?", "equal?", "string=?", "=", "car", "cdr", "number?", "complex?", "modulo", "floor-remainder", "apply"]


def test_builtins_are_compared_where_they_are_named(scheme: Interpreter) -> None:
    """Inlined code asks much about the procedures that it is given."""
    for first in BUILTINS:
        for second in BUILTINS:
            same = scheme.eval(f"(eq? {first} {second})")
            assert same == scheme.eval(f"(eq? (vector-ref (vector {first}) 0) {second})"), (first, second)


def test_a_name_that_was_defined_anew_is_no_builtin(scheme: Interpreter) -> None:
    scheme.eval("(define (f) (eq? car cdr)) (define (g) (null? '()))")
    assert [scheme.eval("(f)"), scheme.eval("(g)")] == [False, True]
    scheme.eval("(define car cdr) (define (null? x) 'no)")
    assert scheme.eval("(f)") is True
    assert write(scheme.eval_scheme("(g)")) == "no"


def test_all_aliases_of_builtins_are_known() -> None:
    names: dict[int, list[str]] = {}
    scheme = Interpreter()
    for name in scheme.programs.builtins.bind_all():
        names.setdefault(id(scheme.runtime.globals[name]), []).append(name)
    assert {name for group in names.values() if len(group) > 1 for name in group} == ALIASED


KINDS = ["eq?", "eqv?", "equal?", "=", "string=?", "string-ci=?"]

USES = {
    "set and look up": """(guard (e (#t (error-object-message e)))
        ({set} table a 1) ({ref} table b 0))""",
    "set twice": """(guard (e (#t (error-object-message e)))
        ({set} table a 1) ({set} table b 2) (list ({ref} table a 0) ({ref} table b 0) (hash-table-size table)
        (map car (hash-table->alist table))))""",
}
"""What a table says, or what is wrong with its keys."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_tables_of_all_kinds_with_keys_of_all_kinds(scheme: Interpreter, kind: str, use: str) -> None:
    """The second use is of procedures that are not known, so nothing is written out."""
    for name, procedure in (("set", "hash-table-set!"), ("ref", "hash-table-ref/default")):
        scheme.eval(f"(define {name} (vector-ref (vector {procedure}) 0))")
    written_out, called = (
        write(
            scheme.eval_scheme(
                f"""(define (try table a b) {use.format(set=names[0], ref=names[1])})
                (map (lambda (a) (map (lambda (b) (try (make-hash-table {kind}) a b)) all)) all)"""
            )
        )
        for names in (("hash-table-set!", "hash-table-ref/default"), ("set", "ref"))
    )
    assert written_out == called
