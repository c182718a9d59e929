"""A session: begun, owned by one process, closed, resumed without what it was allowed."""

from __future__ import annotations

import stat
from importlib.metadata import version
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.log import NoSuchSession, OwnedElsewhere, Reader, read, sessions
from nodwyn.prims.session import Session, held_values
from nodwyn.prims.version import VERSION
from tests.prims.conftest import Begin, Person, events


def test_a_log_begins_with_what_the_session_is_and_ends_with_its_end(begin: Begin, root: Path) -> None:
    session = begin(hidden=True)
    session.close("done")
    first, *_, last = (event.as_json() for event in read(session.log.path))
    assert (first["root"], first["client"], first["hidden"]) == (str(root), "test", True)
    assert first["program"].startswith("nodwyn ")
    assert (last["kind"], last["reason"]) == ("session.end", "done")
    session.close("twice")


def test_the_log_lies_with_its_project_and_is_private(session: Session, tmp_path: Path) -> None:
    path = session.log.path
    assert path.parent.parent.parent == tmp_path / "data" / "projects"
    assert path.parent.parent.name.startswith("work-")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_an_open_session_is_not_opened_again_but_can_be_read(session: Session) -> None:
    with pytest.raises(OwnedElsewhere, match="owned by process"):
        Session.resume(session.name, client="test")
    with Reader(session.log.path) as reader:
        assert reader.last == session.log.last


def test_a_session_goes_on_where_it_ended_named_by_its_beginning(begin: Begin, root: Path) -> None:
    first = begin()
    first.evaluate('(fs-write "a.txt" "one")')
    first.close()
    with Session.resume(first.name[:20], client="test") as again:
        assert again.root == str(root)
        assert events(again, "session.resume")[0].as_json()["client"] == "test"
        again.evaluate("(undo)")
    assert not (root / "a.txt").exists()


def test_an_unknown_name_is_said(root: Path) -> None:
    with pytest.raises(NoSuchSession, match="no session's name begins with '2099'"):
        Session.resume("2099", client="test")


def test_a_resumed_session_has_no_approvals(begin: Begin) -> None:
    person = Person(True, False, lasts=True)
    first = begin(person)
    arguments = {"path": "a.txt", "content": "x"}
    call_from_model(first, "fs-write", arguments)
    first.evaluate("(allow 'edits)")
    first.close()
    with Session.resume(first.name, client="test", ask=person) as again:
        assert not again.log.event(call_from_model(again, "fs-write", arguments)).as_json()["ok"]
    assert len(person.questions) == 2


def test_a_resumed_session_has_a_fresh_scheme_and_no_checkers(begin: Begin, root: Path) -> None:
    (root / "a.txt").write_text("x")
    first = begin()
    first.evaluate("(define x 1) (register-check 'none (lambda (effect) #f))")
    first.close()
    with Session.resume(first.name, client="test") as again:
        with pytest.raises(SchemeError, match="unbound variable: x"):
            again.evaluate("x")
        again.evaluate('(fs-read "a.txt")')


def test_no_earlier_line_of_a_log_is_ever_changed(begin: Begin, root: Path) -> None:
    session = begin()
    session.evaluate('(fs-write "a.txt" "one")')
    before = session.log.path.read_bytes()
    session.evaluate("(undo)")
    session.close()
    with Session.resume(session.name, client="test"):
        pass
    assert session.log.path.read_bytes().startswith(before)


def test_what_is_derived_may_be_deleted_at_any_moment(begin: Begin, root: Path) -> None:
    session = begin()
    session.evaluate('(fs-write "a.txt" "one")')
    for derived in session.log.path.parent.glob(f"{session.name}.*"):
        if derived != session.log.path:
            derived.unlink()
    session.evaluate('(fs-read "a.txt")')
    session.close()
    (listed,) = sessions(session.log.path.parent)
    assert listed.overview.events == session.log.last


def test_what_the_person_enters_is_on_record_with_its_value_or_error(session: Session) -> None:
    assert session.evaluate('(list 1 "a" \'b)').car == 1
    with pytest.raises(SchemeError):
        session.evaluate("(car 1)")
    inputs, values = events(session, "scheme.input"), events(session, "scheme.value")
    assert [event.as_json()["text"] for event in inputs] == ['(list 1 "a" \'b)', "(car 1)"]
    assert [(event.as_json()["ok"], event.as_json()["text"]) for event in values] == [
        (True, '(1 "a" b)'),
        (False, "car: pair must be a pair, got 1"),
    ]


def test_the_secrets_of_the_environment_are_never_recorded(
    begin: Begin, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_API_KEY", "correct horse battery")
    (root / "a.txt").write_text("the words are: correct horse battery\n")
    session = begin()
    session.evaluate('(fs-read "a.txt")')
    assert "correct horse battery" not in session.log.path.read_text()


def test_the_version_is_that_of_the_installation() -> None:
    assert version("nodwyn") == VERSION


def test_which_variables_hold_secrets() -> None:
    environment = {"A_KEY": "1", "B_TOKEN": "2", "secret": "3", "PASSWORD": "4", "HOME": "5", "KEYBOARD": "6"}
    assert held_values(environment) == ["1", "2", "3", "4"]
