"""A number of things in words, and things one after another."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """Return how many there are, in words: ``1 line``, ``2 lines``.

    one: what one of them is called. many: what more of them are called; with an s when not given.
    """
    return f"{number} {plural(number, one, many)}"


def plural(number: int, one: str, many: str = "") -> str:
    """Return what so many are called, as :func:`counted` does, without the number."""
    return one if number == 1 else many or f"{one}s"


def in_words(names: Sequence[str]) -> str:
    """Return names, of which there is at least one, as in a sentence: ``a, b and c``."""
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
