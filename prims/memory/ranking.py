"""Ranking events by words: BM25 over any number of logs as one collection.

Okapi BM25 with k1 1.2 and b 0.75: a word weighs the more the fewer events have it, an event gains less from each
further occurrence, and long events are held down. An event of a search with several words is ranked by their sum.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import Final, NamedTuple

from nodwyn.prims.retrieval.bm25 import rarity

K1: Final = 1.2
B: Final = 0.75


class Part(NamedTuple):
    """Some events, numbered from 0, with the postings of the words that are looked for."""

    lengths: Sequence[int]
    """How many words each has."""
    postings: Mapping[str, tuple[array[int], array[int]]]
    """By word: the numbers of the events that have it, and how often each has it."""


class Hit(NamedTuple):
    """An event that was found."""

    score: float
    part: int
    """The place of its part among those that were searched."""
    number: int
    """Its number in the part."""


def rank(parts: Sequence[Part], words: Iterable[str], limit: int) -> list[Hit]:
    """Return the events that rank first, the best first; equal ones in the order of the parts and of their numbers.

    A word weighs over the events of all parts, so that it makes no difference how they are divided.
    """
    events = sum(len(part.lengths) for part in parts)
    average = sum(sum(part.lengths) for part in parts) / events if events else 0.0
    scores: list[dict[int, float]] = [{} for _ in parts]
    for word in words:
        found = [part.postings.get(word) for part in parts]
        having = sum(len(each[0]) for each in found if each is not None)
        if not having:
            continue
        weight = rarity(having, events) * (K1 + 1)
        for part, each, score in zip(parts, found, scores):
            if each is not None:
                _add(score, each, part.lengths, weight, average)
    hits = ((-value, part, number) for part, score in enumerate(scores) for number, value in score.items())
    return [Hit(-value, part, number) for value, part, number in nsmallest(limit, hits)]


def _add(
    score: dict[int, float],
    postings: tuple[array[int], array[int]],
    lengths: Sequence[int],
    weight: float,
    average: float,
) -> None:
    """Add a word's share to the scores of the events that have it."""
    flat, slope = K1 * (1 - B), K1 * B / average
    get = score.get
    for number, count in zip(*postings):
        score[number] = get(number, 0.0) + weight * count / (count + flat + slope * lengths[number])
