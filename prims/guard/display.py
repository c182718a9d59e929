"""What a person is shown before saying yes: all of it, so written that no two things look the same.

A character that is not seen, or that moves what is seen, is written as ⟨U+200B⟩; a run of blanks or of lines that could
push something out of sight is written as ⟨90 spaces⟩ or ⟨40 empty lines⟩. The brackets themselves are escaped where
they are part of the text. Hence different texts are shown differently, and the digest of what is shown names what was
shown.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

MOST_SHOWN = 100
"""Characters of a subject that a message shows; the log and the question have all of it."""

OPEN, CLOSE = "⟨⟩"

MAXIMUM_SPACES = 64
"""A longer run of spaces is counted: it could push what follows out of sight."""

MAXIMUM_EMPTY_LINES = 4

# Control, format (bidirectional and zero-width ones are among them), surrogate, private use, unassigned, and
# separators.
_UNSEEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}

# Drawn as nothing though Unicode calls them letters, marks or symbols: grapheme joiner, fillers, vowel separators of
# Khmer and Mongolian, the empty Braille pattern, and variation selectors, which can also carry a hidden text.
_DRAWN_AS_NOTHING = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_VARIATION_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))

_PLAIN = re.compile(r"[\n\t\x20-\x7e]*")
_LONG_SPACES = re.compile(f" {{{MAXIMUM_SPACES + 1},}}")
_LONG_TABS = re.compile(r"\t{17,}")
_MANY_LINES = re.compile(f"\n{{{MAXIMUM_EMPTY_LINES + 2},}}")

_BYTE_OF_NAME = re.compile(rf"{OPEN}U\+FDD0{CLOSE}dc([89a-f][0-9a-f])")

_INDENT = "    "


class Shown(NamedTuple):
    """What a person is shown, and the name of exactly that."""

    text: str
    digest: str
    """SHA-256 of the text, in hexadecimal."""


def is_unseen(char: str) -> bool:
    """Return whether a character is not seen as itself or moves others: all but printed ones, space, tab, newline."""
    if char in " \n\t":
        return False
    if char in _DRAWN_AS_NOTHING or any(ord(char) in selectors for selectors in _VARIATION_SELECTORS):
        return True
    return unicodedata.category(char) in _UNSEEN_CATEGORIES


def first_unseen(text: str) -> str | None:
    """Return the first unseen character of a text, or None."""
    if _PLAIN.fullmatch(text):
        return None
    return next((char for char in text if is_unseen(char)), None)


def escape_unseen(text: str) -> str:
    """Return ``text`` with every unseen character escaped and every long run of blanks counted.

    Different texts have different results.
    """
    if not _PLAIN.fullmatch(text):
        text = "".join(f"{OPEN}U+{ord(char):04X}{CLOSE}" if _is_escaped(char) else char for char in text)
    text = _LONG_SPACES.sub(lambda run: f"{OPEN}{len(run[0])} spaces{CLOSE}", text)
    text = _LONG_TABS.sub(lambda run: f"{OPEN}{len(run[0])} tabs{CLOSE}", text)
    return _MANY_LINES.sub(lambda run: f"\n{OPEN}{len(run[0]) - 1} empty lines{CLOSE}\n", text)


def in_one_line(text: str) -> str:
    """Return ``text`` with its line ends written out: a name that has some must not pass for several lines."""
    return text.replace("\n", f"{OPEN}U+000A{CLOSE}")


def escape_in_one_line(text: str) -> str:
    """Return ``text`` as :func:`escape_unseen` does, with its line ends written out, too."""
    return in_one_line(escape_unseen(text))


def escape_name(name: str) -> str:
    """Return the name of a file in one line, its bytes that are no UTF-8 as shells spell them: ``bad⟨\\xff⟩.txt``.

    name: as it is recorded, each of these bytes a surrogate that is escaped (:mod:`nodwyn.prims.surrogates`).
    """
    return spell_bytes(escape_in_one_line(name))


def spell_bytes(shown: str) -> str:
    """Return what is shown of names of files with the bytes spelled that are no UTF-8. shown: with all else escaped."""
    return _BYTE_OF_NAME.sub(rf"{OPEN}\\x\1{CLOSE}", shown)


def show(fields: Iterable[tuple[str, str]]) -> Shown:
    """Return what is shown for an approval, and its digest.

    fields: what will happen, as (name, value): the command, its directory, its environment, a file's content. Each
        name is ours, and ``file`` means names of files, as they are recorded; a value of more than one line is
        indented, so that none can be taken for a field.
    """
    parts = []
    for name, value in fields:
        shown = spell_bytes(escape_unseen(value)) if name == "file" else escape_unseen(value)
        if "\n" in shown:
            shown = "\n" + "\n".join(_INDENT + line for line in shown.split("\n"))
            parts.append(f"{name}:{shown}")
        else:
            parts.append(f"{name}: {shown}")
    text = "\n".join(parts)
    return Shown(text, hashlib.sha256(text.encode()).hexdigest())


def show_environment(environment: Iterable[tuple[str, str]]) -> str:
    """Return the variables of an environment as text, sorted, one a line; a value's further lines begin with a tab."""
    return "\n".join(f"{name}={value}".replace("\n", "\n\t") for name, value in sorted(environment))


def _is_escaped(char: str) -> bool:
    return char in OPEN + CLOSE or is_unseen(char)


def brief(subject: str) -> str:
    """Return what an effect is about in one line of a message."""
    first, _, rest = subject.strip().partition("\n")
    return first if not rest and len(first) <= MOST_SHOWN else f"{first[: MOST_SHOWN - 1]}…"
