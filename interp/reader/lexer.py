"""The lexer that the parser runs: one pattern made of all terminals of the grammar, matched token by token.

Lark's own lexer keeps lines and columns for each token, which costs more than all the rest. This one keeps
offsets, reads on from a port where a token may go on, and stops when a whole datum has been read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from lark import Token
from lark.lexer import Lexer

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.reader.atoms import MAKERS, comment, symbol
from nodwyn.interp.reader.mistakes import IncompleteError, no_number, unreadable
from nodwyn.interp.reader.reading import Reading
from nodwyn.interp.syntax import Identifier, Literal, Span

_GROWING: Final = frozenset(
    ("SYMBOL", "NUMERAL", "DOT", "CHARACTER", "BOOLEAN", "UNQUOTE", "COMMENT", "DIRECTIVE", "SCRIPT", "BLOCK_END", "")
)
"""Terminals that could match more if there were more text; "" is the end of the text."""


class DatumToken(Token):
    """A token whose value is what it stands for. Lines and columns are not kept."""

    __slots__ = ()
    line = column = end_line = end_column = None


class DatumLexer(Lexer):
    """Splits the text of a :class:`Reading` into the tokens of the datum at its position."""

    # The parser hands over whatever it was given to parse, which is the reading.
    __future_interface__ = 2

    def __init__(self, configuration: Any) -> None:
        terminals = sorted(configuration.terminals, key=lambda terminal: -terminal.priority)
        patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}
        space = patterns.pop("WHITESPACE")
        groups = "|".join(f"({pattern})" for pattern in patterns.values())
        self._match = re.compile(f"(?:{space})?+(?:{groups}|(\\Z))").match
        self._skip = re.compile(f"(?:{space})?+").match
        self._peculiar = re.compile(patterns["PECULIAR"]).fullmatch
        makers = {**MAKERS, "NUMERAL": self._numeral}
        # Groups of a pattern are counted from 1; the last is the end of the text. Neither 0 nor that is made.
        self._names = ["", *patterns, ""]
        self._makers = [comment, *(makers[name] for name in patterns)]
        self._growing = frozenset(index for index, name in enumerate(self._names) if name in _GROWING)
        self._complete: frozenset[int] | None = None

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        """Yield the tokens of one datum; none if the text has no more data."""
        reading: Reading = lexer_state.text
        match, names, makers, growing = self._match, self._names, self._makers, self._growing
        complete = self._complete_states(parser_state)
        states = parser_state.state_stack
        new = str.__new__
        ending = len(names) - 1
        block_end = names.index("BLOCK_END")
        text = reading.text
        position = reading.position
        while True:
            found = match(text, position)
            if found is None:
                self._read_on(reading, position)
                text = reading.text
                continue
            kind = found.lastindex or ending
            start, end = found.span(kind)
            # ``|#`` is only matched where no closing quote makes it a symbol, which may still come.
            if (end == len(text) or kind == block_end) and kind in growing and reading.more():
                text = reading.text
                continue
            if kind == ending:
                reading.position = end
                return
            value = makers[kind](reading, found[kind], start, end)
            if value is None:
                text = reading.text
                position = reading.position
                continue
            token = new(DatumToken)
            token.type = names[kind]
            token.value = value
            token.start_pos = start
            token.end_pos = position = end
            yield token
            if states[-1] in complete:
                reading.position = end
                return

    def _complete_states(self, parser_state: Any) -> frozenset[int]:
        """Return the parser's states in which a whole datum has been read: only the end can follow."""
        if self._complete is None:
            table = parser_state.parse_conf.states
            self._complete = frozenset(state for state, actions in table.items() if list(actions) == ["$END"])
        return self._complete

    def _read_on(self, reading: Reading, position: int) -> None:
        """Take more text where the token at ``position`` needs it, or raise what is wrong with it."""
        space = self._skip(reading.text, position)
        start = space.end() if space else position
        error = unreadable(reading.source, start)
        first, known = reading.text[start], len(reading.text)
        cut = first == "#" and error.payload.span.end == known
        if not (cut or isinstance(error, IncompleteError)) or not reading.more():
            raise error
        # A string or a symbol that is not closed is not looked at again before its closing quote may have come.
        while first in '"|' and reading.text.find(first, known) < 0:
            known = len(reading.text)
            if not reading.more():
                return

    def _numeral(self, reading: Reading, lexeme: str, start: int, end: int) -> Literal | Identifier:
        """Return the node of a word that begins as a number does."""
        if len(lexeme) < 19 and lexeme.isdigit() and lexeme.isascii():
            return Literal(int(lexeme), Span(reading.source, start, end))
        from nodwyn.interp.numbers import parse_number

        span = Span(reading.source, start, end)
        try:
            number = parse_number(lexeme)
        except SchemeError as error:
            # A number too large to be made.
            error.payload.span = span
            raise
        if number is not None:
            return Literal(number, span)
        if self._peculiar(lexeme):
            return symbol(reading, lexeme, start, end)
        raise no_number(reading.source, lexeme, start)
