"""Errors call the procedures and macros of libraries by names that a library exports, not by those of their parts."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from nodwyn.interp import Exit, Interpreter, Limits, SchemeError
from nodwyn.interp.library_path import LibraryPath, standard_library
from nodwyn.interp.report import summary

OF_BUILTINS = {"(nodwyn builtins)", "(nodwyn syntax)", "(nodwyn prelude)"}
"""What the standard libraries are made from: not for programs as such."""


def _libraries() -> Iterable[str]:
    def refuse(name: str, base: str | None) -> None:
        raise AssertionError(name)

    return sorted(set(LibraryPath([standard_library()], refuse).names()) - OF_BUILTINS)  # type: ignore[arg-type]


LIBRARIES = list(_libraries())


def exports(scheme: Interpreter, library: str) -> list[str]:
    """Return the names that a library exports."""
    expander = scheme.programs.libraries.expander
    assert expander is not None
    return sorted(symbol.name for symbol in expander.registry.get(library, None).exports)


@pytest.fixture(scope="module")
def scheme() -> Interpreter:
    made = Interpreter(limits=Limits(seconds=5))
    made.eval("(import (only (scheme eval) eval environment))")
    return made


@pytest.fixture(scope="module")
def exported(scheme: Interpreter) -> set[str]:
    """All names that standard libraries export."""
    for library in LIBRARIES:
        scheme.eval(f"(environment '{library})")
    return {name for library in LIBRARIES for name in exports(scheme, library)}


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_name_in_an_error_is_an_exported_one(library: str, scheme: Interpreter, exported: set[str]) -> None:
    scheme.eval(f"(define home (environment '{library}))")
    wrong = []
    for name in exports(scheme, library):
        try:
            procedure = scheme.eval_scheme(f"(eval '|{name}| home)")
        except SchemeError:
            # A keyword.
            continue
        for arguments in ((), (5,) * 40) if callable(procedure) else ():
            try:
                scheme.call(procedure, *arguments)
            except SchemeError as error:
                said, colon, rest = summary(error.payload).partition(": ")
                shown = rest.partition("as in (")[2].partition(" ")[0].partition(")")[0] or said
                anonymous = said == "a procedure" and name.endswith("-limit")
                if colon and not anonymous and not {said, shown} <= exported | {"procedure"}:
                    wrong.append((name, summary(error.payload)))
            except Exit:
                pass
    assert not wrong


USES = [
    "({})",
    "({} 5)",
    "({} 5 6)",
    "({} (5) 6)",
    "({} ((5)) 6)",
    "({} () (5 6) 7)",
    "({} 5 (#f _) (_ (+ 1 _)))",
    "({} . 5)",
]


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_form_in_an_error_is_an_exported_one(library: str, scheme: Interpreter, exported: set[str]) -> None:
    typed = Interpreter(limits=Limits(seconds=5))
    typed.eval(f"(import {library})")
    wrong = []
    for name in exports(scheme, library):
        for use in USES:
            text = use.replace("{}", name)
            try:
                typed.eval(text)
            except (SchemeError, Exit) as error:
                payload = getattr(error, "payload", None)
                said = getattr(payload, "procedure", None)
                if getattr(payload, "kind", "") == "syntax" and said is not None and said not in exported:
                    wrong.append((text, summary(payload)))
    assert not wrong
