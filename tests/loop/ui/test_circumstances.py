"""Commands whose streams, words or directory are not what they should be: that is said, or nothing is."""

from __future__ import annotations

import os
import re
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


@pytest.mark.parametrize(
    ("command", "status"),
    [("", 1), ("run --model MODEL -", 1), ("run --json --model MODEL", 2), ("summary SESSION", 0)],
)
def test_an_input_that_cannot_be_read_is_said_where_it_is_wanted(place: Place, command: str, status: int) -> None:
    done = _at_shell(place, command, "0>/dev/null")
    assert done.returncode == status
    assert bool(re.search("standard input cannot be read|cannot read the standard input", done.stderr)) is (status > 0)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_words_that_are_no_text_are_no_traceback(place: Place, command: str) -> None:
    """Each command is given the bytes of a file name that is no UTF-8."""
    line = [sys.executable.encode(), b"-m", b"nodwyn.loop.ui.cli", command.encode(), b'\xff"x']
    done = subprocess.run(line, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("run x", 2),
        ("run --model none/x x", 2),
        ("run --model anthropic x", 2),
        ("run --model scripted:none.scm x", 2),
        ("run --model anthropic/none --max-cost 1 x", 2),
        ("run --max-seconds no x", 2),
        ("models none", 2),
        ("sessions --day never", 2),
        ("nonesuch", 2),
        ("models --offline", 0),
        ("models --names", 0),
        ("sessions", 0),
        ("resume", 1),
        ("resume none x", 1),
        ("show none", 1),
        ("replay none", 1),
        ("undo", 1),
        ("undo none", 1),
        ("title none x", 1),
        ("archive none", 1),
        ("delete none", 1),
        ("summary none", 1),
        ("memory search x", 0),
        ("--help", 0),
        ("--version", 0),
        ("completions bash", 0),
    ],
)
def test_what_begins_nothing_makes_nothing(place: Place, command: str, status: int) -> None:
    made = [place.folder / "config", place.folder / "data"]
    try:
        ended: object = main(command.split())
    except SystemExit as left:
        ended = left.code
    assert ended == status
    assert [folder for folder in made if folder.exists()] == []


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


CONVERSATION = "<<'END'\n{}\nEND"
WRITING = [
    "sessions --all",
    "eval '(display 1)'",
    "eval '(begin (display 1) (flush-output-port) (display 2))'",
    "eval '(display (make-string 100000 #\\a))'",
    "show SESSION",
    "--help",
    "--version",
    "run --model MODEL go",
    "run --json --model MODEL go",
    f"--model MODEL {CONVERSATION.format('go')}",
    f"--model MODEL {CONVERSATION.format('(display 1)')}",
    f"--model MODEL {CONVERSATION.format('(car 1)')}",
    f"--model MODEL {CONVERSATION.format('/help')}",
]
"""Commands that write something on the standard output, in a shell's words, or that something is wrong."""

MISTAKEN = ["sesions", "show nothing", "run --max-rounds x go", "eval '(car 1)'"]


def _at_shell(place: Place, command: str, streams: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the above. streams: where its output goes, in a shell's words."""
    main(["eval", "1"])
    words, line_end, rest = command.partition("\n")
    words = words.replace("SESSION", place.log().stem).replace("MODEL", place.model(HELLO))
    line = f"{sys.executable} -m nodwyn.loop.ui.cli {words} {streams}{line_end}{rest}"
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", WRITING)
def test_an_output_that_cannot_be_written_is_said(
    place: Place, monkeypatch: pytest.MonkeyPatch, command: str, unbuffered: str
) -> None:
    """What Scheme writes itself and is not held back fails there, where a handler may take it."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    done = _at_shell(place, command, ">/dev/full")
    assert done.returncode == 1
    if "car" not in command:
        assert "No space left on device" in done.stderr
    if "(" not in command:
        assert done.stderr.splitlines()[-1] == "nodwyn: the system says: No space left on device"
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert "fault of nodwyn" not in done.stderr


@pytest.mark.parametrize("streams", ["2>/dev/full", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize("command", [*WRITING, *MISTAKEN])
def test_where_nothing_can_be_said_the_status_is_still_nodwyns(place: Place, command: str, streams: str) -> None:
    done = _at_shell(place, command, streams)
    assert done.returncode in (0, 1, 2)
    assert done.returncode or (">/dev/full " not in streams and command not in MISTAKEN)
    assert done.stderr == ""


@pytest.mark.parametrize("command", WRITING)
def test_a_reader_that_has_gone_is_no_error_of_pythons(place: Place, command: str) -> None:
    done = _at_shell(place, command, "> >(exec true)")
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode in (0, 1)


WRITTEN = {
    "models.toml": (b'default = "scripted:/nowhere.scm"\n', ["models", "--offline"]),
    "workspaces.toml": (b"[projects]\n", ["earlier"]),
    "init.scm": (b"(define mine 1)\n", ["eval", "mine"]),
    "loop/mine.scm": (b"(define mine 1)\n", ["eval", "mine"]),
    "trusted.json": (b"{}", ["run", "go"]),
    "model.scm": (HELLO.encode(), ["run", "go"]),
}
"""What a person writes in the configuration directory, text that is right, and a command that reads it."""


def _configured(place: Place, name: str) -> tuple[Path, list[str]]:
    """Return where a file of these is, not made yet, and a command that reads it."""
    script = place.root / ".nodwyn" / "loop" / "x.scm"
    script.parent.mkdir(parents=True)
    script.write_text("(define x 1)", encoding="utf-8")
    model = place.configure(HELLO, "model.scm")
    command = WRITTEN[name][1]
    if command[0] == "run":
        command = [*command, "--model", f"scripted:{model}"]
    file = model.parent / name
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.unlink(missing_ok=True)
    return file, command


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_that_a_person_wrote_may_begin_with_a_mark_of_its_encoding(place: Place, name: str) -> None:
    file, command = _configured(place, name)
    file.write_bytes(b"\xef\xbb\xbf" + WRITTEN[name][0])
    assert main(command) == 0


@pytest.mark.parametrize("kind", ["pipe", "endless", "other"])
@pytest.mark.parametrize("name", WRITTEN)
def test_what_cannot_be_such_a_file_is_said_at_once(
    place: Place, capsys: pytest.CaptureFixture[str], name: str, kind: str
) -> None:
    file, command = _configured(place, name)
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "endless":
        file.symlink_to("/dev/zero")
    else:
        file.write_text("(define mine 1)", encoding="utf-16")
    status, said = main(command), "".join(capsys.readouterr())
    if name == "trusted.json":  # nothing is trusted then
        assert "x.scm. `nodwyn trust`" in said
    else:
        assert status == 2 or name != "model.scm" or kind == "other"
        assert f": it is {'UTF-16 text' if kind == 'other' else 'no regular file'}" in said
        assert str(file) in said or str(file.resolve()) in said


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
