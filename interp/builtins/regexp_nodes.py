"""The nodes of regular expressions (SRFI 115), and the sets of characters that their names stand for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from nodwyn.interp.builtins import char_sets, unicode
from nodwyn.interp.builtins.char_sets import CharSet


class One(NamedTuple):
    """One character of a set."""

    chars: CharSet


class Sequence(NamedTuple):
    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """Alternatives, the preferred first."""

    parts: tuple[Node, ...]


class Repeat(NamedTuple):
    """``most`` is None for no bound."""

    part: Node
    least: int
    most: int | None
    is_greedy: bool


class Capture(NamedTuple):
    number: int
    part: Node


class Assertion(NamedTuple):
    """A condition on a place: "bos", "eos", "bol", "eol", "bow", "eow", "nwb", "bog", "eog", "mid-grapheme"."""

    kind: str
    is_ascii: bool


class Look(NamedTuple):
    """Text after, or with a fixed ``behind`` before, the place that matches ``part``, or does not."""

    part: Node
    behind: int | None
    is_negated: bool


class Reference(NamedTuple):
    """The text of a submatch again: the first of ``indices`` that has matched."""

    indices: tuple[int, ...]
    ignores_case: bool


Node = One | Sequence | Choice | Repeat | Capture | Assertion | Look | Reference

EMPTY: Final = Sequence(())


def fixed_length(node: Node) -> int | None:
    """Return the number of characters that a node matches, or None if it varies."""
    match node:
        case One():
            return 1
        case Assertion() | Look():
            return 0
        case Capture():
            return fixed_length(node.part)
        case Repeat():
            length = fixed_length(node.part)
            return length * node.least if length is not None and node.least == node.most else None
        case Sequence():
            lengths = [fixed_length(part) for part in node.parts]
            return None if None in lengths else sum(lengths)  # type: ignore[arg-type]
        case Choice():
            each = {fixed_length(part) for part in node.parts}
            return each.pop() if len(each) == 1 else None
    return None


_ASCII_PUNCTUATION: Final = "!\"#%&'()*,-./:;?@[\\]_{}"
_ASCII_SYMBOLS: Final = "$+<=>^`|~"

ASCII: Final[dict[str, Callable[[], CharSet]]] = {
    "any": lambda: char_sets.of_ranges("\x00\x7f"),
    "ascii": lambda: char_sets.of_ranges("\x00\x7f"),
    "nonl": lambda: char_sets.of_ranges("\x00\x09\x0b\x0c\x0e\x7f"),
    "lower-case": lambda: char_sets.of_ranges("az"),
    "upper-case": lambda: char_sets.of_ranges("AZ"),
    "title-case": lambda: char_sets.named("empty"),
    "alphabetic": lambda: char_sets.of_ranges("AZaz"),
    "numeric": lambda: char_sets.of_ranges("09"),
    "alphanumeric": lambda: char_sets.of_ranges("09AZaz"),
    "punctuation": lambda: char_sets.of_text(_ASCII_PUNCTUATION),
    "symbol": lambda: char_sets.of_text(_ASCII_SYMBOLS),
    "graphic": lambda: char_sets.of_ranges("!~"),
    "whitespace": lambda: char_sets.of_text(" \t\n\f\r"),
    "printing": lambda: char_sets.union([char_sets.of_ranges("!~"), char_sets.of_text(" \t\n\f\r")]),
    "control": lambda: char_sets.of_ranges("\x00\x1f"),
    "hex-digit": lambda: char_sets.of_ranges("09AFaf"),
}

UNICODE: Final[dict[str, Callable[[], CharSet]]] = {
    "any": lambda: char_sets.named("full"),
    "ascii": ASCII["ascii"],
    "nonl": lambda: CharSet(test=lambda char: char != "\n" and char != "\r"),
    "lower-case": lambda: char_sets.named("lower-case"),
    "upper-case": lambda: char_sets.named("upper-case"),
    "title-case": lambda: char_sets.named("title-case"),
    "alphabetic": lambda: CharSet(test=unicode.is_alphabetic),
    "numeric": lambda: char_sets.named("digit"),
    "alphanumeric": lambda: CharSet(test=is_alphanumeric),
    "punctuation": lambda: char_sets.named("punctuation"),
    "symbol": lambda: char_sets.named("symbol"),
    "graphic": lambda: CharSet(test=_is_graphic),
    "whitespace": lambda: char_sets.named("whitespace"),
    "printing": lambda: CharSet(test=lambda char: unicode.is_whitespace(char) or _is_graphic(char)),
    "control": lambda: char_sets.named("other"),
    "hex-digit": ASCII["hex-digit"],
}


def is_alphanumeric(char: str) -> bool:
    """Return whether a character is alphabetic or a decimal digit."""
    return unicode.is_alphabetic(char) or char.isdecimal()


def _is_graphic(char: str) -> bool:
    return is_alphanumeric(char) or char_sets.named("punctuation").test(char) or char_sets.named("symbol").test(char)


def is_word(char: str, is_ascii: bool) -> bool:
    """Return whether a character is part of words."""
    if char == "_":
        return True
    return char.isascii() and char.isalnum() if is_ascii else is_alphanumeric(char)
