"""Putting the guard's questions to the person at a terminal."""

from __future__ import annotations

import sys
from typing import TextIO

from nodwyn.prims.guard.approvals import Answer, Asker, Question, Standing, nobody, standing

CHOICES = "[y]es, [s]ame again in this session, [n]o"


def asker(approve: Standing | None) -> Asker:
    """Return what answers questions: the standing answer, and the person where there is a terminal.

    approve: the standing answer; where there is none, the person is asked.
    """
    at_terminal = at(sys.stdin, sys.stderr) if sys.stdin.isatty() and sys.stderr.isatty() else nobody
    return standing(approve or "ask", at_terminal)


def at(answers: TextIO, questions: TextIO) -> Asker:
    """Return what asks through two streams. The end of answers is a no."""

    def ask(question: Question) -> Answer:
        reasons = "".join(f"  because: {reason}\n" for reason in question.reasons)
        questions.write(f"\n{question.text}\n{reasons}")
        while True:
            questions.write(f"May this be done? {CHOICES}: ")
            questions.flush()
            line = answers.readline()
            word = line.strip().lower()
            if word in ("y", "yes"):
                return Answer(True, "person")
            if word in ("s", "same"):
                return Answer(True, "person", lasts=True)
            if word in ("n", "no") or not line:
                return Answer(False, "person" if line else "not asked")

    return ask
