"""A number of things in words, what they cost, and things one after another."""

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


def cost_in_words(cost: int, *, unpriced: bool) -> str:
    """Return what requests cost, in words: ``$0.12``, ``at least $0.12``, or ``$?`` where no price is known.

    cost: in millionths of a US dollar. unpriced: whether there are requests besides whose price is not known.
    """
    if unpriced and not cost:
        return "$?"
    return f"{'at least ' if unpriced else ''}${cost / 1_000_000:.2f}"


def in_words(names: Sequence[str]) -> str:
    """Return names, of which there is at least one, as in a sentence: ``a, b and c``."""
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
