"""The state of one reading: the text, how far it has been read, and how it is to be taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.data import UNLABELLED
from nodwyn.interp.syntax import ListSyntax, Source

if TYPE_CHECKING:
    from nodwyn.interp.ports import TextInput
    from nodwyn.interp.reader.labels import Labels


class Reading:
    """A text being read, whole or as it arrives at a port.

    source: what spans refer to. text: what there is of it. position: where the next token may begin.
    fold_case: whether symbols and character names are folded. origin: of strings and characters that are made.
    for_source: what is read is program text, whose strings are constants, and not values.
    labels: the datum labels of the datum being read. dotted: lists in it with a list written after the dot.
    """

    __slots__ = ("dotted", "fold_case", "for_source", "labels", "origin", "port", "position", "source", "text")

    def __init__(
        self, source: Source, fold_case: bool = False, port: TextInput | None = None, for_source: bool = False
    ) -> None:
        self.source = source
        self.text = source.text
        self.position = 0
        self.fold_case = fold_case
        self.port = port
        self.origin = UNLABELLED if port is None else port.origin
        self.for_source = for_source
        self.labels: Labels | None = None
        self.dotted: list[ListSyntax] = []

    def more(self) -> bool:
        """Take more text from the port; False when there is none to come."""
        port = self.port
        if port is None or not port.fill():
            return False
        self.text = self.source.text = port.buffer
        return True
