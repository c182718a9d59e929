"""From data back to syntax: what ``eval`` gets, and code that was written with datum labels."""

from __future__ import annotations

from nodwyn.interp.data import NIL, Pair, Symbol, Value, Vector
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Span, Syntax, VectorSyntax


def to_syntax(value: Value, span: Span | None = None) -> Syntax:
    """Return the syntax of a datum, every part of it with the same span.

    value: any value; those that are no data of section 7.1 become literals. Raises SchemeError for circular
    pairs and vectors, which cannot be code. Not recursive, and quoted data of any size come back equal.
    """
    return _Conversion(span).convert(value)


class _Conversion:
    """Containers are walked depth first; those being walked are known, so that a cycle is met as one of them."""

    __slots__ = ("made", "open", "span", "work")

    def __init__(self, span: Span | None) -> None:
        self.span = span
        self.work: list[tuple[Value, list[Value] | None]] = []
        self.made: dict[int, Syntax] = {}
        self.open: set[int] = set()

    def convert(self, value: Value) -> Syntax:
        if not _is_container(value):
            return self._leaf(value)
        self.work.append((value, None))
        while self.work:
            container, parts = self.work.pop()
            if id(container) in self.made:
                continue
            if parts is None:
                self._enter(container)
            else:
                self._leave(container, parts)
        return self.made[id(value)]

    def _leaf(self, value: Value) -> Syntax:
        if value.__class__ is Symbol:
            return Identifier(value, self.span)
        return ListSyntax([], self.span) if value is NIL else Literal(value, self.span)

    def _enter(self, container: Value) -> None:
        """Queue what a container holds, above its own second visit."""
        parts = _parts(container, self.span)
        self.open.add(id(container))
        self.work.append((container, parts))
        for part in parts:
            if _is_container(part) and id(part) not in self.made:
                if id(part) in self.open:
                    raise _circular(self.span)
                self.work.append((part, None))

    def _leave(self, container: Value, parts: list[Value]) -> None:
        self.open.discard(id(container))
        nodes = [self.made[id(part)] if _is_container(part) else self._leaf(part) for part in parts]
        if container.__class__ is Vector:
            self.made[id(container)] = VectorSyntax(nodes, self.span)
            return
        tail = nodes.pop()
        proper = isinstance(tail, ListSyntax) and not tail.items
        self.made[id(container)] = ListSyntax(nodes, self.span, None if proper else tail)


def _is_container(value: Value) -> bool:
    return value.__class__ is Pair or value.__class__ is Vector


def _parts(container: Value, span: Span | None) -> list[Value]:
    """Return the elements of a vector, or those of a list and its last cdr."""
    if container.__class__ is Vector:
        return list(container.items)
    parts = []
    slow = container
    at = container
    while at.__class__ is Pair:
        parts.append(at.car)
        at = at.cdr
        if len(parts) % 2 == 0:
            slow = slow.cdr
            if slow is at:
                raise _circular(span)
    parts.append(at)
    return parts


def _circular(span: Span | None) -> SchemeError:
    return SchemeError(Condition("syntax", "circular data cannot be code", span=span, hint="quote it"))
