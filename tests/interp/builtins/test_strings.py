"""Strings: section 6.7."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.data import UNLABELLED, String, Value, Vector, list_from, literal_string, origin_of

Apply = Callable[..., Any]
Builtins = dict[str, Callable[..., Value]]

FILE = origin_of(frozenset({"external:file"}))
SHELL = origin_of(frozenset({"external:shell"}))
BOTH = origin_of(frozenset({"external:file", "external:shell"}))


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("string?", ["a"], True),
        ("string?", ["'a"], False),
        ("make-string", [3, "#\\x"], "xxx"),
        ("make-string", [2], "  "),
        ("string", [], ""),
        ("string", ["#\\a", "#\\λ"], "aλ"),
        ("string-length", ["aλ🎈"], 3),
        ("string-ref", ["aλ🎈", 2], "#\\🎈"),
        ("string=?", ["a"], True),
        ("string=?", ["abc", "abc"], True),
        ("string=?", ["abc", "abc", "abd"], False),
        ("string<?", ["a", "b", "ba"], True),
        ("string<?", ["\uffff", "\U00010000"], True),
        ("string<?", ["b", "a"], False),
        ("string>?", ["b", "a", ""], True),
        ("string<=?", ["a", "a", "b"], True),
        ("string>=?", ["b", "b", "c"], False),
        ("string-ci=?", ["Straße", "STRASSE"], True),
        ("string-ci=?", ["ΑΣ", "ας", "ασ"], True),
        ("string-ci<?", ["a", "B"], True),
        ("string-ci>?", ["a", "B"], False),
        ("string-ci<=?", ["a", "A"], True),
        ("string-ci>=?", ["a", "B"], False),
        ("string-upcase", ["Straße"], "STRASSE"),
        ("string-downcase", ["ΧΑΟΣ ΧΑΟΣΣ Σ"], "χαος χαοσς σ"),
        ("string-foldcase", ["ΧΑΟΣ ẞ"], "χαοσ ss"),
        ("substring", ["abcde", 1, 3], "bc"),
        ("substring", ["abcde", 5, 5], ""),
        ("substring", ["abcde", 2], "cde"),
        ("string-copy", ["abc"], "abc"),
        ("string-copy", ["abc", 1], "bc"),
        ("string-copy", ["abc", 1, 2], "b"),
        ("string-append", [], ""),
        ("string-append", ["a", "", "bc"], "abc"),
        ("string->list", ["abc"], ["#\\a", "#\\b", "#\\c"]),
        ("string->list", ["abc", 2], ["#\\c"]),
        ("string->list", ["abc", 1, 1], []),
        ("list->string", [["#\\a", "#\\b"]], "ab"),
        ("list->string", [[]], ""),
        ("string->vector", ["abc", 1], ("#\\b", "#\\c")),
        ("vector->string", [("#\\a", "#\\b", "#\\c"), 0, 2], "ab"),
        ("string->utf8", ["aλ"], b"a\xce\xbb"),
        ("string->utf8", ["aλb", 1, 2], b"\xce\xbb"),
        ("utf8->string", [b"a\xce\xbb"], "aλ"),
        ("utf8->string", [b"a\xce\xbb", 1], "λ"),
        ("utf8->string", [b"a\xce\xbbb", 1, 3], "λ"),
    ],
)
def test_result(apply: Apply, name: str, arguments: list[Any], result: Any) -> None:
    assert apply(name, *arguments) == result


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("string-set!", ["abc", 1, "#\\λ"], "aλc"),
        ("string-fill!", ["abc", "#\\x"], "xxx"),
        ("string-fill!", ["abcd", "#\\x", 1, 3], "axxd"),
        ("string-copy!", ["12345", 1, "abc"], "1abc5"),
        ("string-copy!", ["12345", 0, "abc", 2], "c2345"),
        ("string-copy!", ["12345", 4, "abc", 0, 1], "1234a"),
        ("string-copy!", ["12345", 5, ""], "12345"),
    ],
)
def test_mutation(builtins: Builtins, apply: Apply, name: str, arguments: list[Any], result: str) -> None:
    target = String(arguments[0])
    assert apply(name, target, *arguments[1:]) is None
    assert target.text() == result
    # Once more on the form that the first mutation has left.
    target = String(list(arguments[0]))
    apply(name, target, *arguments[1:])
    assert target.text() == result


@given(st.text(max_size=8), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_a_string_copied_into_itself_may_overlap(text: str, at: int, start: int, end: int) -> None:
    from nodwyn.interp.builtins.strings import define

    if not (start <= end <= len(text) and at + end - start <= len(text)):
        return
    string = String(text)
    define.procedures["string-copy!"](string, at, string, start, end)
    assert string.text() == text[:at] + text[start:end] + text[at + end - start :]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("string-length", [5], "type: string-length: string must be a string, got 5"),
        ("string-ref", ["abc", 3], "range: string-ref: k must be an index from 0 to 2, got 3"),
        ("string-ref", ["abc", -1], "range: string-ref: k must be an index from 0 to 2, got -1"),
        ("string-ref", ["", 0], "range: string-ref: k must be an index, but there are no elements, got 0"),
        ("string-ref", ["abc", 1.0], "type: string-ref: k must be an exact non-negative integer, got 1.0"),
        ("string-ref", ["'abc", 0], "type: string-ref: string must be a string, got abc"),
        ("string-set!", ["abc", 0, "x"], 'type: string-set!: char must be a character, got "x"'),
        ("string=?", ["a", "'a"], "type: string=?: string must be a string, got a"),
        ("string<?", ["b", "a", 1], "type: string<?: string must be a string, got 1"),
        ("string-append", ["a", 1], "type: string-append: string must be a string, got 1"),
        ("substring", ["abc", 2, 1], "range: substring: start must be an index from 0 to 1, got 2"),
        ("substring", ["abc", 0, 4], "range: substring: end must be an index from 0 to 3, got 4"),
        ("string-copy", ["abc", "'a"], "type: string-copy: start must be an exact non-negative integer, got a"),
        ("string-copy!", ["abc", 2, "abc"], "range: string-copy!: end must be an index from 0 to 1, got 3"),
        ("string-copy!", ["abc", 4, "abc"], "range: string-copy!: at must be an index from 0 to 3, got 4"),
        ("string-copy!", ["abc", 0, 5], "type: string-copy!: from must be a string, got 5"),
        ("list->string", [["#\\a", 5]], "type: list->string: an element of list must be a character, got 5"),
        ("vector->string", [(5,)], "type: vector->string: an element of vector must be a character, got 5"),
        ("make-string", [2, 5], "type: make-string: char must be a character, got 5"),
        ("make-string", [10**30], "limit: make-string: k is above the limit of 268435456 elements"),
        (
            "utf8->string",
            [b"abc\xff"],
            "range: utf8->string: bytevector must be UTF-8, but byte 3 starts no valid character",
        ),
        (
            "utf8->string",
            [b"abc\xff", 2],
            "range: utf8->string: bytevector must be UTF-8, but byte 3 starts no valid character",
        ),
    ],
)
def test_complaint(complaint: Callable[..., str], name: str, arguments: list[Any], message: str) -> None:
    assert complaint(name, *arguments) == message


@pytest.mark.parametrize(
    ("name", "arguments"), [("string-set!", [0, "#\\x"]), ("string-fill!", ["#\\x"]), ("string-copy!", [0, "x"])]
)
def test_a_literal_cannot_be_changed(complaint: Callable[..., str], name: str, arguments: list[Any]) -> None:
    literal = literal_string("abc")
    message = f'type: {name}: string must be a string that can be changed, got "abc", a constant'
    assert complaint(name, literal, *arguments) == message
    assert literal.text() == "abc"


def test_what_grows_beyond_the_limit_is_refused_before_it_is_made(complaint: Callable[..., str]) -> None:
    megabyte = String("x" * 2**20)
    message = complaint("string-append", *[megabyte] * 300)
    assert message == "limit: string-append: a result of 314572800 elements is above the limit of 268435456"


@pytest.mark.parametrize(
    ("name", "arguments", "origin"),
    [
        ("string-append", [String("a", FILE), String("b"), String("c", SHELL)], BOTH),
        ("substring", [String("abc", FILE), 0, 0], FILE),
        ("string-copy", [String("abc", FILE)], FILE),
        ("string-upcase", [String("abc", FILE)], FILE),
        ("string", [FILE["a"], SHELL["b"]], BOTH),
        ("make-string", [1, FILE["a"]], FILE),
        ("list->string", [list_from([FILE["a"]])], FILE),
        ("vector->string", [Vector([SHELL["a"], FILE["b"]])], BOTH),
        ("string-append", [String("a"), String("b")], UNLABELLED),
    ],
)
def test_results_carry_the_origins_of_all_they_are_made_from(
    builtins: Builtins, name: str, arguments: list[Value], origin: object
) -> None:
    assert builtins[name](*arguments).origin is origin


def test_characters_carry_the_origin_of_their_string(builtins: Builtins) -> None:
    string = String("ab", FILE)
    assert builtins["string-ref"](string, 0) is FILE["a"]
    assert builtins["string->list"](string).car is FILE["a"]
    assert builtins["string->vector"](string).items[1] is FILE["b"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("string-set!", [0, SHELL["x"]]), ("string-fill!", [SHELL["x"]]), ("string-copy!", [0, String("x", SHELL)])],
)
def test_mutation_adds_the_origin_of_what_comes_in(builtins: Builtins, name: str, arguments: list[Value]) -> None:
    string = String("abc", FILE)
    builtins[name](string, *arguments)
    assert string.origin.settled is BOTH
    assert len(string.text()) == 3
    assert string.origin is BOTH
