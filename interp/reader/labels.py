"""Datum labels (section 2.4): ``#0=`` names a datum, ``#0#`` is that datum again, also inside itself."""

from __future__ import annotations

from nodwyn.interp.data import Value
from nodwyn.interp.reader.mistakes import mistake
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Span, Stripper, Syntax, VectorSyntax


class Label:
    """A label of the datum being read; ``node`` is what it names, None until that is complete."""

    __slots__ = ("labels", "node", "number", "span")

    def __init__(self, labels: Labels, number: int, span: Span) -> None:
        self.labels = labels
        self.number = number
        self.span = span
        self.node: Syntax | None = None


class Reference(Syntax):
    """``#0#`` inside of the datum that ``#0=`` names: stands in the syntax until that datum is complete."""

    __slots__ = ("label",)

    def __init__(self, label: Label, span: Span | None) -> None:
        self.label = label
        self.span = span


class LabelStripper(Stripper):
    """Makes data of syntax with references in it, which become cycles."""

    __slots__ = ()

    def resolve(self, node: Syntax) -> Syntax:
        """Return what a reference refers to."""
        assert isinstance(node, Reference) and node.label.node is not None
        return node.label.node


class Labels:
    """The labels of one outermost datum.

    for_source: syntax for the expander cannot be circular, so a labelled datum that contains itself becomes a
        literal that holds finished data; labels inside one another make one such literal, when the outermost of
        them is complete. Otherwise the references stay, for :class:`LabelStripper`.
    """

    __slots__ = ("_by_number", "_circular", "_complete", "_for_source", "_open")

    def __init__(self, for_source: bool) -> None:
        self._for_source = for_source
        self._by_number: dict[int, Label] = {}
        self._complete: list[Label] = []
        self._open = 0
        self._circular = False

    def define(self, number: int, span: Span) -> Label:
        """Return the new label of that number, whose datum is to come."""
        if number in self._by_number:
            first = self._by_number[number].span
            raise mistake(
                f"the label #{number}= is defined twice", span, f"first defined at {first.line}:{first.column}"
            )
        label = self._by_number[number] = Label(self, number, span)
        self._open += 1
        return label

    def refer(self, number: int, span: Span) -> Syntax:
        """Return the node for ``#number#``, which is at ``span``."""
        label = self._by_number.get(number)
        if label is None:
            hint = "a label is defined before it is used, in the same datum"
            raise mistake(f"the label #{number}# is not defined", span, hint)
        if label.node is None:
            self._circular = True
            return Reference(label, span)
        return _placed(label.node, span)

    def finish(self, label: Label, node: Syntax) -> Syntax:
        """Return the node for a labelled datum that has been read, ``node``."""
        if isinstance(node, Reference) and node.label is label:
            raise mistake(f"the label #{label.number}= names nothing but itself", label.span)
        label.node = node
        self._complete.append(label)
        self._open -= 1
        if not self._open:
            if self._circular and self._for_source:
                self._finish_data()
                self._circular = False
            self._complete.clear()
        return label.node

    def shared(self) -> set[int]:
        """Return the identities of the element lists that labels name."""
        nodes = (label.node for label in self._by_number.values())
        return {id(node.items) for node in nodes if isinstance(node, (ListSyntax, VectorSyntax))}

    def _finish_data(self) -> None:
        stripper = LabelStripper()
        data: list[tuple[Label, Value]] = []
        for label in self._complete:
            assert label.node is not None
            data.append((label, stripper.strip(label.node)))
        for label, value in data:
            assert label.node is not None
            label.node = Literal(value, label.node.span)


def _placed(node: Syntax, span: Span) -> Syntax:
    """Return a node for the same datum at another place. What it shares is its list of elements."""
    if isinstance(node, Identifier):
        return Identifier(node.symbol, span)
    if isinstance(node, ListSyntax):
        return ListSyntax(node.items, span, node.tail)
    if isinstance(node, VectorSyntax):
        return VectorSyntax(node.items, span)
    if isinstance(node, Reference):
        return Reference(node.label, span)
    assert isinstance(node, Literal)
    return Literal(node.value, span)
