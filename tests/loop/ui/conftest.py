"""Commands as real processes, at a terminal or without one, and models that are Scheme files."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims.log import read

COMMAND = [sys.executable, "-m", "nodwyn.loop.ui.cli"]
SIGNALS = [
    (signal.SIGTERM, 143),
    (signal.SIGHUP, 129),
    pytest.param(
        *(signal.SIGQUIT, 131),
        marks=pytest.mark.skipif(
            signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN, reason="a shell has it ignored in the background"
        ),
    ),
]
"""What leaves at once, and the exit status."""

PATIENCE = 30.0
"""Seconds that a process may take to say something."""


class Terminal:
    """A command at a terminal of its own. What it writes is read by :meth:`expect`.

    kind: of terminal; one that is ``dumb`` has no colours.
    """

    def __init__(self, arguments: Sequence[str], kind: str) -> None:
        self._master, slave = pty.openpty()
        environment = {**os.environ, "TERM": kind}

        def take_terminal() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=take_terminal,  # noqa: PLW1509 - tests start no threads of their own
        )
        os.close(slave)
        self._unread = ""

    def expect(self, text: str) -> str:
        """Return what is written up to and with a text."""
        until = time.monotonic() + PATIENCE
        while text not in self._unread:
            ready, _, _ = select.select([self._master], [], [], max(0.0, until - time.monotonic()))
            piece = self._piece() if ready else ""
            if not piece:
                raise AssertionError(f"{text!r} was not written; instead:\n{self._unread}")
            self._unread += piece
        before, self._unread = self._unread.split(text, 1)
        return before + text

    def type(self, text: str) -> None:
        """Type a text: a line ends with a line feed, Ctrl-D is ``\\x04``, a lone surrogate is a byte by itself."""
        os.write(self._master, text.encode("utf-8", "surrogateescape"))

    def press_ctrl_c(self) -> None:
        """Press Ctrl-C as soon as a person could: two at the same time are one, and a prompt takes a moment."""
        time.sleep(0.4)
        self.type("\x03")

    def status(self) -> int:
        """Return the exit status, reading on meanwhile; a signal's number is negative."""
        while piece := self._piece():
            self._unread += piece
        return self.process.wait(PATIENCE)

    def rest(self) -> str:
        """Return what was written and not expected."""
        return self._unread

    def hang_up(self) -> None:
        """Close the terminal."""
        os.close(self._master)
        self._master = -1

    def close(self) -> None:
        """End it, if it still runs."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        if self._master >= 0:
            self.hang_up()

    def _piece(self) -> str:
        try:
            return os.read(self._master, 65_536).decode(errors="replace").replace("\r\n", "\n")
        except OSError:  # Linux says so when the last writer has gone
            return ""


class Place:
    """A directory to work in, nodwyn's own directories beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "here"
        self.root.mkdir()

    def model(self, text: str) -> str:
        """Return how a model is named that is this Scheme text: it defines ``(reply request)``."""
        file = self.folder / "model.scm"
        file.write_text(text, encoding="utf-8")
        return f"scripted:{file}"

    def configure(self, text: str, name: str = "models.toml") -> Path:
        """Write a file of the configuration directory."""
        file = self.folder / "config" / name
        file.parent.mkdir(mode=0o700, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def log(self) -> Path:
        """Return the log of the only session."""
        (found,) = self.folder.glob("data/projects/*/sessions/*.jsonl")
        return found

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        """Return the events of the only session, or those of a kind."""
        return [event.as_json() for event in read(self.log()) if kind in ("", event.kind)]

    def wait_for_event(self, kind: str) -> None:
        """Return when the only session has an event of a kind."""
        until = time.monotonic() + PATIENCE
        while not list(self.folder.glob("data/projects/*/sessions/*.jsonl")) or not self.events(kind):
            assert time.monotonic() < until, f"there was no {kind}"
            time.sleep(0.02)


def wait_for(file: Path) -> None:
    """Return when a file is there."""
    until = time.monotonic() + PATIENCE
    while not file.exists():
        assert time.monotonic() < until, f"{file} did not appear"
        time.sleep(0.02)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Return an empty directory that is the current one."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    made = Place(tmp_path)
    monkeypatch.chdir(made.root)
    return made


@pytest.fixture
def at_terminal(place: Place) -> Iterator[Callable[..., Terminal]]:
    """Return what starts a command at a terminal."""
    started: list[Terminal] = []

    def start(*arguments: str, kind: str = "dumb") -> Terminal:
        started.append(Terminal(arguments, kind))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


@pytest.fixture
def silent_server() -> Iterator[str]:
    """Return the address of a server that takes requests and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


HELLO = '(define (reply request) (list "Hello."))'

ONCE = """
(import (only (srfi 1) last))
(define (reply request)
  (if (string=? "user" (cdr (assq 'role (last (cdr (assq 'messages request))))))
      (list "I run it." (quote CALL))
      (list "That was it.")))
"""


def calling(call: str) -> str:
    """Return a model that makes one call in each turn, written as the model writes it, and then answers."""
    return ONCE.replace("CALL", call)
