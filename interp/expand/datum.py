"""From data back to syntax: what ``eval`` gets, and code that was written with datum labels."""

from __future__ import annotations

from nodwyn.interp.data import NIL, Pair, Symbol, Value, Vector
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Parts, Span, Syntax, VectorSyntax
from nodwyn.interp.traversal import circular


def to_syntax(value: Value, span: Span | None = None) -> Syntax:
    """Return the syntax of a datum, every part of it with the same span.

    value: any value; those that are no data of section 7.1 become literals, and so do pairs and vectors that contain
    themselves. Not recursive. What is quoted comes back as the same object.
    """
    return _Conversion(span, circular(value) if _is_container(value) else {}).convert(value)


class _Conversion:
    """Containers are walked depth first. cycles: the containers in which one closes, by ``id``."""

    __slots__ = ("cycles", "made", "span", "work")

    def __init__(self, span: Span | None, cycles: dict[int, int]) -> None:
        self.span = span
        self.cycles = cycles
        self.work: list[tuple[Value, list[Value] | None]] = []
        self.made: dict[int, Syntax] = {}

    def convert(self, value: Value) -> Syntax:
        if not self._is_code(value):
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

    def _is_code(self, value: Value) -> bool:
        return _is_container(value) and id(value) not in self.cycles

    def _leaf(self, value: Value) -> Syntax:
        if value.__class__ is Symbol:
            return Identifier(value, self.span)
        return ListSyntax([], self.span) if value is NIL else Literal(value, self.span)

    def _enter(self, container: Value) -> None:
        """Queue what a container holds, above its own second visit."""
        parts = self._parts(container)
        self.work.append((container, parts))
        self.work.extend((part, None) for part in parts if self._is_code(part) and id(part) not in self.made)

    def _leave(self, container: Value, parts: list[Value]) -> None:
        nodes = [self.made[id(part)] if self._is_code(part) else self._leaf(part) for part in parts]
        if container.__class__ is Vector:
            self.made[id(container)] = VectorSyntax(Parts(nodes, container), self.span)
            return
        tail = nodes.pop()
        proper = isinstance(tail, ListSyntax) and not tail.items
        self.made[id(container)] = ListSyntax(Parts(nodes, container), self.span, None if proper else tail)

    def _parts(self, container: Value) -> list[Value]:
        """Return the elements of a vector, or those of a list and its last cdr."""
        if container.__class__ is Vector:
            return list(container.items)
        parts = [container.car]
        at = container.cdr
        while at.__class__ is Pair and id(at) not in self.cycles:
            parts.append(at.car)
            at = at.cdr
        parts.append(at)
        return parts


def _is_container(value: Value) -> bool:
    return value.__class__ is Pair or value.__class__ is Vector
