"""What is said of a text that is not well formed, and where: each kind of mistake once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.reader import IncompleteError

Failing = Callable[[str], SchemeError]


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        # Lists.
        (")", ")", "unexpected ): no list is open here", "closed too early"),
        ("(a))", ")", "unexpected ): no list is open here", "closed too early"),
        (".", ".", "a dot stands only inside of a list", ""),
        ("( . a)", ".", "a dot needs a datum before it", "(a . b)"),
        ("(#;x . a)", ".", "a dot needs a datum before it", "(a . b)"),
        ("(a . )", ".", "a datum is missing after the dot before )", ""),
        ("(a . #;b)", ".", "a datum is missing after the dot before )", ""),
        ("(a . b c)", "c", "only one datum may follow the dot of a list", "close the list"),
        ("(a . b (c))", "(", "only one datum may follow the dot of a list", "close the list"),
        ("(a . b . c)", ". c)", "a list can have only one dot", ""),
        ("#(a . b)", ".", "a dot cannot stand in a vector", ""),
        ("[a]", "[", "unexpected [", "use ( and )"),
        ("(a]", "]", "unexpected ]", "use ( and )"),
        ("(a {b})", "{", "unexpected {", "use ( and )"),
        # What needs a datum behind it.
        ("(a ')", "'", "' has no datum before )", ""),
        ("(,@)", ",@", ",@ has no datum before )", ""),
        ("(a #;)", "#;", "#; has no datum to leave out before )", ""),
        ("(#0=)", "#0=", "a label has no datum before )", ""),
        # Bytevectors.
        ("#u8(256)", "256", "256 is not an element of a bytevector", "0 to 255"),
        ("#u8(-1)", "-1", "-1 is not an element of a bytevector", "0 to 255"),
        ("#u8(1.0)", "1.0", "1.0 is not an element of a bytevector", "0 to 255"),
        ("#u8(a)", "a)", "a is not an element of a bytevector", "0 to 255"),
        ("#u8(+)", "+", "+ is not an element of a bytevector", "0 to 255"),
        ("#u8((1))", "(1)", "( is not an element of a bytevector", "0 to 255"),
        ("#u8(1 . 2)", ".", "a dot cannot stand in a bytevector", ""),
        # Strings and symbols.
        (r'"a\qb"', r"\q", r"unknown escape \q in a string", r"\\q is a backslash and q"),
        (r'"\x41"', r"\x", r"\x in a string needs hexadecimal digits and a semicolon", r"\x3bb;"),
        (r'"\xg;"', r"\x", r"\x in a string needs hexadecimal digits and a semicolon", r"\x3bb;"),
        (r'"a\x110000;"', r"\x110000;", r"\x110000; is no character of Unicode", ""),
        (r'"\xD800;"', r"\xD800;", r"\xD800; is no character of Unicode", ""),
        ('"é\udcff"', "\udcff", r"\xdcff; is no character of Unicode", "UTF-8?"),
        ('"a\r\n\udcffb"', "\udcff", r"\xdcff; is no character of Unicode", "UTF-8?"),
        ("|a\ud800|", "\ud800", r"\xd800; is no character of Unicode", "UTF-8?"),
        ("a\udcff", "\udcff", "the character U+DCFF cannot stand here in a symbol", "|…|"),
        (r'"a\ b"', "\\ ", "a backslash before white space has no meaning in a string", "joins it with the next"),
        (r"|a\qb|", r"\q", r"unknown escape \q in a symbol", "a backslash and q"),
        ("|a\\\nb|", "\\\n", "a backslash before white space has no meaning in a symbol", ""),
        ("a'b", "'", "unexpected ' inside a word", "put a space before it"),
        ("1'b", "'", "unexpected ' inside a word", "put a space before it"),
        ("a#b", "#", "unexpected #", "between vertical lines"),
        (r"a\x41;", "\\", "unexpected \\", "between vertical lines"),
        ("a\x01", "\x01", "unexpected control character U+0001", "remove it"),
        ("a\u200bb", "\u200b", "the character U+200B ZERO WIDTH SPACE cannot stand here in a symbol", "|…|"),
        ("٣a", "٣", "the character U+0663 ARABIC-INDIC DIGIT THREE cannot stand here in a symbol", "|…|"),
        # Words that begin as numbers do.
        ("12abc", "12abc", "12abc is neither a number nor a symbol", "|12abc|"),
        ("1.2.3", "1.2.3", "1.2.3 is neither a number nor a symbol", "|1.2.3|"),
        ("+5x", "+5x", "+5x is neither a number nor a symbol", "|+5x|"),
        ("#xfg", "#xfg", "#xfg is not a number", "0 to 9 and a to f"),
        ("#b12", "#b12", "#b12 is not a number", "0 and 1"),
        ("#e", "#e", "#e is not a number", "0 to 9"),
        # Characters.
        ("#\\spcae", "#\\spcae", "there is no character named spcae", "did you mean space?"),
        ("#\\qqqqq", "#\\qqqqq", "there is no character named qqqqq", "named are alarm, backspace"),
        ("#\\SPACE", "#\\SPACE", "there is no character named SPACE", ""),
        ("#\\(a", "#\\(a", "there is no character named (a", "put a space after #\\("),
        ("#\\\udcff", "\udcff", r"\xdcff; is no character of Unicode", "UTF-8?"),
        ("#\\x110000", "#\\x110000", "#\\x110000 is no character of Unicode", "10FFFF"),
        # What begins with a number sign.
        ("#tfoo", "#tfoo", "unknown syntax #tfoo", "#t or #true"),
        ("#fals", "#fals", "unknown syntax #fals", "#f or #false"),
        ("#<procedure car>", "#<procedure", "unknown syntax #<procedure", "cannot be read"),
        ("#vu8(1)", "#vu8", "unknown syntax #vu8", "#u8(…)"),
        ("#5(1)", "#5", "unknown syntax #5", "a datum label is #0=datum"),
        ("#'a", "#'a", "unknown syntax #'a", "quote with '"),
        ("#foo", "#foo", "unknown syntax #foo", ""),
        ("# a", "# ", "unknown syntax #", ""),
        ("#!fold", "#!fold", "unknown directive #!fold", "did you mean #!fold-case?"),
        ("#!eof", "#!eof", "unknown directive #!eof", "known are #!fold-case and #!no-fold-case"),
        ("a\n#!/bin/sh", "#!/bin/sh", "unknown directive #!/bin/sh", ""),
        ("a |# b", "|#", "unexpected |#: no block comment is open here", ""),
        # Labels.
        ("#3#", "#3#", "the label #3# is not defined", "in the same datum"),
        ("(#0# #0=a)", "#0#", "the label #0# is not defined", "in the same datum"),
        ("(#0=a #0=b)", "#0=b", "the label #0= is defined twice", "first defined at 1:2"),
        ("#0=#0#", "#0=", "the label #0= names nothing but itself", ""),
        ("#0=#1=#0#", "#0=", "the label #0= names nothing but itself", ""),
        ("#1234567890123456789=a", "#1234567890123456789=", "the number of a datum label has more than", ""),
    ],
)
def test_wrong_texts(failing: Failing, text: str, place: str, message: str, hint: str) -> None:
    error = failing(text)
    condition = error.payload
    assert condition.kind == "read"
    assert condition.message.startswith(message)
    assert hint in condition.hint
    assert text[condition.span.start :].startswith(place) or text[condition.span.start : condition.span.end] == place
    assert not isinstance(error, IncompleteError)


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("(a (b c)", 0, "a closing parenthesis is missing", "the innermost open one begins at 1:1"),
        (
            "(a\n (b",
            4,
            "a closing parenthesis is missing",
            "begins at 2:2, the outermost of 2 at 1:1",
        ),
        ("(a (b\n\n(c d)\n", 3, "a closing parenthesis is missing", "; line 3 begins a new form inside of it"),
        ("a #(b", 2, "a closing parenthesis is missing", "begins at 1:3"),
        ("#u8(1", 0, "a closing parenthesis is missing", "begins at 1:1"),
        ("(a . b", 0, "a closing parenthesis is missing", "begins at 1:1"),
        ("(a '", 0, "a closing parenthesis is missing", "begins at 1:1"),
        ('a\n"bc', 2, "this string is not closed", "begins at 2:1"),
        ('"a\\', 0, "this string is not closed", ""),
        ('"a\\x41', 0, "this string is not closed", ""),
        ('"a\\ ', 0, "this string is not closed", ""),
        ("|bc", 0, "this symbol is not closed", "no | at its end"),
        ("a #| b", 2, "this block comment is not closed", "needs 1 more |#"),
        ("#| #| a |#", 0, "this block comment is not closed", "needs 1 more |#"),
        ("'", 0, "' has no datum before the end of the text", ""),
        ("`(a) ,", 5, ", has no datum before the end of the text", ""),
        ("#;", 0, "#; has no datum to leave out before the end of the text", ""),
        ("#; #; a", 0, "#; has no datum to leave out before the end of the text", ""),
        ("#0=", 0, "a label has no datum before the end of the text", ""),
        ("#", 0, "the text ends after #", ""),
        ("#\\", 0, "the text ends after #\\", ""),
    ],
)
def test_texts_that_end_too_early(failing: Failing, text: str, place: int, message: str, hint: str) -> None:
    error = failing(text)
    condition = error.payload
    assert (condition.kind, condition.message, condition.span.start) == ("read", message, place)
    assert hint in condition.hint
    assert isinstance(error, IncompleteError)


def test_a_number_too_large_says_where(failing: Failing) -> None:
    condition = failing("(a #e1e1000000)").payload
    assert (condition.kind, repr(condition.span)) == ("limit", "test.scm:1:4")
