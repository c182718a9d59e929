"""How much it says that a text has a word."""

from __future__ import annotations

from math import isclose, log

from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.retrieval.bm25 import rarity

TOTAL = st.integers(1, 100_000)


@given(TOTAL, st.data())
def test_a_word_says_less_the_more_texts_have_it_and_never_less_than_nothing(total: int, data: st.DataObject) -> None:
    having = data.draw(st.integers(1, total))
    assert 0 < rarity(having, total) < rarity(having - 1, total)


def test_it_is_the_logarithm_of_the_odds_that_a_text_lacks_it() -> None:
    assert isclose(rarity(1, 10), log(1 + 9.5 / 1.5))
    assert isclose(rarity(0, 0), log(2))
