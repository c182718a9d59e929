"""``python docs/picture.py`` runs `nodwyn demo` in a terminal and draws what that shows into docs/demo.svg."""

from __future__ import annotations

import os
import pty
import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from textwrap import wrap

PAGE = Path(__file__).resolve().parent / "demo.svg"
COLUMNS, LINE, CHARACTER = 100, 18, 8.4
STYLES = {"1": "font-weight='bold'", "2": "fill='#8b949e'", "31": "fill='#ff7b72'", "32": "fill='#7ee787'"}
STYLED = re.compile(r"\x1b\[(\d+)m(.*?)\x1b\[0m")


def shown() -> str:
    """Return what the demo writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
        os.execv(sys.executable, [sys.executable, "-m", "nodwyn.loop.ui.cli", "demo"])
    written = b""
    try:
        while data := os.read(terminal, 65536):
            written += data
    except OSError:
        pass  # the terminal is gone with the program
    os.waitpid(child, 0)
    return written.decode().replace("\r\n", "\n")


def first_part(text: str) -> list[str]:
    """Return the lines of the turn itself, without the record of it."""
    turn, _, _ = text.partition("\n\x1b[1mThe record")
    lines = re.sub(r"/tmp/nodwyn-demo-\w+", "/tmp/nodwyn-demo", turn).strip("\n").split("\n")
    return [part for line in lines for part in (wrap(line, COLUMNS) or [""] if "\x1b" not in line else [line])]


def spans(line: str) -> Iterator[str]:
    """Yield the parts of a line as SVG."""
    place = 0
    for styled in STYLED.finditer(line):
        yield escape(line[place : styled.start()])
        yield f"<tspan {STYLES.get(styled[1], '')}>{escape(styled[2])}</tspan>"
        place = styled.end()
    yield escape(line[place:])


def drawn(lines: list[str]) -> str:
    """Return a picture of a terminal with these lines."""
    lines = ["\x1b[2m$\x1b[0m nodwyn demo", *lines]
    width, height = COLUMNS * CHARACTER + 40, len(lines) * LINE + 40
    rows = [
        f"<text x='20' y='{30 + number * LINE}' xml:space='preserve'>{''.join(spans(line))}</text>"
        for number, line in enumerate(lines)
    ]
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height}' font-size='14'"
            " font-family='ui-monospace, Menlo, Consolas, monospace' fill='#e6edf3'>",
            "<rect width='100%' height='100%' rx='8' fill='#0d1117'/>",
            *rows,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(drawn(first_part(shown())), encoding="utf-8")
