"""Rest parameters that stay the tuple in which Python gives the further arguments.

``(lambda (first . rest) … (apply f rest) …)`` needs no list where the rest is only handed on by ``apply``, or asked
whether there is any, or for its first.
"""

from __future__ import annotations

from nodwyn.interp.analyse.held import Held
from nodwyn.interp.analyse.kinds import ARGUMENTS
from nodwyn.interp.analyse.nodes import Invoke, Primitive, Routine
from nodwyn.interp.core import LocalRef, Node, Variable

READERS = frozenset(["null?", "pair?", "car"])
"""Builtins that are written out for a tuple, too."""

APPLYING = frozenset(["apply", "%apply-builtin"])
"""Builtins that take a tuple for the list that is their last argument."""


class Arguments(Held):
    """What is found while the forms of a unit are visited."""

    def __init__(self) -> None:
        super().__init__(lambda node: False)
        self._rests: dict[Variable, list[Primitive]] = {}

    def visit(self, node: Node) -> None:
        """Take note of a reference, and of one to which a tuple is enough."""
        super().visit(node)
        if isinstance(node, Routine) and node.rest is not None and not node.rest.assigned:
            self._rests[node.rest] = []
        elif isinstance(node, Primitive) and node.name in READERS:
            operand = node.operands[0]
            if isinstance(operand, LocalRef) and operand.variable in self._rests:
                self.use(operand.variable)
                self._rests[operand.variable].append(node)
        elif isinstance(node, Invoke) and node.builtin in APPLYING and len(node.operands) > 1:
            operand = node.operands[-1]
            if isinstance(operand, LocalRef):
                self.use(operand.variable)

    def settle(self) -> None:
        """Mark the parameters that hold tuples, and what reads them."""
        for variable, readers in self._rests.items():
            if self.is_used_so_only(variable):
                variable.kind = ARGUMENTS
                for node in readers:
                    node.wanted = "arguments"
