"""The process of a command: whenever Ctrl-C is pressed, it ends with 130 and without a word of Python's.

What a command does about Ctrl-C is its own matter once it has called :func:`heed_interrupts`. While it is still being
imported, and while Python ends, an exception would come out where nobody catches it.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself, without making enumerations of it at every start
import os
import sys

TYPE_CHECKING = False  # that of typing takes milliseconds, in which Ctrl-C would not be heeded yet
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

INTERRUPTED_STATUS = 130


def run(main: Callable[[], int]) -> NoReturn:
    """Run a command as the process, and leave with its exit status."""
    try:
        status = _with_quiet_ends(main)
    except KeyboardInterrupt:
        status = INTERRUPTED_STATUS
    sys.exit(status)


def heed_interrupts() -> None:
    """Have Ctrl-C raise KeyboardInterrupt from now on, if it ends the process so far."""
    if _signal.getsignal(_signal.SIGINT) is _leave:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def _with_quiet_ends(main: Callable[[], int]) -> int:
    # Where it is ignored, as in the background of a shell, it stays so.
    is_heeded = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    try:
        if is_heeded:
            _signal.signal(_signal.SIGINT, _leave)
            sys.unraisablehook = _raise_again
        return main()
    finally:
        if is_heeded:
            _signal.signal(_signal.SIGINT, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED_STATUS)


def _raise_again(lost: sys.UnraisableHookArgs) -> None:
    """Have a Ctrl-C count that came while Python called something back, such as while it imported: it is not lost."""
    if lost.exc_type is KeyboardInterrupt:
        from _thread import interrupt_main

        interrupt_main()
    else:
        sys.__unraisablehook__(lost)
