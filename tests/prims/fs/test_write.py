"""fs-write and fs-edit: what was shown is what is written, and nothing is overwritten that was changed meanwhile."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.guard.approvals import Answer, Question, standing
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events

MARK = "[redacted:github-token]"


def text(session: Session, expression: str) -> str:
    return str(session.evaluate(expression).text())


def test_a_new_file_is_written_with_its_directories(session: Session, root: Path) -> None:
    assert text(session, '(fs-write "src/new/a.py" "x = 1\\n")') == "created src/new/a.py: 1 line, 6 bytes"
    assert (root / "src/new/a.py").read_bytes() == b"x = 1\n"


def test_a_file_is_replaced_and_keeps_its_mode(session: Session, root: Path) -> None:
    (root / "run.sh").write_text("old\n")
    (root / "run.sh").chmod(0o750)
    assert text(session, '(fs-write "run.sh" "new")') == "replaced run.sh: 1 line, 3 bytes"
    assert (root / "run.sh").read_text() == "new"
    assert stat.S_IMODE((root / "run.sh").stat().st_mode) == 0o750


def test_an_edit_says_where_and_what_it_made(session: Session, root: Path) -> None:
    (root / "a.py").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\nthree")
    (root / "a.py").chmod(0o755)
    edit = '(fs-edit "a.py" "two\\nthree" "2\\n3" #f (list (list "one" "1")))'
    assert text(session, edit) == "edited a.py at lines 1, 2: now 3 lines, 10 bytes"
    assert (root / "a.py").read_bytes() == b"\xef\xbb\xbf1\r\n2\r\n3"
    assert stat.S_IMODE((root / "a.py").stat().st_mode) == 0o755


@pytest.mark.parametrize(
    ("call", "done"),
    [
        ('(fs-write "a.py" "new\\n")', "replaced a.py: 1 line, 4 bytes"),
        ('(fs-edit "a.py" "old" "new")', "edited a.py at line 1: now 1 line, 4 bytes"),
    ],
)
@pytest.mark.parametrize(
    ("others", "said"),
    [
        (1, "; 1 other name of it (hard links) still has the old text"),
        (2, "; 2 other names of it (hard links) still have the old text"),
    ],
)
def test_a_file_that_parts_from_its_other_names_is_told(
    session: Session, root: Path, call: str, done: str, others: int, said: str
) -> None:
    (root / "a.py").write_text("old\n")
    for number in range(others):
        os.link(root / "a.py", root / f"b{number}.py")
    session.evaluate("(allow 'edits)")
    assert text(session, call) == done + said
    assert ((root / "a.py").read_text(), (root / "b0.py").read_text()) == ("new\n", "old\n")
    assert text(session, '(fs-write "a.py" "last")') == "replaced a.py: 1 line, 4 bytes"


def test_the_question_says_that_other_names_keep_what_is_there(begin: Begin, root: Path) -> None:
    (root / "a.py").write_text("old\n")
    os.link(root / "a.py", root / "b.py")
    person = Person()
    call_from_model(begin(person), "fs-write", {"path": "a.py", "content": "new\n"}, reply=1, id="c1")
    (question,) = person.questions
    assert any("2 names (hard links)" in reason and "keep what it holds now" in reason for reason in question.reasons)


def test_edits_of_one_call_are_made_all_or_none(session: Session, root: Path) -> None:
    (root / "a.py").write_text("one\ntwo\n")
    with pytest.raises(SchemeError, match=r"edit 2: the text to replace is not there.* Nothing was changed\."):
        session.evaluate('(fs-edit "a.py" "one" "1" #f \'(((old . "nine") (new . "9"))))')
    assert (root / "a.py").read_text() == "one\ntwo\n"
    assert events(session, "file.version") == []


@pytest.mark.parametrize("name", ["AGENTS.md", "lib/CLAUDE.md", ".cursorrules", ".github/workflows/ci.yml"])
def test_what_speaks_to_other_agents_or_machines_is_no_ordinary_edit(begin: Begin, root: Path, name: str) -> None:
    person = Person(False)
    session = begin(standing("edits", person))
    call_from_model(session, "fs-write", {"path": "a.md", "content": "x"}, reply=1, id="c1")
    call_from_model(session, "fs-write", {"path": name, "content": "x"}, reply=1, id="c2")
    assert (root / "a.md").exists()
    assert not (root / name).exists()
    (question,) = person.questions
    assert question.kind == ""
    assert any("tells agents what to do" in reason or "run commands" in reason for reason in question.reasons)


def test_what_is_replaced_is_recorded_before_it_is_written(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("old")
    session.evaluate('(fs-write "a.txt" "new")')
    kinds = [event.kind for event in session.log.events() if event.kind.partition(".")[0] in ("tool", "guard", "file")]
    assert kinds == ["tool.call", "guard.decision", "file.version", "tool.result"]
    (version,) = (event.as_json() for event in events(session, "file.version"))
    assert version["path"] == str(root / "a.txt")
    assert (version["before"], version["after"]) == (sha256(b"old").hexdigest(), sha256(b"new").hexdigest())
    assert version["call"] == events(session, "tool.call")[0].seq


def test_the_person_who_types_a_write_is_not_asked_and_a_model_that_wants_one_is(begin: Begin, root: Path) -> None:
    person = Person(True)
    session = begin(person)
    session.evaluate('(fs-write "a.txt" "one\\n")')
    assert person.questions == []
    call_from_model(session, "fs-write", {"path": "a.txt", "content": "two\n"})
    (question,) = person.questions
    assert question.text == (
        "asked by: fs-write, called by the model\nfile: a.txt\n"
        "change:\n    --- before\n    +++ after\n    @@ -1 +1 @@\n    -one\n    +two\n    "
    )
    assert question.kind == "edits"
    assert (root / "a.txt").read_text() == "two\n"


def test_a_new_file_is_shown_whole_with_what_cannot_be_seen(begin: Begin, root: Path) -> None:
    person = Person(True)
    session = begin(person)
    call_from_model(session, "fs-write", {"path": "a.txt", "content": "safe\u202egnp.exe"})
    assert "new file: safe⟨U+202E⟩gnp.exe" in person.questions[0].text


def test_a_no_leaves_the_file_alone(begin: Begin, root: Path) -> None:
    (root / "a.txt").write_text("one\n")
    session = begin(Person(False))
    result = session.log.event(call_from_model(session, "fs-write", {"path": "a.txt", "content": "two\n"})).as_json()
    assert result["value"] == "fs-write: a.txt: the person said no (it writes a file)"
    assert (root / "a.txt").read_text() == "one\n"
    assert events(session, "file.version") == []


@pytest.mark.parametrize("name", ["fs-write", "fs-edit"])
def test_a_file_that_was_changed_while_the_person_was_asked_is_not_overwritten(
    begin: Begin, root: Path, name: str
) -> None:
    (root / "a.txt").write_text("one\n")

    def change(question: Question) -> Answer:
        (root / "a.txt").write_text("another's\n")
        return Answer(True, "person")

    session = begin(change)
    arguments = {"path": "a.txt", "content": "two\n"}
    if name == "fs-edit":
        arguments = {"path": "a.txt", "old": "one", "new": "two"}
    result = session.log.event(call_from_model(session, name, arguments)).as_json()
    assert result["ok"] is False
    assert "changed" in result["value"]
    assert (root / "a.txt").read_text() == "another's\n"


def test_a_standing_answer_allows_writes_inside_the_root(begin: Begin, root: Path) -> None:
    session = begin(standing("edits"))
    call_from_model(session, "fs-write", {"path": "a.txt", "content": "x"})
    assert (root / "a.txt").read_text() == "x"
    assert events(session, "approval")[0].as_json()["actor"] == "--approve edits"


@pytest.mark.parametrize("path", ["../out.txt", "/tmp/out.txt", ".env", ".git/hooks/pre-commit", ".git/config"])
def test_what_may_not_be_written_is_not_asked_about(begin: Begin, root: Path, path: str) -> None:
    (root / ".git" / "hooks").mkdir(parents=True)
    person = Person(True)
    session = begin(person)
    with pytest.raises(SchemeError):
        session.evaluate(f'(fs-write "{path}" "x")')
    assert events(session, "guard.decision")[-1].as_json()["decision"] == "deny"
    assert person.questions == []
    assert not (root / path).exists()


@pytest.mark.parametrize(
    "expression",
    [
        f'(fs-write "a.txt" "key = {MARK}\\n")',
        f'(fs-edit "a.txt" "key = {MARK}" "key = 2")',
        f'(fs-edit "a.txt" "key" "{MARK}")',
        f'(fs-edit "a.txt" "key" "k" #f (list (list "k = " "{MARK}")))',
    ],
)
def test_a_mark_that_stands_for_a_secret_is_not_written(session: Session, root: Path, expression: str) -> None:
    (root / "a.txt").write_text("key = secret\n")
    with pytest.raises(SchemeError, match="would destroy"):
        session.evaluate(expression)
    assert (root / "a.txt").read_text() == "key = secret\n"


def test_an_edit_of_what_the_person_lets_nobody_read_tells_nothing_of_it(session: Session, root: Path) -> None:
    (root / "a.md").write_text("the hidden words\n")
    session.evaluate("(register-check 'closed (lambda (e) (not (eq? (cdr (assq 'effect e)) 'read))) \".md\")")
    with pytest.raises(SchemeError) as raised:
        session.evaluate('(fs-edit "a.md" "the hidden wrods" "x")')
    assert "hidden words" not in str(raised.value)


def test_a_file_is_not_written_through_a_link_that_leads_outside(session: Session, root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("safe")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    with pytest.raises(SchemeError, match=r"outside|link"):
        session.evaluate('(fs-write "link.txt" "x")')
    assert (tmp_path / "outside.txt").read_text() == "safe"


def test_lines_with_mixed_ends_are_told_from_other_lines(session: Session, root: Path) -> None:
    (root / "a.txt").write_bytes(b"one\r\ntwo\nthree\r\n")
    with pytest.raises(SchemeError, match="But for the ends of lines, lines 1-2 are the same: some lines"):
        session.evaluate('(fs-edit "a.txt" "one\\ntwo" "1\\n2")')
    session.evaluate('(fs-edit "a.txt" "one" "1" #f (list (list "two" "2")))')
    assert (root / "a.txt").read_bytes() == b"1\r\n2\nthree\r\n"


@pytest.mark.parametrize("name", ["new/", "a.txt/", "sub/new/"])
def test_a_name_of_a_directory_is_no_name_of_a_file(session: Session, root: Path, name: str) -> None:
    (root / "a.txt").write_text("old")
    with pytest.raises(SchemeError, match="it is no directory"):
        session.evaluate(f'(fs-write "{name}" "x")')
    assert (root / "a.txt").read_text() == "old"
    assert sorted(path.name for path in root.iterdir()) == ["a.txt"]


def test_a_directory_is_not_replaced(session: Session, root: Path) -> None:
    (root / "folder").mkdir()
    with pytest.raises(SchemeError, match="directory"):
        session.evaluate('(fs-write "folder" "x")')


def test_a_failed_write_leaves_the_old_file_whole(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a.txt").write_text("old")

    rename = os.rename

    def fail(source: str, target: str, **given: int) -> None:
        if os.path.basename(target) == "a.txt":
            raise OSError(28, os.strerror(28))
        rename(source, target, **given)

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(SchemeError, match=r"a\.txt: No space left on device"):
        session.evaluate('(fs-write "a.txt" "new")')
    monkeypatch.undo()
    assert (root / "a.txt").read_text() == "old"
    assert [path.name for path in root.iterdir()] == ["a.txt"]
