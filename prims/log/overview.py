"""What a list of sessions shows of one, without reading its log whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MAXIMUM_FIRST = 200
"""Characters of the first message that are kept."""


class Overview:
    """What the events so far say of their session. Costs are in millionths of a US dollar."""

    __slots__ = (
        "events",
        "started",
        "last",
        "root",
        "client",
        "title",
        "first",
        "turns",
        "ended",
        "turn",
        "cost",
        "unpriced",
        "hidden",
        "archived",
    )

    def __init__(self) -> None:
        self.events = 0
        self.started = ""
        self.last = ""
        """When the last event happened."""
        self.root = ""
        self.client = ""
        self.title = ""
        self.first = ""
        """The beginning of the person's first message."""
        self.turns = 0
        self.ended = ""
        """How the last turn ended, by the word of its turn.end, or interrupted; nothing while it lasts."""
        self.turn = 0
        """The turn.start of the last turn."""
        self.cost = 0
        self.unpriced = False
        """Whether there are requests besides whose price is not known."""
        self.hidden = False
        self.archived = False

    def add(self, members: dict[str, Any]) -> None:
        """Take up the next event."""
        self.events = members["seq"]
        self.last = members.get("when") or members["at"]
        change = _CHANGES.get(members["kind"])
        if change is not None:
            change(self, members)

    def members(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def of(cls, members: dict[str, Any]) -> Overview:
        """Return the overview that these members describe.

        Raises: KeyError when one is missing.
        """
        overview = cls()
        for name in cls.__slots__:
            setattr(overview, name, members[name])
        return overview


def _start(overview: Overview, members: dict[str, Any]) -> None:
    overview.started = overview.last
    overview.root = members["root"]
    overview.client = members.get("client", "terminal")
    overview.hidden = members.get("hidden", False)


def _message(overview: Overview, members: dict[str, Any]) -> None:
    if not overview.first:
        overview.first = members["text"][:MAXIMUM_FIRST]


def _title(overview: Overview, members: dict[str, Any]) -> None:
    overview.title = members["title"]


def _archive(overview: Overview, members: dict[str, Any]) -> None:
    overview.archived = members["archived"]


def _turn(overview: Overview, members: dict[str, Any]) -> None:
    overview.turns += 1
    overview.turn = members["seq"]
    overview.ended = ""


def _turn_end(overview: Overview, members: dict[str, Any]) -> None:
    if members["turn"] == overview.turn:
        overview.ended = members["how"]


def _interruption(overview: Overview, members: dict[str, Any]) -> None:
    if members["of"] == overview.turn:
        overview.ended = "interrupted"


def _cost(overview: Overview, members: dict[str, Any]) -> None:
    overview.cost += members.get("cost", 0)
    overview.unpriced = overview.unpriced or members.get("unpriced", False)


_CHANGES: dict[str, Callable[[Overview, dict[str, Any]], None]] = {
    "session.start": _start,
    "user.msg": _message,
    "session.title": _title,
    "session.archive": _archive,
    "turn.start": _turn,
    "turn.end": _turn_end,
    "interruption": _interruption,
    "llm.resp": _cost,
    "llm.error": _cost,
}
