"""R7RS, sections 2 and 7.1: what each kind of datum is written like and what it is read as."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.data import EOF, NIL, Pair, String, intern
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.reader import parse_datum, read_source
from nodwyn.interp.syntax import Literal, Source, strip

Read = Callable[[str], list[Any]]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", []),
        (" \t\n\r\f ", []),
        ("a b", ["'a", "'b"]),
        ("\ufeffa", ["'a"]),
        ("()", [[]]),
        ("(a)", [["'a"]]),
        ("(a b)(c)", [["'a", "'b"], ["'c"]]),
        ("( a ( b ) )", [["'a", ["'b"]]]),
        ("(a . b)", [["'a", ".", "'b"]]),
        ("(a b . c)", [["'a", "'b", ".", "'c"]]),
        ("(a . (b c))", [["'a", "'b", "'c"]]),
        ("(a . (b . (c . d)))", [["'a", "'b", "'c", ".", "'d"]]),
        ("(a . ())", [["'a"]]),
        ("(a . #(b))", [["'a", ".", ("'b",)]]),
        ("#()", [()]),
        ("#(a #(1) ())", [("'a", (1,), [])]),
        ("#u8()", [b""]),
        ("#u8(0 255 #xff #e1)", [bytes([0, 255, 255, 1])]),
        ("#U8(1)", [b"\x01"]),
        ("#t #f #true #false #T #F #TRUE #False", [True, False, True, False] * 2),
        ("'a", [["'quote", "'a"]]),
        ("`(a ,b ,@c)", [["'quasiquote", ["'a", ["'unquote", "'b"], ["'unquote-splicing", "'c"]]]]),
        ("''()", [["'quote", ["'quote", []]]]),
        ("(a 'b)", [["'a", ["'quote", "'b"]]]),
    ],
)
def test_data(read: Read, text: str, data: list[Any]) -> None:
    assert read(text) == data


@pytest.mark.parametrize(
    "name",
    "a list->vector <=? ! $ % & * / : < = > ? ^ _ ~ a.b a+b a-b a@b V17a the-word-recursion-has-many-meanings "
    "+ - ... -> ->x +x -x +@ -- .. .a .+ +.a +.. -.b @ @x 1+ -1+ 1- +inf -nan λ straße 名 é.è a\u200db x² €".split(),
)
def test_symbols_written_as_they_are(read: Read, name: str) -> None:
    assert read(name) == [f"'{name}"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("||", ""),
        ("|a b|", "a b"),
        ("|(|", "("),
        ("|a\nb|", "a\nb"),
        (r"|\x41;\x3bb;|", "Aλ"),
        (r"|\a\b\t\n\r\"\\\||", '\a\b\t\n\r"\\|'),
        ("|a\r\nb\rc|", "a\r\nb\rc"),
        ("|12|", "12"),
        ("|#foo|", "#foo"),
    ],
)
def test_symbols_between_vertical_lines(read: Read, text: str, name: str) -> None:
    assert read(text) == [f"'{name}"]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ('""', ""),
        ('"a b"', "a b"),
        ('"a;b#|c|#"', "a;b#|c|#"),
        (r'"\a\b\t\n\r\"\\\|"', '\a\b\t\n\r"\\|'),
        (r'"\x41;\X3BB;\x0;"', "Aλ\0"),
        ('"a\nb"', "a\nb"),
        ('"a\r\nb\rc"', "a\nb\nc"),
        ('"a\\\nb"', "ab"),
        ('"a\\ \t \n \t b"', "ab"),
        ('"a\\\r\n  b"', "ab"),
        ('"a\\\n\n b"', "a\n b"),
        ('"λ😀"', "λ😀"),
    ],
)
def test_strings(read: Read, text: str, contents: str) -> None:
    assert read(text) == [contents]


@pytest.mark.parametrize(
    ("text", "char"),
    [
        ("#\\a", "a"),
        ("#\\A", "A"),
        ("#\\(", "("),
        ("#\\)", ")"),
        ("#\\;", ";"),
        ('#\\"', '"'),
        ("#\\|", "|"),
        ("#\\#", "#"),
        ("#\\\\", "\\"),
        ("#\\ ", " "),
        ("#\\\n", "\n"),
        ("#\\x", "x"),
        ("#\\X", "X"),
        ("#\\x41", "A"),
        ("#\\X41", "A"),
        ("#\\x0", "\0"),
        ("#\\x10FFFF", "\U0010ffff"),
        ("#\\λ", "λ"),
        ("#\\1", "1"),
        ("#\\alarm", "\a"),
        ("#\\backspace", "\b"),
        ("#\\delete", "\x7f"),
        ("#\\escape", "\x1b"),
        ("#\\newline", "\n"),
        ("#\\null", "\0"),
        ("#\\return", "\r"),
        ("#\\space", " "),
        ("#\\tab", "\t"),
    ],
)
def test_characters(read: Read, text: str, char: str) -> None:
    assert read(text) == [f"#\\{char}"]
    assert read(f"({text})") == [[f"#\\{char}"]]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-17", -17),
        ("+5", 5),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("1.5", 1.5),
        (".5", 0.5),
        ("-1e3", -1000.0),
        ("+inf.0", float("inf")),
        ("#xFF", 255),
        ("#b-101", -5),
        ("#o17", 15),
        ("#d10", 10),
        ("#e1.0", 1),
        ("#i1", 1.0),
        ("#x#e1F", 31),
        ("#E#X1f", 31),
    ],
)
def test_numbers(read: Read, text: str, number: float) -> None:
    (value,) = read(text)
    assert (type(value), value) == (type(number), number)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("; a\nb", ["'b"]),
        ("a;b", ["'a"]),
        ("(a ; )\n b)", [["'a", "'b"]]),
        ("#| a |# b", ["'b"]),
        ("#| a #| b |# c |# d", ["'d"]),
        ("#|#|#||#|#|# a", ["'a"]),
        ("#||# a", ["'a"]),
        ("#|;|# a", ["'a"]),
        ("(a #|b|# c)", [["'a", "'c"]]),
        ("#;a b", ["'b"]),
        ("#;a", []),
        ("#; #| x |# a b", ["'b"]),
        ("#;(a (b)) c", ["'c"]),
        ("#;#;a b c", ["'c"]),
        ("#;'a b", ["'b"]),
        ("(a #;b)", [["'a"]]),
        ("(#;a)", [[]]),
        ("(a #;b #;c d)", [["'a", "'d"]]),
        ("(a #; #;b c d)", [["'a", "'d"]]),
        ("(a . #;b c)", [["'a", ".", "'c"]]),
        ("(a . b #;c)", [["'a", ".", "'b"]]),
        ("#(#;a b)", [("'b",)]),
        ("#u8(1 #;a 2)", [b"\x01\x02"]),
        ("'#;a b", [["'quote", "'b"]]),
        ("#!/usr/bin/env scheme\na", ["'a"]),
        ("#! a b\nc", ["'c"]),
    ],
)
def test_comments(read: Read, text: str, data: list[Any]) -> None:
    assert read(text) == data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("ABC #!fold-case ABC #!no-fold-case ABC", ["'ABC", "'abc", "'ABC"]),
        ("#!FOLD-CASE Straße", ["'strasse"]),
        ("(A #!fold-case B) C", [["'A", "'b"], "'c"]),
        ('#!fold-case |ABC| "ABC" #\\A #\\SPACE', ["'ABC", "ABC", "#\\A", "#\\ "]),
    ],
)
def test_folding_of_case(read: Read, text: str, data: list[Any]) -> None:
    assert read(text) == data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('"a""b"', ["a", "b"]),
        ('"a"b', ["a", "'b"]),
        ('12"x"', [12, "x"]),
        ("a(b)c", ["'a", ["'b"], "'c"]),
        ("|a|b", ["'a", "'b"]),
        ("a|b|", ["'a", "'b"]),
        ("#t(1)", [True, [1]]),
        ("(a)'b", [["'a"], ["'quote", "'b"]]),
        ("1;c", [1]),
    ],
)
def test_what_needs_no_space_between(read: Read, text: str, data: list[Any]) -> None:
    assert read(text) == data


def test_include_ci_folds_from_the_start() -> None:
    (node,) = read_source(Source("a", "Foo"), fold_case=True)
    assert strip(node) is intern("foo")


def test_strings_of_source_are_constants() -> None:
    (node,) = read_source(Source("a", '"abc"'))
    assert isinstance(node, Literal)
    assert isinstance(node.value, String)
    assert node.value.frozen


def test_data_come_before_the_error_behind_them() -> None:
    nodes = read_source(Source("a", "1 2 )"))
    assert [strip(next(nodes)), strip(next(nodes))] == [1, 2]
    with pytest.raises(SchemeError):
        next(nodes)


def test_parse_datum_takes_the_first() -> None:
    assert parse_datum("1 2") == 1
    assert parse_datum("; nothing") is EOF
    assert parse_datum("()") is NIL
    assert parse_datum("(1)").__class__ is Pair
