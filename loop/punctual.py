"""Stopping scripts whose time is up. What waits for a model or a tool looks at the clock by itself; Scheme does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nodwyn.loop.ticking import ticking

TICK = 0.1
"""Seconds between two looks at the clock."""

GRACE = 3
"""Looks in a row at which it is late before it is stopped: what looks by itself stops sooner, and in better order."""


@contextmanager
def punctual(is_late: Callable[[], bool]) -> Iterator[None]:
    """Stop what is done meanwhile when it is late, as Ctrl-C does, and once. Only the main thread is stopped.

    is_late: asked several times a second.

    Raises: KeyboardInterrupt.
    """
    late = 0

    def look() -> bool:
        nonlocal late
        late = late + 1 if late >= GRACE or is_late() else 0
        if late == GRACE:
            raise KeyboardInterrupt
        return True

    with ticking(look, TICK, TICK):
        try:
            yield
        finally:
            late = GRACE + 1
