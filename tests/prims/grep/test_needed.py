"""Strings without which a pattern cannot match: found in the pattern, and never wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.grep.needed import Needed, begins_plain, needed
from nodwyn.prims.grep.pattern import Pattern, PatternError


@pytest.mark.parametrize(
    ("pattern", "strings"),
    [
        (r"^class \w+\(.*Error\):$", ["Error):"]),
        (r"\bimport\b", ["import"]),
        ("todo|fixme", ["todo", "fixme"]),
        ("(?:read|write)_all|close", ["_all", "close"]),
        ("(abc)def", ["def"]),
        ("abcd?e", ["abc"]),
        ("xabc*", ["xab"]),
        ("abcd+e", ["abcd"]),
        ("abcd{2,3}e", ["abc"]),
        ("[abc]def", ["def"]),
        (r"a\.b\.c[\d\]]", ["a.b.c"]),
        ("a{b}cde", ["cde"]),
        ("äöüabc", ["abc"]),
    ],
)
def test_a_pattern_says_what_its_matches_have(pattern: str, strings: list[str]) -> None:
    assert needed(pattern) == Needed(tuple(strings), False)


@pytest.mark.parametrize(("pattern", "string"), [("(?i)todo", "todo"), ("(?i)selftest", "elfte")])
def test_where_case_is_ignored_letters_that_have_a_third_form_are_left_out(pattern: str, string: str) -> None:
    assert needed(pattern) == Needed((string,), True)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "ab",
        "(abc|def)",
        "abc|d",
        "abc|def|ghi|jkl",
        "a*b*c*",
        r"\Qabc.def\E",
        r"\x{61}bcd",
        r"\pLabcd",
        "(?i:abcd)",
        "(?P<name>abc)def",
        "[[:alpha:]]abcd",
        "abc(?-m)def",
    ],
)
def test_where_nothing_is_known_or_gained_nothing_is_said(pattern: str) -> None:
    assert needed(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc", True),
        (r"abc\s+d", True),
        ("", False),
        ("a?bc", False),
        ("a{2}b", False),
        ("abc|def", False),
        (".a", False),
    ],
)
def test_a_pattern_that_begins_with_a_string_needs_no_help(pattern: str, expected: bool) -> None:
    assert begins_plain(pattern) == expected


_PIECES = st.sampled_from(
    [
        *r"abc def a b S k ſ é . [ab] [^a] \w \b \. ^ $ | ( (?: ) * + ? +? {2} {,2} {1,} { } ]".split(),
        *(r"[\]a]", "[]b]", r"\Qa.c\E", "(?i)", "\n"),
    ]
)


@given(st.lists(_PIECES, max_size=7).map("".join), st.booleans(), st.data())
def test_no_line_is_lost(pattern: str, ignores_case: bool, data: st.DataObject) -> None:
    try:
        compiled = Pattern(f"{'(?i)' if ignores_case else ''}{pattern}")
    except PatternError:
        return
    pieces = st.sampled_from(
        ["abc", "ABC", "def", "DeF", "a", "b", "s", "\u017f", "K", "\u212a", ".", "é", "\n", "{2}", "]"]
    )
    text = "".join(data.draw(st.lists(pieces, max_size=12))).encode()
    found = list(compiled.lines(text))
    compiled._finders = []
    assert found == list(compiled.lines(text))
