"""What the person types, line by line: with editing and a history at a terminal, as it comes from a pipe."""

from __future__ import annotations

import sys

CONTINUES = "\\"
"""A line that ends so goes on on the next one."""


class Lines:
    """The lines of standard input."""

    def __init__(self) -> None:
        accept_any_bytes()
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if self.is_terminal:
            _edit()

    def read(self, prompt: str) -> str | None:
        """Return the next line without its end; None at the end of input.

        prompt: shown at a terminal.

        Raises: KeyboardInterrupt.
        """
        if not self.is_terminal:
            line = sys.stdin.readline()
            return line.rstrip("\r\n") if line else None
        try:
            return input(prompt)
        except EOFError:
            sys.stdout.write("\n")
            return None

    def answer(self) -> str:
        """Return the next line with an end, for a question; nothing at the end of input."""
        line = self.read("")
        return "" if line is None else f"{line}\n"


def accept_any_bytes() -> None:
    """Have bytes of standard input that are no UTF-8 read as lone surrogates, as those of file names are."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="surrogateescape")


def _edit() -> None:
    try:
        # Gives ``input`` line editing and a history.
        import readline  # noqa: F401
    except ImportError:
        pass
