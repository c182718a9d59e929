"""What is said when a text is not well formed: what is wrong, where, and what would be right.

The grammar says what is right and no more; here the text around the place where it failed is looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.syntax import Source, Span, Syntax

OPEN_END = -1
"""The end of the span of a list whose closing parenthesis has not been read yet."""

_SPACES = " \t\n\r\f\v"
_DELIMITERS = '()"|;'


class IncompleteError(SchemeError):
    """The text ends inside a datum: more text might make it right. A prompt asks for another line."""


def mistake(message: str, span: Span, hint: str = "") -> SchemeError:
    """Return the error for a text that is wrong whatever follows it."""
    return SchemeError(Condition("read", message, span=span, hint=hint))


def incomplete(message: str, span: Span, hint: str = "") -> IncompleteError:
    """Return the error for a text that ends too early."""
    return IncompleteError(Condition("read", message, span=span, hint=hint))


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return a hint that names the most similar one of ``words``, or "" when none is similar."""
    from difflib import get_close_matches

    similar = get_close_matches(word, list(words), 1, 0.5)
    return f"did you mean {similar[0]}?" if similar else ""


def no_number(source: Source, lexeme: str, start: int) -> SchemeError:
    """Return the error for a word that begins as a number does and is neither number nor symbol."""
    span = Span(source, start, start + len(lexeme))
    if lexeme.startswith("#"):
        digits = {"b": "0 and 1", "o": "0 to 7", "x": "0 to 9 and a to f"}.get(lexeme[1].lower(), "0 to 9")
        return mistake(f"{lexeme} is not a number", span, f"after {lexeme[:2]} comes a number with the digits {digits}")
    quote = next((sign for sign in "'`," if sign in lexeme), "")
    if quote:
        return _misplaced(source, start + lexeme.index(quote), quote)
    return mistake(f"{lexeme} is neither a number nor a symbol", span, f"as a symbol it is written |{lexeme}|")


def unreadable(source: Source, start: int) -> SchemeError:
    """Return the error for a place in a text where no token can be read.

    start: the offset of the character, not white space, at which the token would begin.
    """
    text = source.text
    first = text[start]
    if first in '"|':
        return _unfinished(source, start, "string" if first == '"' else "symbol")
    if first == "#":
        return _unknown_hash(source, start)
    for offset in range(start, _word_end(text, start)):
        char = text[offset]
        if char in "'`,#[]{}\\" or char < " " or char == "\x7f":
            return _misplaced(source, offset, char)
    return mistake(f"unexpected {first}", Span(source, start, start + 1))


def illegal_in_symbol(source: Source, offset: int, char: str) -> SchemeError:
    """Return the error for a non-ASCII character that no symbol may have there."""
    from unicodedata import name

    called = name(char, "")
    described = f"U+{ord(char):04X} {called}".rstrip()
    hint = "a symbol with it is written between vertical lines: |…|"
    return mistake(f"the character {described} cannot stand here in a symbol", Span(source, offset, offset + 1), hint)


def _word_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and not (text[end] in _DELIMITERS or text[end].isspace()):
        end += 1
    return end


def _misplaced(source: Source, offset: int, char: str) -> SchemeError:
    """Return the error for a character that may stand neither in a symbol nor before one."""
    span = Span(source, offset, offset + 1)
    if char in "'`,":
        return mistake(f"unexpected {char} inside a word", span, "put a space before it")
    if char in "[]{}":
        pair = "[ and ]" if char in "[]" else "{ and }"
        return mistake(f"unexpected {char}", span, f"{pair} have no meaning: use ( and )")
    if char in "\\#":
        return mistake(f"unexpected {char}", span, "a symbol with it is written between vertical lines: |…|")
    return mistake(f"unexpected control character U+{ord(char):04X}", span, "remove it")


def _unfinished(source: Source, start: int, what: str) -> SchemeError:
    """Return the error for a string or a symbol that the grammar did not take."""
    text = source.text
    quote = text[start]
    offset = text.find("\\", start)
    while offset >= 0:
        end = _escape_end(text, offset)
        if end < 0:
            break
        if end == 0 or (what == "symbol" and text[offset + 1] in _SPACES):
            return _bad_escape(source, offset, what)
        offset = text.find("\\", end)
    here = Span(source, start, start + 1)
    return incomplete(
        f"this {what} is not closed", here, f"it begins at {here.line}:{here.column} and has no {quote} at its end"
    )


def _escape_end(text: str, offset: int) -> int:
    """Return where an escape at ``offset`` ends, 0 if it is none, -1 if the text ends in it."""
    after = offset + 1
    if after >= len(text):
        return -1
    char = text[after]
    if char in 'abtnr"\\|':
        return after + 1
    if char in "xX":
        end = after + 1
        while end < len(text) and text[end] in "0123456789abcdefABCDEF":
            end += 1
        if end == len(text):
            return -1
        return end + 1 if text[end] == ";" and end > after + 1 else 0
    while after < len(text) and text[after] in " \t":
        after += 1
    if after == len(text):
        return -1
    return after + 1 if text[after] in "\r\n" else 0


def _bad_escape(source: Source, offset: int, what: str) -> SchemeError:
    char = source.text[offset + 1]
    span = Span(source, offset, offset + 2)
    if char in "xX":
        return mistake(f"\\{char} in a {what} needs hexadecimal digits and a semicolon", span, "such as \\x3bb;")
    if char in _SPACES:
        hint = "a backslash at the end of a line joins it with the next" if what == "string" else ""
        return mistake(f"a backslash before white space has no meaning in a {what}", span, hint)
    hint = f'known are \\a \\b \\t \\n \\r \\" \\\\ \\| and \\x41; and \\\\{char} is a backslash and {char}'
    return mistake(f"unknown escape \\{char} in a {what}", span, hint)


