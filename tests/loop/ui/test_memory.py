"""``nodwyn memory`` and ``nodwyn earlier``: the person's own way to what was said and done."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import DONE, FAILED, main
from nodwyn.prims.directories import project_key, sessions_directory
from nodwyn.prims.log.events import Narrow
from nodwyn.prims.memory.earlier import leave
from tests.prims.memory.making import Maker, new_session


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
def task(root: Path) -> Maker:
    maker = new_session(sessions_directory(root))
    maker.turn("where is the okapi", "in the zoo", ("fs-read", {"path": "a"}, "one\ntwo okapi\x1b[2J\nthree\n"))
    maker.close()
    return maker


def test_a_search_whatever_the_leave(task: Maker, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "search", "okapi", "zoo"]) == DONE

    said = capsys.readouterr().out
    assert said.startswith("The best 3 of 4 events of 1 task of this project; nodwyn memory recall --task TASK SEQ")
    assert "    2: two okapi⟨U+001B⟩[2J\n" in said
    assert task.path.stem in said


def test_the_best_only(task: Maker, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "search", "--limit", "1", "zoo"]) == DONE
    assert "The best 1 of 4 events" in capsys.readouterr().out


@pytest.mark.parametrize("limit", ["0", "21", "x"])
def test_limits_are_checked(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["memory", "search", "--limit", limit, "zoo"])
    assert left.value.code == 2


def test_nothing_found_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "search", "okapi"]) == DONE
    assert capsys.readouterr().out.startswith("Nothing in 0 tasks of this project has any of the words okapi")


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (["8"], "three"),
        (["8", "2", "1"], "two okapi⟨U+001B⟩[2J"),
        (["--task", "20", "8", "3"], "three"),
    ],
)
def test_recall_writes_the_lines_that_are_asked_for(
    task: Maker, arguments: list[str], last: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["memory", "recall", *arguments]) == DONE
    assert capsys.readouterr().out.split("\n")[-2] == last


def test_recall_is_whole_however_long(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maker = new_session(sessions_directory(root))
    maker.ask("x " * 100_000)
    maker.log.close()

    assert main(["memory", "recall", "2", "1"]) == DONE
    assert len(capsys.readouterr().out) > 200_000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["99"], "nodwyn: there is no event 99: the events are 1 to"),
        (["3"], "nodwyn: event 3 is a turn.start, which is not shown"),
        (["--task", "1999", "2"], "nodwyn: no task of this project is named '1999'"),
        (["8", "40"], "nodwyn: start is 40, and event 8 has 3 lines"),
    ],
)
def test_mistakes_are_a_line(task: Maker, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "recall", *arguments]) == FAILED
    assert capsys.readouterr().err.startswith(said)


def test_cards_and_notes_of_a_task(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maker = new_session(sessions_directory(root))
    maker.ask("go")
    maker.plan(("done", "look"))
    maker.add(Narrow(first=2, through=3, note="We looked\nat it."))
    maker.end("stopped", reason="the person stopped it")
    maker.turn("on", "yes")
    maker.log.close()

    assert main(["memory", "cards"]) == DONE

    said = capsys.readouterr().out
    assert said.startswith("turn 2-6, stopped, 1.5 s, $0.00; asked: go\n  ended: stopped (the person stopped it)\n")
    assert "\n  plan:\n    [done] look\n\nnote 5, in place of 2-3\n  We looked\n  at it.\n\nturn 7-" in said


def test_a_task_without_turns_has_no_cards(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new_session(sessions_directory(root)).close()

    assert main(["memory", "cards", "--task", "2"]) == DONE
    assert capsys.readouterr().out == "There are no turns in it.\n"


def test_there_may_be_no_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "recall", "2"]) == FAILED
    assert capsys.readouterr().err == "nodwyn: there are no tasks here\n"


def test_the_leave_is_given_and_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for arguments in ([], ["on"], ["status"], ["off"], []):
        assert main(["earlier", *arguments]) == DONE
        said.append(capsys.readouterr().out.split(" for models (")[0].rsplit(" ", 1)[1])

    assert said == ["off", "on", "on", "off", "off"]
    assert "earlier_tasks = false" in (tmp_path / "config" / "workspaces.toml").read_text()


def test_settings_that_cannot_be_read_are_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config").mkdir(mode=0o700)
    (tmp_path / "config" / "workspaces.toml").write_text("[broken")

    assert main(["earlier", "on"]) == FAILED
    assert "is no TOML" in capsys.readouterr().err


def test_the_conversation_gives_and_takes_it_too(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("/earlier\n/earlier on\n/earlier maybe\n"))
    main([])

    said = capsys.readouterr()
    assert "are off for models" in said.out
    assert said.out.index("are off") < said.out.index("are on for models")
    assert "/earlier takes one of on, off, status" in said.err
    assert leave(project_key(root))
