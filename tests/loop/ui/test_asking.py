"""Questions at a terminal."""

from __future__ import annotations

import io

import pytest

from nodwyn.loop.ui.asking import at
from nodwyn.prims.guard.approvals import Answer, Question

WRITES = Question("asked by: fs-write\nfile: a.py", "d", ("it writes a file",), "edits")
OUTSIDE = Question("asked by: fs-read\nfile: /etc/x", "d", ("it is outside of the root",), "")


@pytest.mark.parametrize(
    ("typed", "question", "answer"),
    [
        ("y\n", WRITES, Answer(True, "person")),
        ("Yes\n", WRITES, Answer(True, "person")),
        ("n\n", WRITES, Answer(False, "person")),
        ("s\n", OUTSIDE, Answer(True, "person", lasts=True)),
        ("a\n", WRITES, Answer(True, "person", kind="edits")),
        ("what\n\nno\n", WRITES, Answer(False, "person")),
        ("", WRITES, Answer(False, "not asked")),
        ("a\n", OUTSIDE, Answer(False, "not asked")),
    ],
)
def test_an_answer(typed: str, question: Question, answer: Answer) -> None:
    assert at(io.StringIO(typed), io.StringIO())(question) == answer


def test_a_question_shows_all_and_why_and_what_can_be_answered() -> None:
    shown = io.StringIO()
    at(io.StringIO("y\n"), shown)(WRITES)
    assert shown.getvalue() == (
        "\nasked by: fs-write\nfile: a.py\n  because: it writes a file\n"
        "May this be done? [y]es, [s]ame again in this session, [a]ll of this kind in this session (writes inside the"
        " root and sandboxed commands), [n]o: "
    )


def test_what_nothing_covers_cannot_be_allowed_by_its_kind() -> None:
    shown = io.StringIO()
    at(io.StringIO("y\n"), shown)(OUTSIDE)
    assert "[a]ll" not in shown.getvalue()
