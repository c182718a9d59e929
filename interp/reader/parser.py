"""The parser: made from the grammar once in a process, and its tables kept on disk from one process to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nodwyn.interp.reader.mistakes import unexpected
from nodwyn.interp.reader.reading import Reading
from nodwyn.interp.syntax import Syntax

if TYPE_CHECKING:
    from pathlib import Path


class _Process:
    """What all readings in this process share."""

    directory: Path | None = None
    parser: Any = None


def configure_cache(directory: Path | None) -> None:
    """Say where the parser's tables are kept, for parsers made from now on.

    directory: a directory that only the user can write, since loading what it holds runs code; None to keep none.
    """
    _Process.directory = directory


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
    from pathlib import Path
    from sys import version_info

    from lark import __version__

    grammar = Path(__file__).with_name("grammar.lark").read_bytes()
    if _Process.directory is None:
        return _make(grammar.decode())
    from hashlib import sha256

    key = sha256(grammar + f"{__version__} {version_info[:2]} 1".encode()).hexdigest()[:32]
    path = _Process.directory / f"reader-{key}.tables"
    parser = _restore(path)
    if parser is None:
        parser = _make(grammar.decode())
        _keep(parser, path)
    return parser


def _make(grammar: str) -> Any:
    """Return the parser for a grammar."""
    from lark import Lark

    from nodwyn.interp.reader.builder import Builder
    from nodwyn.interp.reader.lexer import DatumLexer

    return Lark(grammar, parser="lalr", lexer=DatumLexer, transformer=Builder(), maybe_placeholders=False)


def _restore(path: Path) -> Any:
    """Return the parser kept in a file, or None if there is none or it is damaged."""
    from hashlib import sha256
    from io import BytesIO

    from lark import Lark

    try:
        digest, _, tables = path.read_bytes().partition(b"\n")
        if digest != sha256(tables).hexdigest().encode():
            return None
        return Lark.load(BytesIO(tables))
    except Exception:  # whatever an old or damaged file makes of unpickling, the tables are made again
        return None


def _keep(parser: Any, path: Path) -> None:
    """Write a parser to a file, which other processes may be reading or writing."""
    from contextlib import suppress
    from hashlib import sha256
    from io import BytesIO
    from os import getpid

    tables = BytesIO()
    parser.save(tables)
    data = tables.getvalue()
    beside = path.with_name(f"{path.name}.{getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside.write_bytes(sha256(data).hexdigest().encode() + b"\n" + data)
        beside.replace(path)
    except OSError:
        # A full or read-only disk costs the next process some milliseconds and nothing else.
        with suppress(OSError):
            beside.unlink()
