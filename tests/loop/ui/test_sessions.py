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
from nodwyn.prims.log.events import (
    FileVersion,
    ModelResponse,
    SessionArchive,
    SessionStart,
    SessionTitle,
    TurnEnd,
    TurnStart,
    UserMessage,
)

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
    assert "'soon' is no day, such as 2026-10-09" in capsys.readouterr().err


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


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ([], "$0.00"),
        ([{"cost": 0}], "$0.00"),
        ([{"unpriced": True}], "$?"),
        ([{"cost": 20_000}, {"unpriced": True}], "at least $0.02"),
    ],
)
def test_a_cost_that_is_not_known_is_not_said_to_be_nothing(
    make: Make, capsys: Captured, replies: list[dict[str, Any]], said: str
) -> None:
    path = make("one")
    with Log.open(path, redact=str) as log:
        for given in replies:
            log.append(ModelResponse(request=1, content=[], stop="end", **given))
    for _ in ("from the log", "from what is kept of it"):
        main(["sessions"])
        assert f"  1 turn  {said}  one" in capsys.readouterr().out


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
    assert main(["title", path.stem, "--remove"]) == 0
    assert main(["title", path.stem, "--remove"]) == 0
    assert listed(capsys) == ["hello"]
    assert [event.title for event in read(path) if isinstance(event, SessionTitle)] == ["one", "two", ""]


def test_without_words_the_title_is_shown_and_nothing_changes(make: Make, capsys: Captured) -> None:
    path = make("hello")
    main(["title", path.stem, "one", "\x1b[31mtwo"])
    before = path.read_bytes()
    capsys.readouterr()
    with Log.open(path, redact=str):
        assert main(["title", path.stem[:8]]) == 0
    assert capsys.readouterr() == ("one ⟨U+001B⟩[31mtwo\n", "")
    assert path.read_bytes() == before


