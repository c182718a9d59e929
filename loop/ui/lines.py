"""What the person types, line by line: with editing and a history at a terminal, as it comes from a pipe."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

from nodwyn.loop.ticking import ticking

CONTINUES = "\\"
"""A line that ends so goes on on the next one."""

BRACKETED_PASTES, PLAIN_PASTES = "\x1b[?2004h", "\x1b[?2004l"
"""What tells a terminal to mark what is pasted, and to leave that off."""

LOOKS, FIRST_LOOK, NEXT_LOOK = 20, 0.1, 0.25
"""How often it is looked whether a signal came just before a line was waited for, and the seconds until each time."""

Complete = Callable[[str, int], Iterable[str] | None]
"""Given a line and where the word in it begins, returns the words that it may be; None where Tab is a tab."""


class Lines:
    """The lines of standard input."""

    def __init__(self, complete: Complete) -> None:
        """complete: what Tab offers."""
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._pastes = self.is_terminal and _edit(complete)

    def read(self, prompt: str) -> str | None:
        """Return the next line without its end; None at the end of input.

        prompt: shown at a terminal.

        What is pasted at a terminal that marks it so is one line, with its line ends in it.

        Raises: KeyboardInterrupt.
        """
        if not self.is_terminal:
            line = sys.stdin.readline()
            return line.rstrip("\r\n") if line else None
        try:
            with self._suspending(), signals_heeded():
                return input(prompt)
        except EOFError:
            sys.stdout.write("\n")
            return None

    @contextmanager
    def _suspending(self) -> Iterator[None]:
        """Have Ctrl-Z leave the terminal as it was meanwhile: brackets around pastes would trouble other programs."""
        if not self._pastes or signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL:
            yield
            return

        def suspend(number: int, frame: FrameType | None) -> None:
            _write(PLAIN_PASTES)
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)
            signal.signal(signal.SIGTSTP, suspend)
            _write(BRACKETED_PASTES)

        signal.signal(signal.SIGTSTP, suspend)
        try:
            yield
        finally:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)

    def answer(self) -> str:
        """Return the next line with an end, for a question; nothing at the end of input."""
        line = self.read("")
        return "" if line is None else f"{line}\n"


@contextmanager
def signals_heeded() -> Iterator[None]:
    """Have no Ctrl-C lost meanwhile that comes in the moment before a line is waited for.

    Python heeds a signal between two of its instructions, or when what waits is disturbed by it. One that comes between
    these two would be heeded after the line. So what waits is disturbed again, some times in the first seconds.
    """
    looks = 0

    def look() -> bool:
        nonlocal looks
        looks += 1
        return looks < LOOKS

    with ticking(look, FIRST_LOOK, NEXT_LOOK):
        yield


def drop_typed_ahead() -> bool:
    """Drop what was typed at the terminal of standard input until now; return whether a line of it was waiting.

    A question is answered by who has seen it. What is piped in is no typing, and stays.
    """
    if not sys.stdin.isatty():
        return False
    import select
    import termios

    try:
        descriptor = sys.stdin.fileno()
    except OSError:
        return False  # it is none of the system's
    waiting, _, _ = select.select([descriptor], [], [], 0)
    termios.tcflush(descriptor, termios.TCIFLUSH)
    return bool(waiting)


def _edit(complete: Complete) -> bool:
    """Give ``input`` line editing, a history and completion; return whether pastes are told from typing."""
    try:
        import readline
    except ImportError:
        return False
    readline.set_completer_delims(" \t\n()'`,\";")
    readline.set_completer(_Completer(complete, readline.get_line_buffer, readline.get_begidx, readline.insert_text))
    if "libedit" in (readline.__doc__ or ""):
        readline.parse_and_bind("bind ^I rl_complete")
        return False
    readline.parse_and_bind("tab: complete")
    if os.environ.get("TERM", "dumb") == "dumb":
        return False
    # Python switches them off. Readline asks for them at each prompt, and ends them after it.
    readline.parse_and_bind("set enable-bracketed-paste on")
    return True


class _Completer:
    """What Tab does, as readline calls it: with 0, 1, 2 … until there is nothing more."""

    def __init__(
        self, complete: Complete, line: Callable[[], str], start: Callable[[], int], insert: Callable[[str], None]
    ) -> None:
        self._complete = complete
        self._line = line
        self._start = start
        self._insert = insert
        self._found: list[str] = []

    def __call__(self, word: str, number: int) -> str | None:
        if number == 0:
            offered = self._complete(self._line(), self._start())
            if offered is None:
                self._insert("\t")  # in a message a tab is a tab
                return ""
            self._found = [each for each in offered if each.startswith(word)]
        return self._found[number] if number < len(self._found) else None


def _write(text: str) -> None:
    try:
        os.write(sys.stdout.fileno(), text.encode())
    except OSError:
        pass  # the terminal has gone
