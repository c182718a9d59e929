"""What each terminal of the grammar stands for: one function by its name, called with the text of the token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from nodwyn.interp.characters import ESCAPES, NAMES, misfit, scalar
from nodwyn.interp.data import Bytevector, String, Symbol, boolean, intern
from nodwyn.interp.reader.labels import Labels
from nodwyn.interp.reader.mistakes import OPEN_END, did_you_mean, illegal_in_symbol, incomplete, mistake
from nodwyn.interp.reader.reading import Reading
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Span, VectorSyntax

Maker = Callable[[Reading, str, int, int], Any]
"""Takes the reading, the token's text, its start and its end. Returns None for what is skipped, and has then
moved the reading's position past it."""


def symbol(reading: Reading, lexeme: str, start: int, end: int) -> Identifier:
    """Return the node of a symbol written without vertical lines."""
    if not lexeme.isascii():
        wrong = misfit(lexeme)
        if wrong >= 0:
            raise illegal_in_symbol(reading.source, start + wrong, lexeme[wrong])
    if reading.fold_case:
        lexeme = lexeme.casefold()
    return Identifier(intern(lexeme), Span(reading.source, start, end))


def barred(reading: Reading, lexeme: str, start: int, end: int) -> Identifier:
    """Return the node of a symbol between vertical lines, which is never folded."""
    name = _unescaped(reading, lexeme[1:-1], start + 1)
    return Identifier(intern(name), Span(reading.source, start, end))


def string(reading: Reading, lexeme: str, start: int, end: int) -> Literal:
    """Return the node of a string, which is a constant in a program and a string like any other in what is read."""
    text = _unescaped(reading, lexeme[1:-1], start + 1, with_lines=True)
    return Literal(String(text, reading.origin, reading.for_source), Span(reading.source, start, end))


def _unescaped(reading: Reading, body: str, offset: int, *, with_lines: bool = False) -> str:
    """Return the text that ``body``, at ``offset`` of the source, stands for. The grammar has checked its form.

    with_lines: a line ending is one newline, as in strings (section 6.7).
    """
    if not body.isascii():
        _check_characters(reading, body, offset)
    if with_lines and "\r" in body:
        # In an escape too. Offsets of errors may move by it.
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    if "\\" not in body:
        return body
    pieces = []
    at = 0
    while (slash := body.find("\\", at)) >= 0:
        pieces.append(body[at:slash])
        letter = body[slash + 1]
        at = slash + 2
        if letter in ESCAPES:
            pieces.append(ESCAPES[letter])
        elif letter in "xX":
            semicolon = body.index(";", at)
            char = scalar(body[at:semicolon])
            if char is None:
                span = Span(reading.source, offset + slash, offset + semicolon + 1)
                raise mistake(f"{body[slash : semicolon + 1]} is no character of Unicode", span)
            pieces.append(char)
            at = semicolon + 1
        else:
            at = body.index("\n", slash) + 1
            while body[at : at + 1] in (" ", "\t"):
                at += 1
    pieces.append(body[at:])
    return "".join(pieces)


def _check_characters(reading: Reading, body: str, offset: int) -> None:
    """Raise an error for a code point that is no character: what Python makes of a byte that is no UTF-8."""
    try:
        body.encode()
    except UnicodeEncodeError as error:
        span = Span(reading.source, offset + error.start, offset + error.start + 1)
        shown = f"\\x{ord(body[error.start]):x};"
        raise mistake(f"{shown} is no character of Unicode", span, "is the text UTF-8?") from None


def character(reading: Reading, lexeme: str, start: int, end: int) -> Literal:
    """Return the node of a character."""
    span = Span(reading.source, start, end)
    name = lexeme[2:]
    if len(name) == 1:
        if not name.isascii():
            _check_characters(reading, name, start + 2)
        return Literal(reading.origin[name], span)
    char = NAMES.get(name.casefold() if reading.fold_case else name)
    if char is None:
        if name[0] not in "xX" or name[1:].strip("0123456789abcdefABCDEF"):
            hint = did_you_mean(name, NAMES) or f"named are {', '.join(NAMES)}"
            if name[0] in '()"|;' or name[0].isspace():
                hint = f"put a space after #\\{name[0]}"
            raise mistake(f"there is no character named {name}", span, hint)
        char = scalar(name[1:])
        if char is None:
            raise mistake(f"{lexeme} is no character of Unicode", span, "codes go up to 10FFFF, without D800 to DFFF")
    return Literal(reading.origin[char], span)


