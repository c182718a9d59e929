"""What a procedure takes, and what it is called, read off its Python function."""

from __future__ import annotations

from types import CodeType, FunctionType

from nodwyn.interp.data import Value

VARARGS = 0x04


def arity_of(procedure: Value) -> tuple[int, int | None]:
    """Return the least and the most number of arguments; ``None`` for no most."""
    if not isinstance(procedure, FunctionType):
        return 0, None
    code = procedure.__code__
    most = code.co_argcount
    least = most - len(procedure.__defaults__ or ())
    return least, None if code.co_flags & VARARGS else most


def arity_text(procedure: Value) -> str:
    """Return what a procedure takes in words: "2 arguments", "1 or more arguments", "1 to 3 arguments"."""
    least, most = arity_of(procedure)
    if most is None:
        return f"{least} or more arguments"
    if least == most:
        return "1 argument" if most == 1 else f"{most} arguments"
    return f"{least} to {most} arguments"


def name_of(procedure: Value) -> str:
    """Return a procedure's Scheme name, "" for one without."""
    if not isinstance(procedure, FunctionType):
        return ""
    name = name_in(procedure.__code__)
    return procedure.__name__ if name is None else name


def name_in(code: CodeType) -> str | None:
    """Return the Scheme name of the procedure that generated code is of, None for any other code."""
    identity = code.co_consts[0] if code.co_consts else None
    if isinstance(identity, str):
        for mark in "#?!":
            parts = identity.split(mark, 2)
            if len(parts) == 3 and parts[1].isdigit():
                return parts[2]
    return None
