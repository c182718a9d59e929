"""The git primitives: guarded questions, nothing of the repository's run, nothing protected shown."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.session import Session
from tests.prims.conftest import events

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="the program git is missing")


@pytest.fixture
def repository(root: Path) -> Path:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.c", *words], cwd=root, check=True)

    git("init", "-q", "-b", "main")
    (root / "a.txt").write_text("one\n")
    (root / ".env").write_text("SECRET=1\n")
    git("add", "-f", ".")
    git("commit", "-qm", "Begin")
    (root / "a.txt").write_text("two\n")
    (root / ".env").write_text("SECRET=2\n")
    return root


def text(session: Session, expression: str) -> str:
    return str(session.evaluate(expression).text())


def test_what_git_says(session: Session, repository: Path) -> None:
    assert "## main" in text(session, "(git-status)")
    assert " M a.txt" in text(session, "(git-status)")
    assert "-one\n+two\n" in text(session, "(git-diff)")
    assert text(session, "(git-diff '() '() #t)") == ""
    assert "a.txt | 2 +-" in text(session, "(git-diff '() '(\"a.txt\") #f #t)")
    assert "    Begin" in text(session, "(git-log)")
    assert text(session, '(git-show "HEAD:a.txt")') == "one\n"


def test_protected_files_are_left_out_and_named(session: Session, repository: Path) -> None:
    for expression in ("(git-diff)", "(git-show)"):
        shown = text(session, expression)
        assert "SECRET" not in shown
        assert "[not shown: .env]" in shown
    with pytest.raises(SchemeError, match="may not be shown"):
        session.evaluate('(git-show "HEAD:.env")')


def test_each_question_is_a_recorded_decision_and_labelled(session: Session, repository: Path) -> None:
    assert text(session, "(car (provenance (git-status)))") == "external:file"
    (decision,) = events(session, "guard.decision")
    assert (decision.as_json()["effect"], decision.as_json()["subject"]) == ("read", "git status")


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ('(git-show "no-such")', "git-show: no-such names no commit here"),
        ('(git-show "--output=x")', "is no revision"),
        ('(git-diff \'("a" "b" "c"))', "revisions must be a list of revisions, at most 2"),
        ("(git-diff '() '(\"../x\"))", "outside"),
        ('(git-log "HEAD" \'() 0)', "limit must be a number of commits from 1 to 1000, got 0"),
    ],
)
def test_mistakes_are_said(session: Session, repository: Path, expression: str, said: str) -> None:
    with pytest.raises(SchemeError, match=said):
        session.evaluate(expression)


def test_without_a_repository(session: Session) -> None:
    with pytest.raises(SchemeError, match="is in no git repository"):
        session.evaluate("(git-status)")
