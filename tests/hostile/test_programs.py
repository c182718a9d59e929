"""Programs that try to run for ever, to fill the memory, or to outlive their stop: each ends, with a condition.

Each runs in an interpreter with limits, which stays usable, and by the command line, which ends by itself and never
by a signal or with a Python traceback.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nodwyn.interp import Interpreter, Limits
from nodwyn.interp.errors import Condition, SchemeError

if TYPE_CHECKING:
    from tests.conftest import Program

GRACE_SECONDS = 1.0
UNCAUGHT = 70


def end_within(program: Program, limits: Limits, seconds: float) -> None:
    """Fail unless the program ends with a condition in time, and the interpreter can be used again."""
    scheme = Interpreter()
    scheme.eval("(import (scheme base))")  # libraries that are compiled for the first time take their time
    # A limit that is reached while what other tests have left is being collected would be reported as theirs.
    gc.collect()
    scheme.limits = limits
    start = time.monotonic()
    with pytest.raises(SchemeError) as raised:
        scheme.eval(program.text, name=program.file.name)
    took = time.monotonic() - start
    assert isinstance(raised.value.payload, Condition) or "handler" in program.title
    assert took < seconds + GRACE_SECONDS
    scheme.limits = Limits()
    assert scheme.eval("(let loop ((i 0)) (if (< i 100) (loop (+ i 1)) i))") == 100


@pytest.mark.programs("loops.scm", "stops.scm")
def test_an_endless_program_ends_at_the_time_limit(program: Program) -> None:
    end_within(program, Limits(seconds=0.1), 0.1)


@pytest.mark.slow
@pytest.mark.programs("recursion.scm", "sizes.scm")
def test_a_program_without_bounds_ends_at_a_limit(program: Program) -> None:
    end_within(program, Limits(seconds=2, memory_mb=512), 2)


@pytest.mark.slow
@pytest.mark.programs("loops.scm", "stops.scm", "recursion.scm", "sizes.scm")
def test_the_command_ends_by_itself(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "program.scm"
    file.write_text(program.text, encoding="utf-8")
    limits = ["--time-limit", "2", "--memory-limit", "512"]
    command = [sys.executable, "-m", "nodwyn.interp", *limits, str(file)]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    took = time.monotonic() - start
    # One that calls exit, too: its status does not hide that it was stopped before it was out.
    assert done.returncode == UNCAUGHT, done.stderr[-2000:]
    assert "Traceback" not in done.stderr
    assert took < 2 + GRACE_SECONDS + 0.5, "half a second more for the process to start"
