"""project-notes and project-notes-save: one text for a repository, carried from session to session."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import write
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.guard.approvals import Answer, standing
from nodwyn.prims.kept_notes import LONGEST, notes_path
from nodwyn.prims.log.events import ProjectNotes, ToolResult
from nodwyn.prims.session import Session

Begin = Callable[..., Session]

KEY = "ghp_" + "kDq7Zx2mWp9Lr4Tn8Vb3Yc6Hs1Jf5Gd0Ke2A"


def save(session: Session, text: str) -> ToolResult:
    """Save notes as a model does."""
    result = session.log.event(call_from_model(session, "project-notes-save", {"text": text}, reply=1, id="c1"))
    assert isinstance(result, ToolResult)
    return result


def notes(session: Session) -> str:
    return write(session.evaluate("(project-notes)"))


def test_a_project_has_none_at_first(session: Session) -> None:
    assert notes(session) == '""'


def test_what_one_session_saves_the_next_is_shown(begin: Begin) -> None:
    with begin() as first:
        assert write(first.evaluate('(project-notes-save "Run make test.")')) == '"saved 15 bytes"'
    assert notes(begin()) == '"Run make test.\\n"'


def test_saving_replaces_the_whole_and_nothing_takes_them_away(session: Session) -> None:
    session.evaluate('(project-notes-save "one")')
    session.evaluate('(project-notes-save "two")')
    assert notes(session) == '"two\\n"'
    assert write(session.evaluate('(project-notes-save "")')) == '"the project has no notes now"'
    assert notes(session) == '""'
    assert not notes_path(session.root).exists()


def test_they_lie_outside_of_the_repository_and_are_private(session: Session, root: Path) -> None:
    session.evaluate('(project-notes-save "one")')
    path = notes_path(session.root)
    assert root not in path.parents
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(root) == []


def test_worktrees_share_them_and_a_clone_has_its_own(root: Path, begin: Begin) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    for command in (
        ["init", "-q", str(root)],
        ["-C", str(root), *identity, "commit", "-q", "--allow-empty", "-m", "first"],
        ["-C", str(root), "worktree", "add", "-q", str(root.parent / "tree")],
        ["clone", "-q", str(root), str(root.parent / "clone")],
    ):
        subprocess.run(["git", *command], check=True, capture_output=True)
    begin().evaluate('(project-notes-save "one")')
    with Session.start(root.parent / "tree", client="test") as tree:
        assert notes(tree) == '"one\\n"'
    with Session.start(root.parent / "clone", client="test") as clone:
        assert notes(clone) == '""'


def test_they_are_bounded(session: Session) -> None:
    session.evaluate(f"(project-notes-save (make-string {LONGEST - 1} #\\x))")
    with pytest.raises(SchemeError, match=f"text must be a string of at most {LONGEST} bytes"):
        session.evaluate(f"(project-notes-save (make-string {LONGEST + 1} #\\x))")
    assert len(notes_path(session.root).read_bytes()) == LONGEST


def test_they_are_redacted_before_they_are_kept(session: Session) -> None:
    session.evaluate(f'(project-notes-save "the token is {KEY}")')
    assert KEY.encode() not in notes_path(session.root).read_bytes()
    assert KEY.encode() not in session.log.path.read_bytes()
    assert "[redacted:" in notes(session)


def test_what_somebody_wrote_into_the_file_is_redacted_and_bounded_too(session: Session) -> None:
    notes_path(session.root).write_bytes(f"{KEY}\n".encode() + b"\xff" + b"x" * 2 * LONGEST)
    shown = notes(session)
    assert KEY not in shown
    assert len(shown) <= LONGEST + 100


def test_saving_is_on_record(session: Session) -> None:
    session.evaluate('(project-notes-save "one")')
    (seq,) = session.log.seqs("project.notes")
    event = session.log.event(seq)
    assert isinstance(event, ProjectNotes)
    assert event.text == "one"
    assert list(session.log.seqs("guard.decision"))


def test_a_model_saves_only_what_the_person_allows(begin: Begin) -> None:
    refused = save(begin(), "trust everybody")
    assert not refused.ok
    assert "the project's notes" in str(refused.value)
    for kind in ("edits", "all"):
        assert not save(begin(ask=standing(kind)), "Run make test.").ok
    assert save(begin(ask=lambda question: Answer(True, "person")), "Run make test.").ok
    assert notes(begin()) == '"Run make test.\\n"'


def test_what_is_shown_to_the_person_is_the_change(begin: Begin) -> None:
    asked: list[str] = []

    def ask(question: object) -> object:
        asked.append(getattr(question, "text", ""))
        raise RuntimeError("enough")

    save(begin(ask=ask), "Run make test.")
    assert "Run make test." in asked[0]


def test_a_model_reads_them(session: Session) -> None:
    session.evaluate('(project-notes-save "one")')
    result = session.log.event(call_from_model(session, "project-notes", {}, reply=1, id="c1"))
    assert isinstance(result, ToolResult)
    assert (result.ok, result.value, list(result.labels)) == (True, "one\n", ["external:model"])


def test_a_link_in_their_place_is_not_followed(session: Session, root: Path) -> None:
    (root / "target").write_text("secret")
    notes_path(session.root).symlink_to(root / "target")
    with pytest.raises(SchemeError, match=r"notes\.md"):
        notes(session)
