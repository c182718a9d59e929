"""A plain read-eval-print loop."""

from __future__ import annotations

import sys

from nodwyn.interp.commands import show_error, show_value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.host import SystemHost
from nodwyn.interp.interpreter import Interpreter
from nodwyn.interp.reader import IncompleteError, read_source
from nodwyn.interp.syntax import Source

PROMPT = "> "
MORE = "  "
NAME = "<repl>"


class Conversation:
    """A loop that reads from the standard input of a host: with prompts and editing where that is a terminal.

    Input that is not complete goes on on the next line; Ctrl-C drops it, or stops what is running.
    """

    def __init__(self, scheme: Interpreter, host: SystemHost) -> None:
        self.scheme = scheme
        self.host = host
        self.has_failed = False
        """Whether there was an error."""
        self.is_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
        if self.is_terminal:
            _edit_lines()

    def hold(self) -> None:
        """Read, evaluate and print until the end of input."""
        text = ""
        while True:
            try:
                line = self._line(MORE if text else PROMPT)
                if line is None:
                    break
                text += line
                if is_complete(text):
                    self._answer(text)
                    text = ""
            except KeyboardInterrupt:
                self.host.standard_output().write("\n")
                text = ""
        if text:
            self._answer(text)

    def _line(self, prompt: str) -> str | None:
        """Return the next line with its end, None at the end of input."""
        self.host.flush()
        if not self.is_terminal:
            # From where the program itself reads: ``(read-line)`` gives the line after.
            line = self.host.standard_input().read_line()
            return None if line is None else line + "\n"
        try:
            return input(prompt) + "\n"
        except EOFError:
            self.host.standard_output().write("\n")
            return None

    def _answer(self, text: str) -> None:
        try:
            show_value(self.scheme.eval_scheme(text, NAME), self.host.standard_output().write)
        except SchemeError as error:
            self.has_failed = True
            show_error(error, self.host)


def _edit_lines() -> None:
    try:
        # Gives ``input`` line editing and a history.
        import readline  # noqa: F401
    except ImportError:
        pass


def is_complete(text: str) -> bool:
    """Say whether a text consists of whole data, or has a mistake that more text would not mend."""
    try:
        for _ in read_source(Source(NAME, text)):
            pass
    except IncompleteError:
        return False
    except SchemeError:
        pass
    return True
