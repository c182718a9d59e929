"""Sets of characters: the values behind SRFI 14, 13 and 115."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Final

from nodwyn.interp.builtins import unicode
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import Boolean, Char, Datum, Symbol, Value, boolean
from nodwyn.interp.errors import out_of_range, wrong_type

define = Table()

LAST: Final = sys.maxunicode
_SURROGATES: Final = (0xD800, 0xE000)


class CharSet(Datum):
    """An immutable set of code points.

    ``edges`` are where membership changes: a code point is a member when an odd number of edges is at
    or below it. A set of a Unicode property is known by its ``test`` alone until the edges are needed,
    since that takes a look at every code point.
    """

    __slots__ = ("_edges", "test")

    def __init__(self, edges: list[int] | None = None, test: Callable[[str], bool] | None = None) -> None:
        self._edges = edges
        self.test = test or self._search

    def _search(self, char: str) -> bool:
        assert self._edges is not None
        return bisect_right(self._edges, ord(char)) % 2 == 1

    @property
    def edges(self) -> list[int]:
        if self._edges is None:
            self._edges = edges_of(filter(self._has, range(LAST + 1)))
        return self._edges

    def _has(self, code: int) -> bool:
        return not _SURROGATES[0] <= code < _SURROGATES[1] and self.test(chr(code))


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
        # Costs a tenth of the engine's start, and most programs need none of these sets.
        from unicodedata import category

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
    "punctuation": _category("P"),
    "symbol": _category("S"),
    "hex-digit": lambda char: char in "0123456789abcdefABCDEF",
    "blank": lambda char: char == "\t" or _category("Zs")(char),
    "ascii": lambda char: char < "\x80",
    "empty": lambda char: False,
    "full": lambda char: True,
}

_made: dict[str, CharSet] = {}


def named(name: str) -> CharSet:
    """Return the standard set of that name (SRFI 14, "Standard character sets"): "letter", "whitespace" …"""
    found = _made.get(name)
    if found is None:
        found = _made[name] = CharSet(test=_NAMED[name])
    return found


def tester(procedure: str, criterion: Value) -> Callable[[str], bool]:
    """Return the test of characters that ``criterion``, a character or a set of characters, stands for."""
    if criterion.__class__ is Char:
        return criterion.char.__eq__
    if criterion.__class__ is CharSet:
        return criterion.test
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