def truth(reading: Reading, lexeme: str, start: int, end: int) -> Literal:
    """Return the node of a boolean."""
    return Literal(boolean(lexeme[1] in "tT"), Span(reading.source, start, end))


def open_list(reading: Reading, lexeme: str, start: int, end: int) -> ListSyntax:
    """Return the node of a list, to be filled."""
    return ListSyntax([], Span(reading.source, start, OPEN_END))


def open_vector(reading: Reading, lexeme: str, start: int, end: int) -> VectorSyntax:
    """Return the node of a vector, to be filled."""
    return VectorSyntax([], Span(reading.source, start, OPEN_END))


def open_bytevector(reading: Reading, lexeme: str, start: int, end: int) -> Literal:
    """Return the node of a bytevector, to be filled."""
    return Literal(Bytevector(bytearray()), Span(reading.source, start, OPEN_END))


def closing(reading: Reading, lexeme: str, start: int, end: int) -> int:
    """Return where a list ends."""
    return end


def state(reading: Reading, lexeme: str, start: int, end: int) -> Reading:
    """Return the reading itself, which the rules with a dot or a datum comment need."""
    return reading


def _abbreviation(name: str) -> Maker:
    symbol: Symbol = intern(name)

    def abbreviation(reading: Reading, lexeme: str, start: int, end: int) -> Identifier:
        return Identifier(symbol, Span(reading.source, start, end))

    return abbreviation


def label(reading: Reading, lexeme: str, start: int, end: int) -> tuple[Labels, int, Span]:
    """Return the labels of the datum, the number of the one that is defined or used, and where."""
    span = Span(reading.source, start, end)
    if len(lexeme) > 20:
        raise mistake("the number of a datum label has more than 18 digits", span)
    if reading.labels is None:
        reading.labels = Labels(reading.for_source)
    return reading.labels, int(lexeme[1:-1]), span


def comment(reading: Reading, lexeme: str, start: int, end: int) -> None:
    """Skip a comment that goes to the end of the line."""
    reading.position = end


def script(reading: Reading, lexeme: str, start: int, end: int) -> None:
    """Skip the first line of a script."""
    reading.position = end


def directive(reading: Reading, lexeme: str, start: int, end: int) -> None:
    """Turn folding of case on or off."""
    reading.fold_case = lexeme[2] in "fF"
    reading.position = end


def block_comment(reading: Reading, lexeme: str, start: int, end: int) -> None:
    """Skip a block comment and those inside of it."""
    depth = 1
    close = -1
    while depth:
        if close < end:
            close = reading.text.find("|#", end)
            if close < 0:
                if reading.more():
                    continue
                here = Span(reading.source, start, start + 2)
                hint = f"it begins at {here.line}:{here.column} and needs {depth} more |# at its end"
                raise incomplete("this block comment is not closed", here, hint)
        opened = reading.text.find("#|", end, close + 1)
        depth += 1 if opened >= 0 else -1
        end = (close if opened < 0 else opened) + 2
    reading.position = end


def stray_block_end(reading: Reading, lexeme: str, start: int, end: int) -> None:
    """Refuse ``|#`` where no block comment is open."""
    raise mistake("unexpected |#: no block comment is open here", Span(reading.source, start, end))


MAKERS: Final[dict[str, Maker]] = {
    "SYMBOL": symbol,
    "PECULIAR": symbol,
    "BARRED": barred,
    "STRING": string,
    "CHARACTER": character,
    "BOOLEAN": truth,
    "OPEN": open_list,
    "VECTOR": open_vector,
    "BYTEVECTOR": open_bytevector,
    "CLOSE": closing,
    "DOT": state,
    "HIDE": state,
    "QUOTE": _abbreviation("quote"),
    "QUASIQUOTE": _abbreviation("quasiquote"),
    "UNQUOTE": _abbreviation("unquote"),
    "SPLICE": _abbreviation("unquote-splicing"),
    "LABEL": label,
    "REFERENCE": label,
    "COMMENT": comment,
    "SCRIPT": script,
    "DIRECTIVE": directive,
    "BLOCK_START": block_comment,
    "BLOCK_END": stray_block_end,
}
"""The maker for each terminal but NUMERAL, which the lexer makes."""
