"""The public R7RS suite of chibi-scheme passes, every test of it.

It is not part of this project: NODWYN_R7RS_SUITE names a checkout that has it as ``tests/r7rs-tests.scm``.
``tests/suite`` has the small test library that it imports.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = os.environ.get("NODWYN_R7RS_SUITE", "")
SUPPORT = Path(__file__).parent / "suite"
LEAST_TESTS = 1000


@pytest.mark.skipif(not CHECKOUT, reason="NODWYN_R7RS_SUITE names no checkout of the suite")
def test_the_whole_suite_passes() -> None:
    command = [sys.executable, "-m", "nodwyn.interp", "tests/r7rs-tests.scm"]
    environment = {**os.environ, "NODWYN_LIBRARY_PATH": str(SUPPORT)}
    ended = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    assert int(ended.stdout.split()[0]) > LEAST_TESTS
