"""What words mean the same, as far as their endings tell, and which words tell files apart in no query."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

VERSION = 1
"""The number of these rules; an index with the stems of others is made anew."""

STOP_WORDS: Final = frozenset(
    """a about after all allow also an and any are as at be because been before but by can could do does doesn doing
    don done each either else etc ever every few for from get gets had has have having here how i if in instead into
    is isn it its itself just least less let like made make makes making may me might more most much must my need
    needs no not now of off on once one only or other our out over own per same see should so some such than that the
    their them then there these they this those through to too under until up us very via want was way we were what
    when where whether which while who why will with within without would you your
    add added adding adds fix fixed fixes fixing update updated updates updating use used uses using""".split()
)
"""Words that are no part of a query which has others. The last are what half of all commits say."""

_ENDINGS: Final = (
    *("ization", "isation", "ational", "ations", "ation", "ition", "ments", "ment", "ness", "able", "ible"),
    *("ings", "ing", "ions", "ion", "ized", "ised", "izer", "iser", "ize", "ise", "ers", "ors", "ed", "er", "or", "ly"),
)

_SHORTEST: Final = 3
"""Letters that stay of a word at least."""


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return what a word has in common with its other forms; the word itself when it is no English one."""
    if len(word) <= _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    word = _singular(word)
    for ending in _ENDINGS:
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= _SHORTEST and any(letter in "aeiouy" for letter in rest):
            is_doubled = len(rest) > _SHORTEST and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            word = rest[:-1] if is_doubled else rest
            break
    if len(word) > _SHORTEST and word.endswith("e"):
        word = word[:-1]
    return f"{word[:-1]}i" if word.endswith("y") and len(word) > _SHORTEST else word


def by_stem(words: Iterable[str]) -> dict[str, list[str]]:
    """Return words by their stems."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(stem(word), []).append(word)
    return found


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
