"""What all tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

# How long one example takes says more about the machine than about the code; pytest-timeout bounds the whole test.
settings.register_profile("patient", parent=settings(), deadline=None)
settings.load_profile("patient")

# Under nohup, and behind a shell's `&`, these are ignored, and so they stay in all programs that are started: what
# those do about them could not be tried.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Program(NamedTuple):
    """A Scheme program out of a file that holds many, each under a line that begins with ``;;;`` and names it.

    text: the program, behind as many empty lines as stand before it in the file, so that line numbers agree.
    """

    file: Path
    title: str
    text: str


def read_programs(file: Path) -> Iterator[Program]:
    """Yield the programs of a file."""
    title, lines, begin = "", list[str](), 0
    for number, line in enumerate([*file.read_text(encoding="utf-8").splitlines(), ";;; end"], 1):
        if line.startswith(";;; "):
            if title:
                yield Program(file, title, "\n" * begin + "\n".join(lines) + "\n")
            title, lines, begin = line[4:], [], number
        else:
            lines.append(line)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "programs(*files): run the test for each program of these files beside it")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("programs")
    if marker is None:
        return
    beside = Path(metafunc.definition.path).parent
    programs = [program for name in marker.args for program in read_programs(beside / name)]
    metafunc.parametrize("program", programs, ids=[f"{program.file.stem}: {program.title}" for program in programs])
