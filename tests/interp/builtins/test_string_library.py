"""SRFI 13 in the host: laws that tie its procedures together, and the origins of what they make."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.builtins.string_library import define
from nodwyn.interp.data import UNLABELLED, Char, Origin, String, Value, intern, list_from, origin_of
from nodwyn.interp.errors import SchemeError

builtin = define.procedures
FILE = origin_of(frozenset({"external:file"}))
USER = origin_of(frozenset({"user"}))
BOTH = origin_of(frozenset({"external:file", "user"}))


def string(text: str, origin: Origin = UNLABELLED) -> String:
    return String(text, origin)


def call(name: str, *arguments: Value) -> Value:
    return builtin[f"%{name}"](*[string(each) if isinstance(each, str) else each for each in arguments])


def text(name: str, *arguments: Value) -> str:
    result = call(name, *arguments)
    assert isinstance(result, String)
    return result.text()


short = st.text("abA", max_size=6)


@given(short, short)
def test_common_prefixes_and_suffixes_are_the_longest(first: str, second: str) -> None:
    length = call("string-prefix-length", first, second)
    assert first[:length] == second[:length]
    assert first[length : length + 1] != second[length : length + 1] or length in (len(first), len(second))
    assert call("string-suffix-length", first, second) == call("string-prefix-length", first[::-1], second[::-1])


@given(short, short)
def test_comparisons_agree_with_each_other(first: str, second: str) -> None:
    for ci in ("", "-ci"):
        less, same, more = (bool(call(f"string{ci}{sign}", first, second)) for sign in ("<", "=", ">"))
        assert less + same + more == 1
        assert bool(call(f"string{ci}<=", first, second)) is (less or same)
        assert bool(call(f"string{ci}>=", first, second)) is (more or same)
        assert bool(call(f"string{ci}<>", first, second)) is not same


@given(short, st.integers(0, 6))
def test_taking_and_dropping_divide_a_string(whole: str, count: int) -> None:
    count = min(count, len(whole))
    assert text("string-take", whole, count) + text("string-drop", whole, count) == whole
    assert text("string-drop-right", whole, count) + text("string-take-right", whole, count) == whole


@given(st.text(max_size=6), st.integers(0, 12))
def test_padding_gives_the_length_that_was_asked_for(whole: str, length: int) -> None:
    assert len(text("string-pad", whole, length)) == len(text("string-pad-right", whole, length)) == length


@given(st.text(min_size=1, max_size=5), st.integers(-20, 20), st.integers(0, 20))
def test_a_replicated_string_repeats_in_both_directions(whole: str, begin: int, length: int) -> None:
    expected = "".join(whole[index % len(whole)] for index in range(begin, begin + length))
    assert text("xsubstring", whole, begin, begin + length) == expected


@given(st.text(max_size=6))
def test_no_change_of_case_changes_the_length(whole: str) -> None:
    for name in ("string-upcase", "string-downcase", "string-titlecase"):
        assert len(text(name, whole)) == len(whole)


ORIGINS = [
    ("string-take", (string("ab", FILE), 1), FILE),
    ("string-pad", (string("ab", FILE), 1, USER["x"]), FILE),
    ("string-pad", (string("ab", FILE), 3, USER["x"]), BOTH),
    ("string-upcase", (string("ab", FILE),), FILE),
    ("string-reverse", (string("ab", FILE),), FILE),
    ("string-concatenate", (list_from([string("a", FILE), string("b", USER)]),), BOTH),
    ("string-join", (list_from([string("a", FILE), string("b", FILE)]), string(",", USER)), BOTH),
    ("string-join", (list_from([string("a", FILE)]), string(",", USER), intern("suffix")), BOTH),
    ("string-replace", (string("ab", FILE), string("x", USER), 0, 1), BOTH),
    ("reverse-list->string", (list_from([FILE["a"], USER["b"]]),), BOTH),
    ("xsubstring", (string("ab", FILE), 0, 5), FILE),
]


@pytest.mark.parametrize(("name", "arguments", "origin"), ORIGINS)
def test_results_keep_the_origins_of_what_they_are_made_of(
    name: str, arguments: tuple[Value | Char, ...], origin: Origin
) -> None:
    assert call(name, *arguments).origin is origin


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("string-pad", ("a", 2**40)),
        ("xsubstring", ("a", 0, 2**40)),
        ("string-take", ("a", 2)),
        ("string-replace", ("a", "b", 1, 0)),
        ("string-join", ("a",)),
        ("string-upcase!", (String("literal", UNLABELLED, True),)),
    ],
)
def test_mistakes_are_conditions(name: str, arguments: tuple[Value, ...]) -> None:
    with pytest.raises(SchemeError):
        call(name, *arguments)
