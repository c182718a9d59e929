"""Completions, in the shells that this machine has."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import COMMANDS, main
from nodwyn.loop.ui.completions import commands


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completions", shell]) == 0
    return capsys.readouterr().out


def test_every_command_is_completed_with_its_own_options() -> None:
    known = {command.name: command for command in commands()}
    assert list(known) == ["", *COMMANDS]
    assert ("--approve",) in [option.names for option in known["run"].options]
    assert known["show"].takes_session
    assert known["completions"].words == ("bash", "fish", "zsh")


COMPLETE = """
{script}
COMP_WORDS=(nodwyn {words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_nodwyn
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("res", ["resume"]),
        ("run --ap", ["--approve"]),
        ("run --approve e", ["edits"]),
        ("--mo", ["--model"]),
        ("--plain --mo", ["--model"]),
        ("completions ''", ["bash", "fish", "zsh"]),
        ("run zzz", [""]),
    ],
)
def test_bash_completes_commands_options_and_their_values(
    capsys: pytest.CaptureFixture[str], words: str, completed: list[str]
) -> None:
    program = COMPLETE.format(script=script("bash", capsys), words=words)
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert [word for word in done.stdout.splitlines() if word not in ("-h", "--help")] == completed


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_the_shell_can_read_them(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    file = tmp_path / "completions"
    file.write_text(script(shell, capsys), encoding="utf-8")
    done = subprocess.run([shell, "-n", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_another_shell_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["completions", "csh"])
    assert left.value.code == 2
    assert "csh" in capsys.readouterr().err
