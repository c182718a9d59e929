"""Regular expressions agree with Python's where both have them, in time that no pattern makes exponential."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.builtins.regexps import define
from nodwyn.interp.data import (
    FALSE,
    NIL,
    UNLABELLED,
    String,
    Value,
    character,
    cons,
    intern,
    iterate,
    list_from,
    origin_of,
)
from nodwyn.interp.errors import SchemeError

builtin = define.procedures


def scheme(sre: Any) -> Value:
    """Return the Scheme object for an SRE of tuples (lists), ``'name`` (symbols), other text (strings) and numbers."""
    if isinstance(sre, tuple):
        return list_from([scheme(each) for each in sre])
    if isinstance(sre, str):
        return intern(sre[1:]) if sre.startswith("'") else String(sre, UNLABELLED)
    return sre


def span(sre: Any, text: str) -> tuple[int, int] | None:
    match = builtin["regexp-search"](scheme(sre), String(text, UNLABELLED))
    return None if match is FALSE else (match.places[0], match.places[1])


def group(pattern: str) -> str:
    return f"(?:{pattern})"


# Each strategy makes pairs of an SRE and the same pattern for Python.
chars = st.sampled_from("abc").map(lambda char: (char, char))
sets = st.sampled_from([(("ab",), "[ab]"), (("'~", "a"), "[^a]"), ("'any", "(?s:.)")])
places = st.sampled_from([("'bos", r"\A"), ("'eos", r"\Z"), ("'bow", r"\b(?=\w)"), ("'eow", r"\b(?<=\w)")])


Parts = st.SearchStrategy[tuple[Any, str]]


def join(parts: Parts, symbol: str, between: str) -> Parts:
    return st.lists(parts, min_size=2, max_size=3).map(
        lambda each: ((symbol, *(sre for sre, _ in each)), group(between.join(group(text) for _, text in each)))
    )


def after(parts: Parts, prefix: tuple[Any, ...], suffix: str) -> Parts:
    return parts.map(lambda part: ((*prefix, part[0]), group(part[1]) + suffix))


def joined(parts: Parts) -> Parts:
    return st.one_of(join(parts, "':", ""), join(parts, "'or", "|"), after(parts, ("'=", 2), "{2}"))


# What is repeated without bound takes a character at least: of repetitions that take none, Python drops
# alternatives that come after them, which the matcher here still tries.
solid = st.recursive(st.one_of(chars, sets), joined, max_leaves=4)

loops = st.one_of(after(solid, ("'*",), "*"), after(solid, ("'+",), "+"), after(solid, ("'*?",), "*?"))


def compound(parts: Parts) -> Parts:
    """Return a strategy of patterns made of ``parts``."""
    return st.one_of(
        joined(parts),
        after(parts, ("'?",), "?"),
        after(parts, ("'??",), "??"),
        after(parts, ("'**", 1, 2), "{1,2}"),
        parts.map(lambda part: (("'look-ahead", part[0]), f"(?={part[1]})")),
        parts.map(lambda part: (("'neg-look-ahead", part[0]), f"(?!{part[1]})")),
    )


patterns = st.recursive(st.one_of(solid, loops, places), compound, max_leaves=8)


@given(patterns, st.text("abc ", max_size=8))
def test_a_search_finds_what_python_finds(pattern: tuple[Any, str], text: str) -> None:
    sre, python = pattern
    expected = re.search(python, text)
    assert span(sre, text) == (None if expected is None else expected.span())


HOSTILE = [
    ("':", ("'*", ("'*", ("'*", "a"))), "b"),
    ("':", ("'+", ("'or", "a", "aa")), "b"),
    ("':", *[("'?", "a")] * 200, *["a"] * 200, "b"),
]


@pytest.mark.parametrize("sre", HOSTILE)
def test_no_pattern_takes_exponential_time(sre: Any) -> None:
    begin = time.perf_counter()
    assert span(sre, "a" * 1000) is None
    assert time.perf_counter() - begin < 20


def test_what_the_automaton_has_met_is_forgotten_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from nodwyn.interp.builtins import regexp_automaton

    monkeypatch.setattr(regexp_automaton, "MOST_MOVES", 10)
    pattern = builtin["regexp"](scheme(("':", ("'*", "'any"), "z")))
    text = "".join(map(chr, range(0x4E00, 0x5000))) + "z"
    assert builtin["regexp-search"](pattern, String(text, UNLABELLED)).places[:2] == (0, len(text))
    assert len(pattern.program.automaton._states) < 20


def test_a_pattern_with_references_gives_up_after_a_number_of_steps() -> None:
    sre = ("':", ("'$", ("'*", "a")), ("'*", ("'*", "a")), ("'*", "a"), ("'backref", 1), "b")
    with pytest.raises(SchemeError) as caught:
        span(sre, "a" * 500)
    assert caught.value.payload.kind == "limit"


def test_patterns_that_contain_themselves_are_refused() -> None:
    ring = cons(intern("*"), NIL)
    ring.cdr = cons(ring, NIL)
    with pytest.raises(SchemeError):
        builtin["regexp"](ring)
    assert builtin["valid-sre?"](ring) is FALSE


def test_what_comes_of_text_keeps_its_origin() -> None:
    file = origin_of(frozenset({"external:file"}))
    text = String("one, two", file)
    pieces = list(iterate(builtin["regexp-split"](String(", ", UNLABELLED), text)))
    assert [(piece.text(), piece.origin) for piece in pieces] == [("one", file), ("two", file)]
    replaced = builtin["regexp-replace"](String("x", UNLABELLED), String("x", UNLABELLED), text)
    assert replaced.origin is file
    match = builtin["regexp-search"](scheme(("'$", "o")), text)
    assert builtin["regexp-match-submatch"](match, 1).origin is file


def test_a_set_of_characters_is_written_as_ranges() -> None:
    from nodwyn.interp.builtins.char_sets import of_ranges

    sre = builtin["char-set->sre"](of_ranges("azAZ__"))
    assert sre.cdr.car.text() == "AZ__az"
    for char in "amzAMZ_":
        assert builtin["regexp-matches?"](sre, String(char, UNLABELLED))
    assert not builtin["regexp-matches?"](sre, String(character("-").char, UNLABELLED))
