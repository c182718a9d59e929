"""Having a function called by a timer while something else is done, which is disturbed by it where it waits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ticking(look: Callable[[], bool], first: float, period: float) -> Iterator[None]:
    """Have ``look`` called again and again meanwhile, in the main thread; in another one, nothing is called.

    look: returns whether to go on; what it raises, it raises in what is done meanwhile. first: seconds until it is
    called the first time. period: seconds from each time to the next.

    Raises: what ``look`` raises.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def tick(number: int, frame: FrameType | None) -> None:
        if not look():
            signal.setitimer(signal.ITIMER_REAL, 0)

    outer = signal.signal(signal.SIGALRM, tick)
    rest = signal.setitimer(signal.ITIMER_REAL, first, period)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *rest)
        signal.signal(signal.SIGALRM, outer)
