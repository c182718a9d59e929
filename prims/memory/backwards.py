"""Going through a log from its end, or from an event, towards its beginning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from nodwyn.prims.log.read import OpenLog

STEP: Final = 64
"""Events that are looked at first; each further step has four times as many as the one before."""


def latest(log: OpenLog, *kinds: str, agent: str | None = None, before: int = 0) -> Iterator[int]:
    """Yield the seqs of the events of some kinds, the latest first.

    agent: whose events, all if not given. before: the seq that ends them; none if 0.
    """
    step, below = STEP, before or log.last + 1
    while below > 1:
        start = max(1, below - step)
        seqs = log.seqs(*kinds, agent=agent, start=start)
        yield from reversed(list(takewhile(below.__gt__, seqs)))
        below, step = start, step * 4
