"""The files of a tree and their chunks, arranged for ranking."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Final

from nodwyn.prims.retrieval.contents import Layout
from nodwyn.prims.retrieval.sorts import weight_of
from nodwyn.prims.retrieval.stems import by_stem
from nodwyn.prims.retrieval.words import counts

MOST_CHANGED: Final = 100
"""Files with other contents that are put in place one by one; of more, all are arranged anew."""

MOST_GONE: Final = 0.1
"""The share of chunks that may belong to no file any more before all are arranged anew."""


class Arranged:
    """Files with their chunks, numbered from 0; the chunks of a file follow each other.

    files: paths, each with where its content is. sizes: how many chunks each segment has. like: what has the same
    paths.

    Raises: ValueError when a content lies beyond the end of its segment.
    """

    def __init__(
        self, files: Sequence[tuple[str, Layout]], sizes: Mapping[int, int], like: Arranged | None = None
    ) -> None:
        self.paths: list[str] = like.paths if like else [path for path, _ in files]
        self.layouts = [layout for _, layout in files]
        self.files = array("I")
        """By chunk: its file."""
        self.begins = array("I")
        """By file: its first chunk."""
        self.places: dict[int, array[int]] = {}
        """By segment: of each of its chunks the chunk's number here, or -1."""
        self.copies: dict[int, list[int]] = {}
        """By chunk: the same chunk in further files."""
        self.defined_lengths = [sum(layout.defined) for layout in self.layouts]
        """By file: how many words of names that it defines it has."""
        self.lengths = array("H")
        """By chunk: how many words it has."""
        for file, layout in enumerate(self.layouts):
            self._place(layout, sizes)
            self._append(file, layout)
        self.number = len(self.files)
        """How many chunks the files have."""
        self._words = sum(self.lengths)
        words = (like.path_words, like.path_lengths) if like else _path_words(self.paths)
        self.path_words: dict[str, dict[int, int]] = words[0]
        self.path_lengths: list[int] = words[1]
        """By word, the files that have it in their path, and how often; by file, how many words its path has."""
        self.forms: Mapping[str, Sequence[str]] = like.forms if like else by_stem(self.path_words)
        """By stem: the words of paths that have it."""
        self.weights: Sequence[float] = like.weights if like else array("d", map(weight_of, self.paths))
        """By file: what its score counts, by the sort of file that it is."""

    @property
    def mean_length(self) -> float:
        """How many words a chunk has on average."""
        return self._words / self.number if self._words else 1

    def chunks(self, file: int) -> range:
        """Return the numbers of a file's chunks."""
        begin = self.begins[file]
        return range(begin, begin + len(self.layouts[file].lines))

    def lines(self, chunk: int) -> tuple[int, int]:
        """Return a chunk's first and last line, from 1."""
        file = self.files[chunk]
        sizes = self.layouts[file].lines
        number = chunk - self.begins[file]
        before = sum(sizes[:number])
        return before + 1, before + sizes[number]

    def with_contents(self, files: Sequence[tuple[str, Layout]], sizes: Mapping[int, int]) -> Arranged:
        """Return files arranged, in little time when they are these, and few of them have another content.

        Raises: ValueError as the constructor does.
        """
        if len(files) != len(self.paths) or any(path != own for (path, _), own in zip(files, self.paths, strict=True)):
            return Arranged(files, sizes)
        now = {
            file: each for file, ((_, each), own) in enumerate(zip(files, self.layouts, strict=True)) if each is not own
        }
        return self.replaced(now, sizes)

    def replaced(self, contents: Mapping[int, Layout], sizes: Mapping[int, int]) -> Arranged:
        """Return the same files, some with another content, arranged; in little time when these are few.

        Raises: ValueError as the constructor does.
        """
        if len(contents) <= MOST_CHANGED:
            segments = [layout.segment for file, new in contents.items() for layout in (self.layouts[file], new)]
            other = self._copy(sizes, segments)
            if all(other._replace(file, layout) for file, layout in contents.items()):
                return other
        own = zip(self.paths, self.layouts, strict=True)
        return Arranged([(path, contents.get(file, layout)) for file, (path, layout) in enumerate(own)], sizes, self)

    def _copy(self, sizes: Mapping[int, int], segments: Iterable[int]) -> Arranged:
        """Return a copy whose contents in these segments may be replaced."""
        other = copy(self)
        other.layouts, other.defined_lengths = self.layouts.copy(), self.defined_lengths.copy()
        other.files, other.begins, other.lengths = self.files[:], self.begins[:], self.lengths[:]
        other.places = self.places.copy()
        for segment in set(segments):
            known = self.places.get(segment)
            other.places[segment] = array("i", [-1]) * sizes.get(segment, 0) if known is None else known[:]
        return other

    def _replace(self, file: int, layout: Layout) -> bool:
        """Give a file another content; return whether that could be done: its contents must be no other file's, too."""
        old, chunks = self.layouts[file], self.chunks(file)
        place = self.places[old.segment]
        if chunks and (place[old.base] != chunks[0] or chunks[0] in self.copies):
            return False
        place[old.base : old.base + len(chunks)] = array("i", [-1]) * len(chunks)
        number = len(layout.lines)
        place = self.places[layout.segment]
        if layout.base + number > len(place) or (number and place[layout.base] >= 0):
            return False
        self.number += number - len(chunks)
        self._words += sum(layout.lengths) - sum(old.lengths)
        if len(self.files) + number - self.number > MOST_GONE * self.number:
            return False
        place[layout.base : layout.base + number] = array("i", range(len(self.files), len(self.files) + number))
        self.layouts[file] = layout
        self.defined_lengths[file] = sum(layout.defined)
        self._append(file, layout)
        return True

    def _append(self, file: int, layout: Layout) -> None:
        """Number the chunks of a file behind all that there are."""
        begin = len(self.files)
        if file < len(self.begins):
            self.begins[file] = begin
        else:
            self.begins.append(begin)
        self.lengths.extend(layout.lengths)
        self.files.extend([file] * len(layout.lines))

    def _place(self, layout: Layout, sizes: Mapping[int, int]) -> None:
        """Say where the next chunks are, those of a content; if an earlier file has it, too, they are copies."""
        begin = len(self.files)
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
