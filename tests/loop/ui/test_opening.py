"""Beginning and closing a session: one in which nothing happened is not kept."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import main
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.log import Log
from nodwyn.prims.log.events import SessionStart

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty directory that is the current one; nodwyn's own directories are elsewhere."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        (["run", "--model", "MODEL", "go"], ""),
        (["run", "--json", "--model", "MODEL", "go"], ""),
        (["run", "--json", "--model", "MODEL"], '{"type": "message", "text": "go"}\n'),
        (["--model", "MODEL"], "go\n"),
        ([], "(+ 1 1)\n"),
        (["eval", "1"], ""),
    ],
)
def test_a_script_that_fails_leaves_no_session(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, command: list[str], typed: str
) -> None:
    _repository_script(root)
    model = _model(tmp_path)
    script = tmp_path / "config" / "init.scm"
    script.write_text("(define (f")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
    words = [word.replace("MODEL", model) for word in command]
    assert main(words) == 1
    said = capsys.readouterr()
    assert "a closing parenthesis is missing" in said.err
    assert "session 2" not in said.err
    assert _kept(root) == []


@pytest.mark.parametrize("effect", ['(fs-write "made.txt" "x")', '(fs-read "made.txt")', '(shell-exec "true")'])
def test_what_a_script_did_before_it_failed_stays_on_record(root: Path, tmp_path: Path, effect: str) -> None:
    (root / "made.txt").write_text("x")
    _model(tmp_path)
    (tmp_path / "config" / "init.scm").write_text(f"{effect} (car 1)")
    assert main(["eval", "1"]) == 1
    assert len(_kept(root)) == 1


@pytest.mark.parametrize("typed", ["", "\n", "/help\n", "/quit\n", "\n\n\n"])
def test_a_conversation_in_which_nothing_was_said_leaves_no_session(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    _repository_script(root)
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert main(["--model", _model(tmp_path)]) == 0
    assert _kept(root) == []


def test_a_session_that_was_there_stays_whatever_fails(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Log.create(sessions_directory(root), SessionStart(program="nodwyn 0", root=str(root)), redact=str):
        pass
    model = _model(tmp_path)
    (tmp_path / "config" / "init.scm").write_text("(define (f")
    monkeypatch.setattr(sys, "stdin", io.StringIO("/quit\n"))
    assert main(["resume", "--model", model]) == 1
    assert len(_kept(root)) == 1


def _repository_script(root: Path) -> None:
    """Have the repository bring a script, of which each beginning says that it was not run."""
    (root / ".nodwyn" / "loop").mkdir(parents=True)
    (root / ".nodwyn" / "loop" / "x.scm").write_text("(define x 1)")


def _model(tmp_path: Path) -> str:
    """Return how a model is named that answers, beside a configuration directory."""
    (tmp_path / "config").mkdir(mode=0o700)
    (tmp_path / "model.scm").write_text('(define (reply request) (list "Hello."))')
    return f"scripted:{tmp_path / 'model.scm'}"


def _kept(root: Path) -> list[str]:
    return [path.name for path in sessions_directory(root).glob("*.jsonl")]
