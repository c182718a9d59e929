"""nodwyn search and nodwyn index: what a person reads, and the exit statuses."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nodwyn.loop.ui import search
from nodwyn.loop.ui.cli import main
from nodwyn.prims.retrieval.about import status


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current directory, with a few files; nodwyn's own directories are elsewhere."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "a.md").write_text("# Zebras\n\nA zebra has stripes.\n")
    (folder / "src" / "b.py").write_text("def stripes():\n    pass\n")
    monkeypatch.chdir(folder)
    return folder


def test_results_are_paths_and_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "stripes", "--limit", "1"]) == 0
    written = capsys.readouterr()
    assert written.out == "src/b.py:1: def stripes():\n"
    assert written.err == "ranked 2 chunks of 2 files\n"


def test_the_best_lines_follow_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "zebra", "stripes", "--limit", "1"]) == 0
    assert capsys.readouterr().out == "a.md:1: # Zebras\na.md:3: A zebra has stripes.\n"


def test_words_may_be_several_and_a_path_narrows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "zebra", "stripes", "--path", "src"]) == 0
    assert "a.md" not in capsys.readouterr().out


def test_an_explanation_shows_the_parts_of_each_score(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "stripes", "--limit", "1", "--explain"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    parts = "text 1.000, path 0.000, definitions 0.200, coverage 0.400, history 0.000"
    assert last == f"    score 1.600: {parts}; words stripes"


def test_without_a_result_the_status_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "giraffe"]) == 1
    written = capsys.readouterr()
    assert written.out == ""
    assert "No file has any of these words" in written.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x", "--limit", "21"], "nodwyn: limit must be a number of results from 1 to 20, got 21"),
        (["x", "--path", "missing"], "nodwyn: missing: there is no such file or directory"),
        (["x", "--path", "/etc"], "nodwyn: /etc: it is outside of"),
        (["!"], "nodwyn: query has no word"),
    ],
)
def test_mistakes_are_said_in_a_line(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert main(["search", *arguments]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith(said)
    assert written.err.count("\n") == 1


def test_colours_at_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(search, "wanted", lambda stream: True)
    assert main(["search", "stripes", "--limit", "1"]) == 0
    assert "\x1b[36msrc/b.py\x1b[0m:\x1b[32m1\x1b[0m: \x1b[1mdef stripes():\x1b[0m" in capsys.readouterr().out


def test_what_would_steer_the_terminal_is_escaped(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "evil\x1b[31m.py").write_text("okapi \x1b]0;title\x07\n")
    assert main(["search", "okapi"]) == 0
    written = capsys.readouterr()
    assert "\x1b" not in written.out + written.err
    assert "\x07" not in written.out


def test_the_index_is_described_updated_and_forgotten(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "status"]) == 0
    assert capsys.readouterr().out == "This project has no index yet; the first search builds it.\n"
    assert main(["index", "update"]) == 0
    assert capsys.readouterr().out.startswith("The index holds 2 files. Read 2, removed 0;")
    assert main(["index", "status"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("2 texts in 2 chunks, 0.1 MiB in ")
    assert f"2 files of {root}, changed 20" in shown
    assert main(["index", "forget"]) == 0
    assert capsys.readouterr().out == "The index is removed; the next search builds it anew.\n"
    assert main(["index", "forget"]) == 0
    assert capsys.readouterr().out == "There was no index.\n"


def added(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / ".cache").mkdir()
    (root / ".cache" / "x.py").write_text("okapi")
    assert main(["index", "update", ".cache"]) == 0
    assert capsys.readouterr().out.startswith(".cache is indexed from now on, whatever git ignores.\nThe index holds 3")


def test_what_was_added_is_shown_and_stays(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    added(root, capsys)
    main(["index", "status"])
    assert "covered whatever git ignores: .cache" in capsys.readouterr().out
    assert main(["index", "forget"]) == 0
    assert "These paths stay added; --paths forgets them: .cache" in capsys.readouterr().out
    assert main(["search", "okapi"]) == 0
    capsys.readouterr()
    assert main(["index", "forget", "--paths"]) == 0
    assert "These paths are forgotten, too: .cache" in capsys.readouterr().out
    assert main(["search", "okapi"]) == 1


@pytest.mark.parametrize(("answer", "said"), [("y\n", "are forgotten, too"), ("\n", "stay added")])
def test_a_person_at_a_terminal_is_asked(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answer: str, said: str
) -> None:
    added(root, capsys)

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["index", "forget"]) == 0
    written = capsys.readouterr()
    assert ".cache\nForget them, too? [y/N] " in written.err
    assert said in written.out


def test_where_there_can_be_no_index_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["index", "update"])
    main(["index", "forget"])
    capsys.readouterr()
    (project,) = (tmp_path / "data" / "projects").iterdir()
    for file in (project / "index").iterdir():
        file.unlink()
    (project / "index").rmdir()
    (project / "index").write_text("in the way")
    assert main(["index", "update"]) == 1
    assert "nodwyn: the repository has no index: " in capsys.readouterr().err
    assert main(["index", "status"]) == 0
    assert status(Path.cwd()) is None


def test_what_is_too_deep_is_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    (folder / "zebra.txt").write_text("stripes of a zebra\n")
    monkeypatch.chdir(folder)
    for _ in range(201):
        os.mkdir("d")
        os.chdir("d")
    Path("zebra.txt").write_text("stripes of another zebra\n")
    os.chdir(folder)
    assert main(["search", "stripes"]) == 0
    out, err = capsys.readouterr()
    assert out == "zebra.txt:1: stripes of a zebra\n"
    assert "what lies more than 200 directories deep is left out" in err


def test_what_was_ranked_and_left_out_comes_before_the_results() -> None:
    command = [sys.executable, "-m", "nodwyn.loop.ui.cli", "search", "stripes", "--limit", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    assert done.stdout.splitlines() == ["ranked 2 chunks of 2 files", "src/b.py:1: def stripes():"]
