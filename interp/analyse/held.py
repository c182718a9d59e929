"""Variables that are used in one way alone, so that they can hold something simpler than what they stand for."""

from __future__ import annotations

from collections.abc import Callable

from nodwyn.interp.core import LocalRef, Node, Variable


class Held:
    """What the variables of a unit are bound to, and how often each is used, and used in the way in question.

    produces: says whether the value of a form can be had in the simpler form.
    """

    def __init__(self, produces: Callable[[Node], bool]) -> None:
        self.bound: dict[Variable, list[Node]] = {}
        self._produces = produces
        self._references: dict[Variable, int] = {}
        self._uses: dict[Variable, int] = {}

    def visit(self, node: Node) -> None:
        """Take note of a reference to a variable."""
        if isinstance(node, LocalRef):
            self._references[node.variable] = self._references.get(node.variable, 0) + 1

    def use(self, variable: Variable) -> None:
        """Take note that one of the references to a variable is in the way in question."""
        self._uses[variable] = self._uses.get(variable, 0) + 1

    def is_used_so_only(self, variable: Variable) -> bool:
        """Say whether all references to a variable are in the way in question."""
        return self._references.get(variable, 0) == self._uses.get(variable, 0)

    def bind(self, variable: Variable, init: Node) -> None:
        """Take note of what a variable of a ``let`` or a loop is bound to."""
        self.bound.setdefault(variable, []).append(init)

    def groups(self) -> list[list[Variable]]:
        """Return the variables that can hold the simpler form, those that are bound to one another together."""
        found = self._found()
        linked: dict[Variable, set[Variable]] = {variable: set() for variable in found}
        for variable in found:
            for other in self._bound_to(variable):
                linked[variable].add(other)
                linked[other].add(variable)
        groups = []
        for first in self.bound:
            if first not in linked:
                continue
            group, pending = [], [first]
            while pending:
                variable = pending.pop()
                if variable in linked:
                    group.append(variable)
                    pending += linked.pop(variable)
            if any(self._produces(init) for variable in group for init in self.bound[variable]):
                groups.append(group)
        return groups

    def _found(self) -> set[Variable]:
        found = {
            variable
            for variable, inits in self.bound.items()
            if not variable.assigned and all(self._produces(init) or isinstance(init, LocalRef) for init in inits)
        }
        holders: dict[Variable, list[Variable]] = {}
        for variable in found:
            for other in self._bound_to(variable):
                holders.setdefault(other, []).append(variable)
        given = {variable: len(each) for variable, each in holders.items()}
        pending = list(found)
        while pending:
            variable = pending.pop()
            if variable not in found or self._is_used_so(variable, given, found):
                continue
            found.remove(variable)
            for other in self._bound_to(variable):
                given[other] -= 1
                pending.append(other)
            pending += holders.get(variable, ())
        return found

    def _bound_to(self, variable: Variable) -> list[Variable]:
        return [init.variable for init in self.bound[variable] if isinstance(init, LocalRef)]

    def _is_used_so(self, variable: Variable, given: dict[Variable, int], found: set[Variable]) -> bool:
        if self._references.get(variable, 0) != self._uses.get(variable, 0) + given.get(variable, 0):
            return False
        return all(other in found for other in self._bound_to(variable))
