"""Files that are included by way of themselves are told as a mistake, with the way round, and not read for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.interp import Condition, Interpreter, SchemeError, SystemHost
from nodwyn.interp.expand.sources import MOST_INCLUDED

FILES = {
    "itself.scm": '(define x 1)\n(include "itself.scm")',
    "case.scm": '(include-ci "case.scm")',
    "dotted.scm": '(include "./dotted.scm")',
    "nested.scm": '(define (f)\n  (let ((x 1))\n    (include "nested.scm")))',
    "one.scm": '(include "two.scm")',
    "two.scm": '(define x 1)\n(begin (include-ci "three.scm"))',
    "three.scm": '(list\n  (include "one.scm"))',
    "lib.sld": '(define-library (lib)\n  (include-library-declarations "declarations.scm"))',
    "declarations.scm": '(export)\n(include-library-declarations "declarations.scm")',
    "whole.sld": '(define-library (whole) (import (scheme base)) (include "body.scm"))',
    "body.scm": '(define x 1)\n(include "body.scm")',
    "leaf.scm": "(define count (+ 1 count))",
    "branch.scm": '(include "leaf.scm" "leaf.scm")',
}
CIRCLES = [
    ('(include "itself.scm")', "a file includes itself: itself.scm:2:10 includes itself.scm"),
    ('(let () (include "itself.scm") 1)', "a file includes itself: itself.scm:2:10 includes itself.scm"),
    ('(load "itself.scm")', "a file includes itself: itself.scm:2:10 includes itself.scm"),
    ('(include "case.scm")', "a file includes itself: case.scm:1:13 includes case.scm"),
    ('(list (include "case.scm"))', "a file includes itself: case.scm:1:13 includes case.scm"),
    ('(include "dotted.scm")', "a file includes itself: dotted.scm:1:10 includes ./dotted.scm"),
    ('(include "nested.scm")', "a file includes itself: nested.scm:3:14 includes nested.scm"),
    (
        '(include "one.scm")',
        "files include each other in a circle: "
        "one.scm:1:10 includes two.scm:2:20 includes three.scm:2:12 includes one.scm",
    ),
    ("(import (lib))", "a file includes itself: {}/declarations.scm:2:31 includes {}/declarations.scm"),
    ("(import (whole))", "a file includes itself: {}/body.scm:2:10 includes {}/body.scm"),
]


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def scheme(directory: Path) -> Interpreter:
    return Interpreter(host=SystemHost([]), library_path=[str(directory)])


@pytest.mark.parametrize(("text", "message"), CIRCLES)
def test_a_circle_is_told_with_the_way_round(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SchemeError) as raised:
        scheme(tmp_path).eval(text)
    condition = raised.value.payload
    assert isinstance(condition, Condition)
    assert condition.message == message.replace("{}", str(tmp_path))
    assert condition.kind == "syntax"
    assert condition.span is not None
    assert f"{condition.span!r} includes" in condition.message


def test_a_file_can_be_included_as_often_as_one_likes(tmp_path: Path) -> None:
    one = scheme(tmp_path)
    one.eval("(define count 0)")
    for _ in range(3):
        one.eval('(include "leaf.scm" "branch.scm") (include "leaf.scm")')
    one.eval('(load "leaf.scm") (load "branch.scm")')
    assert one.eval("count") == 15


def test_a_circle_under_ever_new_names_ends(tmp_path: Path) -> None:
    for number in range(MOST_INCLUDED + 2):
        (tmp_path / f"{number}.scm").write_text(f'(include "{number + 1}.scm")')
    (tmp_path / f"{MOST_INCLUDED + 2}.scm").write_text("1")
    with pytest.raises(SchemeError, match=f"more than {MOST_INCLUDED} deep"):
        scheme(tmp_path).eval('(include "0.scm")')
    assert scheme(tmp_path).eval('(include "10.scm")') == 1


def test_a_circle_that_is_mended_is_forgotten(tmp_path: Path) -> None:
    one = scheme(tmp_path)
    with pytest.raises(SchemeError, match="includes itself"):
        one.eval('(include "itself.scm")')
    (tmp_path / "itself.scm").write_text("(define x 5)")
    assert one.eval('(include "itself.scm") x') == 5
