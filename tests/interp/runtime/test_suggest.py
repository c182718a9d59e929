"""What is said of an unknown name: which names are near, and which libraries have it."""

from __future__ import annotations

import pytest

from nodwyn.interp.library_path import standard_library
from nodwyn.interp.runtime.suggest import Exports, nearest


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("string-apend", ["string-append", "string-copy"], ["string-append"]),
        ("lenght", ["length", "list"], ["length"]),
        ("cra", ["car", "cdr"], ["car"]),
        ("foo", ["floor", "for-each"], []),
        ("x", ["y", "xs"], []),
    ],
)
def test_a_near_name_is_most_of_the_name(name: str, known: list[str], expected: list[str]) -> None:
    assert nearest(name, known) == expected


@pytest.mark.parametrize(
    ("name", "library"),
    [("read", "(scheme read)"), ("exact->inexact", "(scheme r5rs)"), ("fold", "(srfi 1)"), ("sin", "(scheme inexact)")],
)
def test_the_library_to_import_is_the_reports_own_smallest(name: str, library: str) -> None:
    assert Exports(standard_library()).hint(name).endswith(f": (import {library})")
