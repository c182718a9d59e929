"""BM25 over any number of logs as one collection."""

from __future__ import annotations

from array import array
from math import log

from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.memory.ranking import Part, rank

Texts = list[list[str]]

texts = st.lists(st.lists(st.sampled_from("abcdef"), max_size=12), max_size=12)


def part(events: Texts, words: list[str]) -> Part:
    """Return some events, each a list of words, as what is ranked."""
    postings = {}
    for word in words:
        having = [number for number, event in enumerate(events) if word in event]
        if having:
            postings[word] = array("I", having), array("I", (events[number].count(word) for number in having))
    return Part(array("I", map(len, events)), postings)


@given(st.lists(texts, max_size=5), st.lists(st.sampled_from("abcx"), unique=True, max_size=4))
def test_several_logs_rank_as_one_joined_log(logs: list[Texts], words: list[str]) -> None:
    several = rank([part(events, words) for events in logs], words, 1000)
    joined = rank([part([event for events in logs for event in events], words)], words, 1000)
    starts = [sum(map(len, logs[:place])) for place in range(len(logs))]

    assert [(hit.score, starts[hit.part] + hit.number) for hit in several] == [
        (hit.score, hit.number) for hit in joined
    ]


def test_a_score_is_that_of_bm25_with_the_usual_numbers() -> None:
    events = [["a", "a", "b"], ["b"], ["c"]]
    average = 5 / 3

    (hit,) = rank([part(events, ["a"])], ["a"], 5)

    assert hit.number == 0
    expected = log(1 + 2.5 / 1.5) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / average))
    assert abs(hit.score - expected) < 1e-12


def test_rarer_words_and_more_of_them_rank_first() -> None:
    events = [["common", "x"], ["common", "rare"], ["rare", "x"], ["common", "y"], ["z", "y"]]

    assert [hit.number for hit in rank([part(events, ["common", "rare"])], ["common", "rare"], 3)] == [1, 2, 0]


def test_equal_events_keep_their_order() -> None:
    first, second = part([["a"], ["a"]], ["a"]), part([["a"]], ["a"])

    assert [(hit.part, hit.number) for hit in rank([first, second], ["a"], 9)] == [(0, 0), (0, 1), (1, 0)]


def test_nothing_is_found_in_nothing() -> None:
    assert rank([], ["a"], 8) == rank([part([], ["a"])], ["a"], 8) == rank([part([["a"]], [])], [], 8) == []