_HASH_HINTS = {
    "<": "#<…> shows a value that has no written form, so it cannot be read",
    "'": "there are no syntax templates: quote with '",
    "`": "there are no syntax templates: quote with `",
    ",": "there are no syntax templates: unquote with ,",
    "[": "a vector is written #(…)",
    "{": "a vector is written #(…)",
    "&": "a box is made with (box value)",
    ":": "there are no keywords: use a symbol",
    '"': "there are no byte strings and patterns of that form: write a string",
    "v": "a bytevector is written #u8(…)",
    "u": "a bytevector is written #u8(…)",
    "s": "a bytevector is written #u8(…)",
    "t": "true is written #t or #true",
    "f": "false is written #f or #false",
}
_DIRECTIVES = ("#!fold-case", "#!no-fold-case")


def _unknown_hash(source: Source, start: int) -> SchemeError:
    text = source.text
    end = max(_word_end(text, start + 1), min(start + 2, len(text)))
    word = text[start:end]
    span = Span(source, start, end)
    if word == "#" or word == "#\\":
        return incomplete(f"the text ends after {word}", span)
    second = word[1].lower()
    if second == "!":
        hint = did_you_mean(word, _DIRECTIVES) or f"known are {' and '.join(_DIRECTIVES)}"
        return mistake(f"unknown directive {word}", span, hint)
    if second.isdigit():
        return mistake(f"unknown syntax {word}", span, "a datum label is #0=datum, and #0# is the datum so named")
    return mistake(f"unknown syntax {word.rstrip()}", span, _HASH_HINTS.get(second, ""))


_MARKS = {"QUOTE": "'", "QUASIQUOTE": "`", "UNQUOTE": ",", "SPLICE": ",@", "HIDE": "#;", "LABEL": "a label", "DOT": "."}
_OPENERS = ("OPEN", "VECTOR", "BYTEVECTOR")


def unexpected(source: Source, token: Any, stack: list[Any]) -> SchemeError:
    """Return the error for a token where the grammar allows another kind only.

    token: the parser's, of type "$END" at the end of the text. stack: the parser's stack of values: tokens, and
    the nodes of what has been read and of lists that are still open.
    """
    stack = [value for value in stack if value is not None]
    lists = [node for node in map(_open_node, stack) if node is not None]
    mark = stack[-1] if stack and getattr(stack[-1], "type", "") in _MARKS else None
    if token.type == "$END":
        return _ended(source, lists, mark)
    span = Span(source, token.start_pos, token.end_pos)
    lexeme = source.text[token.start_pos : token.end_pos]
    if mark is not None and token.type in ("CLOSE", "DOT"):
        return mistake(f"{_wanting(mark)} before {lexeme}", _span_of(mark))
    if token.type == "CLOSE":
        return mistake("unexpected ): no list is open here", span, "a list before it may have been closed too early")
    if token.type == "DOT":
        return mistake(*_misplaced_dot(span, stack, lists))
    if type(lists[-1]).__name__ == "Literal":
        hint = "only exact integers from 0 to 255 may stand in it"
        return mistake(f"{lexeme} is not an element of a bytevector", span, hint)
    return mistake("only one datum may follow the dot of a list", span, "close the list before this datum")


def _open_node(value: Any) -> Syntax | None:
    """Return the list, vector or bytevector that a value on the stack is the beginning of, if it is."""
    if isinstance(value, Syntax):
        return value if value.span is not None and value.span.end == OPEN_END else None
    return value.value if getattr(value, "type", "") in _OPENERS else None


def _span_of(mark: Any) -> Span:
    node = mark.value
    span = Span(node.source, mark.start_pos, mark.end_pos) if hasattr(node, "source") else node.span
    assert isinstance(span, Span)
    return span


def _wanting(mark: Any) -> str:
    if mark.type == "HIDE":
        return "#; has no datum to leave out"
    if mark.type == "DOT":
        return "a datum is missing after the dot"
    return f"{_MARKS[mark.type]} has no datum"


def _misplaced_dot(span: Span, stack: list[Any], lists: list[Syntax]) -> tuple[str, Span, str]:
    if not lists:
        return "a dot stands only inside of a list", span, ""
    innermost = lists[-1]
    kind = type(innermost).__name__
    if kind != "ListSyntax":
        return f"a dot cannot stand in a {'vector' if kind == 'VectorSyntax' else 'bytevector'}", span, ""
    if not innermost.items:  # type: ignore[attr-defined]
        return "a dot needs a datum before it", span, "(a . b) is a pair of a and b"
    return "a list can have only one dot", span, ""


def _ended(source: Source, lists: list[Syntax], mark: Any) -> SchemeError:
    if not lists:
        assert mark is not None
        return incomplete(f"{_wanting(mark)} before the end of the text", _span_of(mark))
    spans = [node.span for node in lists if node.span is not None]
    inner, outer = spans[-1], spans[0]
    where = f"the innermost open one begins at {inner.line}:{inner.column}"
    if len(spans) > 1:
        where += f", the outermost of {len(spans)} at {outer.line}:{outer.column}"
    suspect = source.text.find("\n(", outer.start)
    if suspect >= 0:
        # A form at the left margin is meant to stand by itself.
        where += f"; line {source.position(suspect + 1)[0]} begins a new form inside of it"
    opening = source.text[inner.start : inner.start + 1]
    length = 1 if opening == "(" else source.text.index("(", inner.start) - inner.start + 1
    return incomplete("a closing parenthesis is missing", Span(source, inner.start, inner.start + length), where)
