"""Procedures that call one another in tail position, as one loop.

``even?`` that ends in ``odd?`` that ends in ``even?`` is a loop with two entrances. Each of such procedures gets a loop
of its own with copies of all of them in it; calls that are no tail calls stay calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from nodwyn.interp.analyse.copying import Copier
from nodwyn.interp.analyse.inlining import size_of
from nodwyn.interp.analyse.uses import Uses, walk
from nodwyn.interp.core import Call, GlobalRef, Lambda, Letrec, LocalRef, LocalSet, Node, Variable

LARGE = 1500
"""Nodes that fusing one group may produce."""


def fuse(uses: Uses) -> None:
    """Fuse the groups of global procedures of a unit that tail-call one another, in place."""
    candidates = {
        key: value
        for key, value in uses.procedures.items()
        if isinstance(value, Lambda) and value.rest is None and key in uses.routines
    }
    edges = {key: _callees(value, candidates, uses) for key, value in candidates.items()}
    for group in _groups(edges):
        members = {key: candidates[key] for key in group}
        total = sum(size_of(member, LARGE) for member in members.values())
        if total * len(members) <= LARGE:
            _fuse_group(members, uses)


def _callees(value: Lambda, candidates: dict[str, Lambda], uses: Uses) -> set[str]:
    return {operator.glob.key for _, operator in _tail_calls(value.body, candidates, uses)}


def _tail_calls(body: Node, candidates: dict[str, Lambda], uses: Uses) -> Iterator[tuple[Call, GlobalRef]]:
    """Yield the tail calls of candidates in a procedure's body, with fitting arguments."""
    pending: list[tuple[Node, bool, int]] = [(body, True, 2)]
    while pending:
        node, tail, depth = pending.pop()
        if not tail:
            continue
        if isinstance(node, Call) and isinstance(node.operator, GlobalRef):
            callee = candidates.get(node.operator.glob.key)
            if callee is not None and len(callee.parameters) == len(node.operands):
                yield node, node.operator
        pending.extend(uses.parts(node, tail, depth))


def _groups(edges: dict[str, set[str]]) -> list[list[str]]:
    """Return the sets of at least two procedures that reach each other, in order of definition."""
    reach = {key: _reachable(key, edges) for key in edges}
    groups: list[list[str]] = []
    placed: set[str] = set()
    for key in edges:
        if key in placed:
            continue
        group = [other for other in edges if other in reach[key] and key in reach[other]]
        placed.update(group)
        if len(group) > 1:
            groups.append(group)
    return groups


def _reachable(start: str, edges: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    pending = list(edges[start])
    while pending:
        key = pending.pop()
        if key not in found:
            found.add(key)
            pending.extend(edges[key])
    return found


def _fuse_group(members: dict[str, Lambda], uses: Uses) -> None:
    originals = {key: (value.parameters, value.body) for key, value in members.items()}
    for key, value in members.items():
        if not uses.routines[key].glob.constant:  # type: ignore[union-attr]
            uses.assumed.update(members)
        value.parameters, value.body = _loop_of(key, originals, members, uses)
        uses.routines[key].parameters = value.parameters


def _loop_of(
    entry: str, originals: dict[str, tuple[list[Variable], Node]], members: dict[str, Lambda], uses: Uses
) -> tuple[list[Variable], Node]:
    """Return parameters and body of a member: a loop of copies of all members, entered at this one."""
    variables = {key: Variable(key.rpartition(":")[2] or key) for key in members}
    copies: list[Node] = []
    shared: list[Variable] = []
    for key, (parameters, body) in originals.items():
        member = members[key]
        # Parameters in one place share a variable, so that one handed on as it is costs nothing.
        shared.extend(Variable(parameter.name, parameter.span) for parameter in parameters[len(shared) :])
        own = shared[: len(parameters)]
        copier = Copier({})
        copier.variables.update(zip(parameters, own, strict=True))
        copied = Lambda(member.name, own, None, copier.copy(body), member.span)
        uses.assigned |= {node.variable for node in walk(copied) if isinstance(node, LocalSet)}
        for call, operator in list(_tail_calls(copied.body, members, uses)):
            call.operator = LocalRef(variables[operator.glob.key], operator.span)
        copies.append(copied)
    own = [Variable(parameter.name, parameter.span) for parameter in originals[entry][0]]
    span = members[entry].body.span
    start = Call(LocalRef(variables[entry], span), [LocalRef(variable, span) for variable in own], span)
    return own, Letrec(list(variables.values()), copies, start, span)
