"""``nodwyn resume``: going on with a session, and saying what was interrupted in it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import main
from nodwyn.prims.session import Session
from tests.loop.ui.conftest import COMMAND, HELLO, Place, Terminal, calling, wait_for

SLEEPS = calling('(call shell-exec (line . "echo begun > begun; sleep 60"))')


def run(place: Place, task: str = "go") -> str:
    """Do a task in a new session; return its name."""
    assert main(["run", "--model", place.model(HELLO), task]) == 0
    return place.log().stem


def test_a_message_goes_on_with_a_session(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    name = run(place, "one")
    capsys.readouterr()
    assert main(["resume", name[:18], "two", "--model", place.model(HELLO)]) == 0
    assert capsys.readouterr().out == "Hello.\n"
    assert [event["text"] for event in place.events("user.msg")] == ["one", "two"]
    assert len(place.events("session.resume")) == 1


def test_the_model_that_was_asked_last_answers(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = run(place, "one")
    place.configure('default = "ollama/other"')
    capsys.readouterr()
    assert main(["resume", name, "two"]) == 0
    assert capsys.readouterr().out == "Hello.\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("three\n"))
    assert main(["resume"]) == 0
    assert f"\nscripted:{place.folder}/model.scm answers\nHello.\n" in capsys.readouterr().out


def test_a_model_that_is_no_more_does_not_keep_from_going_on(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = run(place, "one")
    (place.folder / "model.scm").unlink()
    monkeypatch.setattr("sys.stdin", io.StringIO("(display 42)\ntwo\n"))
    assert main(["resume", name]) == 2
    shown = capsys.readouterr()
    assert shown.out.endswith("42")
    assert "no model is named" in shown.err


def test_without_a_message_it_is_a_conversation(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    name = run(place)
    monkeypatch.setattr("sys.stdin", io.StringIO("two\n(define x 1)\n"))
    assert main(["resume", name, "--model", place.model(HELLO)]) == 0
    assert [event["text"] for event in place.events("user.msg")] == ["go", "two"]


def test_without_a_name_it_is_the_session_used_last_here(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    name = run(place)
    main(["eval", "1"])  # not meant to be gone on with
    monkeypatch.setattr("sys.stdin", io.StringIO("two\n"))
    assert main(["resume", "--model", place.model(HELLO)]) == 0
    shown = subprocess.run([*COMMAND, "show", name], capture_output=True, text=True, check=True).stdout
    assert "session.resume" in shown


def test_json_begins_with_what_opening_recorded(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    name = run(place)
    capsys.readouterr()
    assert main(["resume", name, "two", "--json", "--model", place.model(HELLO)]) == 0
    messages = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = [message["event"]["kind"] for message in messages if message["type"] == "event"]
    assert kinds[:2] == ["session.resume", "user.msg"]
    assert kinds[-2:] == ["turn.end", "session.end"]


def test_it_works_in_the_directory_that_the_session_began_in(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.root / "here.txt").touch()
    name = run(place)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO('(fs-list ".")\n'))
    capsys.readouterr()
    assert main(["resume", name]) == 0
    assert capsys.readouterr().out.endswith('("here.txt")\n')


def test_what_holds_for_a_session_does_not_outlive_it(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    writes = place.model(calling('(call fs-write (path . "a.txt") (content . "x"))'))
    monkeypatch.setattr("sys.stdin", io.StringIO("(define x 1)\n/approve edits\ngo\n"))
    assert main(["--model", writes]) == 0
    (place.root / "a.txt").unlink()
    monkeypatch.setattr("sys.stdin", io.StringIO("(display x)\ngo\n"))
    assert main(["resume", "--model", writes]) == 4
    assert "unbound variable: x" in capsys.readouterr().err
    assert not (place.root / "a.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["resume"], "there is no session here to go on with; `nodwyn` begins one"),
        (["resume", "2099"], "no session's name begins with '2099'"),
    ],
)
@pytest.mark.usefixtures("place")
def test_no_such_session(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert main(arguments) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize("message", ["", "  ", "\n"])
def test_an_empty_message_is_a_wrong_use(
    place: Place, capsys: pytest.CaptureFixture[str], message: str, options: list[str]
) -> None:
    name = run(place, "one")
    before = place.log().read_bytes()
    assert main(["resume", name, message, *options, "--model", place.model(HELLO)]) == 2
    assert "the message is empty" in capsys.readouterr().err
    assert place.log().read_bytes() == before


@pytest.mark.parametrize("more", [[], ["two"], ["two", "--json"]])
def test_a_session_that_is_open_elsewhere_is_refused_with_its_owner(
    place: Place, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    with Session.start(place.root, client="terminal") as session:
        before = session.log.path.read_bytes()
        assert main(["resume", session.name, *more, "--model", place.model(HELLO)]) == 5
        assert session.log.path.read_bytes() == before
    assert f"is owned by process {os.getpid()} on " in capsys.readouterr().err


def killed(place: Place) -> None:
    """Have a session whose process was killed in the midst of a command."""
    arguments = ["run", "--approve", "all", "--model", place.model(SLEEPS), "go"]
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(place.root / "begun")
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_a_kill_leaves_nothing_in_the_root_once_a_session_is_begun(place: Place) -> None:
    killed(place)
    assert main(["resume", "--model", place.model(HELLO), place.log().stem, "go on"]) == 0
    assert [path.name for path in place.root.iterdir()] == ["begun"]


def test_what_a_kill_interrupted_is_in_the_json_too(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    killed(place)
    assert main(["resume", place.log().stem, "go on", "--json", "--model", place.model(HELLO)]) == 0
    messages = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = [message["event"]["kind"] for message in messages if message["type"] == "event"]
    assert kinds[:4] == ["interruption", "interruption", "session.resume", "user.msg"]


def test_what_a_kill_interrupted_is_said(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    killed(place)
    monkeypatch.setattr("sys.stdin", io.StringIO("go on\n"))
    assert main(["resume", "--model", place.model(HELLO)]) == 0
    shown = capsys.readouterr().out
    assert f"session {place.log().stem} in {place.root}; the last message was: go\n" in shown
    assert "run echo begun > begun; sleep 60: it was interrupted; whether it took effect is not known" in shown
    assert ", a turn: it was interrupted" in shown
    assert [event["how"] for event in place.events("turn.end")] == ["done"]
    assert main(["replay", place.log().stem, "--all"]) == 0


@pytest.mark.parametrize(
    "call",
    [
        '(call fs-write (path . "a.txt") (content . "x"))',
        '(call fs-edit (path . "there.txt") (old . "x") (new . "y"))',
        '(call shell-exec (line . "touch a.txt"))',
    ],
)
def test_of_a_call_that_was_killed_at_its_question_it_is_said_that_nothing_was_done(
    call: str,
    place: Place,
    at_terminal: Callable[..., Terminal],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (place.root / "there.txt").write_text("x")
    terminal = at_terminal("run", "--model", place.model(calling(call)), "go")
    terminal.expect("May this be done?")
    terminal.close()
    monkeypatch.setattr("sys.stdin", io.StringIO("go on\n"))
    assert main(["resume", "--model", place.model(HELLO)]) == 0
    shown = capsys.readouterr().out
    assert "it was interrupted before it was allowed; nothing of it was done\n" in shown
    assert "not known" not in shown
    assert [path.name for path in place.root.iterdir()] == ["there.txt"]
    assert main(["replay", place.log().stem, "--all"]) == 0
    reasons = [event["reason"] for event in place.events("interruption")]
    assert "the program ended before this was allowed; nothing of it was done" in reasons


@pytest.mark.parametrize("command", [["undo"], ["title", "--remove"], ["archive", "--back"]])
@pytest.mark.parametrize("more", [[], ["go on"], ["go on", "--json"]])
def test_whatever_puts_a_log_right_says_so_and_so_does_the_next_conversation(
    command: list[str],
    more: list[str],
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    killed(place)
    with place.log().open("ab") as log:
        log.write(b'{"seq":')
    main([*command, place.log().stem])
    shown = capsys.readouterr().err
    name = place.log().stem
    assert (
        f"session {name}: the last line of the log was not whole: its 7 bytes were put aside, in {name}.torn-" in shown
    )
    assert "sleep 60: it was interrupted; whether it took effect is not known" in shown
    assert ", a turn: it was interrupted" in shown
    main(["undo", name])
    assert "interrupted" not in capsys.readouterr().err
    for is_first in (True, False):
        monkeypatch.setattr("sys.stdin", io.StringIO("go on\n"))
        assert main(["resume", name, *more, "--model", place.model(HELLO)]) == 0
        shown = "".join(capsys.readouterr())
        assert ("interrupt" in shown) is is_first
        assert ("put aside" in shown or '"kind":"recovery"' in shown) is is_first
