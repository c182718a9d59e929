"""String ports that stay with the code that opens them: lists of what was written.

``(let ((out (open-output-string))) … (write-char c out) … (get-output-string out))`` needs no port where the variable
is used in no other way than to write to it and to ask for what was written. What has labels is put in the list as the
string or character that it is.
"""

from __future__ import annotations

from nodwyn.interp.analyse.held import Held
from nodwyn.interp.analyse.kinds import PIECES
from nodwyn.interp.analyse.nodes import Primitive
from nodwyn.interp.core import LocalRef, Node

PORTS = {"write-char": 1, "write-string": 1, "display": 1, "newline": 0, "get-output-string": 0}
"""Which operand of a builtin that takes one is the port."""


class Pieces(Held):
    """What is found while the forms of a unit are visited."""

    def __init__(self) -> None:
        super().__init__(_opens)

    def visit(self, node: Node) -> None:
        """Take note of a reference, and of one that is the port of a builtin."""
        super().visit(node)
        if isinstance(node, Primitive) and node.name in PORTS:
            port = node.operands[PORTS[node.name]]
            if isinstance(port, LocalRef):
                self.use(port.variable)

    def settle(self) -> None:
        """Mark the variables that hold lists, and what they are bound to."""
        for group in self.groups():
            for variable in group:
                variable.kind = PIECES
                for init in self.bound[variable]:
                    if isinstance(init, Primitive):
                        init.wanted = "pieces"


def _opens(node: Node) -> bool:
    return isinstance(node, Primitive) and node.name == "open-output-string"
