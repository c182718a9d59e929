"""How much a turn may use: tokens, cost, seconds, rounds, actions and reads. A part of a turn draws on the whole's too.

Every limit is looked at before an effect. What a reply of a model used is charged afterwards, when it is known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from nodwyn.prims.counting import plural
from nodwyn.prims.guard.proposal import Counted
from nodwyn.prims.mistyped import hint

LIMITS: Final = ("tokens", "cost", "seconds", "rounds", "actions", "reads")
"""tokens: of requests and replies together. cost: in millionths of a US dollar. rounds: requests to a model. reads:
files read. actions: all other effects, but for lists of names."""

DOLLAR: Final = 1_000_000


class Spent(NamedTuple):
    """A limit that is used up, or that what is about to be done would pass."""

    limit: str
    """One of :data:`LIMITS`."""
    allowed: int
    used: int
    is_of_part: bool = False
    """Whether it is a limit of a part of the turn."""
    needed: int = 0
    """What a request would use at least, as far as that is known before."""

    def __str__(self) -> str:
        whole = self._amount(self.allowed)
        named = f"the {whole} of this part of the turn" if self.is_of_part else f"the turn's {whole}"
        if self.used >= self.allowed:
            return f"{named} {self._verb(self.allowed)} used up"
        left = self.allowed - self.used
        rest = f"of {named} {self._amount(left)}" if self.used else named
        return f"a request would use about {self._amount(self.needed)}, and {rest} {self._verb(left)} left"

    def _amount(self, number: int) -> str:
        if self.limit == "cost":
            return dollars(number)
        return f"{number} {plural(number, self.limit.removesuffix('s'), self.limit)}"

    def _verb(self, number: int) -> str:
        return "is" if number == 1 and self.limit != "cost" else "are"


def dollars(cost: int) -> str:
    """Return an amount of millionths of a dollar as dollars, with two digits after the point, or as many as it has."""
    whole, _, cents = f"{cost / DOLLAR:.6f}".partition(".")
    return f"${whole}.{cents[:2]}{cents[2:].rstrip('0')}"


class Budget:
    """Limits, and what is used of them.

    limits: by the names in :data:`LIMITS`; one that is left out is no limit. Seconds count from now on, by a
    clock that stops while the machine sleeps and while ``asked`` says that the person is thinking. within: the budget
    of which this one is a part. asked: returns the seconds that the person took for answers so far.

    Raises: ValueError for a limit that there is not.
    """

    def __init__(
        self,
        limits: Mapping[str, int] | None = None,
        *,
        within: Budget | None = None,
        clock: Callable[[], float] = time.monotonic,
        asked: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.limits = dict(limits or {})
        unknown = self.limits.keys() - set(LIMITS)
        if unknown:
            wrong = unknown.pop()
            raise ValueError(f"there is no limit {wrong}{hint(wrong, LIMITS)}")
        self.within = within
        self._used = dict.fromkeys(("tokens", "cost", "rounds", "actions", "reads"), 0)
        self._clock = clock
        self._asked = asked
        self._start = self._now()

    @property
    def used(self) -> Mapping[str, int]:
        """What is used so far of each limit, seconds too."""
        return {**self._used, "seconds": int(self._now() - self._start)}

    def take(self, counted: Counted | None, *, tokens: int = 0, cost: int = 0) -> Spent | None:
        """Count one of something, unless a limit is used up: then return that one.

        counted: ``rounds``, ``actions`` or ``reads``; None for what only seconds bound. tokens, cost: what it uses at
        least, as far as that is known before; they are not counted yet.
        """
        budget: Budget | None = self
        while budget is not None:
            spent = budget._spent(counted, tokens, cost) if budget.limits else None
            if spent is not None:
                return spent
            budget = budget.within
        if counted is not None:
            self._count(counted, 1)
        return None

    def charge(self, *, tokens: int = 0, cost: int = 0) -> None:
        """Count what a reply used."""
        self._count("tokens", tokens)
        self._count("cost", cost)

    def remaining(self, limit: str) -> int | None:
        """Return how much of a limit is left, here and in what this is a part of; None when nothing bounds it."""
        left = [budget.limits[limit] - budget.used[limit] for budget in self._chain() if limit in budget.limits]
        return max(0, min(left)) if left else None

    def _now(self) -> float:
        return self._clock() - self._asked()

    def _chain(self) -> Iterator[Budget]:
        budget: Budget | None = self
        while budget is not None:
            yield budget
            budget = budget.within

    def _count(self, limit: str, amount: int) -> None:
        budget: Budget | None = self
        while budget is not None:
            budget._used[limit] += amount
            budget = budget.within

    def _spent(self, counted: Counted | None, tokens: int, cost: int) -> Spent | None:
        seconds = self.limits.get("seconds")
        if seconds is not None and self._now() - self._start >= seconds:
            return Spent("seconds", seconds, self.used["seconds"], self.within is not None)
        needed = {"tokens": tokens, "cost": cost} if counted == "rounds" else {}
        if counted is not None:
            needed[counted] = 1
        for limit, amount in needed.items():
            allowed = self.limits.get(limit)
            if allowed is not None and self._used[limit] + max(amount, 1) > allowed:
                return Spent(limit, allowed, self._used[limit], self.within is not None, amount)
        return None
