"""Sets of characters: the values behind SRFI 14, 13 and 115."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Final
from unicodedata import category

from nodwyn.interp.builtins import unicode
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import Boolean, Char, Symbol, Value, boolean
from nodwyn.interp.datum import Datum
from nodwyn.interp.errors import out_of_range, wrong_type

define = Table()

LAST: Final = sys.maxunicode
_CHARACTERS: Final = ((0, 0xD800), (0xE000, LAST + 1))
"""All code points but surrogates, which are no characters."""


class _Separating(dict[int, int]):
    """A table for ``str.translate``, which grows by itself: ``separator`` in the place of what is not in a set."""

    def __init__(self, holds: Callable[[str], bool]) -> None:
        self.holds = holds
        # No string has a surrogate.
        self.separator = "\ud800" if holds("\x00") else "\x00"

    def __missing__(self, code: int) -> int:
        found = self[code] = code if self.holds(chr(code)) else ord(self.separator)
        return found


class CharSet(Datum):
    """An immutable set of code points.

    ``edges`` are where membership changes: a code point is a member when an odd number of edges is at
    or below it. A set of a Unicode property is known by its ``test`` alone until the edges are needed,
    since that takes a look at every code point. ``only`` is the one member of a set made for it, or "".
    ``answers`` holds those that :meth:`remembered` has given.
    """

    __slots__ = ("_edges", "_separating", "answers", "only", "test")

    def __init__(
        self, edges: list[int] | None = None, test: Callable[[str], bool] | None = None, only: str = ""
    ) -> None:
        self._edges = edges
        self._separating: _Separating | None = None
        self.answers: dict[str, bool] = {}
        self.test = test or self._search
        self.only = only

    def _search(self, char: str) -> bool:
        assert self._edges is not None
        return bisect_right(self._edges, ord(char)) % 2 == 1

    def remembered(self, char: str) -> bool:
        """Return what ``test`` says, which is asked once for each character."""
        answer = self.answers.get(char)
        if answer is None:
            answer = self.answers[char] = self.test(char)
        return answer

    def runs(self, text: str) -> list[str]:
        """Return the longest runs of members in a text."""
        table = self._separating
        if table is None:
            table = self._separating = _Separating(self.test)
        return [run for run in text.translate(table).split(table.separator) if run]

    @property
    def edges(self) -> list[int]:
        if self._edges is None:
            test = self.test
            self._edges = edges_of(
                code
                for low, high in _CHARACTERS
                for code, char in enumerate(map(chr, range(low, high)), low)
                if test(char)
            )
        return self._edges


def edges_of(codes: Iterable[int]) -> list[int]:
    """Return the edges of the set of ``codes``, which ascend."""
    edges: list[int] = []
    for code in codes:
        if edges and edges[-1] == code:
            edges[-1] = code + 1
        elif not edges or edges[-1] < code:
            edges.append(code)
            edges.append(code + 1)
    return edges


def _category(*prefixes: str) -> Callable[[str], bool]:
    def holds(char: str) -> bool:
        return category(char).startswith(prefixes)

    return holds


_graphic = _category("L", "N", "P", "S", "M")

_NAMED: Final[dict[str, Callable[[str], bool]]] = {
    "lower-case": str.islower,
    "upper-case": str.isupper,
    "title-case": _category("Lt"),
    "letter": _category("L"),
    "digit": _category("Nd"),
    "letter+digit": _category("L", "Nd"),
    "graphic": _graphic,
    "printing": lambda char: unicode.is_whitespace(char) or _graphic(char),
    "whitespace": unicode.is_whitespace,
    "iso-control": _category("Cc"),
    "other": _category("C"),
    "punctuation": _category("P"),
    "symbol": _category("S"),
    "hex-digit": lambda char: char in "0123456789abcdefABCDEF",
    "blank": lambda char: char == "\t" or _category("Zs")(char),
    "ascii": lambda char: char < "\x80",
    "empty": lambda char: False,
    "full": lambda char: True,
}

_KNOWN: Final = {
    "full": [edge for edges in _CHARACTERS for edge in edges],
    "empty": [],
    "ascii": [0, 0x80],
    "hex-digit": [0x30, 0x3A, 0x41, 0x47, 0x61, 0x67],
}

_made: dict[str, CharSet] = {}


def named(name: str) -> CharSet:
    """Return the standard set of that name (SRFI 14, "Standard character sets"): "letter", "whitespace" …"""
    found = _made.get(name)
    if found is None:
        found = _made[name] = CharSet(_KNOWN.get(name), _NAMED[name])
    return found


def of_text(text: str) -> CharSet:
    """Return the set of the characters of ``text``."""
    if len(text) == 1:
        return CharSet([ord(text), ord(text) + 1], text.__eq__, text)
    return CharSet(edges_of(sorted(set(map(ord, text)))), frozenset(text).__contains__)


def of_ranges(pairs: str) -> CharSet:
    """Return the set of all characters from the first to the second, from the third to the fourth …"""
    bounds = sorted((ord(low), ord(high) + 1) for low, high in zip(pairs[::2], pairs[1::2], strict=True))
    edges: list[int] = []
    for low, high in bounds:
        if edges and low <= edges[-1]:
            edges[-1] = max(edges[-1], high)
        else:
            edges += (low, high)
    return CharSet(edges)


def union(sets: list[CharSet]) -> CharSet:
    """Return the set of what is in any of ``sets``."""
    if len(sets) == 1:
        return sets[0]
    tests = [each.test for each in sets]
    return CharSet(test=lambda char: any(test(char) for test in tests))


def intersection(sets: list[CharSet]) -> CharSet:
    """Return the set of what is in all of ``sets``."""
    tests = [each.test for each in sets]
    return CharSet(test=lambda char: all(test(char) for test in tests))


def difference(whole: CharSet, others: list[CharSet]) -> CharSet:
    """Return the set of what is in ``whole`` and in none of ``others``."""
    test, unwanted = whole.test, [each.test for each in others]
    return CharSet(test=lambda char: test(char) and not any(no(char) for no in unwanted))


_variants: dict[str, str] = {}


def case_variants(char: str) -> str:
    """Return all characters that differ from ``char`` in case alone, and itself."""
    if not _variants:
        groups: dict[str, str] = {}
        # Nothing above has case.
        for code in range(0x1E944):
            one = chr(code)
            if one.casefold() != one:
                folded = unicode.foldcase(one)
                groups[folded] = groups.get(folded, folded) + one
        for group in groups.values():
            _variants.update(dict.fromkeys(group, group))
    return _variants.get(char, char)


def any_case(chars: CharSet, is_ascii: bool) -> CharSet:
    """Return the set of all case variants of ``chars``; only those of ASCII letters if ``is_ascii``."""
    test = chars.test
    if is_ascii:
        return CharSet(test=lambda char: test(char) or (char.isascii() and test(char.swapcase())))
    return CharSet(test=lambda char: any(test(each) for each in case_variants(char)))


def tester(procedure: str, criterion: Value) -> Callable[[str], bool]:
    """Return the test of characters that ``criterion``, a character or a set of characters, stands for."""
    if criterion.__class__ is Char:
        return criterion.char.__eq__
    if criterion.__class__ is CharSet:
        return criterion.remembered
    raise wrong_type(procedure, "criterion", "a character, a set of characters or a procedure", criterion)


@define("%char-set")
def char_set_named(name: Value) -> CharSet:
    """Return the standard set that a symbol names."""
    if name.__class__ is not Symbol:
        raise wrong_type("%char-set", "name", "a symbol", name)
    if name.name not in _NAMED:
        raise out_of_range("%char-set", "name", "the name of a standard set", name)
    return named(name.name)


@define("%char-set?")
def is_char_set(value: Value) -> Boolean:
    return boolean(value.__class__ is CharSet)
