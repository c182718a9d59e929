"""What a text must have for a pattern to match anywhere in it: strings that are found faster than the pattern.

RE2 takes some time for each byte of a text in which it has to follow a pattern, and a fourth of that to look for a
string. Most patterns have strings that no match is without, and most files have none of them.
"""

from __future__ import annotations

import re
from string import ascii_letters, digits
from typing import Final, NamedTuple

SHORTEST: Final = 3
"""Characters of a string that is worth looking for."""

MOST: Final = 3
"""Strings that are looked for together: more take as long as the pattern."""

_PLAIN: Final = frozenset(f"{ascii_letters}{digits} _-/=:;,<>\"'!@#%&~`")
"""Characters that stand for themselves wherever they are outside of brackets."""

_IGNORED_CASE: Final = "(?i)"

_TWO_FOLDED: Final = re.compile("[kKsS]")
"""Letters that are another one's small or capital form, too: with them RE2 is not faster."""

_TOKEN: Final = re.compile(
    r"""(?P<escaped>\\[!-/:-@\[-`{-~])  # a character that is meant as such
    |(?P<unknown>\\[dDwWsSbB]|\.|\^|\$|\[\^?\]?(?:\\.|[^\]\\\[])*\])  # one character of many, or a place
    |(?P<optional>[*?]|\{\d*,?\d*\})|(?P<repeated>\+)
    |(?P<opening>\((?:\?:)?(?!\?))|(?P<closing>\))|(?P<or>\|)
    |(?P<character>[^\\\[()])""",
    re.X | re.S,
)


class Needed(NamedTuple):
    """Strings of which a text has one if a pattern matches in it."""

    strings: tuple[str, ...]
    ignores_case: bool


def needed(pattern: str) -> Needed | None:
    """Return what every match of a pattern has one of; None when that is not known, or would not be faster.

    pattern: in RE2's syntax, without errors. What is not understood of it leads to None.
    """
    ignores_case = pattern.startswith(_IGNORED_CASE)
    branches = _branches(pattern.removeprefix(_IGNORED_CASE))
    if branches is None or len(branches) > MOST:
        return None
    found = []
    for runs in branches:
        pieces = [piece for run in runs for piece in (_TWO_FOLDED.split(run) if ignores_case else [run])]
        best = max(pieces, key=len, default="")
        if len(best) < SHORTEST:
            return None
        found.append(best)
    return Needed(tuple(found), ignores_case)


def begins_plain(pattern: str) -> bool:
    """Whether a pattern has one branch, which begins with a string: RE2 looks for that by itself."""
    return pattern[:1] in _PLAIN and pattern[1:2] not in ("*", "?", "{") and "|" not in pattern


def _branches(pattern: str) -> list[list[str]] | None:
    """Return for each branch of a pattern the strings that all its matches have; what is in parentheses counts not."""
    branches: list[list[str]] = []
    runs = _Runs()
    place = depth = 0
    while place < len(pattern):
        token = _TOKEN.match(pattern, place)
        if token is None:
            return None
        place = token.end()
        kind = token.lastgroup
        if kind == "opening":
            depth += 1
        elif kind == "closing":
            depth -= 1
        if kind == "or" and depth == 0:
            branches.append(runs.done())
            runs = _Runs()
        elif kind == "optional":
            runs.drop_last()
        elif depth == 0 and (kind == "escaped" or (kind == "character" and token[0] in _PLAIN)):
            runs.add(token[0][-1])
        else:
            runs.end()
    return [*branches, runs.done()]


class _Runs:
    """Strings of characters that follow each other in a pattern."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._run = ""

    def add(self, character: str) -> None:
        self._run += character

    def drop_last(self) -> None:
        """Take back the last character, which need not be there."""
        self._run = self._run[:-1]
        self.end()

    def end(self) -> None:
        self._done.append(self._run)
        self._run = ""

    def done(self) -> list[str]:
        self.end()
        return self._done
