"""Characters of which only the text is wanted: they stay the text that a string or a port holds.

``(string-ref s i)`` makes a character, which has an origin. Where it is only compared, or asked what kind of character
it is, there is no need for one: the value of such an operand, or of a variable that is used in no other way, is a
Python string. What is read from a port is such a string or the end of file. It may be written to another port, too,
if all that the variable can hold comes from one port, whose origin it then has.
"""

from __future__ import annotations

from nodwyn.interp.analyse.held import Held
from nodwyn.interp.analyse.kinds import INPUT, TEXT
from nodwyn.interp.analyse.nodes import Primitive
from nodwyn.interp.core import Const, LocalRef, Node, Seq, Variable
from nodwyn.interp.data import Char

READERS = frozenset(
    """char=? char<? char>? char<=? char>=? char-numeric? char-upper-case? char-lower-case? char-alphabetic?
    char-whitespace? char->integer digit-value char? eof-object?""".split()
)
"""Builtins to which the text of a character is enough."""

PRODUCERS = frozenset(["string-ref", "read-char", "peek-char"])
"""Builtins that can give the text of a character alone."""


class Texts(Held):
    """What is found while the forms of a unit are visited."""

    def __init__(self) -> None:
        super().__init__(_produces)
        self._writers: dict[Variable, list[Primitive]] = {}

    def visit(self, node: Node) -> None:
        """Take note of a reference, and of operands to which the text of a character is enough."""
        super().visit(node)
        if isinstance(node, Primitive) and (node.name in READERS or _compares_with_char(node)):
            for operand in node.operands:
                if isinstance(operand, LocalRef):
                    self.use(operand.variable)
                elif _produces(operand):
                    operand.wanted = "text"  # type: ignore[attr-defined]
        elif isinstance(node, Seq):
            for form in node.forms[:-1]:
                if _produces(form):
                    form.wanted = "text"  # type: ignore[attr-defined]
        elif isinstance(node, Primitive) and node.name == "write-char":
            operand = node.operands[0]
            if isinstance(operand, LocalRef):
                self.use(operand.variable)
                self._writers.setdefault(operand.variable, []).append(node)
            elif isinstance(operand, Primitive) and operand.name in PRODUCERS:
                source = _source(operand)
                if source is not None:
                    operand.wanted = "text"
                    node.sources = [LocalRef(source)]

    def settle(self) -> None:
        """Mark the variables that hold text, and what they are bound to."""
        for group in self.groups():
            inits = [init for variable in group for init in self.bound[variable] if isinstance(init, Primitive)]
            writers = [node for variable in group for node in self._writers.get(variable, ())]
            if writers:
                sources = {_source(init) if init.name != "string-ref" else None for init in inits}
                source = sources.pop() if len(sources) == 1 else None
                if source is None or any(variable.captured for variable in group):
                    continue
                for node in writers:
                    node.sources = [LocalRef(source)]
            kind = TEXT if all(init.name == "string-ref" for init in inits) else INPUT
            for variable in group:
                variable.kind = kind
            for init in inits:
                init.wanted = "text"


def _produces(node: Node) -> bool:
    return isinstance(node, Primitive) and node.name in PRODUCERS


def _source(node: Primitive) -> Variable | None:
    """Return the variable that holds the string or port that a character is from."""
    operand = node.operands[0] if node.operands else None
    return operand.variable if isinstance(operand, LocalRef) and not operand.variable.assigned else None


def _compares_with_char(node: Primitive) -> bool:
    return node.name == "eqv?" and any(
        isinstance(operand, Const) and isinstance(operand.value, Char) for operand in node.operands
    )
