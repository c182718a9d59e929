"""Putting the guard's questions to the person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from nodwyn.loop.ui.lines import drop_typed_ahead, signals_heeded
from nodwyn.prims.counting import counted
from nodwyn.prims.guard.approvals import Answer, Asker, Question, Standing, nobody, standing
from nodwyn.prims.guard.proposal import Kind

OF_KIND: dict[Kind, str] = {
    "reads": "commands that only read",
    "edits": "writes inside the root and sandboxed commands",
    "all": "those, and commands without a sandbox",
}
"""What a yes to all questions of a kind is a yes to."""

ENVIRONMENT = "\nenvironment:\n"
"""What begins the field of a question that is the same from command to command, and the longest."""

EARLY = "(what was typed before this question is no answer to it)\n"

ENDED = Answer(False, "not asked: the input ended")
"""The answer at the end of input."""

ReadLine = Callable[[], str]
"""Returns the next line that the person enters, with its end; nothing at the end of input."""


def asker(approve: Standing | None) -> Asker:
    """Return what answers questions: the standing answer, and the person where there is a terminal.

    approve: the standing answer; where there is none, the person is asked.
    """
    return standing(approve or "ask", at(sys.stdin, sys.stderr) if has_terminal() else nobody)


def has_terminal() -> bool:
    """Return whether there is somebody to ask: questions go to standard error, answers come from standard input."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def is_confirmed(question: str, out: TextIO) -> bool | None:
    """Put a question of a command's own to a stream; return whether the answer is yes, None at the end of input.

    What was typed at a terminal before the question was there is no answer to it.
    """
    out.write(f"{EARLY if drop_typed_ahead() else ''}{question}")
    out.flush()
    with signals_heeded():
        line = sys.stdin.readline()
    return _is_yes(line.strip().lower()) if line else None


def at(answers: TextIO, questions: TextIO) -> Asker:
    """Return what asks through two streams. The end of answers is a no."""

    def read_line() -> str:
        with signals_heeded():
            return answers.readline()

    return through(read_line, questions)


def through(read_line: ReadLine, questions: TextIO) -> Asker:
    """Return what writes questions to a stream and takes answers line by line. The end of input is a no.

    What was typed before a question was there is no answer to it.
    """
    text_of = _Shortening()

    def ask(question: Question) -> Answer:
        reasons = "".join(f"  because: {reason}\n" for reason in question.reasons)
        text, environment = text_of(question)
        questions.write(f"\n{text}\n{reasons}{EARLY if drop_typed_ahead() else ''}")
        choices = f"{_choices(question)}{', [e]nvironment' if environment else ''}"
        while True:
            questions.write(f"May this be done? {choices}: ")
            questions.flush()
            try:
                line = read_line()
            except KeyboardInterrupt:
                # A terminal that was closed takes no words; that it was is what counts.
                with suppress(OSError):
                    questions.write("\n")
                    questions.flush()
                raise
            if not line:
                return ENDED
            word = line.strip().lower()
            if environment and word in ("e", "environment"):
                questions.write(f"{environment}\n")
                continue
            answer = _meaning(word, question)
            if answer is not None:
                return answer
            questions.write("That is none of the answers. " if word else "")

    return ask


class _Shortening:
    """Writes questions with the environment left out: what matters would be lost beside it, and a key shows it.

    It is made from a list of harmless names, the same from command to command; where it differs, that is shown.
    """

    def __init__(self) -> None:
        self._before: list[str] = []

    def __call__(self, question: Question) -> tuple[str, str]:
        """Return what is shown of a question, and its environment; that is empty when it has none."""
        name, _, rest = question.text.partition(ENVIRONMENT)
        if not rest:
            return question.text, ""
        lines = rest.split("\n")
        end = next((number for number, line in enumerate(lines) if not line.startswith("    ")), len(lines))
        variables, before = lines[:end], self._before
        self._before = variables
        return "\n".join([name, *_differing(variables, before), *lines[end:]]), "\n".join(variables)


def _differing(variables: list[str], before: list[str]) -> list[str]:
    """Return the field for an environment, as lines. before: that of the last question, if there was one."""
    title = ENVIRONMENT.strip()
    if not before:
        return [f"{title} {counted(len(variables), 'line')} of what is known to be harmless; e shows them"]
    changes = [f"    + {line.strip()}" for line in variables if line not in before]
    changes += [f"    - {line.strip()}" for line in before if line not in variables]
    return [f"{title} as with the question before{', but' if changes else ''}; e shows it", *changes]


def _choices(question: Question) -> str:
    every = f"[a]ll of this kind in this session ({OF_KIND[question.kind]}), " if question.kind else ""
    return f"[y]es, [s]ame again in this session, {every}[n]o"


def _meaning(word: str, question: Question) -> Answer | None:
    """Return the answer that a word is; None for another word."""
    if _is_yes(word):
        return Answer(True, "person")
    if word in ("s", "same"):
        return Answer(True, "person", lasts=True)
    if word in ("a", "all") and question.kind:
        return Answer(True, "person", kind=question.kind)
    return Answer(False, "person") if word in ("n", "no") else None


def _is_yes(word: str) -> bool:
    return word in ("y", "yes")
