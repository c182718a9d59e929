"""Questions at a terminal."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from nodwyn.loop.ui.asking import at, through
from nodwyn.loop.ui.cli import main
from nodwyn.prims.guard.approvals import Answer, Question
from tests.loop.ui.conftest import HELLO, Place, Terminal, calling

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
        ("", WRITES, Answer(False, "not asked: the input ended")),
        ("a\n", OUTSIDE, Answer(False, "not asked: the input ended")),
    ],
)
def test_what_is_typed_is_an_answer_or_asked_for_again(typed: str, question: Question, answer: Answer) -> None:
    assert at(io.StringIO(typed), io.StringIO())(question) == answer


def test_another_word_is_said_to_be_no_answer() -> None:
    shown = io.StringIO()
    at(io.StringIO("why?\nn\n"), shown)(OUTSIDE)
    assert shown.getvalue().count("That is none of the answers. May this be done?") == 1


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


def runs(line: str, environment: str) -> Question:
    return Question(f"line: {line}\nenvironment:\n    A=1\n    {environment}\nnetwork: no", "d", (), "edits")


def asked(*questions: Question, typed: str) -> list[str]:
    """Return what each question shows before it asks."""
    shown = io.StringIO()
    ask = at(io.StringIO(typed), shown)
    for question in questions:
        ask(question)
    return [text.rsplit("\nMay this", 1)[0] for text in shown.getvalue().split("[e]nvironment: ")[:-1]]


def test_of_an_environment_that_is_shown_which_differs() -> None:
    questions = (runs("make", "B=2"), runs("make test", "B=2"), runs("make", "B=3"))
    assert asked(*questions, typed="y\n" * 3) == [
        "\nline: make\nenvironment: 2 lines of what is known to be harmless; e shows them\nnetwork: no",
        "\nline: make test\nenvironment: as with the question before; e shows it\nnetwork: no",
        "\nline: make\nenvironment: as with the question before, but; e shows it\n    + B=3\n    - B=2\nnetwork: no",
    ]


def test_a_key_shows_the_environment_and_asks_again() -> None:
    shown = io.StringIO()
    question = runs("make", "B=2")
    assert at(io.StringIO("e\nE\ny\n"), shown)(question) == Answer(True, "person")
    assert shown.getvalue().count("[e]nvironment:     A=1\n    B=2\nMay this be done? ") == 2
    assert at(io.StringIO("e\nn\n"), io.StringIO())(WRITES) == Answer(False, "person")


def test_a_line_cannot_pass_for_an_environment() -> None:
    """A value of several lines is indented, so that none of its lines begins a field."""
    hostile = Question("line:\n    x\n    environment:\n        A=1\nenvironment:\n    B=2", "d", (), "edits")
    _, shown = asked(runs("x", "B=2"), hostile, typed="y\ny\n")
    assert shown.startswith("\nline:\n    x\n    environment:\n        A=1\nenvironment: as with")


def test_a_terminal_that_is_closed_hides_no_reason_to_leave() -> None:
    """The line end after a Ctrl-C cannot be written there; the stop counts all the same."""

    class Closed(io.StringIO):
        is_closed = False

        def write(self, text: str) -> int:
            if self.is_closed:
                raise OSError(5, "Input/output error")
            return super().write(text)

    questions = Closed()

    def hang_up() -> str:
        questions.is_closed = True
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        through(hang_up, questions)(WRITES)


RUN_A_COMMAND = ["run", "--model", "MODEL", "go"]
QUESTIONS = [
    (RUN_A_COMMAND, "May this be done?", "none of the answers", 0),
    (["delete", "SESSION"], "[y]es, [n]o: ", "was not deleted", 4),
    (["trust"], "Run them here? [y/N] ", "They are not run.", 1),
]
"""Command lines, what is asked by them, what is said to an answer that is none, and the exit status after a no."""

each_question = pytest.mark.parametrize(("command", "asked", "said", "status"), QUESTIONS)


@pytest.fixture
def asking(place: Place, at_terminal: Callable[..., Terminal]) -> Callable[[list[str]], Terminal]:
    """Return what starts such a command at a terminal, where what it asks about is there."""
    folder = place.root / ".nodwyn" / "loop"
    folder.mkdir(parents=True)
    (folder / "one.scm").write_text("(define one 1)")
    main(["run", "--model", place.model(HELLO), "hi"])
    session = place.log().stem
    model = place.model(calling('(call shell-exec (line . "touch made"))'))

    def start(command: list[str]) -> Terminal:
        return at_terminal(*({"SESSION": session, "MODEL": model}.get(word, word) for word in command))

    return start


@each_question
def test_what_was_typed_before_a_question_is_no_answer_to_it(
    asking: Callable[[list[str]], Terminal], place: Place, command: list[str], asked: str, said: str, status: int
) -> None:
    terminal = asking(command)
    terminal.type("y\n")
    assert "(what was typed before this question is no answer to it)" in terminal.expect(asked)
    terminal.type("n\n")
    assert terminal.status() == status
    assert not (place.root / "made").exists()


@each_question
def test_an_answer_with_bytes_that_are_no_text_is_no_answer(
    asking: Callable[[list[str]], Terminal],
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    asked: str,
    said: str,
    status: int,
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    terminal = asking(command)
    terminal.expect(asked)
    terminal.type("\udcff\n")
    terminal.expect(said)
    if command is RUN_A_COMMAND:
        terminal.type("n\n")
    assert terminal.status() == status
