"""What each rule of the grammar makes: the parser calls the method that the rule is named after.

Lists are filled in place: the node is made when its parenthesis is read.
"""

from __future__ import annotations

from typing import Any

from nodwyn.interp.data import Value
from nodwyn.interp.reader.mistakes import mistake
from nodwyn.interp.syntax import ListSyntax, Literal, Span, Syntax


class Builder:
    """The actions of rules. Each takes the values of the rule's symbols: of a token, the token, else a node."""

    # Labels are defined and used when the parser takes the token, not when the lexer makes it: only then are the
    # data before it complete.

    @staticmethod
    def LABEL(token: Any) -> Any:
        """The definition of a label."""
        labels, number, span = token.value
        token.value = labels.define(number, span)
        return token

    @staticmethod
    def REFERENCE(token: Any) -> Any:
        """The use of a label."""
        labels, number, span = token.value
        token.value = labels.refer(number, span)
        return token

    @staticmethod
    def nothing(values: list[Any]) -> None:
        """A text without a datum."""

    @staticmethod
    def skipped(values: list[Any]) -> None:
        """Datum comments before a datum."""

    @staticmethod
    def hidden(values: list[Any]) -> None:
        """A datum comment."""

    @staticmethod
    def first(values: list[Any]) -> Any:
        """The first of what the rule is made of."""
        return values[0]

    @staticmethod
    def second(values: list[Any]) -> Any:
        """The second of what the rule is made of."""
        return values[1]

    @staticmethod
    def atom(values: list[Any]) -> Any:
        """A datum of one token."""
        return values[0].value

    @staticmethod
    def opened(values: list[Any]) -> Any:
        """A list, vector or bytevector without elements so far."""
        return values[0].value

    @staticmethod
    def extended(values: list[Any]) -> Any:
        """A list or vector with one more element."""
        node, item = values
        node.items.append(item)
        return node

    @staticmethod
    def ended(values: list[Any]) -> ListSyntax:
        """A list with what follows its dot."""
        node: ListSyntax
        node, dot, tail = values
        node.tail = tail
        if tail.__class__ is ListSyntax:
            dot.value.dotted.append(node)
        return node

    @staticmethod
    def extended_octets(values: list[Any]) -> Literal:
        """A bytevector with one more element."""
        node: Literal
        node, token = values
        element = token.value
        value: Value = element.value if element.__class__ is Literal else None
        if value.__class__ is not int or not 0 <= value <= 255:
            hint = "only exact integers from 0 to 255 may stand in it"
            source, start, end = element.span.source, element.span.start, element.span.end
            raise mistake(f"{source.text[start:end]} is not an element of a bytevector", element.span, hint)
        node.value.octets.append(value)
        return node

    @staticmethod
    def closed(values: list[Any]) -> Syntax:
        """A list, vector or bytevector, complete."""
        node: Syntax
        node, token = values
        node.span.end = token.value  # type: ignore[union-attr]
        return node

    @staticmethod
    def quoted(values: list[Any]) -> ListSyntax:
        """An abbreviation such as 'x, which is (quote x)."""
        token, operand = values
        mark = token.value.span
        return ListSyntax([token.value, operand], Span(mark.source, mark.start, operand.span.end))

    @staticmethod
    def labelled(values: list[Any]) -> Any:
        """A datum with a label."""
        token, node = values
        return token.value.labels.finish(token.value, node)


def join_tails(dotted: list[ListSyntax], shared: set[int]) -> None:
    """Make one list of each list written after the dot of another: ``(a . (b c))`` is ``(a b c)``.

    dotted: the lists with such a tail, inner ones before outer ones. shared: identities of the elements of lists
    that labels name; those stay apart, since what shares them must go on to do so.
    """
    joined: set[int] = set()
    for node in reversed(dotted):
        if id(node) in joined or id(node.items) in shared:
            continue
        while isinstance(node.tail, ListSyntax) and id(node.tail.items) not in shared:
            joined.add(id(node.tail))
            node.items.extend(node.tail.items)
            node.tail = node.tail.tail
