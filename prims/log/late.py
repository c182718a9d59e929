"""A thread that sees to it that no event waits long for its way to the disk."""

from __future__ import annotations

import threading
from collections.abc import Callable


class LateSync:
    """Calls a function a while after it is wanted, once for all wishes of that while."""

    def __init__(self, sync: Callable[[], None], delay: float) -> None:
        """
        sync: what to call.
        delay: seconds from the first wish to the call.
        """
        self._sync = sync
        self._delay = delay
        self._wanted = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def want(self) -> None:
        """Ask for the call."""
        if self._wanted.is_set():
            return
        self._wanted.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="nodwyn-log-sync", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread; what is wanted and was not yet done is left to the caller."""
        self._stopped.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._wanted.wait() and not self._stopped.wait(self._delay):
            self._wanted.clear()
            if self._stopped.is_set():
                return  # the wish that was just cleared may have been that of `stop`
            self._sync()
