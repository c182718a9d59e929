"""What the set-up says to a person whose machine lacks something. `.ci/venv` is run with stand-ins for Python."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Stand-ins for Python: they answer by what they are asked, and agree to all else.
RECENT = r'case "$*" in *print*) echo 3.12.1;; *venv\ --clear*) mkdir -p .venv/bin; cp "$0" .venv/bin/python;;'
COMPLETE = f"{RECENT} esac"
WITHOUT = {
    "Python": "exit 127",
    "a recent Python": 'case "$*" in *print*) echo 3.9.2;; *) exit 1;; esac',
    "ensurepip": f"{RECENT} *ensurepip*) exit 1;; esac",
    "a package index": rf"{RECENT} *pip\ install*) exit 1;; esac",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of nothing but what the set-up reads."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "venv", tmp_path / ".ci")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def set_up(tree: Path, python: str) -> subprocess.CompletedProcess[str]:
    stand_in = tree / "python"
    stand_in.write_text(f"#!/bin/sh\n{python}\n", encoding="utf-8")
    stand_in.chmod(0o755)
    environment = {"PATH": "/usr/bin:/bin", "PYTHON": str(stand_in)}
    return subprocess.run([tree / ".ci" / "venv"], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("Python", ["needs Python 3.11 or later.", "Found: none.", "apt-get install python3 python3-venv"]),
        ("a recent Python", ["needs Python 3.11 or later.", "python is 3.9.2.", "make test PYTHON="]),
        ("ensurepip", ["Python 3.12.1 is here, but not", "apt-get install python3.12-venv"]),
    ],
)
def test_what_is_missing_is_named_with_the_package_that_brings_it(tree: Path, missing: str, said: list[str]) -> None:
    done = set_up(tree, WITHOUT[missing])
    assert done.returncode == 1
    assert [part for part in said if part not in done.stderr] == []
    assert not (tree / ".venv").exists()


def test_a_failed_installation_is_tried_again(tree: Path) -> None:
    for _ in range(2):
        done = set_up(tree, WITHOUT["a package index"])
        assert done.returncode == 1
        assert "could not be installed" in done.stderr


def test_an_environment_is_kept_until_what_it_was_made_for_changes(tree: Path) -> None:
    made = "Making .venv with Python 3.12.1\n"
    assert [set_up(tree, COMPLETE).stdout for _ in range(2)] == [made, ""]
    with (tree / "pyproject.toml").open("a", encoding="utf-8") as pyproject:
        pyproject.write("\n# another dependency\n")
    assert set_up(tree, COMPLETE).stdout == made
