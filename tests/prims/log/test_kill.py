"""Processes killed with SIGKILL while they append."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

KILL_AT_RANDOM = Path(__file__).with_name("kill_at_random.py")


@pytest.mark.parametrize(
    ("count", "seed"),
    [(20, 1), pytest.param(1000, 2, marks=[pytest.mark.slow, pytest.mark.timeout(900)])],
)
def test_every_acknowledged_event_is_there(count: int, seed: int, tmp_path: Path) -> None:
    command = [sys.executable, str(KILL_AT_RANDOM), str(tmp_path), str(count), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10 * count
