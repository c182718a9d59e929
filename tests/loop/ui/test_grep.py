"""nodwyn grep: lines as grep writes them, and its exit statuses."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import main


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current directory, with a few files; nodwyn's own directories are elsewhere."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "a.md").write_text("one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
    (folder / "src" / "b.py").write_text("two\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["two"], "a.md:2:two\nsrc/b.py:1:two\n"),
        (["two", "src"], "src/b.py:1:two\n"),
        (["two", "a.md"], "a.md:2:two\n"),
        (["two", "--glob", "*.py"], "src/b.py:1:two\n"),
        (["two", "--context", "1"], "a.md-1-one\na.md:2:two\na.md-3-three\n--\nsrc/b.py:1:two\n"),
        (["two|three", "a.md", "--context", "1"], "a.md-1-one\na.md:2:two\na.md:3:three\na.md-4-four\n"),
        (["two|four", "a.md", "--context", "1"], "a.md-1-one\na.md:2:two\na.md-3-three\na.md:4:four\na.md-5-five\n"),
        (["one|five", "a.md", "--context", "1"], "a.md:1:one\na.md-2-two\n--\na.md-4-four\na.md:5:five\na.md-6-six\n"),
    ],
)
def test_lines_are_written_as_grep_does(capsys: pytest.CaptureFixture[str], arguments: list[str], written: str) -> None:
    assert main(["grep", *arguments]) == 0
    assert capsys.readouterr().out == written


def test_a_pattern_may_begin_with_a_hyphen(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "c").write_text("rg --files\n")
    assert main(["grep", "--", "--files"]) == 0
    assert capsys.readouterr().out == "c:1:rg --files\n"


def test_without_a_match_the_status_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grep", "nothing"]) == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a("], "nodwyn: pattern must be a regular expression of RE2, and a parenthesis is not closed"),
        (["a", "--context", "6"], "nodwyn: context must be a number of lines from 0 to 5, got 6"),
        (["a", "--glob", "{"], "nodwyn: glob must be a glob, and a brace in it is not closed"),
        (["a", ".."], "outside"),
        (["a", "missing"], "nodwyn: missing: there is no such file or directory"),
    ],
)
def test_after_an_error_the_status_is_2(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert main(["grep", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_more_than_a_hundred_lines_are_said_to_be_cut(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "c").write_text("needle\n" * 101)
    assert main(["grep", "needle"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 100
    advice = "narrow the pattern, name a directory further down, or give a glob, or a higher --limit"
    assert err == f"nodwyn: there is more: {advice}\n"
    assert main(["grep", "needle", "--limit", "101"]) == 0
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (101, "")


@pytest.mark.parametrize("limit", ["0", "10001", "x"])
def test_a_limit_has_bounds(capsys: pytest.CaptureFixture[str], limit: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["grep", "two", "--limit", limit])
    assert left.value.code == 2


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["TWO", "-i", "src"], "src/b.py:1:two\n"),
        (["--ignore-case", "T(W)O", "src"], "src/b.py:1:two\n"),
        (["-w", "t|tw|two", "src"], "src/b.py:1:two\n"),
        (["-iw", "TW|TWO", "src"], "src/b.py:1:two\n"),
        (["-rn", "two", "src"], "src/b.py:1:two\n"),
        (["-r", "two", "-n", "src"], "src/b.py:1:two\n"),
        (["two", "src", "a.md"], "src/b.py:1:two\na.md:2:two\n"),
        (["two", "src", ".", "src/b.py"], "src/b.py:1:two\na.md:2:two\n"),
        (["-l", "o"], "a.md\nsrc/b.py\n"),
        (["-c", "o"], "a.md:3\nsrc/b.py:1\n"),
        (["--count", "o", "--glob", "*.py", "."], "src/b.py:1\n"),
    ],
)
def test_what_a_person_types(capsys: pytest.CaptureFixture[str], arguments: list[str], written: str) -> None:
    assert main(["grep", *arguments]) == 0
    assert capsys.readouterr() == (written, "")


@pytest.mark.parametrize("arguments", [["-w", "tw"], ["-l", "TWO"], ["-c", "nothing"]])
def test_what_does_not_match_so(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["grep", *arguments]) == 1
    assert capsys.readouterr() == ("", "")


def test_two_halves_of_a_word_are_no_pattern(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grep", "-w", "a)(b"]) == 2
    assert "a parenthesis closes nothing" in capsys.readouterr().err


def test_a_person_can_search_more_files_than_a_model(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3001):
        (root / "src" / f"{number}").write_text(f"line {number} .\n")
    assert main(["grep", "line 77 "]) == 0
    assert capsys.readouterr() == ("src/77:1:line 77 .\n", "")


def test_what_was_not_searched_is_said_with_its_reason(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abcd":
        (root / f"{name}.bin").write_bytes(b"two\0")
    (root / "latin\n1.txt").write_bytes(b"two \xe9")
    (root / "key.pem").write_text("two")
    (root / "large.txt").write_bytes(b"two\n" * (1 << 19))
    (root / "src" / "c.py").hardlink_to(root / "src" / "b.py")
    assert main(["grep", "two", "--glob", "!*.md"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    before, _, said = line.partition(": 4 binary (a.bin, b.bin, c.bin, …), ")
    assert before == "nodwyn: not searched"
    assert set(said.replace("), ", ")|").split("|")) == {
        "2 asked about when named (src/b.py, src/c.py)",
        "1 not UTF-8 (latin⟨U+000A⟩1.txt)",
        "1 protected, or no regular file (key.pem)",
        "1 too large (large.txt)",
    }
    assert main(["grep", "two", "a.bin"]) == 1
    assert capsys.readouterr().err == "nodwyn: not searched: 1 binary (a.bin)\n"


def test_what_is_too_deep_is_left_out_and_said(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = os.getcwd()
    for _ in range(201):
        os.mkdir("d")
        os.chdir("d")
    Path("deep.txt").write_text("two\n")
    os.chdir(here)
    assert main(["grep", "two", "--glob", "!*.md"]) == 0
    out, err = capsys.readouterr()
    assert out == "src/b.py:1:two\n"
    assert err.startswith("nodwyn: not searched: 1 too deep (d/d/")


@pytest.mark.parametrize("arguments", [["two"], ["-l", "two"], ["-c", "two"], ["two", "--context", "1"]])
def test_a_name_with_line_ends_forges_no_line(
    root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    (root / "x\ny.txt").write_text("two\n")
    assert main(["grep", *arguments, "--glob", "x*"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("x⟨U+000A⟩y.txt")


@pytest.mark.parametrize(("no_colour", "painted"), [("", True), ("1", False)])
def test_a_terminal_has_colour_and_nothing_unseen(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, no_colour: str, painted: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", no_colour)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    (root / "two\nlines").write_text("x\x1b[2Jtwo\n")
    assert main(["grep", "two", ".", "--glob", "two*"]) == 0
    plain = "two⟨U+000A⟩lines:1:x⟨U+001B⟩[2Jtwo\n"
    coloured = "\x1b[35mtwo⟨U+000A⟩lines\x1b[0m:\x1b[32m1\x1b[0m:x⟨U+001B⟩[2J\x1b[1;31mtwo\x1b[0m\n"
    assert capsys.readouterr().out == (coloured if painted else plain)
