"""Misuses of the macros of all libraries: what a person reads names the macro that was written, at its place."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from nodwyn.interp import Condition, Interpreter, SchemeError
from nodwyn.interp.expand.expander import Expander
from nodwyn.interp.expand.rules import Macro
from nodwyn.interp.expand.scope import Toplevel
from nodwyn.interp.library_path import standard_library
from nodwyn.interp.reader import read_source
from nodwyn.interp.syntax import Source

PARTS = '1 "s" x () (1) (x|1) ((x|1)) ((1|2)) ((x|1|2)) (((x)|1)) ((x|y)|1) (x|y|z) #(1)'.split()
"""What may stand in the place of a part, with a bar for a space. All are expressions but the empty list."""

LIBRARIES = [
    f"({path.parent.name} {path.stem})"
    for path in sorted(Path(standard_library()).glob("*/*.sld"))
    if path.stem != "prelude"
]


def misuses(name: str) -> list[str]:
    """Return uses of a macro with up to four parts, of which most are wrong."""
    some = random.Random(name)
    shapes: list[tuple[str, ...]] = [*itertools.chain(*(itertools.product(PARTS, repeat=count) for count in range(3)))]
    shapes += [tuple(some.choices(PARTS, k=count)) for count in (3, 4) for _ in range(40)]
    return [f"({' '.join([name, *shape]).replace('|', ' ')})" for shape in shapes]


def complaint(expander: Expander, scope: Toplevel, use: str) -> Condition | None:
    """Return what is said of a use, None if it is right."""
    try:
        for form in read_source(Source("program.scm", use)):
            expander.interaction(form, scope)
    except SchemeError as error:
        payload: Condition = error.payload
        return payload
    return None


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_misuse_names_the_macro_that_was_written(library: str) -> None:
    scheme = Interpreter()
    scheme.eval(f"(import {library})")
    expander, scope = scheme.programs.libraries.expander, scheme.programs.interaction.scope
    exports = expander.library(library).exports
    for name in sorted(symbol.name for symbol, meaning in exports.items() if isinstance(meaning, Macro)):
        found = [(use, complaint(expander, scope, use)) for use in misuses(name)]
        for use, each in found:
            if each is None:
                continue
            assert each.span.source.name == "program.scm", use
            is_of_a_part = each.procedure is None and each.span.start > 0
            assert each.procedure == name or is_of_a_part, (use, each.procedure, each.message)


@pytest.mark.parametrize(
    ("text", "procedure", "message", "at"),
    [
        ("(import (srfi 8)) (receive (1) 2 3)", "receive", "a part of it does not fit; expected (receive", "1) 2"),
        ("(import (srfi 8)) (receive (a a) 2 3)", "receive", "a is bound twice", "a) 2"),
        ("(import (srfi 8)) (receive a 2 (lambda))", "lambda", "expected (lambda", "(lambda))"),
        ("(import (srfi 8)) (receive a 2 (let ((x)) 1))", "let", "expected (let", "(x)) 1"),
        ("(import (srfi 8)) (receive a 2 (define (f 1) 2) 3)", "define", "expected (define", "1) 2) 3"),
        ("(import (prefix (srfi 8) p:)) (p:receive (1) 2 3)", "p:receive", "a part of it does not fit", "1) 2"),
        ("(import (srfi 41)) (define-stream (f 1) 2)", "define-stream", "a part of it does not fit; expected", "1) 2"),
        ("(import (srfi 41)) (let () (define-stream (f 1) 2) 3)", "define-stream", "a part of it does not", "1) 2"),
        ("(import (srfi 41)) (define-stream (f a) (define (g 1) 2) 3)", "define", "expected (define", "1) 2) 3"),
        (
            "(import (srfi 8)) (define-syntax two (syntax-rules () ((_ x) (receive (x) 1 x)))) (two 5)",
            "receive", "a part of it does not fit; expected (receive", "5)",
        ),
        (
            "(define-syntax mine (syntax-rules () ((_ x) (lambda (x) x)))) (mine 5)",
            "lambda", "expected (lambda", "5)",
        ),
        (
            "(define-syntax mine (syntax-rules () ((_ x) (let-syntax ((in (syntax-rules () ((_ (y)) y)))) (in x)))))"
            "(mine 5)",
            "mine", "a part of it does not fit; expected (mine x)", "(mine 5)",
        ),
        (
            "(define-library (own) (import (scheme base)) (export outer) (begin"
            " (define-syntax inner (syntax-rules () ((_ x) (lambda (x) 1))))"
            " (define-syntax outer (syntax-rules () ((_ x) (inner x))))))"
            " (import (own)) (outer 5)",
            "outer", "a part of it does not fit; expected (outer x)", "5)",
        ),
    ],
)  # fmt: skip
def test_the_form_that_is_named_is_the_innermost_that_a_person_wrote(
    text: str, procedure: str, message: str, at: str
) -> None:
    with pytest.raises(SchemeError) as raised:
        Interpreter().eval(text, "program.scm")
    payload = raised.value.payload
    assert isinstance(payload, Condition)
    assert payload.procedure == procedure
    assert payload.message.startswith(message)
    assert payload.span is not None
    assert text[payload.span.start :].startswith(at)
