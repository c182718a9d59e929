"""Files that cannot be read are conditions of kind "file" that name them, whoever asked for them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.interp import Condition, Interpreter, SchemeError, SystemHost

UNREADABLE = [
    ("none.scm", "cannot read none.scm: no such file or directory"),
    (".", "cannot read .: is a directory"),
    ("latin1.scm", "latin1.scm is not UTF-8 text: byte 1 (counted from 0) starts no character"),
]
ASKERS: dict[str, Callable[[Interpreter, str], object]] = {
    "load": lambda scheme, path: scheme.eval(f'(load "{path}")'),
    "include": lambda scheme, path: scheme.eval(f'(include "{path}")'),
    "the host program": lambda scheme, path: scheme.load(path),
}


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "latin1.scm").write_bytes(b'"\xe4"')
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize(("path", "message"), UNREADABLE)
def test_the_condition_names_the_file_and_the_reason(asker: str, path: str, message: str) -> None:
    with pytest.raises(SchemeError) as raised:
        ASKERS[asker](Interpreter(host=SystemHost([])), path)
    condition = raised.value.payload
    assert isinstance(condition, Condition)
    assert (condition.kind, condition.message) == ("file", message)


def run(*arguments: str, given: bytes = b"") -> tuple[int, str, str]:
    """Return the exit status of the command and what it wrote."""
    command = [sys.executable, "-m", "nodwyn.interp", *arguments]
    ended = subprocess.run(command, input=given, capture_output=True, check=False)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


@pytest.mark.parametrize(("path", "message"), UNREADABLE)
@pytest.mark.parametrize("option", [[], ["--expand"]])
def test_the_command_says_so(option: list[str], path: str, message: str) -> None:
    assert run(*option, path) == (70, "", f"error: {message}\n")


def test_a_program_may_come_from_the_standard_input() -> None:
    assert run("-", given=b"(import (scheme base) (scheme write)) (display 1)") == (0, "1", "")


def test_what_comes_from_the_standard_input_is_utf8() -> None:
    message = "the standard input is not UTF-8 text: byte 1 (counted from 0) starts no character"
    assert run("-", given=b'"\xe4"') == (70, "", f"error: {message}\n")
