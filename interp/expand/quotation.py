"""``quote`` and ``quasiquote`` (sections 4.1.2 and 4.2.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.core import Const, Node
from nodwyn.interp.data import NIL
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand.forms import expression, is_keyword, misuse
from nodwyn.interp.expand.scope import Scope
from nodwyn.interp.syntax import Identifier, ListSyntax, Span, Syntax, VectorSyntax, strip

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander

NESTING = 10_000
"""How deep a quasiquoted datum may be nested; a quoted one as deep as memory allows."""

CONS_CHAIN = 4
"""Up to how many elements before a tail are put there by ``cons`` each; more are made a list and appended."""


@expression("quote", "(quote datum)", least=2, most=2)
def expand_quote(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    return Const(strip(use.items[1]), use.span)


@expression("quasiquote", "(quasiquote template)", least=2, most=2)
def expand_quasiquote(expander: Expander, use: ListSyntax, scope: Scope) -> Node:
    template = use.items[1]
    node = Quasiquotation(expander, scope, use.span).template(template, 1, 0)
    return Const(strip(template), use.span) if node is None else node


class Quasiquotation:
    """One outermost quasiquote. Its methods return None for what is constant as it stands."""

    __slots__ = ("expander", "scope", "span")

    def __init__(self, expander: Expander, scope: Scope, span: Span | None) -> None:
        self.expander = expander
        self.scope = scope
        self.span = span

    def template(self, syntax: Syntax, level: int, nesting: int) -> Node | None:
        """Return the node for a template inside of ``level`` quasiquotes and ``nesting`` parentheses."""
        if nesting > NESTING:
            message = f"a quasiquoted datum is nested more than {NESTING} deep"
            raise SchemeError(Condition("limit", message, span=self.span))
        if isinstance(syntax, VectorSyntax):
            parts = self._elements(syntax.items, None, level, nesting + 1)
            return None if parts is None else self.expander.builtin("list->vector", [parts], self.span)
        if not isinstance(syntax, ListSyntax) or not syntax.items:
            return None
        head = syntax.items[0]
        if self._is(head, "unquote"):
            return self._unquote(syntax, level, nesting)
        if self._is(head, "unquote-splicing") and level == 1:
            raise misuse("unquote-splicing", syntax)
        if self._is(head, "quasiquote"):
            level += 1
        elif self._is(head, "unquote-splicing"):
            level -= 1
        return self._elements(syntax.items, syntax.tail, level, nesting + 1)

    def _is(self, syntax: Syntax, keyword: str) -> bool:
        return isinstance(syntax, Identifier) and is_keyword(syntax, keyword, self.scope)

    def _unquote(self, syntax: ListSyntax, level: int, nesting: int) -> Node | None:
        if syntax.tail is not None or (level == 1 and len(syntax.items) != 2):
            raise misuse("unquote", syntax)
        if level == 1:
            return self.expander.expand(syntax.items[1], self.scope)
        return self._elements(syntax.items, None, level - 1, nesting + 1)

    def _elements(self, items: list[Syntax], tail: Syntax | None, level: int, nesting: int) -> Node | None:
        """Return the node for the list of ``items`` that ends in ``tail``."""
        if tail is None and len(items) > 2 and self._is(items[-2], "unquote"):
            # `(a . ,b)` is read as `(a unquote b)`.
            items, tail = items[:-2], ListSyntax(items[-2:], items[-1].span)
        segments = _Segments(self)
        for item in items:
            if level > 1 or not self._insert(item, segments):
                segments.add(item, self.template(item, level, nesting))
        end = None if tail is None else self.template(tail, level, nesting)
        return segments.join(tail, end)

    def _insert(self, item: Syntax, segments: _Segments) -> bool:
        """Add what an unquoting element of a list stands for; return whether it is one.

        Like R6RS (section 11.17), take any number of expressions where R7RS has one.
        """
        if not isinstance(item, ListSyntax) or not item.items or item.tail is not None:
            return False
        keyword = next((each for each in ("unquote", "unquote-splicing") if self._is(item.items[0], each)), None)
        if keyword is None:
            return False
        for each in item.items[1:]:
            node = self.expander.expand(each, self.scope)
            if keyword == "unquote":
                segments.add(each, node)
            else:
                segments.splice(node)
        segments.constant = False
        return True


class _Segments:
    """The parts of a list under construction: runs of single elements, and lists that are spliced in between."""

    __slots__ = ("constant", "parts", "quasi")

    def __init__(self, quasi: Quasiquotation) -> None:
        self.quasi = quasi
        self.parts: list[list[Node | Syntax] | Node] = []
        self.constant = True

    def add(self, syntax: Syntax, node: Node | None) -> None:
        """Add an element: ``node``, or if that is None the constant that ``syntax`` is."""
        if node is not None:
            self.constant = False
        # If all is constant, the datum around is made at once, and none for what is in it.
        part = syntax if node is None else node
        last = self.parts[-1] if self.parts else None
        if isinstance(last, list):
            last.append(part)
        else:
            self.parts.append([part])

    def splice(self, node: Node) -> None:
        """Add the elements of the list that ``node`` gives."""
        self.constant = False
        self.parts.append(node)

    def join(self, tail: Syntax | None, end: Node | None) -> Node | None:
        """Return the node for the list, None if all of it is constant."""
        if self.constant and end is None:
            return None
        expander, span = self.quasi.expander, self.quasi.span
        if end is None and tail is not None:
            end = Const(strip(tail), tail.span)
        while self.parts:
            part = self.parts.pop()
            if isinstance(part, Node):
                end = part if end is None else expander.builtin("append", [part, end], span)
                continue
            elements = [each if isinstance(each, Node) else Const(strip(each), each.span) for each in part]
            if end is None:
                end = expander.builtin("list", elements, span)
            elif len(elements) <= CONS_CHAIN:
                for node in reversed(elements):
                    end = expander.builtin("cons", [node, end], span)
            else:
                end = expander.builtin("append", [expander.builtin("list", elements, span), end], span)
        return Const(NIL, span) if end is None else end
