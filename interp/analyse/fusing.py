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
    """Return the sets of at least two procedures that reach each other, each in order of definition.

    Source: Tarjan, Depth-first search and linear graph algorithms, 1972; without recursion.
    """
    order = {key: number for number, key in enumerate(edges)}
    lowest: dict[str, int] = {}
    visited: dict[str, int] = {}
    open_ones: list[str] = []
    is_open: set[str] = set()
    groups: list[list[str]] = []
    for start, first_callees in edges.items():
        path = [] if start in visited else [(start, iter(first_callees))]
        while path:
            key, callees = path[-1]
            if key not in visited:
                visited[key] = lowest[key] = len(visited)
                open_ones.append(key)
                is_open.add(key)
            following = next(callees, None)
            if following is None:
                path.pop()
                if path:
                    caller = path[-1][0]
                    lowest[caller] = min(lowest[caller], lowest[key])
                if lowest[key] == visited[key]:
                    group = [open_ones.pop()]
                    while group[-1] != key:
                        group.append(open_ones.pop())
                    is_open.difference_update(group)
                    if len(group) > 1:
                        groups.append(sorted(group, key=order.__getitem__))
            elif following not in visited:
                path.append((following, iter(edges[following])))
            elif following in is_open:
                lowest[key] = min(lowest[key], visited[following])
    return sorted(groups, key=lambda group: order[group[0]])


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
