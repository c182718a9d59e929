"""What the rankings by words share (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond)."""

from __future__ import annotations

from math import log


def rarity(having: int, total: int) -> float:
    """Return how much it says that a text has a word: its inverse document frequency, which is never negative.

    having: how many texts have it. total: how many there are.
    """
    return log(1 + (total - having + 0.5) / (having + 0.5))
