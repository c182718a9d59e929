"""Core forms as text, in the shape of Scheme."""

from __future__ import annotations

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

WIDTH = 100


def core_text(node: Node, indent: int = 0) -> str:
    """Return a core form as indented text."""
    flat = _flat(node)
    if len(flat) + indent <= WIDTH:
        return flat
    head, parts = _split(node)
    if not parts:
        return flat
    inner = [core_text(part, indent + 2) for part in parts]
    return f"({head}\n" + "\n".join(" " * (indent + 2) + text for text in inner) + ")"


def _flat(node: Node) -> str:
    match node:
        case Const():
            from nodwyn.interp.printer import write

            quoted = node.value.__class__ in (Pair, Symbol, Vector)
            return "#<unspecified>" if node.value is UNSPECIFIED else ("'" if quoted else "") + write(node.value)
        case LocalRef():
            return node.variable.name
        case GlobalRef():
            return node.glob.name
        case MakeRecordType():
            return f"(make-record-type {node.name} {' '.join(node.fields)})"
    head, parts = _split(node)
    return f"({' '.join([head, *(_flat(part) for part in parts)]).strip()})"


def _split(node: Node) -> tuple[str, list[Node]]:
    match node:
        case LocalSet():
            return f"set! {node.variable.name}", [node.value]
        case GlobalSet():
            return f"set! {node.glob.name}", [node.value]
        case GlobalDefine():
            return f"define {node.glob.name}", [node.value]
        case If():
            return "if", [node.test, node.then, node.orelse]
        case Lambda():
            return f"lambda {_formals(node)}", [node.body]
        case CaseLambda():
            return "case-lambda", list(node.clauses)
        case Seq():
            return "begin", node.forms
        case Let() | Letrec():
            name = "let" if isinstance(node, Let) else "letrec*"
            bindings = " ".join(f"({v.name} {_flat(i)})" for v, i in zip(node.variables, node.inits, strict=True))
            return f"{name} ({bindings})", [node.body]
        case Call():
            return "", [node.operator, *node.operands]
        case RecordProcedure():
            return f"record-{node.role} {' '.join(node.attributes)}", [node.record_type]
    return type(node).__name__, []


def _formals(node: Lambda) -> str:
    names = " ".join(parameter.name for parameter in node.parameters)
    if node.rest is None:
        return f"({names})"
    return f"({names} . {node.rest.name})" if names else node.rest.name
