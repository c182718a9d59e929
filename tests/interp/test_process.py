"""Ctrl-C at any time: a command ends with 130, and nothing of Python is shown."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

WATCHED = """
import os, runpy, signal, sys
module, at, ready, *sys.argv[1:] = sys.argv[1:]
imports = 0
def watch(event, arguments):
    global imports
    if event == "import" and (imports or signal.getsignal(signal.SIGINT) is not signal.default_int_handler):
        imports += 1
        if imports == 1 and int(ready):
            os.write(int(ready), b".")
        if imports == int(at):
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(watch)
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
"""Runs a module as a command. at: the import, from the command's first one on, at which Ctrl-C is pressed, 0 for none.
ready: where it is told that the command has begun, 0 for nowhere."""

COMMANDS = {
    "an expression": ["nodwyn.interp", "-e", "(let loop ((n 400000)) (if (> n 0) (loop (- n 1)) n))"],
    "eval": ["nodwyn.loop.ui.cli", "eval", "(let loop ((n 400000)) (if (> n 0) (loop (- n 1)) n))"],
    "grep": ["nodwyn.loop.ui.cli", "grep", "a", "."],
    "a conversation": ["nodwyn.loop.ui.cli"],
    "doctor": ["nodwyn.loop.ui.cli", "doctor"],
}

INTERRUPTED = re.compile(r"(\S+:\d+:\d+: )?error: interrupted\n")
"""What Scheme says that was running."""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    own = {"NODWYN_DATA_DIR": "data", "NODWYN_CONFIG_DIR": "config", "NODWYN_CACHE_DIR": "cache"}
    return {**os.environ, **{name: str(tmp_path / folder) for name, folder in own.items()}}


def started(tmp_path: Path, command: str, at: int, ready: int, environment: dict[str, str]) -> subprocess.Popen[str]:
    module, *arguments = COMMANDS[command]
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("a\n", encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "-c", WATCHED, module, str(at), str(ready), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path / "work",
        env=environment,
        pass_fds=[ready] if ready else [],
    )


def assert_quiet_end(process: subprocess.Popen[str]) -> None:
    """See that a command was interrupted, or was through before it could be: Python's last moments are the system's."""
    _, errors = process.communicate()
    assert process.returncode in (0, 130, -signal.SIGINT)
    assert "Traceback" not in errors
    if process.returncode and errors:
        # With the place, where a program was running already.
        assert INTERRUPTED.match(errors)


@pytest.mark.parametrize("at", [1, 2, 5, 20, 60, 120, 250, 500])
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_at_an_import(tmp_path: Path, environment: dict[str, str], command: str, at: int) -> None:
    assert_quiet_end(started(tmp_path, command, at, 0, environment))


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8])
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_after_a_while(tmp_path: Path, environment: dict[str, str], command: str, delay: float) -> None:
    read, write = os.pipe()
    process = started(tmp_path, command, 0, write, environment)
    os.close(write)
    assert os.read(read, 1) == b"."
    os.close(read)
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    assert_quiet_end(process)


def test_what_is_ignored_stays_so(tmp_path: Path, environment: dict[str, str]) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = started(tmp_path, "an expression", 0, 0, environment)
    finally:
        signal.signal(signal.SIGINT, before)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("0\n", "")
    assert process.returncode == 0
