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
    """Files with their chunks, numbered from 0 file by file.

    files: paths, each with where its content is. sizes: how many chunks each segment has.

    Raises: ValueError when a content lies beyond the end of its segment.
    """

    def __init__(self, files: Sequence[tuple[str, Layout]], sizes: Mapping[int, int]) -> None:
        self.paths = [path for path, _ in files]
        self.layouts = [layout for _, layout in files]
        self.files = array("I")
        """By chunk: its file."""
        self.begins = array("I", [0])
        """By file: its first chunk; and, behind the last, the number of chunks."""
        self.places: dict[int, array[int]] = {}
        """By segment: of each of its chunks the chunk's number here, or -1."""
        self.copies: dict[int, list[int]] = {}
        """By chunk: the same chunk in further files."""
        self.defined_lengths = [sum(layout.defined) for layout in self.layouts]
        """By file: how many words of names that it defines it has."""
        lengths = array("H")
        for file, layout in enumerate(self.layouts):
            self._place(len(lengths), layout, sizes)
            lengths.extend(layout.lengths)
            self.files.extend([file] * len(layout.lines))
            self.begins.append(len(lengths))
        mean = (sum(lengths) / len(lengths) if lengths else 0) or 1
        self.lengths = [1 / (1 - BODY_B + BODY_B * length / mean) for length in lengths]
        """By chunk: what its length makes of a count."""
        self.path_words, self.path_lengths = _path_words(self.paths)
        """By word, the files that have it in their path, and how often; by file, how many words its path has."""
        self.forms = by_stem(self.path_words)
        """By stem: the words of paths that have it."""

    def _place(self, begin: int, layout: Layout, sizes: Mapping[int, int]) -> None:
        """Say where the chunks of a content are; those of one that an earlier file has, too, are copies."""
        place = self.places.get(layout.segment)
        if place is None:
            place = self.places[layout.segment] = array("i", [-1]) * sizes[layout.segment]
        number = len(layout.lines)
        if layout.base + number > len(place):
            raise ValueError("a content lies beyond the end of its segment")
        if number and place[layout.base] >= 0:
            for chunk in range(number):
                self.copies.setdefault(place[layout.base + chunk], []).append(begin + chunk)
        else:
            place[layout.base : layout.base + number] = array("i", range(begin, begin + number))

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
