"""What the examples of the documentation show: each prints its transcript."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS_OF_THE_LOOP = {"strategy"}  # no programs: tests/loop/test_strategy.py has this one do a turn
EXAMPLES = [path for path in sorted((ROOT / "docs" / "examples").glob("*.scm")) if path.stem not in PARTS_OF_THE_LOOP]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_its_transcript(example: Path) -> None:
    command = [sys.executable, "-m", "nodwyn.interp", str(example)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    transcript = (ROOT / "tests" / "transcripts" / f"{example.stem}.txt").read_text(encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, transcript, "")
