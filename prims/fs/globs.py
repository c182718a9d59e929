"""Globs: patterns of file names, each translated to one regular expression, which RE2 matches in linear time.

Within a component, ``*`` is any run of characters, ``?`` one, ``[a-z]`` one of a set and ``[!a-z]`` one that is not
in it; ``**`` as a whole component is any number of directories, ``{a,b}`` one of several patterns, and a backslash
takes the next character for itself. None of them, but for ``**``, matches a slash.

A pattern without a slash is looked for in every component, one with a slash from the start of the path. What matches a
directory matches everything under it. A leading ``!`` turns the pattern round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

MOST_CHARACTERS = 4096
MOST_DEPTH = 20
"""How deep braces may be nested."""


class GlobError(ValueError):
    """A pattern is none; the message says what is wrong with it."""


@lru_cache(maxsize=64)
def matcher(glob: str) -> Callable[[str], bool]:
    """Return what tells whether a path matches.

    The path has slashes between its components, and none at its start or end; it is relative to the directory from
    which a pattern with a slash is looked for.

    Raises: GlobError.
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    negative = glob.startswith("!")
    try:
        found = re2.compile(expression(glob[1:] if negative else glob), options).match
    except re2.error as error:
        raise GlobError(f"it is too large: {error}") from None
    return (lambda path: found(path) is None) if negative else (lambda path: found(path) is not None)


def expression(glob: str) -> str:
    """Return the regular expression, in RE2's syntax, that matches from their start on the paths that a glob does.

    glob: without a leading ``!``.

    Raises: GlobError.
    """
    if not glob.strip("/"):
        raise GlobError("it is empty: * matches every name")
    if len(glob) > MOST_CHARACTERS:
        raise GlobError(f"it has more than {MOST_CHARACTERS} characters")
    anchored = "/" in glob.rstrip("/")
    body = _Translation(glob.removeprefix("./").strip("/")).translate()
    start = "" if anchored else "(?:[^/]*/)*"
    return f"(?s){start}(?:{body})(?:/|\\z)"


class _Translation:
    """One translation of a pattern, from its start to its end."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.place = 0
        self.depth = 0

    def translate(self) -> str:
        pieces = []
        while self.place < len(self.pattern):
            pieces.append(self._next())
        if self.depth:
            raise GlobError("a brace in it is not closed")
        return "".join(pieces)

    def _next(self) -> str:
        pattern, place = self.pattern, self.place
        char = pattern[place]
        self.place += 1
        if char == "*":
            return self._stars()
        if char == "?":
            return "[^/]"
        if char == "[":
            return self._set()
        if char == "{":
            return self._open()
        if char == "}" and self.depth:
            self.depth -= 1
            return ")"
        if char == "," and self.depth:
            return "|"
        if char == "\\":
            if self.place == len(pattern):
                raise GlobError("it ends in a backslash")
            char = pattern[self.place]
            self.place += 1
        return _literal(char)

    def _open(self) -> str:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise GlobError(f"its braces are nested more than {MOST_DEPTH} deep")
        return "(?:"

    def _stars(self) -> str:
        """Translate a run of stars, the first of which was taken."""
        pattern, start = self.pattern, self.place - 1
        while self.place < len(pattern) and pattern[self.place] == "*":
            self.place += 1
        begins = start == 0 or pattern[start - 1] in "/{,"
        ends = self.place == len(pattern) or pattern[self.place] in "/},"
        if self.place - start != 2 or not (begins and ends):
            return "[^/]*"
        if self.place < len(pattern) and pattern[self.place] == "/":
            self.place += 1
            return "(?:[^/]+/)*"
        return ".*"

    def _set(self) -> str:
        """Translate a set of characters, whose bracket was taken."""
        pattern, place = self.pattern, self.place
        negative = pattern[place : place + 1] in ("!", "^")
        first = place + negative
        end = pattern.find("]", first + 1)
        if end < 0:
            raise GlobError(f"the bracket at its character {place} is not closed")
        self.place = end + 1
        return _class(list(_ranges(pattern[first:end])), negative)


def _ranges(text: str) -> Iterator[tuple[str, str]]:
    """Yield the ranges of characters that stand between brackets, without the slash."""
    place = 0
    while place < len(text):
        low = high = text[place]
        place += 1
        if text[place : place + 1] == "-" and place + 1 < len(text):
            high = text[place + 1]
            place += 2
        if low > high:
            raise GlobError(f"its range {low}-{high} is turned round")
        if low <= "/" <= high:
            if low < "/":
                yield low, "."
            if high > "/":
                yield "0", high
        else:
            yield low, high


def _class(ranges: list[tuple[str, str]], negative: bool) -> str:
    """Return the class of the characters in ranges, or of those in none; the slash is never one."""
    members = "".join(f"{_literal(low)}-{_literal(high)}" for low, high in ranges)
    if negative:
        return f"[^/{members}]"
    return f"[{members}]" if members else "[^\\x00-\\x{10FFFF}]"


def _literal(char: str) -> str:
    """Return the expression for one character."""
    return char if char.isalnum() else f"\\x{{{ord(char):X}}}"
