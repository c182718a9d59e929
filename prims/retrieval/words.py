"""The words of a text, as code names them.

    words("ScrubEnv of index-grep")     ["scrub", "env", "scrubenv", "of", "index", "grep", "index-grep"]

Letters, marks and digits of any script make words, composed (NFC) and case-folded. A name is its parts, and then the
whole: parts end at ``_``, ``-``, and where a capital begins a new one. A run of Han, Kana or Hangul, which are written
without spaces, is also cut into pairs of neighbours.

What is longer than any word that a person looks for is none: base64, hashes and minified programs would make an index
as large as their text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, groupby
from unicodedata import category, normalize

LONGEST_WORD = 64
"""Bytes that a word has at most."""

VERSION = 1
"""The number of these rules; what was indexed by others is indexed again."""

_MOST_KEPT = 1 << 17
"""Distinct names of which the words are kept."""

# A text is cut at what is no part of a name before anything is decoded: bytes from 0x80 on are looked at per name.
_SPACED = bytes(byte if byte >= 0x80 or chr(byte).isalnum() or byte in b"_-" else 0x20 for byte in range(256))

_ASCII_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")

_UNSPACED_SCRIPTS = (
    (0x1100, 0x11FF),  # Hangul
    (0x2E80, 0x2FDF),  # radicals of Han
    (0x3005, 0x3007),
    (0x3040, 0x30FF),  # Kana
    (0x3130, 0x318F),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
)

_memo: dict[bytes, tuple[str, ...]] = {}


def words(text: str) -> list[str]:
    """Return the words of a text, in order."""
    return list(chain.from_iterable(map(_words_of, _names(text))))


def parts(text: str) -> set[str]:
    """Return the words of a text that it has only as parts of names."""
    names = [found for found in map(_words_of, _names(text)) if found]
    return {part for name in names for part in name[:-1]}.difference(name[-1] for name in names)


def counts(text: str) -> dict[str, int]:
    """Return the words of a text, each with how often it has it."""
    return counts_of(text.encode("utf-8", "surrogatepass"))


def counts_of(octets: bytes) -> dict[str, int]:
    """Return the words of a text in UTF-8, each with how often it has it."""
    found: dict[str, int] = {}
    for name in octets.translate(_SPACED).split():
        for word in _memo.get(name) or _words_of(name):
            found[word] = found.get(word, 0) + 1
    return found


def _names(text: str) -> list[bytes]:
    return text.encode("utf-8", "surrogatepass").translate(_SPACED).split()


def _words_of(name: bytes) -> tuple[str, ...]:
    known = _memo.get(name)
    if known is not None:
        return known
    if name.isascii():
        found = tuple(_of_ascii(name.decode("ascii").strip("_-")))
    else:
        found = tuple(_of_any_script(normalize("NFC", name.decode("utf-8", "surrogatepass"))))
    if len(name) <= LONGEST_WORD:
        if len(_memo) >= _MOST_KEPT:
            _memo.clear()
        _memo[name] = found
    return found


def _of_ascii(name: str) -> Iterator[str]:
    parts = [name] if name.isalnum() else name.replace("_", "-").split("-")
    number = 0
    for part in parts:
        if not part or len(part) > LONGEST_WORD:
            continue
        folded = part.lower()
        # Most names are one word; looking for capitals in the rest is what takes time.
        if part[1:] != folded[1:]:
            pieces = _ASCII_PARTS.findall(part)
            if len(pieces) > 1:
                yield from (piece.lower() for piece in pieces)
        yield folded
        number += 1
    if len(parts) > 1 and number and len(name) <= LONGEST_WORD:
        yield name.lower()


def _of_any_script(text: str) -> Iterator[str]:
    for kind, characters in groupby(text, _is_of_name):
        if kind:
            yield from _of_name("".join(characters).strip("_-"))


def _of_name(name: str) -> Iterator[str]:
    if name.isascii():
        yield from _of_ascii(name)
        return
    stretches = [
        (is_unspaced, "".join(run))
        for part in name.replace("_", "-").split("-")
        for is_unspaced, run in groupby(part, _is_unspaced)
    ]
    for is_unspaced, stretch in stretches:
        yield from (_of_unspaced if is_unspaced else _of_spaced)(stretch)
    if len(stretches) > 1 and _fits(whole := _folded(name)):
        yield whole


def _of_spaced(part: str) -> Iterator[str]:
    folded = _folded(part)
    if not _fits(folded):
        return
    pieces = list(_pieces(part))
    if len(pieces) > 1:
        yield from map(_folded, pieces)
    yield folded


def _of_unspaced(run: str) -> Iterator[str]:
    folded = _folded(run)
    if len(folded) > 2:
        yield from (folded[place : place + 2] for place in range(len(folded) - 1))
    if _fits(folded):
        yield folded


def _pieces(part: str) -> Iterator[str]:
    """Yield what begins with a capital each: before a small letter, and after one."""
    start = 0
    for place in range(1, len(part)):
        if part[place].isupper() and (
            not part[place - 1].isupper() or (place + 1 < len(part) and part[place + 1].islower())
        ):
            yield part[start:place]
            start = place
    yield part[start:]


def _folded(text: str) -> str:
    return normalize("NFC", text.casefold())


def _fits(word: str) -> bool:
    return 0 < len(word.encode("utf-8", "surrogatepass")) <= LONGEST_WORD


@lru_cache(maxsize=1 << 14)
def _is_of_name(character: str) -> bool:
    return character in "_-" or category(character)[0] in "LMN"


@lru_cache(maxsize=1 << 14)
def _is_unspaced(character: str) -> bool:
    code = ord(character)
    return any(first <= code <= last for first, last in _UNSPACED_SCRIPTS)
