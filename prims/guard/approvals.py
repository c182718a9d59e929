"""Questions to the person, and the answers that hold for the session. No answer outlives the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

from nodwyn.prims.guard.proposal import KINDS, Kind

Standing = Literal["never", "ask", "reads", "edits", "all"]
"""The person's standing answer, ``--approve``."""

STANDING: tuple[Standing, ...] = get_args(Standing)


class Question(NamedTuple):
    """What a person is asked."""

    text: str
    """All of what would be done, in a form in which nothing is hidden."""
    digest: str
    """SHA-256 of the text."""
    reasons: tuple[str, ...]
    """Why it is asked, each in one line in which nothing is hidden."""
    kind: Kind
    """The mildest standing answer that says yes to it."""


class Answer(NamedTuple):
    """What the person said."""

    yes: bool
    actor: str
    """Who answered: person, --approve KIND, not asked."""
    lasts: bool = False
    """Whether it holds for the same question for the rest of the session."""
    kind: Kind = ""
    """The kind of questions that the person says yes to for the rest of the session, with this one."""


Asker = Callable[[Question], Answer]
"""Puts a question to the person; returns when there is an answer."""


def nobody(question: Question) -> Answer:
    """Answer for nobody: no."""
    return Answer(False, "not asked")


def standing(answer: Standing, ask: Asker = nobody) -> Asker:
    """Return what gives the person's standing answer to the questions that it covers.

    ask: puts the others.
    """
    if answer == "never":
        return nobody
    if answer == "ask":
        return ask

    def reply(question: Question) -> Answer:
        return Answer(True, f"--approve {answer}") if covers(answer, question.kind) else ask(question)

    return reply


def covers(standing: Kind, asked: Kind) -> bool:
    """Return whether a yes to one kind of questions is a yes to another."""
    return bool(asked and standing) and KINDS.index(asked) <= KINDS.index(standing)


def widest(kinds: list[Kind]) -> Kind:
    """Return the kind of a question with several reasons: none, when one of them has none."""
    return "" if not kinds or "" in kinds else max(kinds, key=KINDS.index)


class Approvals:
    """What the person has said yes to in this session."""

    def __init__(self) -> None:
        self._digests: dict[str, int] = {}
        self._kinds: set[Kind] = set()

    def remember(self, digest: str, answer: Answer, event: int) -> None:
        """Keep a yes that lasts. event: its approval in the log."""
        if answer.yes and answer.lasts:
            self._digests[digest] = event
        if answer.yes and answer.kind:
            self._kinds.add(answer.kind)

    def allow(self, kind: Kind) -> None:
        """Say yes to a kind of questions for the rest of the session."""
        self._kinds.add(kind)

    def allows(self, kind: Kind) -> bool:
        """Return whether the person has said yes to all questions of a kind in this session."""
        return any(covers(allowed, kind) for allowed in self._kinds)

    def forget(self) -> None:
        """Take back everything."""
        self._digests.clear()
        self._kinds.clear()

    def ground(self, question: Question) -> str | None:
        """Return why a question needs no asking, or None when it does."""
        event = self._digests.get(question.digest)
        if event is not None:
            return f"the person said yes to the same in this session, event {event}"
        for kind in self._kinds:
            if covers(kind, question.kind):
                return f"the person said yes to {kind} in this session"
        return None
