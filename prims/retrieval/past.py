"""The messages of commits as words of the files that they touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import sqrt
from typing import Final, NamedTuple

from nodwyn.prims.retrieval.stems import by_stem

MOST_COMMITS: Final = 2000
"""How many of the latest commits count."""

MOST_FILES: Final = 30
"""Files that a commit may touch: what touches more says little of each."""


class Commit(NamedTuple):
    """What counts of a commit."""

    words: Mapping[str, int]
    """Of its message, each with how often it is in it."""
    paths: Sequence[str]
    """The files that it touched, relative to the root of the tree."""


class Messages:
    """The words of commits, arranged for a tree's files.

    A commit weighs one over the square root of how many files it touched. files: the number of each path.
    """

    def __init__(self, commits: Iterable[Commit], files: Mapping[str, int]) -> None:
        self._by_word: dict[str, list[tuple[int, int]]] = {}
        self._touched: list[tuple[float, list[int]]] = []
        self.lengths = [0.0] * len(files)
        for commit in commits:
            touched = [files[path] for path in commit.paths if path in files]
            if not touched or len(commit.paths) > MOST_FILES:
                continue
            number, weight = len(self._touched), 1 / sqrt(len(commit.paths))
            self._touched.append((weight, touched))
            for word, count in commit.words.items():
                self._by_word.setdefault(word, []).append((number, count))
            length = weight * sum(commit.words.values())
            for file in touched:
                self.lengths[file] += length

    @cached_property
    def forms(self) -> Mapping[str, list[str]]:
        """The words of messages by their stems."""
        return by_stem(self._by_word)

    def counts(self, word: str) -> Mapping[int, float]:
        """Return how much each file has of a word."""
        found: dict[int, float] = {}
        for number, count in self._by_word.get(word, ()):
            weight, files = self._touched[number]
            for file in files:
                found[file] = found.get(file, 0.0) + weight * count
        return found
