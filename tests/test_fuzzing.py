"""The fuzzers themselves: each target can be run, finds nothing in what is known, and is described."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUN = ROOT / "bench" / "fuzz" / "run.py"
TARGETS = sorted(file.stem for file in (ROOT / "bench" / "fuzz" / "targets").glob("*.py"))
NEEDED = {"lines": ("bwrap", "prlimit", "bash")}


def fuzz(target: str, seconds: float, keep: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUN), target, "--seconds", str(seconds), "--keep", str(keep)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_every_target_is_described() -> None:
    described = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    assert [target for target in TARGETS if f"| `{target}` |" not in described] == []


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("target", TARGETS)
def test_a_target_runs_and_finds_nothing(target: str, tmp_path: Path) -> None:
    if missing := [program for program in NEEDED.get(target, ()) if shutil.which(program) is None]:
        pytest.skip(f"{', '.join(missing)} is missing")
    done = fuzz(target, 5, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 findings" in done.stdout
