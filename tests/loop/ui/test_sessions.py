"""nodwyn sessions, archive, delete and title."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.ui.cli import OWNED_ELSEWHERE, UNANSWERED, main
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.log import Event, Log, read
from nodwyn.prims.log.events import SessionStart, SessionTitle, TurnEnd, TurnStart, UserMessage

Captured = pytest.CaptureFixture[str]
Make = Callable[..., Path]


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty directory that is the current one; nodwyn's own directories are elsewhere."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def make(root: Path) -> Make:
    """Return what makes a closed session: what the person said, how it ended, when it was."""

    def make_session(text: str, ended: str = "done", when: str = "", **given: Any) -> Path:
        directory, start = sessions_directory(root), SessionStart(program="nodwyn 0", root=str(root), **given)
        name = f"20260101T000000Z-{len(list(directory.glob('*.jsonl'))):08x}"
        with Log.create(directory, start.replace(when=when), redact=str, name=name) as log:
            events: list[Event] = [UserMessage(text=text, when=when)]
            if ended:
                events += [TurnStart(message=2, when=when)]
            if ended not in ("", "unfinished"):
                events += [TurnEnd(turn=3, how=ended, when=when)]
            for event in events:
                log.append(event)
        return log.path

    return make_session


def listed(capsys: Captured, *options: str) -> list[str]:
    """Return the first messages or titles of the sessions that are listed."""
    capsys.readouterr()
    assert main(["sessions", *options]) == 0
    return [line.split("  ")[4] for line in capsys.readouterr().out.splitlines()]


def test_words_choose_by_title_and_first_message(make: Make, capsys: Captured) -> None:
    make("Fix the parser")
    make("Fix the printer")
    titled = make("hello")
    main(["title", titled.stem, "The", "Parser,", "again"])
    assert listed(capsys, "PARSER") == ["The Parser, again", "Fix the parser"]
    assert listed(capsys, "fix", "parser") == ["Fix the parser"]
    assert main(["sessions", "nothing"]) == 0
    assert "There are no such sessions here. --all lists those of eval too." in capsys.readouterr().err


@pytest.mark.parametrize("ended", ["done", "stopped", "budget", "error", "unanswered", "idle", "unfinished"])
def test_how_the_last_turn_ended_chooses(make: Make, capsys: Captured, ended: str) -> None:
    for how in ("done", "stopped", "budget", "error", "unanswered", "idle", "unfinished", ""):
        make(f"it is {how}", how)
    assert listed(capsys, "--ended", ended) == [f"it is {ended}"]


def test_a_day_chooses(make: Make, capsys: Captured) -> None:
    make("then", when="2026-01-02T12:00:00.000Z")
    make("now")
    assert listed(capsys, "--day", "2026-01-02") == ["then"]
    assert listed(capsys, "--day", "today") == ["now"]
    assert listed(capsys, "--day", datetime.now().date().isoformat()) == ["now"]
    assert listed(capsys, "--day", "yesterday") == []


def test_a_time_that_is_none_does_no_harm(make: Make, capsys: Captured) -> None:
    make("then", when="once upon a time")
    assert listed(capsys, "--day", "1970-01-01") == ["then"]


def test_a_day_that_is_none_is_a_mistake_in_the_line(capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        main(["sessions", "--day", "soon"])
    assert "invalid day, such as 2026-10-09 value: 'soon'" in capsys.readouterr().err


def test_the_latest_is_first(make: Make, capsys: Captured) -> None:
    make("second", when="2026-01-02T12:00:00.000Z")
    make("first", when="2026-01-03T12:00:00.000Z")
    assert listed(capsys) == ["first", "second"]


def test_what_hides_nothing_but_endings_is_marked(make: Make, capsys: Captured) -> None:
    make("one", "error", client="import")
    main(["sessions"])
    assert capsys.readouterr().out.rstrip().endswith("one  (import)  (error)")


def test_a_turn_that_was_killed_is_marked_unless_it_goes_on(make: Make, capsys: Captured) -> None:
    path = make("one", "unfinished")
    main(["sessions"])
    assert capsys.readouterr().out.rstrip().endswith("one  (unfinished)")
    with Log.open(path, redact=str):
        main(["sessions"])
        (line,) = capsys.readouterr().out.splitlines()
        assert "(open: " in line
        assert "unfinished" not in line


def test_a_session_without_a_turn_is_not_unfinished(make: Make, capsys: Captured) -> None:
    make("one", "")
    main(["sessions"])
    assert capsys.readouterr().out.rstrip().endswith("one")


def test_archiving_puts_away_and_takes_back(make: Make, capsys: Captured) -> None:
    one, two = make("one"), make("two")
    assert main(["archive", one.stem, two.stem]) == 0
    assert listed(capsys) == []
    assert listed(capsys, "--all") == ["two", "one"]
    before = one.read_bytes()
    assert main(["archive", one.stem]) == 0
    assert one.read_bytes() == before
    assert main(["archive", "--back", one.stem]) == 0
    assert listed(capsys) == ["one"]


def test_a_title_is_the_latest_and_can_be_taken_away(make: Make, capsys: Captured) -> None:
    path = make("hello")
    main(["title", path.stem, "one"])
    main(["title", path.stem, "two"])
    assert listed(capsys) == ["two"]
    main(["title", path.stem])
    assert listed(capsys) == ["hello"]
    assert [event.title for event in read(path) if isinstance(event, SessionTitle)] == ["one", "two", ""]


@pytest.mark.parametrize("command", [["archive"], ["title"], ["delete", "--yes"]])
def test_a_session_that_is_open_is_left_alone(make: Make, capsys: Captured, command: list[str]) -> None:
    path = make("hello")
    with Log.open(path, redact=str):
        before = path.read_bytes()
        assert main([*command, path.stem]) == OWNED_ELSEWHERE
        assert path.read_bytes() == before
    assert "is owned by process" in capsys.readouterr().err


def test_deleting_takes_all_that_is_derived_with_it(make: Make, capsys: Captured) -> None:
    one, two = make("one"), make("two")
    with Log.open(one, redact=str) as log:
        log.store(b"image")
    (one.with_suffix(".mem")).write_bytes(b"words")
    main(["sessions"])
    assert main(["delete", "--yes", one.stem]) == 0
    assert {path.name.split(".")[0] for path in one.parent.iterdir()} == {two.stem}
    assert listed(capsys) == ["two"]


def test_deleting_asks_nobody_where_there_is_no_terminal_and_is_then_not_done(make: Make, capsys: Captured) -> None:
    path = make("one")
    assert main(["delete", path.stem]) == UNANSWERED
    assert path.exists()
    assert "--yes says yes" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("answer", "is_deleted"), [("y\n", True), ("yes\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_deleting_asks_at_a_terminal(
    make: Make, monkeypatch: pytest.MonkeyPatch, answer: str, is_deleted: bool
) -> None:
    path, said = make("Fix the parser"), Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", said)
    assert main(["delete", path.stem]) == (0 if is_deleted else UNANSWERED)
    assert path.exists() is not is_deleted
    assert f"Delete session {path.stem} for good? It has 4 events in 1 turn: Fix the parser." in said.getvalue()


def test_a_name_that_none_has_deletes_nothing(make: Make) -> None:
    path = make("one")
    assert main(["delete", "--yes", path.stem, "2031"]) == 1
    assert path.exists()


COMMANDS_THAT_READ = [
    ["sessions"],
    ["sessions", "--all"],
    ["sessions", "parser"],
    ["show", "2026"],
    ["replay", "2026", "--all"],
    ["summary", "2026"],
    ["memory", "search", "words"],
    ["memory", "cards"],
    ["archive", "2026"],
    ["delete", "2026", "--yes"],
    ["title", "2026", "a title"],
    ["resume"],
]


@pytest.mark.parametrize("command", COMMANDS_THAT_READ, ids=" ".join)
@pytest.mark.parametrize("is_there", [True, False])
def test_what_only_reads_makes_nothing(command: list[str], is_there: bool, tmp_path: Path, capsys: Captured) -> None:
    data = tmp_path / "data"
    if is_there:
        data.mkdir(mode=0o700)
    main(command)
    assert list(tmp_path.rglob("data/*")) == []
    assert data.exists() is is_there
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "There are no sessions here. --all lists those of eval too.\n"),
        (["--all"], "There are no sessions here.\n"),
        (["parser"], "There are no such sessions here. --all lists those of eval too.\n"),
        (["--all", "--ended", "done"], "There are no such sessions here.\n"),
    ],
)
def test_an_empty_directory_that_cannot_be_written_has_no_sessions(
    options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    (tmp_path / "data").mkdir(mode=0o500)

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "mkdir", refuse)
    monkeypatch.setattr(os, "chmod", refuse)
    assert main(["sessions", *options]) == 0
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("content", [b"", b'{"seq":1,"at":"2026'])
@pytest.mark.parametrize("options", [[], ["--json"], ["--full"]])
def test_a_session_without_a_whole_event_says_so(
    content: bytes, options: list[str], root: Path, capsys: Captured
) -> None:
    (sessions_directory(root) / "20260101T000000Z-00000000.jsonl").write_bytes(content)
    for command in (["show", "2026", *options], ["replay", "2026"]):
        assert main(command) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert "session 20260101T000000Z-00000000 has no whole event" in err
        assert "`nodwyn delete 20260101T000000Z-00000000`" in err
    assert main(["delete", "20260101T000000Z-00000000", "--yes"]) == 0
    assert list(sessions_directory(root).iterdir()) == []
