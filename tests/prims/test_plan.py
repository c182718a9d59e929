"""plan-set: the plan with its marks."""

from __future__ import annotations

from typing import Any

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import write
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.log.events import Plan, ToolResult
from nodwyn.prims.plan import LONGEST_STEP, MOST_STEPS
from nodwyn.prims.session import Session


def plans(session: Session) -> list[Any]:
    found = []
    for seq in session.log.seqs("plan"):
        event = session.log.event(seq)
        assert isinstance(event, Plan)
        found.append(event.items)
    return found


def by_model(session: Session, steps: Any) -> ToolResult:
    result = session.log.event(call_from_model(session, "plan-set", {"steps": steps}, reply=1, id="c1", agent="main"))
    assert isinstance(result, ToolResult)
    return result


def test_a_model_sets_the_plan(session: Session) -> None:
    result = by_model(session, [{"text": "read", "mark": "done"}, {"text": "fix", "mark": "doing"}, {"text": "test"}])
    assert (result.ok, result.value) == (True, "[done] read\n[doing] fix\n[open] test")
    assert plans(session) == [
        [{"text": "read", "mark": "done"}, {"text": "fix", "mark": "doing"}, {"text": "test", "mark": "open"}]
    ]


def test_the_person_sets_it_in_scheme(session: Session) -> None:
    assert write(session.evaluate("""(plan-set '(("read" done) ("fix")))""")) == '"[done] read\\n[open] fix"'


def test_a_plan_replaces_the_one_before_and_none_takes_it_away(session: Session) -> None:
    by_model(session, [{"text": "read"}])
    assert by_model(session, []).value == "there is no plan now"
    assert plans(session) == [[{"text": "read", "mark": "open"}], []]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([{"text": "x", "mark": "half"}], "steps 1, mark must be one of open, doing, done, dropped"),
        ([{"text": ""}], "steps 1, text must be a text"),
        ([{"text": "x" * (LONGEST_STEP + 1)}], f"of at most {LONGEST_STEP} bytes"),
        ([{"mark": "done"}], "steps 1"),
        ([{"text": "x"}] * (MOST_STEPS + 1), f"at most {MOST_STEPS}"),
        ("read, fix", "must be a list of steps"),
    ],
)
def test_a_wrong_plan_is_an_error_and_is_not_recorded(session: Session, steps: Any, said: str) -> None:
    result = by_model(session, steps)
    assert not result.ok
    assert said in str(result.value)
    assert plans(session) == []


def test_a_wrong_plan_is_an_error_in_scheme(session: Session) -> None:
    with pytest.raises(SchemeError, match="mark must be"):
        session.evaluate("""(plan-set '(("read" half)))""")
