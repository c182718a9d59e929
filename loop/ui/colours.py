"""Colours, where a person wants them."""

from __future__ import annotations

import os
from typing import TextIO

FAINT, BOLD, RED, GREEN, YELLOW, MAGENTA, CYAN = "2", "1", "31", "32", "33", "35", "36"

Style = str


class Paint:
    """Writes texts in colours, or as they are. is_on: whether there are colours."""

    def __init__(self, is_on: bool) -> None:
        self.is_on = is_on

    def __call__(self, style: Style, text: str) -> str:
        """Return a text in a style, each line by itself."""
        if not self.is_on or not text:
            return text
        return "\n".join(f"\x1b[{style}m{line}\x1b[0m" if line else line for line in text.split("\n"))


def wanted(stream: TextIO) -> bool:
    """Return whether a stream is a terminal of somebody who wants colours (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
