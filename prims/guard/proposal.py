"""What the guard is asked: an effect that is about to happen, and what was found about it so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from nodwyn.prims.effects import Caller
from nodwyn.prims.log.names import MAIN

EffectName = Literal["read", "write", "run", "send", "other"]
Counted = Literal["rounds", "actions", "reads"]
"""What an effect counts as against a budget."""

Verdict = Literal["confirm", "deny"]

Kind = Literal["", "reads", "edits", "all"]
"""The mildest standing answer (``--approve``) that says yes to a question; none does to the empty one."""

KINDS: tuple[Kind, ...] = ("reads", "edits", "all")
"""From the narrowest to the widest."""


class Finding(NamedTuple):
    """What one layer has against an effect."""

    verdict: Verdict
    layer: str
    reason: str
    kind: Kind = ""


class Call(NamedTuple):
    """The call that an effect belongs to."""

    seq: int
    """Of its tool.call in the log."""
    name: str
    by: Caller
    labels: Mapping[str, frozenset[str]]
    """Where the texts of each argument came from."""
    agent: str = MAIN

    @property
    def is_persons(self) -> bool:
        """Whether the person's own Scheme calls: whoever types what is to be done is not asked whether to do it."""
        return self.by == "person"


INSIDE = ("pin", "inside the root")
"""Layer and reason of a permission that nothing stands against."""


class Proposal(NamedTuple):
    """An effect that is about to happen."""

    effect: EffectName
    subject: str
    """The path, command line or address, as the log and the person see it."""
    findings: tuple[Finding, ...] = ()
    """What the layers that know the effect itself have against it: pin, denylist, the judgement of a line."""
    ground: tuple[str, str] = INSIDE
    """Layer and reason of the permission when nothing stands against it."""
    show: Callable[[], Sequence[tuple[str, str]]] = tuple
    """Returns all that a person must see before saying yes, as (name, value)."""
    path: str = ""
    """The real path, for checkers."""
    details: Mapping[str, str] = {}
    """What checkers are told besides: command, content …"""
    reaches_out: bool = False
    """Whether it is a command, an outside path or a network target: text from elsewhere in it is a question."""
    sandbox: str = ""
    is_round: bool = False
    """Whether it is a request to a model."""
    tokens: int = 0
    """What the request has, at least."""
    cost: int = 0
    """What the request costs, at least, in millionths of a US dollar."""

    @property
    def counted(self) -> Counted | None:
        """What it counts as against a budget; None for what only seconds bound, such as lists of names."""
        if self.is_round:
            return "rounds"
        if self.effect == "other":
            return None
        return "reads" if self.effect == "read" else "actions"


def external(labels: frozenset[str]) -> frozenset[str]:
    """Return the labels of text that came from outside of the program."""
    return frozenset(label for label in labels if label.startswith("external:"))
