"""The ranking of the program before this one, kept to compare with: BM25 over chunks, nothing else.

A chunk's first line and the words of its path count three times; a file is as good as its best chunk.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from corpus import Corpus

from nodwyn.prims.retrieval.contents import counted
from nodwyn.prims.retrieval.trees import Arranged
from nodwyn.prims.retrieval.words import words

K1, B = 1.2, 0.75
TIMES = 3


def rank(query: str, tree: Arranged, corpus: Corpus) -> list[int]:
    """Return the numbers of the files that have a word of the query, best first."""
    lengths = _lengths(tree, corpus)
    mean = sum(lengths) / max(1, len(lengths))
    scores: dict[int, float] = {}
    for word in dict.fromkeys(words(query)):
        counts = _counts(word, tree, corpus)
        weight = log(1 + (len(lengths) - len(counts) + 0.5) / (len(counts) + 0.5)) * (K1 + 1)
        for chunk, count in counts.items():
            scores[chunk] = scores.get(chunk, 0.0) + weight * count / (count + K1 * (1 - B + B * lengths[chunk] / mean))
    best: dict[int, float] = {}
    for chunk, score in scores.items():
        file = tree.files[chunk]
        best[file] = max(score, best.get(file, 0.0))
    return sorted(best, key=lambda file: (-best[file], file))


def _counts(word: str, tree: Arranged, corpus: Corpus) -> Mapping[int, float]:
    counts: dict[int, float] = {}
    for segment, postings in corpus.postings([word]).get(word, ()):
        place = tree.places.get(segment)
        for data, times in ((postings.body, 1), (postings.first, TIMES - 1)) if place is not None else ():
            for number, count in zip(*counted(data), strict=True):
                chunk = place[number]
                for each in (chunk, *tree.copies.get(chunk, ())) if chunk >= 0 else ():
                    counts[each] = counts.get(each, 0.0) + times * count
    for file, count in tree.path_words.get(word, {}).items():
        for chunk in tree.chunks(file):
            counts[chunk] = counts.get(chunk, 0.0) + TIMES * count
    return counts


def _lengths(tree: Arranged, corpus: Corpus) -> list[int]:
    return [
        layout.lengths[number]
        + (TIMES - 1) * sum(corpus.chunks[layout.segment, layout.base + number].first.values())
        + TIMES * tree.path_lengths[file]
        for file, layout in enumerate(tree.layouts)
        for number in range(len(layout.lines))
    ]
