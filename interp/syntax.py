"""Source text as the reader hands it to the expander: data with spans.

Every node has a :class:`Span`. Lists are Python lists here, not pairs: the expander takes them
apart by position. :func:`strip` turns a node into the datum that ``quote`` or ``read`` returns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nodwyn.interp.data import NIL, Pair, Symbol, Value, Vector


class Span(NamedTuple):
    """A place in a source text: offsets count code points from 0; lines and columns from 1."""

    source: Source
    start: int
    end: int
    line: int
    column: int


class Source:
    """A text with a name. Kept by spans so that an error can show its line."""

    __slots__ = ("name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text


class Syntax:
    """Base of the nodes: a datum and where it was written."""

    __slots__ = ("span",)
    span: Span | None


class Identifier(Syntax):
    """A symbol in source. ``alias`` is None as read; the expander gives renamed ones an object of its own."""

    __slots__ = ("alias", "symbol")

    def __init__(self, symbol: Symbol, span: Span | None, alias: Any = None) -> None:
        self.symbol = symbol
        self.span = span
        self.alias = alias


class ListSyntax(Syntax):
    """A list: its elements, and what follows the dot (``tail``, None for a proper list)."""

    __slots__ = ("items", "tail")

    def __init__(self, items: list[Syntax], span: Span | None, tail: Syntax | None = None) -> None:
        self.items = items
        self.span = span
        self.tail = tail


class VectorSyntax(Syntax):
    """A vector literal."""

    __slots__ = ("items",)

    def __init__(self, items: list[Syntax], span: Span | None) -> None:
        self.items = items
        self.span = span


class Literal(Syntax):
    """Any other datum: number, string, character, boolean, bytevector; or finished data with labels in it."""

    __slots__ = ("value",)

    def __init__(self, value: Value, span: Span | None) -> None:
        self.value = value
        self.span = span
