"""Each program of the files beside this fails where it says, with the words it says; README.md gives the form."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.__main__ import main
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.printer import write

if TYPE_CHECKING:
    from tests.conftest import Program

FILES = sorted(path.name for path in Path(__file__).parent.glob("*.scm"))
EXPECTATION = re.compile(r" ; error (\d+): (.*)$")
UNCAUGHT = 70

every_program = pytest.mark.programs(*FILES)


@pytest.fixture(autouse=True)
def collector_as_before() -> Iterator[None]:
    """The command sets the collector for its process; the tests that follow here must not inherit that."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


class Expectation(NamedTuple):
    """line, column: from 1. parts: what the message has, in order. source: the line without the expectation."""

    line: int
    column: int
    parts: list[str]
    source: str


def expectation(program: Program) -> Expectation:
    for number, line in enumerate(program.text.splitlines(), 1):
        if found := EXPECTATION.search(line):
            return Expectation(number, int(found[1]), found[2].split(" … "), line)
    raise AssertionError(f"{program.title}: no line says which error to expect")


def assert_in_order(parts: list[str], text: str) -> None:
    """Fail unless all parts stand in the text, one after another."""
    pattern = ".*".join(map(re.escape, parts))
    assert re.search(pattern, text, re.DOTALL), f"{parts} not in order in: {text}"


def said(payload: object) -> str:
    """Return what a condition says, or how a raised object of another kind is written."""
    if not isinstance(payload, Condition):
        return write(payload)
    irritants = " ".join(map(write, payload.irritants)) if payload.kind in ("error", "syntax") else ""
    return f"{payload.procedure}: {payload.message} {irritants} {payload.hint}"


@every_program
def test_the_condition_says_what_and_where(program: Program) -> None:
    expected = expectation(program)
    with pytest.raises(SchemeError) as raised:
        Interpreter().eval(program.text, name=program.file.name)
    payload = raised.value.payload
    assert_in_order(expected.parts, said(payload))
    if isinstance(payload, Condition):
        assert repr(payload.span) == f"{program.file.name}:{expected.line}:{expected.column}"


@every_program
def test_the_command_shows_the_line_and_a_caret(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = expectation(program)
    file = tmp_path / "program.scm"
    file.write_text(program.text, encoding="utf-8")
    status = main([str(file)])
    shown = capsys.readouterr().err
    assert status == UNCAUGHT
    assert f"{file}:{expected.line}:{expected.column}" in shown
    assert_in_order(expected.parts, shown)
    assert "Traceback" not in shown
    # The line under the source line has the caret where the column is.
    marked = re.search(f"^( *){re.escape(expected.source)}\n( *)\\^", shown, re.MULTILINE)
    assert marked, f"the source line with a caret is not shown: {shown}"
    assert len(marked[2]) == len(marked[1]) + expected.column - 1


def test_a_process_ends_with_the_status_for_an_uncaught_condition(tmp_path: Path) -> None:
    file = tmp_path / "program.scm"
    file.write_text("(define (f x) (car x))\n(display (f 5))\n", encoding="utf-8")
    command = [sys.executable, "-m", "nodwyn.interp", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (UNCAUGHT, "")
    assert "car: pair must be a pair, got 5" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_stack_shows_who_called_whom(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "program.scm"
    file.write_text(
        "(define (inner x) (+ 1 (car x)))\n"
        "(define (middle x) (* 2 (inner x)))\n"
        "(define (outer x) (list (middle x)))\n"
        "(display (outer 5))\n",
        encoding="utf-8",
    )
    main([str(file)])
    shown = capsys.readouterr().err
    assert_in_order(["inner", ":1:", "middle", ":2:", "outer", ":3:", ":4:"], shown)


@pytest.mark.parametrize(
    "text",
    ["(car 5)", "(raise 'x)", "(undefined)", "(let loop ((i 0)) (if (< i 10) (loop (+ i 1)) (vector-ref #(1) i)))"],
)
def test_an_interpreter_goes_on_after_an_error(text: str) -> None:
    scheme = Interpreter()
    scheme.eval("(define x 20)")
    with pytest.raises(SchemeError):
        scheme.eval(text)
    assert scheme.eval("(+ x 1)") == 21
