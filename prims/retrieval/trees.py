"""The files of a tree and their chunks, arranged for ranking."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from nodwyn.prims.retrieval.contents import Layout
from nodwyn.prims.retrieval.ranking import BODY_B
from nodwyn.prims.retrieval.stems import by_stem
from nodwyn.prims.retrieval.words import counts


class Arranged:
    """Files with their chunks, as :class:`nodwyn.prims.retrieval.ranking.Tree` has them.

    files: paths, each with where its content is. sizes: how many chunks each segment has.
    """

    def __init__(self, files: Sequence[tuple[str, Layout]], sizes: Mapping[int, int]) -> None:
        self.paths = [path for path, _ in files]
        self.layouts = [layout for _, layout in files]
        self.places: dict[int, array[int]] = {}
        self.copies: dict[int, list[int]] = {}
        self.files = array("I")
        self.begins = array("I", [0])
        self.defined_lengths: list[int] = []
        lengths = array("H")
        first: dict[tuple[int, int], int] = {}
        for file, layout in enumerate(self.layouts):
            begin, number = len(lengths), len(layout.lines)
            lengths.extend(layout.lengths)
            self.files.extend([file] * number)
            self.begins.append(begin + number)
            self.defined_lengths.append(sum(layout.defined))
            known = first.setdefault((layout.segment, layout.base), begin)
            if known != begin:
                for chunk in range(number):
                    self.copies.setdefault(known + chunk, []).append(begin + chunk)
                continue
            place = self.places.get(layout.segment)
            if place is None:
                place = self.places[layout.segment] = array("i", [-1]) * sizes[layout.segment]
            if layout.base + number > len(place):
                raise ValueError("a content lies beyond the end of its segment")
            place[layout.base : layout.base + number] = array("i", range(begin, begin + number))
        mean = (sum(lengths) / len(lengths) if lengths else 0) or 1
        self.lengths = [1 / (1 - BODY_B + BODY_B * length / mean) for length in lengths]
        self.path_words, self.path_lengths = _path_words(self.paths)
        self.forms = by_stem(self.path_words)

    def lines(self, chunk: int) -> tuple[int, int]:
        """Return a chunk's first and last line, from 1."""
        file = self.files[chunk]
        sizes = self.layouts[file].lines
        number = chunk - self.begins[file]
        before = sum(sizes[:number])
        return before + 1, before + sizes[number]


def _path_words(paths: Iterable[str]) -> tuple[dict[str, dict[int, int]], list[int]]:
    by_word: dict[str, dict[int, int]] = {}
    lengths = []
    for file, path in enumerate(paths):
        found = _words_of_path(path)
        lengths.append(sum(found.values()))
        for word, count in found.items():
            by_word.setdefault(word, {})[file] = count
    return by_word, lengths


@lru_cache(maxsize=1 << 15)
def _words_of_path(path: str) -> dict[str, int]:
    return counts(path)
