"""Words of a shell line: what the shell will make of each, as far as that is known before it runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

WORD_KINDS = frozenset(
    "word number string raw_string ansi_c_string translated_string concatenation brace_expression".split()
)

MAXIMUM_ALTERNATIVES = 256
"""How many words the braces of one word are followed into."""

MAXIMUM_ENTRIES = 4096
"""How many directory entries are looked at to find what a pattern covers."""

Piece = tuple[str, bool]
"""Text, and whether its special characters are active: not quoted."""


class Word(NamedTuple):
    """A word of a line."""

    text: str
    """What the program is given; where there is a doubt, the nearest that is known."""
    doubt: str | None
    """Why ``text`` is not certain, or None when the program is given exactly it."""
    pieces: tuple[Piece, ...]

    def alternatives(self, folders: tuple[str, ...]) -> list[str]:
        """Return ``text`` and what braces and patterns may become, from any of ``folders``.

        Braces with very many words and patterns over very many files are followed so far and no farther.
        """
        if self.doubt is None:
            return [self.text]
        found = {self.text: None}
        for chars in _expand_braces([(char, active) for text, active in self.pieces for char in text]):
            text = "".join(char for char, _ in chars)
            found[text] = None
            if any(active and char in "*?[" for char, active in chars):
                for folder in folders:
                    found.update(dict.fromkeys(_matches(chars, folder)))
        return list(found)


def literal(text: str) -> Word:
    """Return a word that stands for itself."""
    return Word(text, None, ((text, False),))


def read_word(node: Node, home: str) -> Word:
    """Return what is known of a word.

    node: of one of WORD_KINDS. home: the directory that ``~`` stands for.
    """
    pieces: list[Piece] = []
    doubts: list[str] = []
    _read(node, home, pieces, doubts)
    text = "".join(part for part, _ in pieces)
    chars = [(char, active) for part, active in pieces for char in part]
    doubts += _active_doubts(chars)
    if chars and chars[0] == ("~", True):
        expanded = home + text[1:] if text[1:2] in ("", "/") else os.path.expanduser(text)
        return Word(expanded, doubts[0], ((expanded[: len(expanded) - len(text)], False), *pieces[1:]))
    return Word(text, doubts[0] if doubts else None, tuple(pieces))


def _read(node: Node, home: str, pieces: list[Piece], doubts: list[str]) -> None:
    """Add what ``node`` stands for to ``pieces``, and what is unclear about it to ``doubts``."""
    kind = node.type
    if kind in ("word", "number"):
        pieces += _read_unquoted(source(node))
    elif kind == "raw_string":
        pieces.append((source(node)[1:-1], False))
    elif kind == "string":
        _read_string(node, home, pieces, doubts)
    elif kind == "ansi_c_string":
        _read_ansi_c(source(node)[2:-1], pieces, doubts)
    elif kind == "concatenation":
        end = node.start_byte
        for part in node.children:
            if part.start_byte != end:
                doubts.append(f"{source(node)} is not one word for certain")
            _read(part, home, pieces, doubts)
            end = part.end_byte
    elif kind in ("{", "}", "brace_expression"):
        pieces.append((source(node), True))
    else:
        pieces.append((home if source(node) in ("$HOME", "${HOME}") else source(node), False))
        doubts.append(f"what {source(node)} stands for is known only when it runs")


def _read_unquoted(text: str) -> Iterator[Piece]:
    start = 0
    while (backslash := text.find("\\", start)) >= 0:
        if backslash > start:
            yield text[start:backslash], True
        if text[backslash + 1 : backslash + 2] != "\n":
            yield text[backslash + 1 : backslash + 2], False
        start = backslash + 2
    if start < len(text):
        yield text[start:], True


def _read_string(node: Node, home: str, pieces: list[Piece], doubts: list[str]) -> None:
    """Read a string in double quotation marks; what it expands is a doubt."""
    whole = node.text or b""
    if not (whole.startswith(b'"') and whole.endswith(b'"') and len(whole) > 1):
        doubts.append(f"{source(node)} is not in plain quotation marks")
    start = 1
    for child in node.children:
        if child.is_named and child.type != "string_content":
            pieces.append((_unescape(whole[start : child.start_byte - node.start_byte], doubts), False))
            _read(child, home, pieces, doubts)
            start = child.end_byte - node.start_byte
    pieces.append((_unescape(whole[start:-1], doubts), False))


def _unescape(content: bytes, doubts: list[str]) -> str:
    """Return what a part of a string without expansions stands for."""
    text = content.decode(errors="replace")
    if re.search(r"(?<!\\)(?:\\\\)*[$`]", text):
        doubts.append(f"{text} has a $ or a backquote whose reading is not certain")
    return re.sub(r'\\([$`"\\])|\\\n', lambda match: match[1] or "", text)


_ANSI_C = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))"
)
_ANSI_C_LETTERS = dict(zip("abeEfnrtv", "\a\b\x1b\x1b\f\n\r\t\v"))


def _read_ansi_c(text: str, pieces: list[Piece], doubts: list[str]) -> None:
    """Read the inside of ``$'…'``."""

    def char(match: re.Match[str]) -> str:
        letter, octal, *hexadecimal = match.groups()
        if letter:
            return _ANSI_C_LETTERS.get(letter, letter)
        code = int(octal, 8) & 0xFF if octal else int(next(digits for digits in hexadecimal if digits), 16)
        return chr(code) if code < 0x110000 else "\ufffd"

    read = _ANSI_C.sub(char, text)
    doubts.append(f"$'{text}' is not a plain word")
    pieces.append((read.partition("\0")[0], False))


def _active_doubts(chars: list[Piece]) -> Iterator[str]:
    text = "".join(char for char, _ in chars)
    for index, (char, active) in enumerate(chars):
        if not active:
            continue
        if char in "*?[":
            yield f"{text} is a pattern: which files it covers is known only when it runs"
        elif char == "{" and text[index + 1 : index + 2] != "}":
            yield f"{text} has braces, which can become several words"
        elif char == "~" and (index == 0 or chars[index - 1][0] in ":="):
            yield f"{text} names a home directory"
        elif char in "$`()!":
            yield f"{text} has a {char} that may have a meaning"


def _expand_braces(chars: list[Piece]) -> Iterator[list[Piece]]:
    """Yield what a word with braces becomes, in any order, at most MAXIMUM_ALTERNATIVES words."""
    pending = [chars]
    for _ in range(MAXIMUM_ALTERNATIVES):
        if not pending:
            return
        chars = pending.pop()
        while (close := next((i for i, char in enumerate(chars) if char == ("}", True)), -1)) >= 0:
            start = next((i for i in range(close, -1, -1) if chars[i] == ("{", True)), -1)
            if start < 0:
                chars[close] = ("}", False)
                continue
            choices = _choices(chars[start + 1 : close])
            before, after = chars[:start], chars[close + 1 :]
            pending += [before + choice + after for choice in choices[:-1]][:MAXIMUM_ALTERNATIVES]
            chars = before + choices[-1] + after
        yield chars


def _choices(inside: list[Piece]) -> list[list[Piece]]:
    """Return what the braces around ``inside``, which has none, stand for; themselves when they have no meaning."""
    choices: list[list[Piece]] = [[]]
    for char in inside:
        if char == (",", True):
            choices.append([])
        else:
            choices[-1].append(char)
    if len(choices) > 1:
        return choices
    text = "".join(char for char, _ in inside)
    if span := re.fullmatch(r"(?:([A-Za-z])\.\.([A-Za-z])|(-?\d{1,9})\.\.(-?\d{1,9}))(?:\.\.-?\d{1,9})?", text):
        first, last = [end for end in span.groups() if end]
        return [[(char, False) for char in value] for value in _sequence(first, last)]
    return [[("{", False), *inside, ("}", False)]]


def _sequence(first: str, last: str) -> list[str]:
    """Return the numbers or the letters from ``first`` to ``last``, as far as they are followed."""
    read, write = (ord, chr) if first.isalpha() else (int, str)
    start, stop = read(first), read(last)
    step = 1 if stop >= start else -1
    return [write(value) for value in range(start, stop + step, step)[:MAXIMUM_ALTERNATIVES]]


def _matches(chars: list[Piece], folder: str) -> Iterator[str]:
    """Yield the existing files that a pattern covers, as the shell would name them from ``folder``."""
    pattern = "".join(f"[{char}]" if not active and char in "*?[" else char for char, active in chars)
    components = pattern.replace("[^", "[!").split("/")
    yield from _descend("/" if pattern.startswith("/") else "", folder, [part for part in components if part], [0])


def _descend(prefix: str, folder: str, components: list[str], looked_at: list[int]) -> Iterator[str]:
    from fnmatch import fnmatchcase

    first, rest = components[0], components[1:]
    try:
        names = os.listdir(os.path.join(folder, prefix)) if set(first) & set("*?[") else [first]
    except OSError:
        return
    for name in names:
        looked_at[0] += 1
        if looked_at[0] > MAXIMUM_ENTRIES:
            return
        if name != first and (name.startswith(".") > first.startswith(".") or not fnmatchcase(name, first)):
            continue
        if rest:
            yield from _descend(f"{prefix}{name}/", folder, rest, looked_at)
        else:
            yield prefix + name


def source(node: Node) -> str:
    """Return the text of the line that a node stands for."""
    return (node.text or b"").decode(errors="replace")
