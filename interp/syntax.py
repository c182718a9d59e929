"""Source text as the reader hands it to the expander: data with spans.

Every node has a :class:`Span`. Lists are Python lists here, not pairs: the expander takes them
apart by position. :func:`strip` turns a node into the datum that ``quote`` or ``read`` returns.
"""

from __future__ import annotations

from typing import Any

from nodwyn.interp.data import NIL, Pair, Symbol, Value, Vector


class Source:
    """A text with a name. Kept by spans so that an error can show its line.

    begin: the offset at which line 1 begins: text before it, read earlier from the same port, is not counted.
    included_at: where the file that the text is of was last included, None if it was not.
    """

    __slots__ = ("_starts", "begin", "included_at", "name", "text")

    def __init__(self, name: str, text: str, begin: int = 0) -> None:
        self.name = name
        self.text = text
        self.begin = begin
        self.included_at: Span | None = None
        self._starts: list[int] | None = None

    def __reduce__(self) -> tuple[type[Source], tuple[str, str, int]]:
        return Source, (self.name, self.text, self.begin)

    def starts(self) -> list[int]:
        """Return the offset at which each line begins, in order. LF, CR LF and CR end a line."""
        if self._starts is None:
            starts = [self.begin]
            text = self.text
            if "\r" in text:
                text = text.replace("\r\n", " \n").replace("\r", "\n")
            at = text.find("\n", self.begin)
            while at >= 0:
                starts.append(at + 1)
                at = text.find("\n", at + 1)
            self._starts = starts
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both from 1; columns count code points."""
        # Imported only when a place is shown or recorded.
        from bisect import bisect_right

        starts = self.starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its end; "" if there is no such line."""
        starts = self.starts()
        if not 0 < number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")


class Span:
    """A place in a source text: offsets count code points from 0; lines and columns from 1.

    Lines and columns are worked out when asked for: few spans are ever shown, and there is one for every datum.
    """

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def line(self) -> int:
        """The line of the start."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the start."""
        return self.source.position(self.start)[1]

    def __repr__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    def __reduce__(self) -> tuple[type[Span], tuple[Source, int, int]]:
        return Span, (self.source, self.start, self.end)


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


class Parts(list[Syntax]):
    """The elements of a list or vector that was made from a datum, which ``quote`` gives back as it is."""

    __slots__ = ("datum",)

    def __init__(self, items: list[Syntax], datum: Value) -> None:
        super().__init__(items)
        self.datum = datum


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


def strip(node: Syntax) -> Value:
    """Return the datum that a node stands for, without spans and renamings.

    node: any syntax. Lists and vectors that the text shares through datum labels are shared in the result.
    """
    return Stripper().strip(node)


class Stripper:
    """Turns nodes into data without recursion, each list of elements once however often it is met.

    Containers are made before what they hold, so that a reference to one under construction finds it.
    """

    __slots__ = ("_made", "_pending")

    def __init__(self) -> None:
        self._made: dict[int, Value] = {}
        self._pending: list[tuple[Value, ListSyntax | VectorSyntax]] = []

    def strip(self, node: Syntax) -> Value:
        """Return the datum for ``node``; what an earlier call made is shared."""
        value = self._shell(node)
        pending = self._pending
        while pending:
            made, container = pending.pop()
            if container.__class__ is VectorSyntax:
                made.items[:] = [self._shell(item) for item in container.items]
            else:
                self._fill(made, container)  # type: ignore[arg-type]
        return value

    def resolve(self, node: Syntax) -> Syntax:
        """Return the node that a node of another class stands for: the reader has one for its labels."""
        raise TypeError(f"{type(node).__name__} has no datum")

    def _shell(self, node: Syntax) -> Value:
        kind = node.__class__
        if kind is Identifier:
            return node.symbol  # type: ignore[attr-defined]
        if kind is Literal:
            return node.value  # type: ignore[attr-defined]
        if kind is ListSyntax or kind is VectorSyntax:
            return self._container(node)  # type: ignore[arg-type]
        return self._shell(self.resolve(node))

    def _container(self, node: ListSyntax | VectorSyntax) -> Value:
        items = node.items
        if items.__class__ is Parts:
            return items.datum
        made = self._made.get(id(items))
        if made is None:
            if node.__class__ is VectorSyntax:
                made = Vector([])
            elif items:
                made = Pair()
            else:
                return NIL
            self._made[id(items)] = made
            self._pending.append((made, node))
        return made

    def _fill(self, pair: Pair, node: ListSyntax) -> None:
        items = node.items
        shell = self._shell
        pair.car = shell(items[0])
        for item in items[1:]:
            following = Pair()
            following.car = shell(item)
            pair.cdr = following
            pair = following
        pair.cdr = NIL if node.tail is None else shell(node.tail)
