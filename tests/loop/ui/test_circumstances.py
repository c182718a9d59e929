"""Commands whose streams, words or directory are not what they should be: that is said, or nothing is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import COMMANDS, main
from tests.loop.ui.conftest import HELLO, Place

ENDLESS = '(define (reply request) (list "On." (quote (call fs-list))))'
STREAMS = [f"{number}{way}&-" for number, way in ((0, "<"), (1, ">"), (2, ">"))]


@pytest.mark.parametrize("closed", [*STREAMS, " ".join(STREAMS)])
@pytest.mark.parametrize("command", ["", "sessions", "eval '(display 1)' '(car 1)'", "run x", "models --offline"])
def test_closed_streams_are_no_traceback(place: Place, command: str, closed: str) -> None:
    line = f"{sys.executable} -m nodwyn.loop.ui.cli {command} {closed}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2)


@pytest.mark.parametrize("command", COMMANDS)
def test_words_that_are_no_text_are_no_traceback(place: Place, command: str) -> None:
    """Each command is given the bytes of a file name that is no UTF-8."""
    line = [sys.executable.encode(), b"-m", b"nodwyn.loop.ui.cli", command.encode(), b'\xff"x']
    done = subprocess.run(line, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("command", [[], ["sessions"], ["eval", "1"], ["run", "x"], ["grep", "x"], ["doctor"]])
def test_a_directory_that_was_removed_is_said(
    place: Place,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    main(command)
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert not said.startswith("nodwyn: :")


@pytest.mark.parametrize("command", ["sessions --all", "eval '(display 1)'", "show {}", "--help"])
def test_an_output_that_cannot_be_written_is_said(place: Place, command: str) -> None:
    main(["eval", "1"])
    line = f"{sys.executable} -m nodwyn.loop.ui.cli {command.format(place.log().stem)} >/dev/full"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "nodwyn: :" not in done.stderr
    assert done.returncode


@pytest.mark.parametrize("command", ["run --json --approve all", "run --approve all"])
def test_a_reader_that_goes_after_a_line_is_no_word_of_pythons(place: Place, command: str) -> None:
    model = place.model(ENDLESS)
    line = f"{sys.executable} -m nodwyn.loop.ui.cli {command} --max-rounds 20 --model {model} go | head -1"
    done = subprocess.run(
        ["bash", "-c", f"{line}; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True, check=False
    )
    assert "Exception ignored" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 1


def test_a_standard_error_that_cannot_be_written_is_no_status_of_pythons(place: Place) -> None:
    line = f"{sys.executable} -m nodwyn.loop.ui.cli run --model {place.model(HELLO)} go 2>/dev/full"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "Hello.\n")