def test_a_session_without_a_title_says_how_to_give_it_one(make: Make, capsys: Captured) -> None:
    path = make("hello")
    assert main(["title", path.stem]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert f"session {path.stem} has no title; nodwyn title {path.stem} WORD" in err


@pytest.mark.parametrize("words", [["--remove", "two"], [""], ["  ", ""], ["\n"]])
def test_a_title_that_is_not_clear_changes_nothing(words: list[str], make: Make, capsys: Captured) -> None:
    path = make("hello")
    main(["title", path.stem, "one"])
    assert main(["title", path.stem, *words]) == 2
    assert "--remove" in capsys.readouterr().err
    assert listed(capsys) == ["one"]


@pytest.mark.parametrize("command", [["archive"], ["title", "--remove"], ["delete", "--yes"]])
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


def looked(root: Path, *, when: str = "", changed: bool = False) -> Path:
    """Return the log of a closed session that lists leave out."""
    directory, start = sessions_directory(root), SessionStart(program="nodwyn 0", root=str(root), hidden=True)
    name = f"20260101T000000Z-{len(list(directory.glob('*.jsonl'))):08x}"
    with Log.create(directory, start.replace(when=when, client="eval"), redact=str, name=name) as log:
        if changed:
            log.append(FileVersion(path="a.txt", after="ab" * 32, when=when))
    return log.path


LONG_AGO = "2026-01-02T12:00:00.000Z"


def left(root: Path) -> set[str]:
    return {path.stem for path in sessions_directory(root).glob("*.jsonl")}


def test_what_is_old_is_deleted(root: Path, make: Make, capsys: Captured) -> None:
    make("old", when=LONG_AGO)
    looked(root, when=LONG_AGO)
    new = make("new"), looked(root)
    assert main(["delete", "--older-than", "1d", "--yes"]) == 0
    assert left(root) == {path.stem for path in new}
    assert capsys.readouterr().err == "deleted 2 of 2 sessions of this project, 0.0 MiB\n"


@pytest.mark.parametrize(
    ("only", "kept"),
    [
        ("looked", {"a turn", "a message", "archived", "imported", "changed"}),
        ("archived", {"a turn", "a message", "imported", "looked", "changed"}),
        ("imported", {"a turn", "a message", "archived", "looked", "changed"}),
    ],
)
def test_of_what_is_old_a_kind_can_be_chosen(root: Path, make: Make, only: str, kept: set[str]) -> None:
    made = {
        "a turn": make("one", when=LONG_AGO),
        "a message": make("two", "", when=LONG_AGO),
        "archived": make("three", when=LONG_AGO),
        "imported": make("four", when=LONG_AGO, client="import"),
        "looked": looked(root, when=LONG_AGO),
        "changed": looked(root, when=LONG_AGO, changed=True),
    }
    with Log.open(made["archived"], redact=str) as log:
        log.append(SessionArchive(archived=True, when=LONG_AGO))
    assert main(["delete", "--older-than", "12h", "--only", only, "--yes"]) == 0
    assert left(root) == {made[kind].stem for kind in kept}


def test_deleting_what_is_old_says_what_and_how_much_and_asks(root: Path, make: Make, capsys: Captured) -> None:
    make("one", when=LONG_AGO)
    looked(root, when=LONG_AGO)
    assert main(["delete", "--older-than", "4w"]) == UNANSWERED
    said = capsys.readouterr().err
    assert "2 sessions of this project, 0.0 MiB, would be deleted. The last was used on 2026-01-02" in said
    assert "1 of them had turns. None was" in said
    assert len(left(root)) == 2


@pytest.mark.parametrize(("answer", "kept"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_deleting_what_is_old_asks_at_a_terminal(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch, answer: str, kept: int
) -> None:
    make("one", when=LONG_AGO)
    said = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", said)
    assert main(["delete", "--older-than", "4w"]) == (UNANSWERED if kept else 0)
    assert len(left(root)) == kept
    assert "Delete 1 session of this project, 0.0 MiB, for good? The last was used on 2026-01-02" in said.getvalue()


def test_what_is_old_and_open_stays(root: Path, make: Make, capsys: Captured) -> None:
    path = make("one", when=LONG_AGO)
    with Log.open(path, redact=str):
        assert main(["delete", "--older-than", "1d", "--yes"]) == 0
    assert left(root) == {path.stem}
    assert capsys.readouterr().err == "There are no such sessions here.\n"


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--only", "looked"],
        ["2026", "--older-than", "1d"],
        ["2026", "--only", "looked"],
        ["--older-than", "soon"],
        ["--older-than", "1"],
        ["--older-than", "d"],
        ["--older-than", "99999d"],
        ["--older-than", "-1d"],
    ],
)
def test_a_deletion_that_is_not_clear_is_none(root: Path, make: Make, options: list[str]) -> None:
    make("one", when=LONG_AGO)
    try:
        status: Any = main(["delete", "--yes", *options])
    except SystemExit as leaving:
        status = leaving.code
    assert status == 2
    assert len(left(root)) == 1


@pytest.mark.parametrize("age", ["-1d", "30", "d", "1.5d", "1y", "99999d", "", " 3d", "-d", "\uff13d"])
@pytest.mark.parametrize("apart", [True, False])
def test_an_age_that_is_none_is_answered_with_what_is_one(age: str, apart: bool, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as left:
        main(["delete", *(["--older-than", age] if apart else [f"--older-than={age}"])])
    assert left.value.code == 2
    if age != "-d" or not apart:
        assert "a whole number of at most 4 digits and h, d or w" in capsys.readouterr().err


def test_the_beginning_of_a_name_is_that_of_a_session_that_lists_show(root: Path, make: Make, capsys: Captured) -> None:
    first = looked(root)
    one = make("one")
    assert main(["title", "2026", "found"]) == 0
    assert listed(capsys) == ["found"]
    two = make("two")
    assert main(["title", "2026", "none"]) == 1
    said = capsys.readouterr().err
    assert "2 sessions have names that begin with '2026'" in said
    assert one.stem in said
    assert two.stem in said
    assert main(["show", first.stem]) == 0


def test_where_no_other_begins_so_it_is_that_of_one_that_looked(root: Path, capsys: Captured) -> None:
    looked(root)
    assert main(["show", "2026"]) == 0
    looked(root)
    assert main(["show", "2026"]) == 1
    assert "2 sessions have names" in capsys.readouterr().err


def test_archived_sessions_are_listed_without_those_that_looked(root: Path, make: Make, capsys: Captured) -> None:
    looked(root)
    main(["archive", make("one").stem])
    assert listed(capsys) == []
    assert listed(capsys, "--archived") == ["one"]


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
