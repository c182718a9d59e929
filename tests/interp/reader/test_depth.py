"""No nesting is too deep, and time grows with the length of the text alone."""

from __future__ import annotations

import time

import pytest

from nodwyn.interp.data import Pair
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.reader import parse_datum, read_source
from nodwyn.interp.syntax import Source

DEEP = 100_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "middle", "end"),
    [
        ("(", "", ")"),
        ("'", "a", ""),
        ("#(", "", ")"),
        ("(a . ", "b", ")"),
        ("#;(", "", ") a"),
        ("#| ", "", "|# a"),
        ("#;", "a", " a"),
        ("(quote ", "a", ")"),
    ],
    ids=["lists", "quotes", "vectors", "tails", "hidden", "comments", "hiding", "forms"],
)
def test_deep_texts(start: str, middle: str, end: str) -> None:
    assert parse_datum(start * DEEP + middle + end * DEEP) is not None


@pytest.mark.slow
def test_a_million_parentheses() -> None:
    assert parse_datum("(" * 1_000_000 + ")" * 1_000_000).__class__ is Pair


@pytest.mark.slow
@pytest.mark.parametrize("start", ["(", "'", "#|", "#;", "#0=", "(a . ", "#("])
def test_deep_texts_without_an_end(start: str) -> None:
    text = start * DEEP if "0" not in start else "".join(f"#{n}=(" for n in range(DEEP))
    with pytest.raises(SchemeError):
        parse_datum(text)


@pytest.mark.slow
def test_a_text_eight_times_as_long_takes_not_much_more_than_eight_times_the_time() -> None:
    """How fast it is is told by bench/scheme/run.py; quadratic time would be sixty-four times."""
    form = """(define (length items)
  ;; Count them.
  (let loop ((rest items) (n 0))
    (if (pair? rest) (loop (cdr rest) (+ n 1)) n)))
"""
    list(read_source(Source("test.scm", "warm-up")))

    def seconds(times: int) -> float:
        start = time.process_time()
        list(read_source(Source("test.scm", form * times)))
        return time.process_time() - start

    assert seconds(3_200) < 25 * seconds(400)
