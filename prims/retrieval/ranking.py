"""Which files of a tree, and which chunks of them, answer a query best.

Each chunk has a score by its words (BM25F), each file one by its best chunks, by its path, by the names that it
defines, by how much of the query it has at all, and by the commits with such messages that touched it. The parts are
each made as large as the best file's, and added up with fixed weights; what is no code counts less. The weights were
chosen on some repositories and confirmed on others: bench/retrieval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from nodwyn.prims.retrieval.bm25 import rarity
from nodwyn.prims.retrieval.contents import Postings, counted
from nodwyn.prims.retrieval.stems import STOP_WORDS, stem
from nodwyn.prims.retrieval.words import parts, words

if TYPE_CHECKING:
    from nodwyn.prims.retrieval.past import Messages
    from nodwyn.prims.retrieval.trees import Arranged

K1: Final = 1.6
BODY_B: Final = 0.75
PATH_B: Final = 0.7
FIRST_WEIGHT: Final = 1.0
DEFINED_WEIGHT: Final = 1.0
PATH_WEIGHT: Final = 3.0
OTHER_FORM: Final = 0.5
"""What a word counts that only has the stem of the query's."""

BEST_CHUNKS: Final = (1.0, 0.5, 0.25)
"""What the best, second and third chunk of a file count."""

PART_OF_NAME: Final = 0.6
"""What a word of the query counts that it has only as a part of a name; the name counts, too."""

PATH_PART: Final = 0.3
DEFINED_PART: Final = 0.2
COVERED_PART: Final = 0.4
HISTORY_PART: Final = 0.5

PARTS: Final = (1.0, PATH_PART, DEFINED_PART, COVERED_PART, HISTORY_PART)
"""What the best file has of each part, the text's first."""

LEAST_SIMILAR: Final = 0.1
"""How good a commit is, compared with the best, that counts."""

FILE_B: Final = 0.75
"""How much a file's length counts in the scores of files."""

MOST_RANKED: Final = 100
"""Files that a query finds at most."""

MOST_FORMS: Final = 16
"""Forms of one word that are looked for."""


class Term(NamedTuple):
    """A word of a query."""

    word: str
    weight: float
    forms: tuple[str, ...]
    """Other words of its stem that there are."""


