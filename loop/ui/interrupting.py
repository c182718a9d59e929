"""Ctrl-C and the system's signals: what is done ends, the record is kept, and then the program.

Once, Ctrl-C stops the model's call or the tool, or the Scheme that runs. Twice within two seconds, it leaves. SIGTERM,
SIGHUP and SIGQUIT, which is Ctrl-\\ at a terminal, leave at once. Leaving is a KeyboardInterrupt in the main thread:
what runs puts its end on record on the way out, and the session is closed in good order.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EIO
from types import FrameType
from typing import NoReturn

from nodwyn.loop.ui.cli import SIGNALLED, Leaving
from nodwyn.prims.guard.approvals import Answer, Asker, Question

TWICE = 2.0
"""Seconds within which a second Ctrl-C leaves."""

LEAVING = {
    signal.SIGTERM: "the system asked it to end",
    signal.SIGHUP: "its terminal was closed",
    signal.SIGQUIT: "the person quit it",
}


class Interrupts:
    """What signals mean now.

    status: the exit status for leaving, 0 as long as nobody wants to. reason: why, for the log.
    """

    def __init__(self) -> None:
        self.status = 0
        self.reason = ""
        self._cancel: Callable[[], None] | None = None
        self._last = float("-inf")
        self._is_closing = False

    @contextmanager
    def handled(self) -> Iterator[None]:
        """Handle signals meanwhile; afterwards they mean what they did before.

        One that is ignored stays so: ``nohup``, and a shell that puts the program into the background, want that.

        Raises: Leaving, when what is done meanwhile is ended by a signal.
        """
        heeded = [number for number in (signal.SIGINT, *LEAVING) if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self._take) for number in heeded}
        timer = signal.getitimer(signal.ITIMER_REAL)
        try:
            yield
        except KeyboardInterrupt:
            if self.status:  # Scheme that was stopped by it tells of an interrupt alone
                raise Leaving(self.status) from None
            raise
        finally:
            self.close()
            # One that nothing stops any more, as a signal came when it was set, would end the program as Python leaves.
            signal.setitimer(signal.ITIMER_REAL, *timer)
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def cancelling(self, cancel: Callable[[], None]) -> Iterator[None]:
        """Have Ctrl-C call ``cancel`` meanwhile, the first time."""
        before, self._cancel = self._cancel, cancel
        try:
            yield
        finally:
            self._cancel = before

    def asking(self, ask: Asker) -> Asker:
        """Return what puts questions as ``ask`` does; Ctrl-C meanwhile is a no, and stops the turn."""

        def reply(question: Question) -> Answer:
            cancel, self._cancel = self._cancel, None
            try:
                return ask(question)
            except KeyboardInterrupt:
                if self.status or cancel is None:
                    raise
            except OSError as error:
                if error.errno != EIO:
                    raise
                self.leave(signal.SIGHUP)  # so a terminal fails that was closed: nobody is there for what comes next
            finally:
                self._cancel = cancel
            with suppress(KeyboardInterrupt):
                cancel()
            return Answer(False, "person")

        return reply

    def close(self) -> None:
        """Heed no signal from now on: the session is being closed, which takes a moment."""
        self._is_closing = True

    def leave(self, number: int = signal.SIGINT) -> NoReturn:
        """Leave, as with the signal of that number.

        Raises: Leaving.
        """
        self.status = SIGNALLED + number
        self.reason = LEAVING.get(signal.Signals(number), "the person interrupted it")
        raise Leaving(self.status)

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self._is_closing:
            return
        now = time.monotonic()
        is_second = now - self._last < TWICE
        self._last = now
        if number in LEAVING or is_second:
            self.leave(number)
        if self._cancel is None:
            raise KeyboardInterrupt
        self._cancel()
