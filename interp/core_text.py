"""Core forms as text, in the shape of Scheme."""

from __future__ import annotations

from typing import TypeAlias

from nodwyn.interp.core import (
    Call,
    CaseLambda,
    Const,
    GlobalDefine,
    GlobalRef,
    GlobalSet,
    If,
    Lambda,
    Let,
    Letrec,
    LocalRef,
    LocalSet,
    MakeRecordType,
    Node,
    RecordProcedure,
    Seq,
)
from nodwyn.interp.data import UNSPECIFIED, Pair, Symbol, Vector
from nodwyn.interp.printer import write

WIDTH = 100
"""Characters of a line that a form may take before it is spread over several."""

Tree: TypeAlias = "str | list[Tree]"

ON_FIRST_LINE = {"begin": 0, "case-lambda": 0, "define": 1, "if": 1, "lambda": 1, "let": 1, "letrec*": 1, "set!": 1}
"""How many parts of a form stay on the line of its keyword when it is spread; of a call, none but its operator."""


def core_text(node: Node) -> str:
    """Return a core form as indented text."""
    return _spread(_tree(node), 0)


def _tree(node: Node) -> Tree:
    match node:
        case Const():
            quoted = node.value.__class__ in (Pair, Symbol, Vector)
            return "#<unspecified>" if node.value is UNSPECIFIED else ("'" if quoted else "") + write(node.value)
        case LocalRef():
            return node.variable.name
        case GlobalRef():
            return node.glob.name
        case LocalSet():
            return ["set!", node.variable.name, _tree(node.value)]
        case GlobalSet():
            return ["set!", node.glob.name, _tree(node.value)]
        case GlobalDefine():
            return ["define", node.glob.name, _tree(node.value)]
        case If():
            return ["if", _tree(node.test), _tree(node.then), _tree(node.orelse)]
        case Lambda():
            return ["lambda", _formals(node), _tree(node.body)]
        case CaseLambda():
            return ["case-lambda", *([_formals(clause), _tree(clause.body)] for clause in node.clauses)]
        case Seq():
            return ["begin", *map(_tree, node.forms)]
        case Let() | Letrec():
            bindings: Tree = [[v.name, _tree(init)] for v, init in zip(node.variables, node.inits, strict=True)]
            return ["let" if isinstance(node, Let) else "letrec*", bindings, _tree(node.body)]
        case Call():
            return [_tree(node.operator), *map(_tree, node.operands)]
        case MakeRecordType():
            return ["make-record-type", node.name, *node.fields]
        case RecordProcedure():
            return [f"record-{node.role}", _tree(node.record_type), *node.attributes]
    raise AssertionError(node)


def _formals(node: Lambda) -> Tree:
    names: list[Tree] = [parameter.name for parameter in node.parameters]
    if node.rest is None:
        return names
    return [*names, ".", node.rest.name] if names else node.rest.name


def _spread(tree: Tree, indent: int) -> str:
    """Return a form that begins ``indent`` characters from the left."""
    flat = _flat(tree, WIDTH - indent)
    if flat is not None or isinstance(tree, str):
        return flat or str(tree)
    head = tree[0]
    if not isinstance(head, str):
        # Bindings, or a call of what an expression gives: one part a line, all in one column.
        return "(" + f"\n{' ' * (indent + 1)}".join(_spread(part, indent + 1) for part in tree) + ")"
    first = 1 + ON_FIRST_LINE.get(head, 0)
    text = f"({head}"
    for part in tree[1:first]:
        column = indent + len(text.rpartition("\n")[2]) + 1
        text += " " + _spread(part, column)
    for part in tree[first:]:
        text += f"\n{' ' * (indent + 2)}{_spread(part, indent + 2)}"
    return text + ")"


def _flat(tree: Tree, room: int) -> str | None:
    """Return a form in one line, None if it needs more than ``room`` characters."""
    if isinstance(tree, str):
        return tree if len(tree) <= room else None
    parts = []
    room -= 1
    for part in tree:
        flat = _flat(part, room - 1)
        if flat is None:
            return None
        room -= len(flat) + 1
        parts.append(flat)
    return f"({' '.join(parts)})"