class Vocabulary(Protocol):
    """The words of an index."""

    def forms(self, stems: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Return the words that have each of these stems."""

    def postings(self, words: Sequence[str]) -> Mapping[str, Sequence[tuple[int, Postings]]]:
        """Return where each word is: segments with the chunks in them."""


class Scored(NamedTuple):
    """A file with its score."""

    file: int
    score: float
    parts: tuple[float, ...]
    """What comes of its chunks, its path, the names that it defines, how much of the query it has, and history."""
    chunks: tuple[tuple[int, float], ...]
    """Its best chunks with their scores, best first; none when no word of the query is in it or its path."""


class Ranking(NamedTuple):
    """What a query finds."""

    files: list[Scored]
    """Best first."""
    terms: list[Term]
    """What was looked for."""
    weights: Mapping[str, float]
    """By word of a term that is in a chunk or a path: how much it weighs in this tree."""


def terms_of(query: str, known: Sequence[Callable[[Sequence[str]], Mapping[str, Sequence[str]]]]) -> list[Term]:
    """Return the words of a query that are looked for, with their weights.

    known: each returns the words that have the stems which it is given.
    """
    wanted = Counter(words(query))
    kept = {word: count for word, count in wanted.items() if word not in STOP_WORDS} or wanted
    partial = parts(query)
    stems = [stem(word) for word in kept]
    forms: dict[str, dict[str, None]] = {each: {} for each in stems}
    for words_of in known:
        for each, found in words_of(stems).items():
            forms[each].update(dict.fromkeys(found))
    return [
        Term(
            word,
            (PART_OF_NAME if word in partial else 1) * (1 + log(count)),
            tuple(form for form in forms[stem(word)] if form not in kept)[:MOST_FORMS],
        )
        for word, count in kept.items()
    ]


def rank(
    query: str,
    tree: Arranged,
    vocabulary: Vocabulary,
    history: Messages | None = None,
    wants: Callable[[int], bool] | None = None,
) -> Ranking:
    """Return the files that have anything of a query, the best of them if they are many.

    history: ranks without it when not given. wants: whether a file is ranked; all are when not given.
    """
    known = [tree.forms] if history is None else [tree.forms, history.forms]
    terms = terms_of(query, [vocabulary.forms, *map(_of, known)])
    found = vocabulary.postings([word for term in terms for word in (term.word, *term.forms)])
    text = _Text(tree)
    defined = _PerFile(tree.defined_lengths)
    for term in terms:
        text.add(term, found)
        defined.add(term, _defined_counts(term, found, tree), len(tree.paths))
    others = (_by_path(terms, tree), defined.scores, text.covered, _by_history(terms, history))
    return Ranking(_ranked(text.scores, tree, others, wants), terms, text.weights)


def _of(forms: Mapping[str, Sequence[str]]) -> Callable[[Sequence[str]], Mapping[str, Sequence[str]]]:
    return lambda stems: {each: forms[each] for each in stems if each in forms}


class _Text:
    """The scores of chunks."""

    def __init__(self, tree: Arranged) -> None:
        self._tree = tree
        self.scores: dict[int, float] = {}
        self.weights: dict[str, float] = {}
        self.covered: dict[int, float] = {}
        """By file: what the words weigh that it has."""
        paths = tree.path_lengths
        self._mean_path = (sum(paths) / len(paths) if paths else 0) or 1

    def add(self, term: Term, found: Mapping[str, Sequence[tuple[int, Postings]]]) -> None:
        tree = self._tree
        counts: dict[int, float] = {}
        for word in (term.word, *term.forms):
            factor = 1.0 if word == term.word else OTHER_FORM
            for segment, postings in found.get(word, ()):
                place = tree.places.get(segment)
                if place is not None:
                    _add_body(counts, postings.body, place, tree, factor)
                    _add_field(counts, postings.first, place, FIRST_WEIGHT * factor)
                    _add_field(counts, postings.defined, place, DEFINED_WEIGHT * factor)
        _copy(counts, tree.copies)
        bodies = len(counts)
        if not self._add_paths(term, counts) and not bodies:
            return
        total = tree.number
        weight = term.weight * rarity(bodies, total) * (K1 + 1)
        self.weights[term.word] = weight
        scores = self.scores
        for chunk, count in counts.items():
            scores[chunk] = scores.get(chunk, 0.0) + weight * count / (K1 + count)
        covered, files = self.covered, tree.files
        for file in {files[chunk] for chunk in counts}:
            covered[file] = covered.get(file, 0.0) + weight

    def _add_paths(self, term: Term, counts: dict[int, float]) -> bool:
        tree = self._tree
        is_any = False
        for word in (term.word, *term.forms):
            factor = PATH_WEIGHT if word == term.word else PATH_WEIGHT * OTHER_FORM
            for file, count in tree.path_words.get(word, {}).items():
                is_any = True
                amount = factor * count / (1 - PATH_B + PATH_B * tree.path_lengths[file] / self._mean_path)
                for chunk in tree.chunks(file):
                    counts[chunk] = counts.get(chunk, 0.0) + amount
        return is_any


def _add_body(counts: dict[int, float], data: bytes, place: Sequence[int], tree: Arranged, factor: float) -> None:
    lengths, slope, base = tree.lengths, BODY_B / tree.mean_length / factor, (1 - BODY_B) / factor
    for number, count in zip(*counted(data), strict=True):
        chunk = place[number]
        if chunk >= 0:
            counts[chunk] = counts.get(chunk, 0.0) + count / (base + slope * lengths[chunk])


def _add_field(counts: dict[int, float], data: bytes, place: Sequence[int], factor: float) -> None:
    if data:
        for number, count in zip(*counted(data), strict=True):
            chunk = place[number]
            if chunk >= 0:
                counts[chunk] = counts.get(chunk, 0.0) + factor * count


def _copy(counts: dict[int, float], copies: Mapping[int, Sequence[int]]) -> None:
    """Give what a chunk has to its copies."""
    if copies:
        for chunk in copies.keys() & counts.keys():
            for copy in copies[chunk]:
                counts[copy] = counts[chunk]


class _PerFile:
    """The scores of files by one kind of words."""

    def __init__(self, lengths: Sequence[float]) -> None:
        self._lengths = lengths
        self._mean = (sum(lengths) / len(lengths) if lengths else 0) or 1
        self.scores: dict[int, float] = {}

    def add(self, term: Term, counts: Mapping[int, float], total: int) -> None:
        if not counts:
            return
        weight = term.weight * rarity(len(counts), total) * (K1 + 1)
        scores, lengths, mean = self.scores, self._lengths, self._mean
        for file, count in counts.items():
            dampened = K1 * (1 - FILE_B + FILE_B * lengths[file] / mean)
            scores[file] = scores.get(file, 0.0) + weight * count / (dampened + count)


def _defined_counts(
    term: Term, found: Mapping[str, Sequence[tuple[int, Postings]]], tree: Arranged
) -> Mapping[int, float]:
    """Return how often each file defines names with a word."""
    by_chunk: dict[int, float] = {}
    for word in (term.word, *term.forms):
        for segment, postings in found.get(word, ()):
            place = tree.places.get(segment)
            if place is not None:
                _add_field(by_chunk, postings.defined, place, 1.0 if word == term.word else OTHER_FORM)
    _copy(by_chunk, tree.copies)
    counts: dict[int, float] = {}
    for chunk, count in by_chunk.items():
        file = tree.files[chunk]
        counts[file] = counts.get(file, 0.0) + count
    return counts


def _by_path(terms: Iterable[Term], tree: Arranged) -> dict[int, float]:
    scores = _PerFile(tree.path_lengths)
    for term in terms:
        found: dict[int, float] = dict(tree.path_words.get(term.word, {}))
        for form in term.forms:
            for file, count in tree.path_words.get(form, {}).items():
                found[file] = found.get(file, 0.0) + OTHER_FORM * count
        scores.add(term, found, len(tree.path_lengths))
    return scores.scores


def _by_history(terms: Iterable[Term], history: Messages | None) -> dict[int, float]:
    """Return the scores of files by the commits that touched them: those with the most similar messages decide."""
    if history is None:
        return {}
    forms = ((term.weight, [(term.word, 1.0), *((form, OTHER_FORM) for form in term.forms)]) for term in terms)
    similar = list(history.similar(forms))
    best = max((commit.score for commit in similar), default=0.0)
    scores: dict[int, float] = {}
    for score, touched, files in similar:
        if score > LEAST_SIMILAR * best:
            share = (score / best) ** 3 / touched
            for file in files:
                scores[file] = scores.get(file, 0.0) + share
    return scores


def _best_chunks(scores: Mapping[int, float], tree: Arranged) -> dict[int, list[int]]:
    """Return by file its best chunks, best first; of those that are as good, the first."""
    by_file: dict[int, list[int]] = {}
    files = tree.files
    for chunk in scores:
        file = files[chunk]
        known = by_file.get(file)
        if known is None:
            by_file[file] = [chunk]
        else:
            known.append(chunk)
    for chunks in by_file.values():
        if len(chunks) > 1:
            chunks.sort()
            chunks.sort(key=scores.__getitem__, reverse=True)
            del chunks[len(BEST_CHUNKS) :]
    return by_file


def _of_chunks(scores: Sequence[float]) -> float:
    """Return what a file has of the scores of its best chunks."""
    if len(scores) == 1:
        return BEST_CHUNKS[0] * scores[0]
    total: float = sum(map(mul, BEST_CHUNKS, scores))
    return total


def _ranked(
    scores: Mapping[int, float],
    tree: Arranged,
    others: tuple[Mapping[int, float], ...],
    wants: Callable[[int], bool] | None,
) -> list[Scored]:
    chunks = _best_chunks(scores, tree)
    text = {file: _of_chunks([scores[chunk] for chunk in best]) for file, best in chunks.items()}
    found: list[tuple[Mapping[int, float], float]] = []
    totals: dict[int, float] = {}
    for part, each in zip(PARTS, (text, *others), strict=True):
        wanted = each if wants is None else {file: score for file, score in each.items() if wants(file)}
        largest = max(wanted.values(), default=0.0)
        scale = part / largest if largest else 0.0
        found.append((wanted, scale))
        for file, score in wanted.items():
            totals[file] = totals.get(file, 0.0) + scale * score
    weights = tree.weights
    for file in totals:
        totals[file] *= weights[file]
    # Of those that are as good, the first in path order comes first.
    best = sorted(sorted(totals), key=totals.__getitem__, reverse=True)[:MOST_RANKED]
    return [
        Scored(
            file,
            totals[file],
            tuple(weights[file] * scale * wanted.get(file, 0.0) for wanted, scale in found),
            tuple((chunk, scores[chunk]) for chunk in chunks.get(file, ())),
        )
        for file in best
    ]
