"""nodwyn undo: the shell's way to take back what a session changed."""

from __future__ import annotations

import errno
import os

import pytest

from nodwyn.loop.ui.cli import OWNED_ELSEWHERE, main
from nodwyn.prims.log import Log, read
from tests.loop.ui.conftest import Place, calling

Captured = pytest.CaptureFixture[str]


def writes(name: str, content: str) -> str:
    return calling(f'(call fs-write (path . "{name}") (content . "{content}"))')


def do(place: Place, name: str, content: str) -> None:
    assert main(["run", "--approve", "edits", "--model", place.model(writes(name, content)), "go"]) == 0


def test_the_last_line_of_run_names_it_when_files_changed(place: Place, capsys: Captured) -> None:
    do(place, "a.txt", "a")
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"1 file was changed; nodwyn undo {place.log().stem} takes that back"


def test_a_write_that_failed_is_no_change(place: Place, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("nodwyn.prims.guard.paths.replace_content", refuse)
    do(place, "a.txt", "a")
    assert place.events("file.version")
    assert "undo" not in capsys.readouterr().err


def test_without_a_change_run_does_not_name_it(place: Place, capsys: Captured) -> None:
    (place.root / "a.txt").write_text("a")
    model = place.model(calling('(call fs-read (path . "a.txt"))'))
    assert main(["run", "--model", model, "go"]) == 0
    assert "undo" not in capsys.readouterr().err


def test_it_takes_back_the_latest_turn_of_the_latest_session_here(place: Place, capsys: Captured) -> None:
    do(place, "a.txt", "a")
    do(place, "b.txt", "b")
    main(["eval", "(+ 1 2)"])
    capsys.readouterr()
    assert main(["undo"]) == 0
    assert capsys.readouterr().out == "took back the changes of b.txt\n"
    assert [path.name for path in place.root.iterdir()] == ["a.txt"]


def test_a_session_is_named_and_keeps_the_record(place: Place, capsys: Captured) -> None:
    do(place, "a.txt", "a")
    first = place.log()
    do(place, "b.txt", "b")
    assert main(["undo", first.stem]) == 0
    assert [path.name for path in place.root.iterdir()] == ["b.txt"]
    events = [event.as_json() for event in read(first)]
    assert [event["by"] for event in events if event["kind"] == "tool.call"][-1] == "person"
    assert [event["decision"] for event in events if event["kind"] == "guard.decision"][-1] == "allow"
    assert events[-1]["kind"] == "session.end"
    assert "undo" in [event["kind"] for event in events]


def test_a_call_or_turn_is_named(place: Place) -> None:
    do(place, "a.txt", "a")
    log = place.log()
    model = place.model(writes("b.txt", "b"))
    assert main(["resume", log.stem, "go", "--approve", "edits", "--model", model]) == 0
    first = min(event.seq for event in read(log) if event.kind == "turn.start")
    assert main(["undo", "--event", str(first)]) == 0
    assert [path.name for path in place.root.iterdir()] == ["b.txt"]


def test_a_file_that_was_changed_since_stays_and_that_is_failure(place: Place, capsys: Captured) -> None:
    do(place, "a.txt", "a")
    (place.root / "a.txt").write_text("mine")
    assert main(["undo"]) == 1
    assert "nothing was taken back" in capsys.readouterr().err
    assert (place.root / "a.txt").read_text() == "mine"


def test_how_to_go_on_is_said_as_the_shell_writes_it(place: Place, capsys: Captured) -> None:
    write = '(call fs-write (path . "{0}.txt") (content . "{0}"))'
    both = calling(f"{write.format('a')}) (quote {write.format('b')}")
    assert main(["run", "--approve", "edits", "--model", place.model(both), "go"]) == 0
    log = place.log()
    one = next(event.seq for event in read(log) if event.kind == "tool.call")
    name = log.stem
    (place.root / "a.txt").write_text("mine")
    again = f"then `nodwyn undo {name} --event {one}` again; or make by hand what is shown"
    for _ in ("beside one that is taken back", "alone"):
        capsys.readouterr()
        assert main(["undo"]) == 1
        said = capsys.readouterr().err
        assert again in said
        assert "(undo " not in said


def test_how_to_take_back_a_later_call_first_is_said_as_the_shell_writes_it(place: Place, capsys: Captured) -> None:
    do(place, "a.txt", "a")
    log = place.log()
    model = place.model(writes("a.txt", "b"))
    assert main(["resume", log.stem, "go", "--approve", "edits", "--model", model]) == 0
    one, two = (event.seq for event in read(log) if event.kind == "tool.call")
    assert main(["undo", "--event", str(one)]) == 1
    by = f"nodwyn undo {log.stem} --event"
    assert f"`{by} {two}` takes that back; then `{by} {one}` again" in capsys.readouterr().err


def test_another_directory_has_nothing_to_take_back(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    do(place, "a.txt", "a")
    (place.root / "below").mkdir()
    monkeypatch.chdir(place.root / "below")
    assert main(["undo"]) == 1
    assert "no session that began in this directory changed a file" in capsys.readouterr().err
    assert (place.root / "a.txt").exists()


def test_where_nothing_is_left_it_says_how_another_is_named(place: Place, capsys: Captured) -> None:
    do(place, "a.txt", "a")
    assert main(["undo"]) == 0
    assert main(["undo"]) == 1
    assert "`nodwyn undo SESSION` takes back those of another session" in capsys.readouterr().err


def test_a_session_that_is_open_is_left_alone(place: Place) -> None:
    do(place, "a.txt", "a")
    with Log.open(place.log(), redact=str):
        assert main(["undo"]) == OWNED_ELSEWHERE
    assert (place.root / "a.txt").exists()
