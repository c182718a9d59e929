"""Characters: section 6.6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.data import character, origin_of

Apply = Callable[..., Any]


def char(text: str) -> str:
    return f"#\\{text}"


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("char-alphabetic?", "aZλß漢ªⅫ\u0345ⓐ\u0903", "1 _-\u0301€٣"),
        ("char-numeric?", "09٣३", "a½²Ⅷ一"),
        ("char-whitespace?", " \t\n\r\f\u00a0\u2003\u3000\u2028", "a\x1c\x1f\u200b"),
        ("char-upper-case?", "AΣÉⒶⅫ", "aσß1ǅ"),
        ("char-lower-case?", "aσßªⓐ", "AΣ1ǅ"),
    ],
)
def test_property(apply: Apply, name: str, yes: str, no: str) -> None:
    assert [text for text in yes if not apply(name, char(text))] == []
    assert [text for text in no if apply(name, char(text))] == []


@pytest.mark.parametrize(
    ("text", "up", "down", "fold"),
    [
        ("a", "A", "a", "a"),
        ("Σ", "Σ", "σ", "σ"),
        ("ς", "Σ", "ς", "σ"),
        ("ß", "ß", "ß", "ß"),
        ("ẞ", "ẞ", "ß", "ß"),
        ("ŉ", "ŉ", "ŉ", "ŉ"),
        ("ᾳ", "ᾼ", "ᾳ", "ᾳ"),
        ("ᾼ", "ᾼ", "ᾳ", "ᾳ"),
        ("İ", "İ", "i", "İ"),
        ("ǅ", "Ǆ", "ǆ", "ǆ"),
        ("ꭰ", "Ꭰ", "ꭰ", "Ꭰ"),
        ("1", "1", "1", "1"),
    ],
)
def test_case_mappings_are_the_simple_ones(apply: Apply, text: str, up: str, down: str, fold: str) -> None:
    assert apply("char-upcase", char(text)) == char(up)
    assert apply("char-downcase", char(text)) == char(down)
    assert apply("char-foldcase", char(text)) == char(fold)


@pytest.mark.parametrize(
    ("name", "text", "result"),
    [
        ("char=?", "aa", True),
        ("char=?", "aaa", True),
        ("char=?", "aab", False),
        ("char=?", "a", True),
        ("char<?", "abc", True),
        ("char<?", "aab", False),
        ("char>?", "cba", True),
        ("char<=?", "aab", True),
        ("char>=?", "bba", True),
        ("char>=?", "ab", False),
        ("char-ci=?", "aA", True),
        ("char-ci=?", "ςσΣ", True),
        ("char-ci<?", "aB", True),
        ("char-ci>?", "aB", False),
        ("char-ci<=?", "aAb", True),
        ("char-ci>=?", "Ba", True),
        ("char<?", "\uffff\U00010000", True),
    ],
)
def test_comparison(apply: Apply, name: str, text: str, result: bool) -> None:
    assert apply(name, *map(char, text)) is result


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("char?", [char("a")], True),
        ("char?", ["a"], False),
        ("digit-value", [char("3")], 3),
        ("digit-value", [char("٤")], 4),
        ("digit-value", [char("½")], False),
        ("digit-value", [char("a")], False),
        ("char->integer", [char("λ")], 955),
        ("integer->char", [955], char("λ")),
        ("integer->char", [0x10FFFF], char("\U0010ffff")),
        ("integer->char", [0], char("\0")),
    ],
)
def test_result(apply: Apply, name: str, arguments: list[Any], result: Any) -> None:
    assert apply(name, *arguments) == result


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("char-upcase", ["a"], 'type: char-upcase: char must be a character, got "a"'),
        ("char-numeric?", [1], "type: char-numeric?: char must be a character, got 1"),
        ("char=?", [char("a"), 1], "type: char=?: char must be a character, got 1"),
        ("char<?", [char("b"), char("a"), 1], "type: char<?: char must be a character, got 1"),
        ("integer->char", [1.0], "type: integer->char: n must be an exact integer, got 1.0"),
        ("integer->char", [-1], "range: integer->char: n must be a code point, from 0 to #x10FFFF, got -1"),
        ("integer->char", [0x110000], "range: integer->char: n must be a code point, from 0 to #x10FFFF, got 1114112"),
        (
            "integer->char",
            [0xD800],
            "range: integer->char: n must be a code point that is no surrogate (#xD800 to #xDFFF), got 55296",
        ),
    ],
)
def test_complaint(complaint: Callable[..., str], name: str, arguments: list[Any], message: str) -> None:
    assert complaint(name, *arguments) == message


def test_case_mappings_keep_the_origin(builtins: dict[str, Callable[..., Any]]) -> None:
    external = origin_of(frozenset({"external:file"}))
    assert builtins["char-upcase"](external["a"]) is external["A"]
    assert builtins["char-upcase"](character("a")) is character("A")
