"""What is known of variables at the point of a routine that is being written, so that nothing is checked twice.

Code is written in the order in which it runs. What a test or an operation has found of a variable that keeps its value
holds in all that is written after it, up to the end of the branch or of the loop that it is in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nodwyn.interp.analyse.finish import parts
from nodwyn.interp.analyse.kinds import NATURALS, kind_of
from nodwyn.interp.analyse.nodes import CaseRoutine, Primitive, RecordAccess, Routine
from nodwyn.interp.core import Const, If, LocalRef, Node, Variable
from nodwyn.interp.data import FALSE

Fact = tuple[str, Variable]

NATURAL_INDEX = "not negative"
"""Holds of a number that is not negative, and of what is no number that could be an index at all."""

PAIR = "a pair"

KEPT = "elements"
"""Holds of a vector whose elements are in a variable."""

VECTOR_OPERATIONS = frozenset(["vector-ref", "vector-set!", "vector-length"])

OPPOSITES = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Known:
    """Facts on variables that are never assigned: NATURAL_INDEX, PAIR, KEPT, or the key of the record type they are of.

    routine: what is written. closed: nothing is ever found. What continues a frame begins somewhere within its routine.
    """

    def __init__(self, routine: Routine | None, *, closed: bool) -> None:
        self._routine = routine
        self._facts: dict[Fact, None] = {}
        self.closed = closed
        self._repeated: set[Variable] | None = None

    def holds(self, fact: str, node: Node) -> bool:
        """Say whether a fact is known of the value of a form."""
        return isinstance(node, LocalRef) and (fact, node.variable) in self._facts

    def note(self, fact: str, node: Node) -> None:
        """Take note of what has been found of the value of a form."""
        if not self.closed and isinstance(node, LocalRef) and not node.variable.assigned:
            self._facts[fact, node.variable] = None

    def is_repeated(self, node: Node) -> bool:
        """Say whether the routine uses the elements of the vector that a variable holds more than once."""
        if self.closed or self._routine is None or not isinstance(node, LocalRef) or node.variable.assigned:
            return False
        if self._repeated is None:
            self._repeated = _repeated_vectors(self._routine)
        return node.variable in self._repeated

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Write something that is not always run before what follows: what it finds is forgotten behind it."""
        facts = self._facts
        self._facts = dict(facts)
        yield
        self._facts = facts

    def assume(self, test: Node, truth: bool) -> None:
        """Take note of what follows from a test's outcome."""
        if isinstance(test, If):
            self._assume_choice(test, truth)
        elif isinstance(test, RecordAccess):
            if test.role == "predicate" and truth:
                self.note(test.record_type, test.operands[0])
        elif isinstance(test, Primitive):
            self._assume_primitive(test, truth)

    def _assume_choice(self, test: If, truth: bool) -> None:
        if truth and isinstance(test.orelse, Const) and test.orelse.value is FALSE:
            self.assume(test.test, True)
            self.assume(test.then, True)
        elif not truth and isinstance(test.then, Const) and test.then.value is not FALSE:
            self.assume(test.test, False)
            self.assume(test.orelse, False)

    def _assume_primitive(self, test: Primitive, truth: bool) -> None:
        if test.name == "not":
            self.assume(test.operands[0], not truth)
        elif test.name == "pair?" and truth:
            self.note(PAIR, test.operands[0])
        elif test.name in OPPOSITES:
            order = test.name if truth else OPPOSITES[test.name]
            self._assume_order(order, *test.operands)
            self._assume_order(MIRRORED[order], *reversed(test.operands))

    def _assume_order(self, order: str, first: Node, second: Node) -> None:
        if order in (">", ">=") and (kind_of(second) in NATURALS or self.holds(NATURAL_INDEX, second)):
            self.note(NATURAL_INDEX, first)


NOTHING_KNOWN = Known(None, closed=True)


def _repeated_vectors(routine: Routine) -> set[Variable]:
    found: set[Variable] = set()
    repeated: set[Variable] = set()
    pending: list[Node] = [routine.body]
    while pending:
        node = pending.pop()
        if isinstance(node, Primitive) and node.name in VECTOR_OPERATIONS and isinstance(node.operands[0], LocalRef):
            variable = node.operands[0].variable
            (repeated if variable in found else found).add(variable)
        if not isinstance(node, (Routine, CaseRoutine)):
            pending.extend(parts(node))
    return repeated
