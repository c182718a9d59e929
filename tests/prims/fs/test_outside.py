"""What the person added outside of the root: reached like the root, but asked about more."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.guard.approvals import standing
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Return a directory outside of the root with a file."""
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "a.txt").write_text("outside")
    return folder


def test_it_is_reached_once_it_is_allowed_and_no_longer_once_that_is_taken_back(session: Session, other: Path) -> None:
    read = f'(fs-read "{other}/a.txt")'
    with pytest.raises(SchemeError, match="outside"):
        session.evaluate(read)
    session.evaluate(f'(allow-path "{other}")')
    assert session.evaluate(read).text() == "outside"
    session.evaluate("(forget)")
    with pytest.raises(SchemeError, match="outside"):
        session.evaluate(read)
    assert [event.as_json()["given"] for event in events(session, "grant")] == [True, False]


def test_a_resumed_session_does_not_reach_it(begin: Begin, other: Path) -> None:
    first = begin()
    first.evaluate(f'(allow-path "{other}")')
    first.close()
    with Session.resume(first.name, client="test") as again, pytest.raises(SchemeError, match="outside"):
        again.evaluate(f'(fs-read "{other}/a.txt")')


def test_a_write_of_a_model_there_is_asked_about_whatever_the_standing_answer(begin: Begin, other: Path) -> None:
    session = begin(standing("all"))
    session.evaluate(f'(allow-path "{other}")')
    result = session.log.event(call_from_model(session, "fs-write", {"path": f"{other}/a.txt", "content": "x"}))
    assert "it writes a file outside of the root" in result.as_json()["value"]
    assert (other / "a.txt").read_text() == "outside"


def test_a_path_there_that_scheme_made_from_text_of_elsewhere_is_asked_about(
    begin: Begin, root: Path, other: Path
) -> None:
    (root / "where.txt").write_text(str(other / "a.txt"))
    person = Person(False)
    session = begin(person)
    session.evaluate(f'(allow-path "{other}")')
    with pytest.raises(SchemeError, match="the person said no"):
        session.evaluate('(fs-read (fs-read "where.txt"))')
    assert "path has text from a file (external:file)" in person.questions[0].reasons[0]


def test_secrets_there_stay_out_of_reach(session: Session, other: Path) -> None:
    (other / "server.pem").write_text("x")
    session.evaluate(f'(allow-path "{other}")')
    with pytest.raises(SchemeError, match="holds secrets"):
        session.evaluate(f'(fs-read "{other}/server.pem")')


def test_what_is_not_there_cannot_be_allowed(session: Session, tmp_path: Path) -> None:
    with pytest.raises(SchemeError, match=r"allow-path: .*No such file or directory"):
        session.evaluate(f'(allow-path "{tmp_path}/none/deeper")')
