"""Patterns in RE2's syntax, matched within one line, and what is wrong with a text that is none.

RE2 takes time in proportion to the text whatever the pattern, so a pattern has no back-references and no look-around.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from nodwyn.prims.grep.needed import begins_plain, needed

if TYPE_CHECKING:
    from re2 import Options, _Regexp

LARGEST_PROGRAM: Final = 20_000
"""Instructions that a pattern may be compiled to: what repeats large sets a thousand times has more."""

_TOO_LARGE: Final = "it is too large; repeat less, or search for a part of it"

_MEMORY_OF_A_TRIAL: Final = 1 << 19
"""Bytes that RE2 may take: enough for every program of LARGEST_PROGRAM instructions, not for three times as many."""

_MOST_STEPS: Final = 100_000_000
"""Instructions times bytes that are taken in one go, which is at worst a second's work."""

_POLL_SECONDS: Final = 0.05

_LONGEST_SHOWN: Final = 100

# Where a line is not the same as a text of its own: \A, \z, \C (any byte), and a flag that takes m away.
_BY_LINE = re.compile(r"\\[ACz]|\(\?[A-Za-z]*-[A-Za-z]*m")

_TOKEN = re.compile(r"\\Q.*?(?:\\E|\Z)|\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|.", re.S)
"""What RE2 reads as one thing, as far as it takes to know which brackets and parentheses are meant as such."""

_LOOK_AROUND = re.compile(r"\(\?<?[=!]")
_NAMED_GROUP = re.compile(r"\(\?P?<\w+>")
_BACK_REFERENCE = re.compile(r"\\[1-9k]|\(\?P=\w*\)?")


class PatternError(ValueError):
    """A text is no pattern; the message says what is wrong, and where."""


class Pattern:
    """A compiled pattern.

    Raises: PatternError.
    """

    def __init__(self, text: str) -> None:
        import re2

        options = re2.Options()
        options.log_errors = False
        options.never_capture = True
        options.never_nl = True  # a line end is in no class and no dot
        try:
            # First as it is, for an error to speak of; and with little memory, for RE2 takes minutes to write out what
            # has many times as many instructions as are allowed.
            options.max_mem = _MEMORY_OF_A_TRIAL
            re2.compile(text.encode(), options)
            options.max_mem = re2.Options().max_mem
            self._compiled: _Regexp = re2.compile(b"(?m)" + text.encode(), options)
        except re2.error as error:
            said: bytes = error.args[0]
            raise PatternError(_explained(text, said.decode(errors="replace"))) from None
        size: int = self._compiled.programsize
        if size > LARGEST_PROGRAM:
            raise PatternError(_TOO_LARGE)
        self._search: Callable[..., Any] = self._compiled.search
        self._finders = _finders(text, options)
        self._by_line = _BY_LINE.search(text) is not None
        self._quick = _MOST_STEPS // size
        """How many bytes take less than a second whatever they are."""

    def search(self, data: bytes, most: int, going_on: Callable[[], None]) -> list[int]:
        """Return where the first ``most`` matching lines match; see :meth:`lines`.

        going_on: called now and then while it takes long, to raise what ends the search.
        """
        if len(data) <= self._quick:
            return list(islice(self.lines(data), most))
        found: list[int] = []
        # RE2 lets other threads run, and nothing can stop it: whoever waits no longer leaves it to come to its end.
        thread = threading.Thread(target=lambda: found.extend(islice(self.lines(data), most)), daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_POLL_SECONDS)
            going_on()
        return found

    def lines(self, data: bytes) -> Iterator[int]:
        """Yield where a match begins in each line of ``data`` that has one, as an offset in bytes.

        data: lines that end in ``\\n``, the last one perhaps not.
        """
        if self._finders and not any(find(data) for find in self._finders):
            return
        if self._by_line:
            yield from self._each_line(data)
            return
        place, end = 0, len(data)
        while place < end:
            found = self._search(data, place)
            # The end of the last line is no line.
            if found is None or (found.start() == end and data.endswith(b"\n")):
                return
            yield found.start()
            place = data.find(b"\n", found.start()) + 1 or end

    def spans(self, line: str) -> Iterator[tuple[int, int]]:
        """Yield where the matches in a line begin and end, in characters; empty ones are left out."""
        data = line.encode()
        for found in self._compiled.finditer(data):
            start, end = found.span()
            if start < end:
                yield len(data[:start].decode()), len(data[:end].decode())

    def _each_line(self, data: bytes) -> Iterator[int]:
        place = 0
        while place < len(data):
            end = data.find(b"\n", place)
            end = len(data) if end < 0 else end
            found = self._search(data[place:end])
            if found is not None:
                yield place + found.start()
            place = end + 1


def _finders(text: str, options: Options) -> list[Callable[[bytes], Any]]:
    """Return what finds the strings of which a text that matches has one; nothing where that would not be faster."""
    import re2

    if begins_plain(text) or (wanted := needed(text)) is None:
        return []
    flag = "(?i)" if wanted.ignores_case else ""
    return [re2.compile((flag + re2.escape(each)).encode(), options).search for each in wanted.strings]


def _explained(text: str, said: str) -> str:
    """Return what is wrong with a pattern, and where; a pattern that takes a line or less is shown with a mark."""
    what, _, snippet = said.partition(": ")
    if what == "pattern too large - compile failed":
        return _TOO_LARGE
    place = _place(text, what, snippet)
    reason = _reason(text[place:], what, snippet)
    message = f"{reason}, at character {place + 1}"
    if len(text) > _LONGEST_SHOWN or not text.isprintable():
        return message
    return f"{message}\n  {text}\n  {' ' * place}^"


def _reason(rest: str, what: str, snippet: str) -> str:
    """Return what is wrong with a pattern. rest: the pattern from the place on."""
    if named := _LOOK_AROUND.match(rest):
        return f"RE2 has no look-around such as {named[0]}"
    if named := _BACK_REFERENCE.match(rest):
        return f"RE2 has no back-references such as {named[0]}"
    return {
        "missing )": "a parenthesis is not closed",
        "unexpected )": "a parenthesis closes nothing",
        "missing ]": "a bracket is not closed",
        "trailing \\": "it ends in a backslash",
        "no argument for repetition operator": f"{snippet} has nothing before it to repeat",
        "bad repetition operator": f"{snippet} repeats a repetition",
        "invalid repetition size": f"{snippet} repeats more often than 1,000 times",
        "invalid escape sequence": f"RE2 has no {snippet}",
        "invalid character class range": f"{snippet} is no range or class of characters",
        "invalid perl operator": f"RE2 has no {snippet}",
    }.get(what, f"{what} {snippet}".strip())


def _place(text: str, what: str, snippet: str) -> int:
    """Return the place in a pattern of what RE2 says is wrong with it."""
    tokens = [(found.start(), found[0]) for found in _TOKEN.finditer(text)]
    if what in ("missing )", "unexpected )"):
        return _unmatched(tokens)
    if what == "missing ]":
        return len(text) - len(snippet)
    if what == "trailing \\":
        return len(text) - 1
    for place, _ in tokens:
        if text.startswith(snippet, place) and not _NAMED_GROUP.match(text, place):
            return place
    return max(text.find(snippet), 0)


def _unmatched(tokens: list[tuple[int, str]]) -> int:
    """Return the place of the first parenthesis that closes nothing, or else of the last that is not closed."""
    opened = []
    for place, token in tokens:
        if token.startswith("("):
            opened.append(place)
        elif token == ")":
            if not opened:
                return place
            opened.pop()
    return opened[-1] if opened else 0
