"""Texts that were compiled before: what runs from disk does what it did when it was compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.host import ClosedHost, SystemHost
from nodwyn.interp.interpreter import Interpreter
from nodwyn.interp.libraries import Libraries
from nodwyn.interp.printer import write
from nodwyn.interp.programs import Programs
from nodwyn.interp.report import report
from nodwyn.interp.syntax import Source


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the standard libraries in it."""
    directory = tmp_path_factory.mktemp("cache") / "scheme"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NODWYN_CACHE_DIR", str(directory))
        Interpreter().eval("0", keep=True)
    return directory


@pytest.fixture(autouse=True)
def cache(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NODWYN_CACHE_DIR", str(kept))
    return kept


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Have every text that is not found on disk fail from now on."""

    def forbid() -> None:
        monkeypatch.setattr(Programs, "_forms_compiled", lambda self, kind, source, key: pytest.fail(source.text))

    return forbid


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were compiled."""
    compiled: list[str] = []
    compile_text = Programs._forms_compiled

    def count(self: Programs, kind: str, source: Source, key: str) -> Any:
        compiled.append(source.text)
        return compile_text(self, kind, source, key)

    monkeypatch.setattr(Programs, "_forms_compiled", count)
    return compiled


def evaluated(*texts: str, library_path: str = "") -> str:
    """Return what texts come to in a new interpreter: the last one's value, or the report of an error, and output."""
    output = StringIO()
    host = ClosedHost(output)
    scheme = Interpreter(host=host, library_path=[library_path] if library_path else [])
    try:
        for text in texts:
            value = write(scheme.eval_scheme(text, "a text", keep=True))
    except SchemeError as error:
        value = report(error)
    host.flush()
    return output.getvalue() + value


PROGRAMS = [
    "(let loop ((i 0) (sum 0)) (if (= i 100) sum (loop (+ i 1) (+ sum i))))",
    "(define (f x) (lambda (y) (+ x y))) ((f 1) 2)",
    "(define-record-type p (make-p x y) p? (x px set-px!) (y py)) (define p (make-p 1 2)) (set-px! p 5) (px p)",
    "(map (lambda (x) (* x x)) '(1 2 3))",
    "(vector-map + #(1 2) #(10 20))",
    # Constants of every kind, and what is one object in them.
    '(list \'symbol "string" #\\c #(1 "v") #u8(1 2) \'(a . b) 1/3 2.5 -0.0 +inf.0 12345678901234567890 1+2i #t \'())',
    "(let ((x '#0=(a b . #0#))) (eq? x (cddr x)))",
    "(define (f) '(a)) (list (eq? (f) (f)) (eq? (f) '(a)))",
    '(define (f) "text") (eq? (f) (f))',
    # Continuations: their code is made from what is kept beside the fast code.
    "(+ 1 (call/cc (lambda (k) (+ 10 (k 1)))))",
    "(define k #f) (define n 0) (define (f) (list 'a (call/cc (lambda (c) (set! k c) 0)) '(b)))"
    "(let ((r (f))) (set! n (+ n 1)) (if (< n 4) (k n) r))",
    "(define k #f) (define b #f) (define (f) (let ((x '(lit))) (call/cc (lambda (c) (set! k c))) x))"
    "(define a (f)) (if (not b) (begin (set! b a) (k 1))) (eq? a b)",
    "(define (tree-walk tree) (call/cc (lambda (return) (for-each (lambda (x) (if (negative? x) (return x))) tree) 0)))"
    "(tree-walk '(1 2 -3 4))",
    "(define (gen list) (define return #f) (define (start) (for-each (lambda (x) (call/cc (lambda (next)"
    " (set! start (lambda () (next #f))) (return x)))) list) (return 'done))"
    " (lambda () (call/cc (lambda (r) (set! return r) (start)))))"
    "(define g (gen '(1 2 3))) (let* ((a (g)) (b (g)) (c (g)) (d (g))) (list a b c d))",
    # What the fast code keeps for a continuation, and what it does not since it is known, is what that wants.
    "(define (f a b) (list a b)) (define (wound k) (dynamic-wind (lambda () #f) (lambda () (k 2)) (lambda () #f)))"
    "(define (g) (f (guard (e (#t e)) (raise 1)) (call/cc (lambda (k) (wound k))))) (list (g) (f 3 (call/cc wound)))",
    "(dynamic-wind (lambda () (display 1)) (lambda () (display 2) 'x) (lambda () (display 3)))",
    # Errors that are caught: the condition is made from the kept nodes too.
    "(guard (e (#t (list (error-object? e) (error-object-message e)))) (vector-ref (vector 1 2) 9))",
    "(guard (e ((symbol? e) (list 'caught e))) (raise 'oops))",
    "(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-continuable 'c))))",
    "(define p (make-parameter 1)) (list (p) (parameterize ((p 2)) (p)))",
    "(define-syntax swap! (syntax-rules () ((_ a b) (let ((t a)) (set! a b) (set! b t)))))"
    "(define x 1) (define y 2) (swap! x y) (list x y)",
    "(define-library (own) (export twice) (import (scheme base)) (begin (define (twice x) (* 2 x))))"
    "(import (own)) (twice 21)",
    "(import (srfi 1)) (fold cons '() '(1 2 3))",
    "(call-with-values (lambda () (values 1 2)) list)",
    "(eval '(+ 1 2) (environment '(scheme base)))",
    '(display "out") (values)',
    "",
    "(define x 1)",
]
ERRORS = [
    "(define (f x) (car x))\n(define (g y) (+ 1 (f y)))\n(g 5)",
    "(define (f)\n  (vector-ref (vector 1 2)\n              7))\n(list (f))",
    '(error "no good:" 1 "two")',
    "(foo 1)",
    "(define (area width height) (* width height))\n(list (area 1))",
    "(let ((x 5)) (x 1))",
    "(define (f . a) (a))\n(f (guard (e (#t 1)) car) (call/cc (lambda (k)"
    " (dynamic-wind (lambda () #f) (lambda () (k 2)) (lambda () #f)))))",
    "(import (srfi 1))\n(list (first 5))",
    "(for-each (lambda (x) (+ x 1)) '(1 2 a))",
    "(raise 'something)",
    "(exact->inexact 'a)",
]


@pytest.mark.parametrize("text", [*PROGRAMS, *ERRORS])
def test_a_text_from_disk_does_what_it_did(text: str, known: Callable[[], None]) -> None:
    first = evaluated(text)
    known()
    assert evaluated(text) == first


def test_a_program_from_disk_does_what_it_did(
    tmp_path: Path, known: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "program.scm"
    file.write_text('(import (scheme base) (scheme write))\n(define x "a program")\n(display x)\n(car x)\n')

    def run() -> tuple[str, str]:
        host = SystemHost()
        with pytest.raises(SchemeError) as raised:
            Interpreter(host=host).run_program(host.read_source(str(file)))
        host.flush()
        return report(raised.value), capsys.readouterr().out

    first = run()
    known()
    assert run() == first
    assert first[1] == "a program"


def test_texts_with_other_names_are_other_texts(counted: list[str]) -> None:
    for name in ("first", "second"):
        with pytest.raises(SchemeError) as raised:
            Interpreter().eval("(car 'by-name)", name, keep=True)
        assert report(raised.value).startswith(f"{name}:1:1")
    assert len(counted) == 2


def test_only_what_is_worth_keeping_is_kept(cache: Path) -> None:
    before = set(cache.iterdir())
    Interpreter().eval("'not-kept")
    assert set(cache.iterdir()) == before


# What comes after.


def test_later_texts_see_what_texts_from_disk_defined() -> None:
    texts = (
        "(define x 1) (define-syntax double (syntax-rules () ((_ e) (* 2 e))))",
        "(define-record-type r (make-r f) r? (f r-f)) (define-library (lib) (export y) (import (scheme base))"
        " (begin (define y 10)))",
    )
    evaluated(*texts)
    assert evaluated(*texts, "(import (lib)) (list x (double 4) (r-f (make-r 7)) y)") == "(1 8 7 10)"


def test_a_text_depends_on_those_before_it(counted: list[str]) -> None:
    def run(definition: str) -> str:
        return evaluated(f"(define-syntax m (syntax-rules () ((_) {definition})))", "(list (m))")

    assert [run("'one"), run("'two"), run("'one")] == ["(one)", "(two)", "(one)"]
    assert len(counted) == 4


def test_the_same_text_can_come_twice(known: Callable[[], None]) -> None:
    texts = ["(define n (if (procedure? list) '(0) 1))", "(define n '(0))", "(define n '(0))", "n"]
    first = evaluated(*texts)
    known()
    assert evaluated(*texts) == first == "(0)"


def test_what_was_evaluated_otherwise_makes_the_state_unknown(counted: list[str]) -> None:
    for number in (1, 2):
        scheme = Interpreter()
        scheme.eval(f"(eval '(define-syntax m (syntax-rules () ((_) {number}))) (interaction-environment))", keep=True)
        assert scheme.eval("(m)", keep=True) == number
    assert counted.count("(m)") == 2


def test_the_host_defines_before_and_calls_after(known: Callable[[], None]) -> None:
    def run() -> Any:
        scheme = Interpreter()
        scheme.define("ask", lambda question: f"{question}?")
        scheme.eval("(define (question text) (ask text))", keep=True)
        return scheme.procedure("question")("who")

    assert run() == "who?"
    known()
    assert run() == "who?"


def test_a_procedure_is_looked_up_among_imported_names_too() -> None:
    evaluated("(define x 1)")
    scheme = Interpreter()
    scheme.eval("(define x 1)", "a text", keep=True)
    assert scheme.procedure("+")(1, 2) == 3


# What it depends on.


def library(directory: Path, name: str, body: str) -> None:
    (directory / f"{name}.sld").write_text(
        f"(define-library ({name}) (export {name} {name}-macro) (import (scheme base)) {body})"
    )


SHARING = {
    "a procedure that is inlined": '(define (given) \'(1 "two"))',
    "a macro": '(define-syntax given (syntax-rules () ((_) \'(1 "two"))))',
    "a macro that makes a procedure": '(define-syntax given (syntax-rules () ((_) ((lambda () \'(1 "two"))))))',
    "a variable": '(define kept \'(1 "two")) (define-syntax given (syntax-rules () ((_) kept)))',
}
"""Libraries whose users have one object as a constant, each in its own code."""


@pytest.mark.parametrize("first", ["(one)", "(two)", "(one) (two)", "(source)"])
@pytest.mark.parametrize("definitions", SHARING.values(), ids=SHARING)
def test_a_library_needs_no_other_that_has_the_same_constant(
    definitions: str, first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NODWYN_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "source.sld").write_text(
        f"(define-library (source) (export given) (import (scheme base)) (begin {definitions}))"
    )
    for name in ("one", "two"):
        (tmp_path / f"{name}.sld").write_text(
            f"(define-library ({name}) (export {name}) (import (scheme base) (source))"
            f" (begin (define ({name}) (given))))"
        )

    def answer(imported: str, called: str) -> str:
        return evaluated(f"(import {imported}) (list {called})", library_path=str(tmp_path))

    answer(f"{first} (source)", "(given)")
    assert answer("(one) (two) (source)", "(one) (two) (given)") == '((1 "two") (1 "two") (1 "two"))'
    # From now on, all is on disk but the texts.
    monkeypatch.setattr(
        Libraries, "_compile", lambda self, name, library, key: [] if library.body == [] else pytest.fail(name)
    )
    assert answer("(two)", "(two)") == '((1 "two"))'
    assert answer("(one)", "(one)") == '((1 "two"))'
    assert answer("(source)", "(given)") == '((1 "two"))'


def test_a_text_needs_no_library_that_it_does_not_import(tmp_path: Path) -> None:
    """It has a constant of the macro that another text, and a library, have too."""
    library(
        tmp_path, "quoting", "(begin (define-syntax quoting-macro (syntax-rules () ((_) '(a)))) (define quoting 1))"
    )
    texts = ["(import (quoting)) (quoting-macro)", "(define (later) (quoting-macro)) (later)", "(list (later))"]
    for count in (1, 2, 3, 3, 2, 1):
        assert evaluated(*texts[:count], library_path=str(tmp_path)) == ("((a))" if count == 3 else "(a)")


def test_an_edit_of_a_library_takes_effect(tmp_path: Path, counted: list[str]) -> None:
    def run(value: str) -> str:
        library(
            tmp_path,
            "inner",
            f"(begin (define (inner) {value}) (define-syntax inner-macro (syntax-rules () ((_) {value}))))",
        )
        return evaluated("(import (outer)) (list (outer) (outer-macro))", library_path=str(tmp_path))

    (tmp_path / "outer.sld").write_text(
        "(define-library (outer) (export outer outer-macro) (import (scheme base) (inner))"
        " (begin (define (outer) (inner)) (define-syntax outer-macro (syntax-rules () ((_) (inner-macro))))))"
    )
    assert [run("1"), run("1"), run("2"), run("1")] == ["(1 1)", "(1 1)", "(2 2)", "(1 1)"]
    assert len(counted) == 3


def test_an_edit_of_an_included_file_takes_effect(tmp_path: Path, counted: list[str]) -> None:
    library(tmp_path, "parts", '(include "parts.scm")')

    def run(value: str) -> str:
        (tmp_path / "parts.scm").write_text(f"(define (parts) {value}) (define parts-macro {value})")
        return evaluated("(import (parts)) (parts)", library_path=str(tmp_path))

    assert [run("1"), run("1"), run("22"), run("33")] == ["1", "1", "22", "33"]
    assert len(counted) == 3


def test_an_edit_of_a_file_that_a_text_includes_takes_effect(tmp_path: Path, counted: list[str]) -> None:
    part = tmp_path / "part.scm"

    def run(value: str) -> Any:
        part.write_text(f"(define part {value})")
        return Interpreter(host=SystemHost()).eval(f'(include "{part}") part', keep=True)

    assert [run("1"), run("1"), run("2")] == [1, 1, 2]
    assert len(counted) == 2


def test_a_library_that_comes_into_being_is_seen(tmp_path: Path) -> None:
    text = "(cond-expand ((library (late)) (import (late)) (late)) (else 'none))"
    assert evaluated(text, library_path=str(tmp_path)) == "none"
    library(tmp_path, "late", "(begin (define (late) 'here) (define late-macro 1))")
    assert evaluated(text, library_path=str(tmp_path)) == "here"


def test_a_library_earlier_in_the_path_wins(tmp_path: Path) -> None:
    text = "(import (srfi 8)) (receive (a b) (values 1 2) (list a b))"
    evaluated(text, library_path=str(tmp_path))
    (tmp_path / "srfi").mkdir()
    (tmp_path / "srfi" / "8.sld").write_text(
        "(define-library (srfi 8) (export receive) (import (scheme base))"
        " (begin (define-syntax receive (syntax-rules () ((_ . rest) 'mine)))))"
    )
    assert evaluated(text, library_path=str(tmp_path)) == "mine"


def test_a_library_that_a_program_defines_is_never_taken_for_one_on_disk(tmp_path: Path) -> None:
    (tmp_path / "user.sld").write_text(
        "(define-library (user) (export user) (import (scheme base) (base)) (begin (define (user) (base))))"
    )
    (tmp_path / "base.sld").write_text(
        "(define-library (base) (export base) (import (scheme base)) (begin (define (base) 'true)))"
    )
    fake = "(define-library (base) (export base) (import (scheme base)) (begin (define (base) 'fake)))"
    path = str(tmp_path)
    assert evaluated(f"{fake} (import (user)) (user)", library_path=path) == "fake"
    assert evaluated("(import (user)) (user)", library_path=path) == "true"
    assert evaluated(f"{fake} (import (user)) (user)", library_path=path) == "fake"
    assert evaluated(f"(import (user)) {fake} (list (user))", library_path=path) in ("(fake)", "(true)")
    assert evaluated("(import (user)) (list 1 (user))", library_path=path) == "(1 true)"


def test_a_library_from_disk_can_be_replaced(tmp_path: Path) -> None:
    library(tmp_path, "part", "(begin (define (part) 'true) (define part-macro 1))")
    fake = "(define-library (part) (export part) (import (scheme base)) (begin (define (part) 'fake)))"
    for _ in range(2):
        texts = ("(import (part)) (define first (part))", fake, "(import (part)) (list first (part))")
        assert evaluated(*texts, library_path=str(tmp_path)) == "(true fake)"
        assert evaluated("(import (part)) (part)", library_path=str(tmp_path)) == "true"


def test_a_replaced_builtin_library_is_never_taken_for_the_real_one(tmp_path: Path) -> None:
    (tmp_path / "user.sld").write_text(
        "(define-library (user) (export user) (import (nodwyn syntax) (nodwyn builtins))"
        " (begin (define (user) (list 1))))"
    )
    fake = "(define-library (nodwyn builtins) (export list) (import (nodwyn syntax)) (begin (define (list x) 'fake)))"
    path = str(tmp_path)
    for first in ("0", "(import (nodwyn builtins))"):
        assert evaluated(first, fake, "(import (user)) (user)", library_path=path) == "fake"
        assert evaluated(f"(import (user)) (list (quote {first}) (user))", library_path=path).endswith(" (1))")


def test_a_library_that_is_defined_again_runs_again(known: Callable[[], None]) -> None:
    def define(value: int) -> str:
        return f"(define-library (l) (export x) (import (scheme base)) (begin (define (x) {value}))) (import (l))"

    texts = [define(1), "(define first (x))", define(2), "(list first (x))"]
    assert evaluated(*texts) == "(1 2)"
    known()
    assert evaluated(*texts) == "(1 2)"


# What is on disk.


@pytest.mark.parametrize("damage", ["cut", "other", "gone"])
def test_damaged_entries_are_made_again(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODWYN_CACHE_DIR", str(tmp_path / "scheme"))
    text = "(import (srfi 2)) (and-let* ((x '(1))) (map car (list x)))"
    evaluated(text)
    for path in (tmp_path / "scheme").iterdir():
        if damage == "gone":
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:-3] if damage == "cut" else b"something else")
    assert evaluated(text) == "(1)"
    compiled = {path.name: path.read_bytes() for path in (tmp_path / "scheme").iterdir()}
    assert evaluated(text) == "(1)"
    assert {path.name: path.read_bytes() for path in (tmp_path / "scheme").iterdir()} == compiled


def test_a_library_whose_entry_is_gone_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODWYN_CACHE_DIR", str(tmp_path / "scheme"))
    text = "(import (srfi 1)) (iota 3)"
    evaluated(text)
    for path in (tmp_path / "scheme").glob("*.library"):
        path.unlink()
    assert evaluated(text) == "(0 1 2)"


@pytest.mark.slow
def test_any_entry_may_be_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is bounded: the entry of a library may go while those that were compiled with it stay."""
    monkeypatch.setenv("NODWYN_CACHE_DIR", str(tmp_path / "scheme"))
    known = "(import (srfi 41) (srfi 158) (srfi 115)) (stream->list (stream-map + (stream 1 2) (stream 10 20)))"
    assert evaluated(known) == "(11 22)"
    entries = {path: path.read_bytes() for path in (tmp_path / "scheme").iterdir()}
    assert len(entries) > 5
    for number, gone in enumerate(entries):
        for path, content in entries.items():
            path.write_bytes(content)
        gone.unlink()
        # One that the expander has to see the libraries for, and the one from disk.
        assert evaluated(f"{known} '{number}") == str(number)
        gone.unlink(missing_ok=True)
        assert evaluated(known) == "(11 22)"


def test_without_a_cache_all_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODWYN_CACHE_DIR", "")
    assert evaluated("(define x '(1))", "(map car (list x))") == "(1)"


def python(program: str, **environment: str) -> str:
    """Return the output of a Python program in a process of its own."""
    variables = {name: value for name, value in os.environ.items() if name not in ("HOME", "NODWYN_CACHE_DIR")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=variables | environment, capture_output=True, text=True, check=True
    )
    return done.stdout


HEAVY = ("lark", "nodwyn.interp.expand", "nodwyn.interp.analyse", "nodwyn.interp.generate", "ast", "pickle", "signal")
LOADED = f"; import sys; print([name for name in {HEAVY!r} if name in sys.modules])"


@pytest.mark.parametrize("text", ["(+ 1 1)", "(map (lambda (x) (* x x)) '(1 2))", "(define-record-type r (m) r?) (m)"])
def test_a_known_text_needs_no_compiler(text: str, cache: Path) -> None:
    run = f"import nodwyn.interp.__main__ as command; command.main(['-e', {text!r}])"
    first = python(run, NODWYN_CACHE_DIR=str(cache))
    assert python(run + LOADED, NODWYN_CACHE_DIR=str(cache)) == f"{first}[]\n"


def test_a_process_without_a_home_works() -> None:
    assert python("import nodwyn.interp.__main__ as command; command.main(['-e', '(+ 1 1)'])") == "2\n"
