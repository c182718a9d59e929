"""What ranks before what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

import pytest

from nodwyn.prims.retrieval import ranking
from nodwyn.prims.retrieval.contents import Layout, Postings, Segment, analyse
from nodwyn.prims.retrieval.past import Commit, Messages
from nodwyn.prims.retrieval.stems import by_stem, stem
from nodwyn.prims.retrieval.trees import Arranged
from nodwyn.prims.retrieval.words import counts


class Words:
    """The words of a few texts, in memory."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        segment = Segment()
        layouts: dict[str, Layout] = {}
        for text in texts.values():
            if text not in layouts:
                layouts[text] = segment.add(analyse(text))
        self._postings = dict(segment.postings())
        self._forms = by_stem(self._postings)
        self.tree = Arranged([(path, layouts[text]) for path, text in texts.items()], {0: segment.number})

    def forms(self, stems: Sequence[str]) -> Mapping[str, Sequence[str]]:
        return {each: self._forms.get(each, ()) for each in stems}

    def postings(self, words: Sequence[str]) -> Mapping[str, Sequence[tuple[int, Postings]]]:
        return {word: [(0, self._postings[word])] for word in words if word in self._postings}


def ranked(query: str, texts: Mapping[str, str], commits: Sequence[tuple[str, Sequence[str]]] = ()) -> list[str]:
    """Return the paths that a query finds, best first."""
    words = Words(texts)
    numbers = {path: number for number, path in enumerate(words.tree.paths)}
    history = Messages([Commit(counts(message), paths) for message, paths in commits], numbers)
    found = ranking.rank(query, words.tree, words, history if commits else None).files
    return [words.tree.paths[scored.file] for scored in found]


FILLER = "alpha beta gamma delta\n" * 5


@pytest.mark.parametrize(
    ("query", "texts", "expected"),
    [
        ("common rare", {"a": "common " * 9, "b": "common", "c": "common", "d": "rare"}, ["d", "a"]),
        ("zebra giraffe", {"a": "zebra zebra zebra", "b": "zebra giraffe", "c": "x"}, ["b", "a"]),
        ("zebra", {"a": f"{FILLER * 9}zebra", "b": f"{FILLER}zebra"}, ["b", "a"]),
        ("zebra", {"a": "x zebra y", "b": "zebra zebra zebra"}, ["b", "a"]),
        ("parser", {"a": f"{FILLER}parser", "b": f"{FILLER}\ndef parser():"}, ["b", "a"]),
        ("parser", {"lib/x": f"{FILLER}parser", "parser/x": f"{FILLER}parser"}, ["parser/x", "lib/x"]),
        ("stripes", {"a": "stripe", "b": "stripes", "c": "x"}, ["b", "a"]),
        ("fix the zebra", {"a": "fix the fix the", "b": "zebra"}, ["b"]),
        ("the", {"a": "the", "b": "x"}, ["a"]),
        ("scrub", {"a": "ScrubEnv", "b": "x"}, ["a"]),
        ("ScrubEnv", {"a": "ScrubEnv", "b": "scrub env", "c": "x"}, ["a", "b"]),
        ("nothing", {"a": "zebra"}, []),
        ("zebra", {}, []),
    ],
)
def test_what_ranks_first(query: str, texts: dict[str, str], expected: list[str]) -> None:
    assert ranked(query, texts)[: len(expected)] == expected
    assert len(ranked(query, texts)) >= len(expected)


def test_ties_keep_the_order_of_the_paths() -> None:
    assert ranked("zebra", {"a": "zebra", "b": "zebra", "c": "zebra"}) == ["a", "b", "c"]


def test_the_same_text_in_several_files_is_found_in_each() -> None:
    assert ranked("zebra", {"x/a": "zebra", "x/b": "giraffe", "x/c": "zebra"}) == ["x/a", "x/c"]


def test_messages_of_commits_find_the_files_that_they_touched() -> None:
    texts = {"a": "x", "b": "y", "c": "z"}
    assert ranked("okapi", texts, [("An okapi", ["b"])]) == ["b"]
    assert ranked("giraffes", texts, [("A giraffe", ["b"])]) == ["b"]


def test_a_commit_that_touches_fewer_files_says_more_of_each() -> None:
    texts = {name: name for name in "abcdef"}
    commits = [("okapi", ["a", "b", "c", "d"]), ("okapi", ["e"])]
    assert ranked("okapi", texts, commits)[0] == "e"


def test_a_commit_that_touches_many_files_says_nothing() -> None:
    texts = {str(number): "x" for number in range(31)}
    assert ranked("okapi", texts, [("okapi", list(texts))]) == []


def test_the_commits_whose_messages_are_most_like_the_query_decide() -> None:
    texts = {name: name for name in "abc"}
    similar = [("The okapi eats leaves", ["b"])]
    others = [("An okapi", ["a"]), ("Leaves of trees", ["a"]), ("It eats", ["a"]), *[("Nothing at all", ["c"])] * 9]
    assert ranked("okapi eats leaves", texts, [*others, *similar])[0] == "b"


def test_a_file_that_has_more_of_the_querys_words_ranks_before_one_that_has_one_often() -> None:
    texts = {
        "a": "zebra zebra zebra zebra",
        "b": f"zebra\n{FILLER * 12}giraffe\n{FILLER * 12}okapi",
        "c": "okapi",
        "d": "x",
    }
    assert ranked("zebra giraffe okapi", texts)[0] == "b"


def test_words_on_code_rank_behind_the_code() -> None:
    texts = {"CHANGELOG.md": "zebra", "docs/guide.md": "zebra", "settings.json": "zebra", "x.py": "zebra"}
    assert ranked("zebra", texts) == ["x.py", "settings.json", "docs/guide.md", "CHANGELOG.md"]


def test_a_name_counts_more_than_its_parts() -> None:
    texts = {"a": "scrub env", "b": "ScrubEnv", "c": "scrub", "d": "env"}
    assert ranked("ScrubEnv", texts)[0] == "b"
    assert {term.word: term.weight for term in ranking.terms_of("ScrubEnv env", [])} == {
        "scrub": ranking.PART_OF_NAME,
        "env": pytest.approx(1 + log(2)),
        "scrubenv": 1.0,
    }


def test_the_parts_add_up_and_the_best_of_each_is_its_weight() -> None:
    words = Words({"zebra": "def zebra(): pass", "b": "zebra", "c": "giraffe"})
    history = Messages([Commit({"zebra": 1}, ["zebra"])], {"zebra": 0, "b": 1, "c": 2})
    found = ranking.rank("zebra", words.tree, words, history).files
    assert found[0].parts == pytest.approx(ranking.PARTS)
    assert all(scored.score == pytest.approx(sum(scored.parts)) for scored in found)


def test_only_wanted_files_rank() -> None:
    words = Words({"a": "zebra", "b": "zebra"})
    found = ranking.rank("zebra", words.tree, words, None, lambda file: file == 1).files
    assert [scored.file for scored in found] == [1]


@pytest.mark.parametrize(
    "forms",
    [
        "search searches searched searching", "add adds added adding", "parse parses parsed parsing",
        "directory directories", "stop stopped stopping", "redact redacts redacted redaction", "class classes",
    ],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("word", ["sha256", "max_result", "größe", "es", "is", "検索", "status", "bus"])
def test_what_is_no_english_word_with_an_ending_is_its_own_stem(word: str) -> None:
    assert stem(word) == word
