"""nodwyn summary: a text in place of a span, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import OWNED_ELSEWHERE, USAGE, main
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.log import Log, read
from nodwyn.prims.log.events import ModelRequest, ModelResponse, SessionStart, UserMessage

Captured = pytest.CaptureFixture[str]


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
def session(root: Path) -> Path:
    """Return the log of a closed session of four turns: messages 2, 5, 8, 11, replies 4, 7, 10, 13."""
    log = Log.create(sessions_directory(root), SessionStart(program="nodwyn 0", root=str(root)), redact=str)
    for number in range(1, 5):
        log.append(UserMessage(text=f"question {number}"))
        request = log.append(ModelRequest(recipe=1, digest="0" * 64))
        content = [{"type": "text", "text": f"answer {number}"}]
        log.append(ModelResponse(request=request, content=content, stop="end"))
    log.close()
    return log.path


@pytest.fixture
def text(root: Path) -> str:
    """Return the name of a file with a summary."""
    (root / "summary.txt").write_text("What it came to.\nMore.\n", encoding="utf-8")
    return "summary.txt"


@pytest.mark.parametrize("before", [True, False])
def test_it_is_made_listed_and_dropped_with_options_on_either_side(
    session: Path, text: str, capsys: Captured, before: bool
) -> None:
    def summary(*options: str) -> str:
        words = [*options, session.stem] if before else [session.stem, *options]
        assert main(["summary", *words]) == 0
        return capsys.readouterr().out

    seq = summary("--from", "2", "--through", "7", "--text", text)
    assert seq == "14\n"
    assert summary() == "    14  2-7  active      What it came to. …\n"
    assert summary("--drop", seq.strip()) == ""
    assert summary() == "    14  2-7  dropped     What it came to. …\n"


def test_a_session_without_summaries_lists_none(session: Path, capsys: Captured) -> None:
    assert main(["summary", session.stem]) == 0
    assert capsys.readouterr() == ("", "")


def test_no_model_is_called(session: Path, text: str) -> None:
    assert main(["summary", "--from", "2", "--through", "7", "--text", text, session.stem]) == 0
    assert [event.kind for event in read(session)][14 - 1 :] == ["summary"]


def test_an_owner_is_not_raced(session: Path, text: str, capsys: Captured) -> None:
    with Log.open(session, redact=str):
        before = session.read_bytes()
        assert main(["summary", "--from", "2", "--through", "7", "--text", text, session.stem]) == OWNED_ELSEWHERE
        assert session.read_bytes() == before
    said = capsys.readouterr()
    assert f"nodwyn: session {session.stem} is owned by process" in said.err
    assert said.out == ""


def test_an_open_session_is_listed(session: Path) -> None:
    with Log.open(session, redact=str):
        assert main(["summary", session.stem]) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "3", "--through", "7"], "event 3 is llm.req; the nearest is 2"),
        (["--from", "2", "--through", "6"], "event 6 is llm.req; the nearest is 7"),
    ],
)
def test_a_wrong_end_of_the_span_is_an_error_that_names_a_right_one(
    session: Path, text: str, capsys: Captured, options: list[str], said: str
) -> None:
    assert main(["summary", *options, "--text", text, session.stem]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "status"), [(b"x" * 16384, 0), (b"x" * 16385, 1), (b"x" * 100_000, 1), (b"bad \xff", 1)]
)
def test_the_file_is_utf8_of_at_most_sixteen_kibibytes(root: Path, session: Path, data: bytes, status: int) -> None:
    (root / "big.txt").write_bytes(data)
    assert main(["summary", "--from", "2", "--through", "7", "--text", "big.txt", session.stem]) == status


def test_a_missing_file_is_an_error(session: Path, capsys: Captured) -> None:
    assert main(["summary", "--from", "2", "--through", "7", "--text", "none.txt", session.stem]) == 1
    assert "none.txt: No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--from", "2"],
        ["--text", "summary.txt"],
        ["--from", "2", "--through", "7", "--text", "summary.txt", "--drop", "3"],
    ],
)
def test_half_a_summary_is_a_mistake_in_the_line(session: Path, text: str, options: list[str]) -> None:
    assert main(["summary", *options, session.stem]) == USAGE
