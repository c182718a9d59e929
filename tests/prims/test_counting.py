"""A number of things in words, and what they cost."""

from __future__ import annotations

import pytest

from nodwyn.prims.counting import cost_in_words, counted, in_words, plural


@pytest.mark.parametrize(("number", "words"), [(0, "0 lines"), (1, "1 line"), (2, "2 lines"), (1200, "1200 lines")])
def test_only_one_of_them_is_named_as_one(number: int, words: str) -> None:
    assert counted(number, "line") == words


@pytest.mark.parametrize(("number", "words"), [(1, "1 file that is"), (2, "2 files that are")])
def test_words_that_take_no_s_are_given(number: int, words: str) -> None:
    assert counted(number, "file that is", "files that are") == words


def test_what_they_are_called_is_told_without_the_number_too() -> None:
    assert [plural(number, "line") for number in (0, 1, 2)] == ["lines", "line", "lines"]
    assert plural(2, "file that is", "files that are") == "files that are"


@pytest.mark.parametrize(
    ("cost", "unpriced", "words"),
    [(0, False, "$0.00"), (1_234_567, False, "$1.23"), (0, True, "$?"), (1_234_567, True, "at least $1.23")],
)
def test_what_is_not_known_to_have_cost_nothing_is_not_said_to(cost: int, unpriced: bool, words: str) -> None:
    assert cost_in_words(cost, unpriced=unpriced) == words


@pytest.mark.parametrize(("names", "words"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_names_stand_as_in_a_sentence(names: list[str], words: str) -> None:
    assert in_words(names) == words
