"""The rest of a routine behind one of its calls.

Works on the statements of heap code, where every such call is a statement of its own.
"""

from __future__ import annotations

import ast

from nodwyn.interp.generate import pyast as py

Block = list[ast.stmt]
FIRST = "%first"


def number_of_site(statement: ast.stmt) -> int | None:
    """Return the number of the call that a statement is, if it is one that can be interrupted."""
    site = getattr(statement, "site", None)
    return None if site is None else site.number


def sites_in(block: Block) -> set[int]:
    """Return the numbers of the calls in a block that the frame is left at, not in functions defined in it."""
    found: set[int] = set()
    for statement in block:
        number = number_of_site(statement)
        if number is not None:
            if statement.checked or statement.capturing:  # type: ignore[attr-defined]
                found.add(number)
            receiver = getattr(statement, "receiver", None)
            if receiver is not None:
                found |= sites_in(receiver[1])
        elif isinstance(statement, ast.If):
            found |= sites_in(statement.body) | sites_in(statement.orelse)
        elif isinstance(statement, ast.While):
            found |= sites_in(statement.body)
    return found


def rest_after(block: Block, number: int) -> Block | None:
    """Return what remains of a block behind a call, or None if the call is not in it."""
    for position, statement in enumerate(block):
        inner = _rest_in(statement, number)
        if inner is not None:
            return inner + block[position + 1 :]
    return None


def _rest_in(statement: ast.stmt, number: int) -> Block | None:
    if number_of_site(statement) == number:
        return []
    if isinstance(statement, ast.If):
        then = rest_after(statement.body, number)
        return then if then is not None else rest_after(statement.orelse, number)
    if isinstance(statement, ast.While):
        inner = rest_after(statement.body, number)
        if inner is None:
            return None
        # The first time round only the rest of the body runs.
        first = f"{FIRST}.{number}"
        started: Block = [py.assign(first, py.constant(False)), *inner]
        choice = py.branch(py.load(first), started, statement.body)
        return [py.assign(first, py.constant(True)), py.forever([choice])]
    return None


def names_assigned(block: Block) -> set[str]:
    """Return the names that the statements of a block assign, not those inside functions it defines."""
    found: set[str] = set()
    pending: list[ast.AST] = list(block)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        pending.extend(ast.iter_child_nodes(node))
    return found
