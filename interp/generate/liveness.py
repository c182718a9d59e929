"""Which variables a piece of generated code needs to be given."""

from __future__ import annotations

import ast

Names = frozenset[str]
NONE: Names = frozenset()


def live_at(block: list[ast.stmt], after: Names = NONE, head: Names = NONE, behind: Names = NONE) -> Names:
    """Return the variables live before a block.

    after: those live behind it; head and behind: at the start of, and behind, the loop that it is in.
    """
    live = after
    index = len(block)
    while index:
        index -= 1
        statement = block[index]
        if isinstance(statement, ast.FunctionDef):
            first = index
            while first and isinstance(block[first - 1], ast.FunctionDef):
                first -= 1
            live = _before_definitions(block[first : index + 1], live)
            index = first
        else:
            live = _before(statement, live, head, behind)
    return live


def _before_definitions(definitions: list[ast.stmt], live: Names) -> Names:
    """Procedures defined together may refer to each other whatever their order."""
    for definition in definitions:
        live = live | frozenset(definition.uses)  # type: ignore[attr-defined]
    return live - {definition.name for definition in definitions}  # type: ignore[attr-defined]


def _before(statement: ast.stmt, live: Names, head: Names, behind: Names) -> Names:
    match statement:
        case ast.Return():
            return expression_uses(statement.value)
        case ast.Continue():
            return head
        case ast.Break():
            return behind
        case ast.If():
            then = live_at(statement.body, live, head, behind)
            orelse = live_at(statement.orelse, live, head, behind)
            return expression_uses(statement.test) | (then | orelse) - kept(statement.test)
        case ast.For():
            # A tail call that is made directly: the body returns, or there is no credit.
            return live_at(statement.body, live, head, behind) | live
        case ast.While():
            return _before_loop(statement, live)
        case ast.Assign():
            return _before_assignment(statement, live)
        case ast.Expr():
            return expression_uses(statement.value) | (live - kept(statement.value))
        case _:
            return live


def _before_loop(statement: ast.While, after: Names) -> Names:
    head = NONE
    while True:
        found = live_at(statement.body, head, head, after)
        if found == head:
            return head
        head = found | head


def _before_assignment(statement: ast.Assign, live: Names) -> Names:
    target = statement.targets[0]
    assigned: set[str] = set()
    used: Names = NONE
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                assigned.add(node.id)
            else:
                used |= {node.id}
    return expression_uses(statement.value) | used | (live - assigned - kept(statement.value))


def kept(expression: ast.expr) -> Names:
    """Return the names that ``:=`` gives values in an expression, but for values that are made of what they had."""
    return frozenset(
        n.target.id for n in ast.walk(expression) if isinstance(n, ast.NamedExpr) and not _reads(n.value, n.target.id)
    )


def _reads(expression: ast.expr, name: str) -> bool:
    """Say whether an expression passes a variable to a call, as what collects labels does."""
    return isinstance(expression, ast.Call) and any(
        isinstance(argument, ast.Name) and argument.id == name for argument in expression.args
    )


def expression_uses(expression: ast.expr | None) -> Names:
    """Return the names that an expression reads and has not given a value itself."""
    if expression is None:
        return NONE
    read = {n.id for n in ast.walk(expression) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return frozenset(read) - kept(expression)
