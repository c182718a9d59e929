"""How much a turn may do: actions, reads and seconds. A part of a turn draws on the whole's as well."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from nodwyn.prims.guard.proposal import EffectName

_COUNTED: Mapping[str, str | None] = {"read": "reads", "other": None}
"""What an effect counts as that is no action."""


class Spent(NamedTuple):
    """A limit that is used up."""

    limit: str
    """actions, reads or seconds."""
    allowed: int
    used: int

    def __str__(self) -> str:
        return f"the turn's {self.allowed} {self.limit} are used up"


class Budget:
    """Limits, and what is used of them.

    reads: files read. actions: all other effects, but for lists of names. seconds: from now on, by a clock that stops
    while the machine sleeps. None is no limit. within: the budget of which this one is a part.
    """

    def __init__(
        self,
        *,
        actions: int | None = None,
        reads: int | None = None,
        seconds: int | None = None,
        within: Budget | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = {"actions": actions, "reads": reads, "seconds": seconds}
        self.used = {"actions": 0, "reads": 0}
        self.within = within
        self._is_unlimited = within is None and actions is reads is seconds is None
        self._clock = clock
        self._start = clock()

    def take(self, effect: EffectName) -> Spent | None:
        """Count one effect, unless a limit is used up: then return that one."""
        counted = _COUNTED.get(effect, "actions")
        if self._is_unlimited:
            if counted is not None:
                self.used[counted] += 1
            return None
        chain = []
        budget: Budget | None = self
        while budget is not None:
            spent = budget._spent(counted)
            if spent is not None:
                return spent
            chain.append(budget)
            budget = budget.within
        if counted is not None:
            for budget in chain:
                budget.used[counted] += 1
        return None

    def _spent(self, counted: str | None) -> Spent | None:
        seconds = self.limits["seconds"]
        if seconds is not None and self._clock() - self._start >= seconds:
            return Spent("seconds", seconds, int(self._clock() - self._start))
        if counted is not None:
            allowed = self.limits[counted]
            if allowed is not None and self.used[counted] >= allowed:
                return Spent(counted, allowed, self.used[counted])
        return None
