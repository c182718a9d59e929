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
def test_speed() -> None:
    form = """(define (length items)
  ;; Count them.
  (let loop ((rest items) (n 0))
    (if (pair? rest) (loop (cdr rest) (+ n 1)) n)))
"""
    text = form * (500_000 // len(form))
    list(read_source(Source("test.scm", "warm-up")))
    start = time.process_time()
    for _ in read_source(Source("test.scm", text)):
        pass
    megabytes = len(text) / (time.process_time() - start) / 1e6
    assert megabytes >= 0.3
