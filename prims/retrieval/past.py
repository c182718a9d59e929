"""The messages of commits as words of the files that they touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from nodwyn.prims.retrieval.bm25 import rarity
from nodwyn.prims.retrieval.stems import by_stem

MOST_COMMITS: Final = 2000
"""How many of the latest commits count."""

MOST_FILES: Final = 30
"""Files that a commit may touch: what touches more says little of each."""


K1: Final = 1.2
B: Final = 0.6
"""How much the length of a message counts."""


class Commit(NamedTuple):
    """What counts of a commit."""

    words: Mapping[str, int]
    """Of its message, each with how often it is in it."""
    paths: Sequence[str]
    """The files that it touched, relative to the root of the tree."""


class Similar(NamedTuple):
    """A commit whose message has words of a query."""

    score: float
    touched: int
    """How many files it touched."""
    files: Sequence[int]
    """Those of them that there are, by number."""


class Messages:
    """The messages of commits, arranged for a tree's files. files: the number of each path."""

    def __init__(self, commits: Iterable[Commit], files: Mapping[str, int]) -> None:
        self._by_word: dict[str, list[tuple[int, int]]] = {}
        self._touched: list[tuple[int, list[int]]] = []
        self._lengths: list[int] = []
        for commit in commits:
            touched = [files[path] for path in commit.paths if path in files]
            if not touched or len(commit.paths) > MOST_FILES:
                continue
            number = len(self._touched)
            self._touched.append((len(commit.paths), touched))
            for word, count in commit.words.items():
                self._by_word.setdefault(word, []).append((number, count))
            self._lengths.append(sum(commit.words.values()))
        self._mean = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0

    @cached_property
    def forms(self) -> Mapping[str, list[str]]:
        """The words of messages by their stems."""
        return by_stem(self._by_word)

    def similar(self, words: Iterable[tuple[float, Sequence[tuple[str, float]]]]) -> Iterator[Similar]:
        """Yield the commits whose messages have words, with a score for each (BM25).

        words: each with its weight and its forms, and each form with what it counts.
        """
        scores: dict[int, float] = {}
        total = len(self._touched)
        for weight, forms in words:
            counts: dict[int, float] = {}
            for form, factor in forms:
                for number, count in self._by_word.get(form, ()):
                    counts[number] = counts.get(number, 0.0) + factor * count
            idf = weight * rarity(len(counts), total)
            for number, amount in counts.items():
                dampened = K1 * (1 - B + B * self._lengths[number] / self._mean)
                scores[number] = scores.get(number, 0.0) + idf * amount / (amount + dampened)
        for number, score in scores.items():
            yield Similar(score, *self._touched[number])
