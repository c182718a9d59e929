"""Files that get other contents are arranged as if they had had them from the beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.retrieval import ranking
from nodwyn.prims.retrieval.contents import Layout, Postings, Segment, analyse
from nodwyn.prims.retrieval.stems import by_stem
from nodwyn.prims.retrieval.trees import Arranged

LINES = ("zebra stripes", "def zebra(okapi):", "giraffe", "# okapi", "")
TEXTS = [f"{line}\n" * number + f"{LINES[number % 5]} {number}\n" for line in LINES for number in (1, 30, 90, 200)] + [
    ""
]


class Store:
    """All texts, each in a segment of its own or with others."""

    def __init__(self) -> None:
        segments = [Segment() for _ in range(7)]
        self.layouts: list[Layout] = []
        for number, text in enumerate(TEXTS):
            segment = segments[number % 7]
            self.layouts.append(segment.add(analyse(text))._replace(segment=number % 7))
        self.sizes = {number: segment.number for number, segment in enumerate(segments)}
        self._postings: dict[str, list[tuple[int, Postings]]] = {}
        for number, segment in enumerate(segments):
            for word, postings in segment.postings():
                self._postings.setdefault(word, []).append((number, postings))
        self._forms = by_stem(self._postings)

    def forms(self, stems: Sequence[str]) -> Mapping[str, Sequence[str]]:
        return {each: self._forms.get(each, ()) for each in stems}

    def postings(self, words: Sequence[str]) -> Mapping[str, Sequence[tuple[int, Postings]]]:
        return {word: self._postings[word] for word in words if word in self._postings}


STORE = Store()
NUMBERS = st.integers(0, len(TEXTS) - 1)


def answers(tree: Arranged) -> list[tuple[object, ...]]:
    """Return what searches of a tree find, with lines in place of the numbers of chunks."""
    return [
        (
            query,
            tree.number,
            tree.paths[each.file],
            each.score,
            [(tree.lines(chunk), score) for chunk, score in each.chunks],
        )
        for query in ("zebra", "okapi giraffe stripes", "b 30")
        for each in ranking.rank(query, tree, STORE).files
    ]


@given(
    st.lists(NUMBERS, max_size=12),
    st.lists(st.lists(st.tuples(st.integers(0, 11), NUMBERS), max_size=3), max_size=6),
    st.sampled_from([0, 0, 1]),
)
def test_a_changed_tree_answers_as_one_that_is_arranged_anew(
    first: list[int], changes: list[list[tuple[int, int]]], added: int
) -> None:
    contents = dict(enumerate(first))
    tree = Arranged(_files(contents), STORE.sizes)
    for step in changes:
        contents.update((file, content) for file, content in step if file in contents)
        before = answers(tree)
        later = tree.with_contents(_files(contents), STORE.sizes)
        assert answers(tree) == before
        assert answers(later) == answers(Arranged(_files(contents), STORE.sizes))
        tree = later
    contents[12] = added
    assert answers(tree.with_contents(_files(contents), STORE.sizes)) == answers(
        Arranged(_files(contents), STORE.sizes)
    )


def test_few_changes_number_no_other_chunk_again() -> None:
    contents = {number: number for number in range(12)}
    tree = Arranged(_files(contents), STORE.sizes)
    contents[0] = 16
    later = tree.with_contents(_files(contents), STORE.sizes)
    assert later.path_words is tree.path_words
    assert [file for file in range(12) if later.begins[file] != tree.begins[file]] == [0]


def _files(contents: Mapping[int, int]) -> list[tuple[str, Layout]]:
    return [(f"{'abc'[file % 3]}/{file:02}.py", STORE.layouts[content]) for file, content in sorted(contents.items())]
