"""A text cut into stretches of lines that belong together: what a search ranks and shows."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from nodwyn.prims.redact.engine import Pattern

VERSION = 1
"""The number of these rules; what was indexed by others is indexed again."""

FEWEST_LINES: Final = 20
MOST_LINES: Final = 80

_BEGINNINGS: Final = (
    "func type var const function class export def define fn pub impl struct enum trait mod macro_rules! static public"
    " private protected interface abstract final typedef namespace async module describe"
)


def cut(text: bytes) -> list[int]:
    """Return how many lines each chunk of a text has; they follow each other from the first line on.

    A chunk begins at a line that begins a declaration or a heading in its first column, once the chunk before has
    20 lines, and has at most 80. A text without a line has no chunk.
    """
    total = text.count(b"\n") + (not text.endswith(b"\n") and text != b"")
    sizes: list[int] = []
    begun = 0
    for line in _begins(text, total):
        while line - begun > MOST_LINES:
            sizes.append(MOST_LINES)
            begun += MOST_LINES
        if line == total or line - begun >= FEWEST_LINES:
            if line > begun:
                sizes.append(line - begun)
            begun = line
    return sizes


def _begins(text: bytes, total: int) -> list[int]:
    """Return the numbers of the lines, from 0, that may begin a chunk, and of the line behind the last."""
    lines = [0]
    place = 0
    for found in _pattern().finditer(text):
        start, _ = found.span()
        lines.append(text.count(b"\n", place, start))
        place = start
    return [*accumulate(lines[1:]), total]


@cache
def _pattern() -> Pattern:
    from nodwyn.prims.redact.engine import compile_pattern

    words = "|".join(_BEGINNINGS.split())
    return compile_pattern(rf"^(?:(?:{words})[ \t(<*]|\(define|#{{1,6}} |#\[|@\w|\\chapter|\\section)")
