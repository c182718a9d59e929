"""Scripts that a repository brings are run only after the person's yes to their very content."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from nodwyn.loop import trust
from nodwyn.loop.ui.cli import main
from nodwyn.prims.small_files import MOST_WRITTEN
from tests.loop.conftest import Converse, Talk

MODEL = '(define (reply request) \'("done"))'


@pytest.fixture
def script(root: Path) -> Path:
    """Return a script of the repository's that marks the prompt."""
    folder = root / ".nodwyn" / "loop"
    folder.mkdir(parents=True)
    path = folder / "mark.scm"
    path.write_text('(set! prompt-additions (list "MARKED"))\n')
    return path


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return main(["trust"])


def is_marked(talk: Talk) -> bool:
    talk.say()
    return "MARKED" in talk.requests()[-1]["system"]


def notes(talk: Talk) -> str:
    return "\n".join(event["text"] for event in talk.events("note"))


def test_an_untrusted_script_is_not_run_and_a_note_says_so(converse: Converse, script: Path) -> None:
    talk = converse(MODEL)
    assert not is_marked(talk)
    assert ".nodwyn/loop/mark.scm" in notes(talk)
    assert "nodwyn trust" in notes(talk)


def test_a_yes_lets_it_run_until_it_changes(
    converse: Converse, script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(monkeypatch, "y\n") == 0
    assert '(set! prompt-additions (list "MARKED"))' in capsys.readouterr().out
    assert is_marked(converse(MODEL))
    script.write_text(script.read_text() + "; more\n")
    talk = converse(MODEL)
    assert not is_marked(talk)
    assert ".nodwyn/loop/mark.scm" in notes(talk)


@pytest.mark.parametrize(("said", "status"), [("n\n", 1), ("\n", 1), ("maybe\n", 1), ("", 4)])
def test_anything_but_yes_is_a_no(
    converse: Converse, script: Path, monkeypatch: pytest.MonkeyPatch, said: str, status: int
) -> None:
    assert answer(monkeypatch, said) == status
    assert not is_marked(converse(MODEL))


def test_trust_is_taken_back(converse: Converse, script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "yes\n")
    assert main(["trust", "--revoke"]) == 0
    assert not is_marked(converse(MODEL))


def test_the_yes_is_to_this_directory_alone(
    converse: Converse, script: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer(monkeypatch, "y\n")
    assert trust.trusted(str(tmp_path)) == {}


def test_a_link_out_of_the_repository_is_no_script(converse: Converse, root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.scm").write_text('(set! prompt-additions (list "MARKED"))')
    (root / ".nodwyn" / "loop").mkdir(parents=True)
    (root / ".nodwyn" / "loop" / "x.scm").symlink_to(tmp_path / "elsewhere.scm")
    talk = converse(MODEL)
    assert not is_marked(talk)
    assert "a script of this repository was not run" in notes(talk)


@pytest.mark.parametrize("content", [b"\xff", b";" * (MOST_WRITTEN + 1), b"a\0b"])
def test_a_script_that_cannot_be_read_is_named(
    converse: Converse, script: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    script.write_bytes(content)
    talk = converse(MODEL)
    talk.say()
    assert "was not run: .nodwyn/loop/mark.scm: " in notes(talk)
    assert main(["trust"]) == 0
    assert "cannot be run: .nodwyn/loop/mark.scm: " in capsys.readouterr().out


def test_a_name_of_several_lines_is_shown_in_one(
    converse: Converse, script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script.rename(script.with_name("a\n==> b (trusted)\x1b[8m.scm"))
    assert "\n" not in notes(converse(MODEL))
    answer(monkeypatch, "n\n")
    shown = capsys.readouterr().out
    assert "==> .nodwyn/loop/a⟨U+000A⟩==> b (trusted)⟨U+001B⟩[8m.scm (not trusted)\n" in shown
    assert "\n==> b (trusted)" not in shown
    assert "\x1b" not in shown


def test_without_init_nothing_of_it_is_run(converse: Converse, script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "y\n")
    assert not is_marked(converse(MODEL, init=False))


def test_a_damaged_store_trusts_nothing(
    converse: Converse, script: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer(monkeypatch, "y\n")
    (tmp_path / "config" / trust.STORE).write_text("[")
    assert not is_marked(converse(MODEL))
