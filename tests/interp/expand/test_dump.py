"""Libraries as bytes: macros work after they were loaded as before."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from nodwyn.interp.expand import Library, dump_library, load_library
from nodwyn.interp.printer import write

LIBRARIES = {
    "(base)": """
    (define-library (base)
      (export my-if (rename visible shown) (rename when unless-not))
      (import (nodwyn builtins) (nodwyn syntax))
      (begin
        (define-syntax my-if (syntax-rules (then) ((_ a then b c) (choose a b c))))
        (define-syntax choose (syntax-rules () ((_ a b c) (if a (note b) (note c)))))
        (define (note x) (list 'noted x))
        (define visible 'visible)))
    """,
    "(upper)": """
    (define-library (upper)
      (export twice my-if make-constant)
      (import (nodwyn builtins) (nodwyn syntax) (base))
      (begin
        (define-syntax twice (syntax-rules () ((_ x) (my-if #t then (list x helper) #f))))
        (define helper 'help)
        (define-syntax make-constant
          (syntax-rules ::: () ((_ name "s" #\\c 1.5 (x :::))
            (define-syntax name (syntax-rules () ((_ y ...) '(x ::: y ...)))))))))
    """,
}


def _reloaded(bench: Any) -> tuple[Any, list[str]]:
    """Return a bench whose libraries were loaded from bytes, and the list of those that were asked for."""
    original = bench(LIBRARIES)
    data = {name: dump_library(original.expander.library(name)) for name in LIBRARIES}
    made = bench(LIBRARIES)
    asked: list[str] = []

    def resolve(name: str) -> Library:
        asked.append(name)
        return made.expander.library(name)  # type: ignore[no-any-return]

    made.expander.registry.cached = lambda name, source: load_library(data[name], resolve, {})
    original.program("(import (upper))")
    made.evaluator = original.evaluator
    return made, asked


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("(import (upper)) (twice 1)", "(noted (1 help))"),
        (
            "(import (nodwyn syntax) (upper)) (let ((if 1) (note 2) (list 3) (helper 4)) (twice helper))",
            "(noted (4 help))",
        ),
        ("(import (base)) (my-if #f then 1 2)", "(noted 2)"),
        ("(import (base)) shown", "visible"),
        ("(import (base)) (unless-not #t 1)", "1"),
        ('(import (nodwyn syntax) (upper)) (make-constant m "s" #\\c 1.5 (1 2)) (m 3)', "(1 2 3)"),
    ],
)
def test_what_was_loaded_means_what_was_dumped(program: str, printed: str, bench: Any) -> None:
    made, _ = _reloaded(bench)
    assert write(made.program(program)) == printed


def test_names_and_imports_are_kept_and_code_is_not(bench: Any) -> None:
    made, _ = _reloaded(bench)
    library = made.expander.library("(upper)")
    assert library.name == "(upper)"
    assert library.imports == ["(nodwyn builtins)", "(nodwyn syntax)", "(base)"]
    assert library.body == []


def test_a_library_without_need_of_the_macros_of_another_does_not_load_it(bench: Any) -> None:
    made, asked = _reloaded(bench)
    made.expander.library("(base)")
    assert asked == []


def test_a_dump_holds_neither_the_text_nor_the_bindings_that_no_macro_needs(bench: Any) -> None:
    data = dump_library(bench(LIBRARIES).expander.library("(base)"))
    assert b"visible))" not in data
    assert b"call-with-values" not in data
    assert len(data) < 4000


def test_bytes_cannot_name_anything_outside_of_the_engine() -> None:
    with pytest.raises(pickle.UnpicklingError, match=r"builtins\.print does not belong into a library"):
        load_library(pickle.dumps(print), pytest.fail, {})
