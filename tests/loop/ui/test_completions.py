"""Completions, in the shells that this machine has."""

from __future__ import annotations

import os
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


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a ``nodwyn`` that only lists: two models, a session."""
    program = tmp_path / "bin" / "nodwyn"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        "    'models --names') echo here/small; echo here/large ;;\n"
        "    'sessions --archived') echo '20261009T034803Z-3981612f  2026-10-09 03:48  1 turn' ;;\n"
        "esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("stand_in")
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("run --model ''", ["here/small", "here/large"]),
        ("--model here/l", ["here/large"]),
        ("show 2026", ["20261009T034803Z-3981612f"]),
    ],
)
def test_bash_asks_for_models_and_sessions(
    capsys: pytest.CaptureFixture[str], words: str, completed: list[str]
) -> None:
    program = COMPLETE.format(script=script("bash", capsys), words=words)
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == completed


@pytest.mark.usefixtures("stand_in")
@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish here")
def test_fish_says_of_each_answer_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "completions"
    file.write_text(script("fish", capsys), encoding="utf-8")
    asked = 'complete -C "nodwyn run --approve "; complete -C "nodwyn run --model here/l"'
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {file}; {asked}"], capture_output=True, text=True, check=True
    )
    *answers, model = done.stdout.splitlines()
    told = dict(line.split("\t") for line in answers)
    assert list(told) == ["all", "ask", "edits", "never", "reads"]
    assert len(set(told.values())) == 5
    assert model.startswith("here/large\t")


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
