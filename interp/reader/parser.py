"""The parser: made from the grammar once in a process, and its tables kept on disk from one process to the next."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from nodwyn.interp.reader.mistakes import unexpected
from nodwyn.interp.reader.reading import Reading
from nodwyn.interp.syntax import Syntax

if TYPE_CHECKING:
    from nodwyn.interp.cache import Cache


class _Process:
    """What all readings in this process share."""

    cache: Cache | None = None
    parser: Any = None


def configure_cache(cache: Cache | None) -> None:
    """Say where the tables of parsers made from now on are kept; None to keep none."""
    _Process.cache = cache


def parse(reading: Reading) -> Syntax | None:
    """Return the next datum of a text, or None when it has no more.

    Raises: SchemeError of kind "read"; IncompleteError if the text ends inside the datum.
    """
    if _Process.parser is None:
        _Process.parser = _load()
    from lark.exceptions import UnexpectedToken

    try:
        node: Syntax | None = _Process.parser.parse(reading)
    except UnexpectedToken as error:
        reading.position = len(reading.text) if error.token.type == "$END" else error.token.end_pos
        raise unexpected(reading.source, error.token, error.state.value_stack) from None
    return node


def _load() -> Any:
    """Return the parser, from kept tables if there are any that fit."""
    import os

    with open(os.path.join(os.path.dirname(__file__), "grammar.lark"), encoding="utf-8") as file:
        grammar = file.read()
    if _Process.cache is None:
        return _make(grammar)
    from lark import __version__

    from nodwyn.interp.cache import digest, fingerprint

    name = f"{digest(fingerprint(), __version__, grammar)}.tables"
    parser = _restore(_Process.cache.read(name))
    if parser is None:
        parser = _make(grammar)
        tables = BytesIO()
        parser.save(tables)
        _Process.cache.write(name, tables.getvalue())
    return parser


def _make(grammar: str) -> Any:
    """Return the parser for a grammar."""
    from lark import Lark

    from nodwyn.interp.reader.builder import Builder
    from nodwyn.interp.reader.lexer import DatumLexer

    return Lark(grammar, parser="lalr", lexer=DatumLexer, transformer=Builder(), maybe_placeholders=False)


def _restore(tables: bytes | None) -> Any:
    """Return the parser with these tables, or None if there are none or they are another Lark's."""
    if tables is None:
        return None
    from lark import Lark

    try:
        return Lark.load(BytesIO(tables))
    except Exception:  # whatever a Lark that was changed in place makes of them, they are made again
        return None
