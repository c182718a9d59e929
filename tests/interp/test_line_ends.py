"""A linefeed, a carriage return and both together end a line (section 7.1.1) for all that counts or shows lines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp import Interpreter, SchemeError
from nodwyn.interp.report import report
from nodwyn.interp.syntax import Source

ENDS = ["\n", "\r", "\r\n"]
PIECES = ['"a{}b"', "; a comment{}", "#| a {} b |#", "(list 1{}2)", "{}", "|a{}b|", "#;(x{})"]

texts = st.lists(st.tuples(st.sampled_from([p.replace("|a{}b|", "'|a{}b|") for p in PIECES]), st.sampled_from(ENDS)))


def lines_of(text: str) -> list[str]:
    return re.split("\r\n|\r|\n", text)


@given(texts, texts, st.sampled_from(["", *ENDS]))
def test_the_line_shown_is_that_of_the_fault(
    before: list[tuple[str, str]], after: list[tuple[str, str]], last: str
) -> None:
    head, tail = (" ".join(piece.replace("{}", end) for piece, end in pieces) for pieces in (before, after))
    if ";" in head:
        head += "\n"
    text = f"{head} (define (f) (list (car 5))) (list (f)) {tail}{last}"
    with pytest.raises(SchemeError) as raised:
        Interpreter().eval(text, "t")
    number = len(lines_of(text[: text.index("(car 5)")]))
    line = lines_of(text)[number - 1]
    shown = report(raised.value).split("\n")
    assert shown[0].startswith(f"t:{number}:")
    assert f"  in f (t:{number}:{line.index('(car 5)') + 1})  {line.strip()[:80]}" in shown
    number = len(lines_of(text[: text.index("(list (f))")]))
    assert any(each.startswith(f"  at the top level (t:{number}:") for each in shown)


@given(st.text(st.sampled_from("a\r\n")))
def test_a_source_has_the_lines_of_its_text(text: str) -> None:
    source = Source("t", text)
    assert [source.line(number) for number in range(1, len(source.starts()) + 1)] == lines_of(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            head = lines_of(text[:offset])
            assert source.position(offset) == (len(head), len(head[-1]) + 1)


@pytest.mark.parametrize("end", ENDS)
def test_programs_with_any_line_end_run_and_fail_alike(end: str, tmp_path: Path) -> None:
    lines = ["(import (scheme base) (scheme write))", '(display "a', 'b") ; here', "(define (f)", "  (car 5))", "(f)"]
    (tmp_path / "p.scm").write_bytes(end.join(lines).encode())
    command = [sys.executable, "-m", "nodwyn.interp", "p.scm"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    # A line end in a string is a linefeed (section 6.7).
    assert (ended.returncode, ended.stdout) == (70, b"a\nb")
    shown = ended.stderr.decode()
    assert shown.split("\n")[:2] == ["p.scm:5:3: error: car: pair must be a pair, got 5", "    (car 5))"]
    assert "(p.scm:6:1)  (f)\n" in shown
