"""Python's limit on nested calls. It is one for all threads of a process, and several may need another at a time."""

from __future__ import annotations

import sys
from contextlib import suppress
from threading import RLock
from types import TracebackType
from typing import Final

_lock: Final = RLock()
"""Also held by a thread that a signal has the same done in meanwhile."""

_holding: Final[list[int]] = []
"""The limit that held before the first, and those that have been entered since and not left."""


class RecursionLimit:
    """Has another limit hold for what is done in it.

    What held before comes back when the last of those that overlap is left, in whatever order threads leave them: a
    high limit that stayed would let code in C, such as a parser of JSON, outgrow its stack.
    """

    __slots__ = ("_depth",)

    def __init__(self, depth: int) -> None:
        """Prepare a limit of ``depth`` Python frames."""
        self._depth = depth

    def __enter__(self) -> None:
        """Raise RecursionError when as many calls are nested already."""
        with _lock:
            outside = [] if _holding else [sys.getrecursionlimit()]
            sys.setrecursionlimit(self._depth)
            _holding.extend([*outside, self._depth])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with _lock:
            _holding.reverse()
            _holding.remove(self._depth)
            _holding.reverse()
            # This thread may be deeper than another may go.
            with suppress(RecursionError):
                sys.setrecursionlimit(_holding[-1])
            if len(_holding) == 1:
                _holding.clear()
