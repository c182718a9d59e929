"""Appendix A: every standard library exports what the report lists, and the engine has it."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.expand.libraries import STANDARD

SIZES = {
    "(scheme base)": 238,
    "(scheme case-lambda)": 1,
    "(scheme char)": 22,
    "(scheme complex)": 6,
    "(scheme cxr)": 24,
    "(scheme eval)": 2,
    "(scheme file)": 10,
    "(scheme inexact)": 12,
    "(scheme lazy)": 5,
    "(scheme load)": 1,
    "(scheme process-context)": 5,
    "(scheme read)": 1,
    "(scheme repl)": 1,
    "(scheme time)": 3,
    "(scheme write)": 4,
    "(scheme r5rs)": 222,
}


@pytest.fixture(scope="module")
def scheme() -> Interpreter:
    return Interpreter()


def test_all_libraries_of_the_report_are_counted() -> None:
    assert {*STANDARD, "(scheme r5rs)"} == set(SIZES)


@pytest.mark.parametrize(("library", "size"), SIZES.items())
def test_a_library_exports_what_the_report_lists(library: str, size: int, scheme: Interpreter) -> None:
    assert len(scheme.programs.libraries.expander.library(library).exports) == size
