"""session-list and session-events: what the project's sessions recorded, for the person's Scheme alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.interp.data import String, iterate
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import write
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.log.events import SessionTitle, ToolResult, UserMessage
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin


@pytest.fixture
def earlier(begin: Begin) -> Session:
    """Return a session of the project that has ended."""
    session = begin()
    session.log.append(UserMessage(text="mend the parser"))
    session.log.append(SessionTitle(title="The parser"))
    session.close()
    return session


def evaluated(session: Session, expression: str) -> str:
    return write(session.evaluate(expression))


FIELDS = "(name started last client title first turns events cost unpriced hidden archived open)"


def listed(session: Session, name: str, field: str) -> str:
    """Return what the list says of the session of a name."""
    by_name = "(map (lambda (each) (cons (cdr (assq 'name each)) each)) (session-list))"
    return evaluated(session, f"""(cdr (assq '{field} (cdr (assoc "{name}" {by_name}))))""")


def test_a_session_is_listed_with_what_it_is(earlier: Session, session: Session) -> None:
    assert evaluated(session, "(map car (car (session-list)))") == FIELDS
    assert listed(session, earlier.name, "title") == '"The parser"'
    assert listed(session, earlier.name, "first") == '"mend the parser"'
    assert listed(session, earlier.name, "open") == "#f"
    assert listed(session, session.name, "open") == "#t"


def test_hidden_sessions_are_listed_when_all_are(begin: Begin) -> None:
    begin(hidden=True).close()
    session = begin()
    assert evaluated(session, "(length (session-list))") == "1"
    assert evaluated(session, "(length (session-list #t))") == "2"


def test_events_are_association_lists(earlier: Session, session: Session) -> None:
    events = f'(session-events "{earlier.name}")'
    assert evaluated(session, f"(map (lambda (e) (cdr (assq 'kind e))) {events})") == (
        '("session.start" "user.msg" "session.title" "session.end")'
    )
    assert evaluated(session, f"(cdr (assq 'text (list-ref {events} 1)))") == '"mend the parser"'


@pytest.mark.parametrize(
    ("rest", "found"),
    [("'user.msg", "(2)"), ('"" 3', "(3 4)"), ('"" 2 2', "(2 3)"), ("'nothing", "()"), ("'user.msg 3", "()")],
)
def test_events_are_chosen_by_kind_and_number(earlier: Session, session: Session, rest: str, found: str) -> None:
    expression = f"""(map (lambda (e) (cdr (assq 'seq e))) (session-events "{earlier.name}" {rest}))"""
    assert evaluated(session, expression) == found


def test_a_session_may_read_its_own_events(session: Session) -> None:
    assert evaluated(session, f"""(length (session-events "{session.name}" 'session.start))""") == "1"


def test_a_mistyped_kind_of_events_is_answered_with_the_nearest(session: Session) -> None:
    with pytest.raises(SchemeError, match=r"there are no events of kind llm\.rep; did you mean llm\.re\w+\?"):
        session.evaluate(f'(session-events "{session.name}" "llm.rep")')
    assert evaluated(session, f'(session-events "{session.name}" "of-a-later-version")') == "()"


@pytest.mark.parametrize("expression", ["(session-list)", '(session-events "{name}")'])
def test_texts_are_labelled_and_redacted_anew(
    earlier: Session, begin: Begin, monkeypatch: pytest.MonkeyPatch, expression: str
) -> None:
    monkeypatch.setenv("A_TOKEN", "mend the parser")  # held now, and not when it was recorded
    session = begin()
    value = session.evaluate(expression.format(name=earlier.name))
    assert "mend the parser" not in write(value)
    labels = session.evaluate(f"(provenance {expression.format(name=earlier.name)})")
    assert [label.text() for label in iterate(labels) if isinstance(label, String)] == ["external:log"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none", "no session of this project has a name that begins with none"),
        ("2", "2 sessions have names that begin"),
    ],
)
def test_a_name_that_names_no_session_is_an_error(earlier: Session, session: Session, name: str, said: str) -> None:
    with pytest.raises(SchemeError, match=said):
        session.evaluate(f'(session-events "{name}")')


def test_sessions_of_other_projects_are_not_reached(
    earlier: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    with Session.start(tmp_path / "other", client="test") as session:
        assert evaluated(session, "(length (session-list #t))") == "1"
        with pytest.raises(SchemeError, match="no session of this project"):
            session.evaluate(f'(session-events "{earlier.name}")')


@pytest.mark.parametrize("name", ["session-list", "session-events"])
def test_a_model_knows_no_such_tool(session: Session, name: str) -> None:
    result = session.log.event(call_from_model(session, name, {}))
    assert isinstance(result, ToolResult)
    assert not result.ok
    assert f"there is no tool '{name}'" in result.value
