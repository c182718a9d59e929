"""What `make demo` shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_tour_prints_its_transcript() -> None:
    tour = ROOT / "docs" / "examples" / "tour.scm"
    command = [sys.executable, "-m", "nodwyn.interp", str(tour)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    transcript = (ROOT / "tests" / "transcripts" / "tour.txt").read_text(encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, transcript, "")
