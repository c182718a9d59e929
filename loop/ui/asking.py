"""Putting the guard's questions to the person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO

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

ReadLine = Callable[[], str]
"""Returns the next line that the person enters, with its end; nothing at the end of input."""


def asker(approve: Standing | None) -> Asker:
    """Return what answers questions: the standing answer, and the person where there is a terminal.

    approve: the standing answer; where there is none, the person is asked.
    """
    at_terminal = at(sys.stdin, sys.stderr) if sys.stdin.isatty() and sys.stderr.isatty() else nobody
    return standing(approve or "ask", at_terminal)


def at(answers: TextIO, questions: TextIO) -> Asker:
    """Return what asks through two streams. The end of answers is a no."""
    return through(answers.readline, questions)


def through(read_line: ReadLine, questions: TextIO) -> Asker:
    """Return what writes questions to a stream and takes answers line by line. The end of input is a no."""
    text_of = _Shortening()

    def ask(question: Question) -> Answer:
        reasons = "".join(f"  because: {reason}\n" for reason in question.reasons)
        questions.write(f"\n{text_of(question)}\n{reasons}")
        while True:
            questions.write(f"May this be done? {_choices(question)}: ")
            questions.flush()
            try:
                line = read_line()
            except KeyboardInterrupt:
                questions.write("\n")
                raise
            if not line:
                return Answer(False, "not asked")
            answer = _meaning(line.strip().lower(), question)
            if answer is not None:
                return answer

    return ask


class _Shortening:
    """Writes questions. An environment that was just shown is not shown again: what differs would be lost beside it."""

    def __init__(self) -> None:
        self._shown = ""

    def __call__(self, question: Question) -> str:
        name, _, rest = question.text.partition(ENVIRONMENT)
        if not rest:
            return question.text
        lines = rest.split("\n")
        end = next((number for number, line in enumerate(lines) if not line.startswith("    ")), len(lines))
        block = "\n".join(lines[:end])
        if block != self._shown:
            self._shown = block
            return question.text
        return "\n".join([f"{name}{ENVIRONMENT[:-1]} as with the question before", *lines[end:]])


def _choices(question: Question) -> str:
    every = f"[a]ll of this kind in this session ({OF_KIND[question.kind]}), " if question.kind else ""
    return f"[y]es, [s]ame again in this session, {every}[n]o"


def _meaning(word: str, question: Question) -> Answer | None:
    """Return the answer that a word is; None for another word."""
    if word in ("y", "yes"):
        return Answer(True, "person")
    if word in ("s", "same"):
        return Answer(True, "person", lasts=True)
    if word in ("a", "all") and question.kind:
        return Answer(True, "person", kind=question.kind)
    return Answer(False, "person") if word in ("n", "no") else None
