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


def formals_of(procedure: Value) -> str:
    """Return how a procedure is called, such as "(area width height)" or "(list . items)", "" if that is not known."""
    if not isinstance(procedure, FunctionType):
        return ""
    code = procedure.__code__
    names = [_plain(name) for name in code.co_varnames[: code.co_argcount]]
    text = " ".join([name_of(procedure) or "procedure", *names])
    if code.co_flags & VARARGS:
        rest = _plain(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
        text = f"{text} . {rest}"
    return f"({text})"


def _plain(name: str) -> str:
    """Return a parameter's name in the source: generated code numbers them."""
    head, dot, number = name.rpartition(".")
    # The last is for what would be a keyword of Python or one of its names.
    return head if dot and number.isdigit() else name.replace("_", "-").rstrip("-")


def name_of(procedure: Value) -> str:
    """Return a procedure's Scheme name, "" for one without.

    That of a builtin which a library exports is the exported one: it has a mark of its own among all builtins.
    """
    if not isinstance(procedure, FunctionType):
        return ""
    name = name_in(procedure.__code__)
    return procedure.__name__.removeprefix("%") if name is None else name


def name_in(code: CodeType) -> str | None:
    """Return the Scheme name of the procedure that generated code is of, None for any other code."""
    identity = code.co_consts[0] if code.co_consts else None
    if isinstance(identity, str):
        for mark in "#?!":
            parts = identity.split(mark, 2)
            if len(parts) == 3 and parts[1].isdigit():
                return parts[2]
    return None
