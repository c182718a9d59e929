"""Calls that fail before the callee begins: what is called is no procedure, or takes other arguments."""

from __future__ import annotations

from types import FrameType, FunctionType

from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition
from nodwyn.interp.runtime.arity import arity_of, arity_text, formals_of, name_of
from nodwyn.interp.runtime.frames import CALLING


def misfit(callee: Value, given: int) -> Condition | None:
    """Return what is wrong with calling ``callee`` with ``given`` arguments, None if that can be done."""
    if not callable(callee):
        from nodwyn.interp.printer import abbreviated

        return Condition("type", f"{abbreviated(callee)} is not a procedure, so it cannot be called", (callee,))
    least, most = arity_of(callee)
    if least <= given and (most is None or given <= most):
        return None
    message = f"takes {arity_text(callee)}, as in {formals_of(callee)}, got {given}"
    return Condition("arity", message, procedure=name_of(callee) or "a procedure")


def misfit_inside(error: TypeError, frame: FrameType) -> Condition | None:
    """Return what was wrong with a call that ``frame`` made, whose callee is in a variable of it.

    None if the error is of another kind.
    """
    variables = frame.f_locals
    if id(frame.f_code) in CALLING:
        callee, arguments = variables["f"], variables["a"]
        # A callee that fits is call/cc, whose own argument the trampoline calls.
        return misfit(callee, len(arguments)) or misfit(arguments[0], 1)
    message = str(error)
    called, _, wrong = message.partition("() ")
    for value in variables.values():
        if isinstance(value, FunctionType) and value.__qualname__ == called:
            return misfit(value, _given(value, wrong))
        if message == f"'{type(value).__name__}' object is not callable":
            return misfit(value, 0)
    return None


def _given(callee: Value, wrong: str) -> int:
    """Return the number of arguments that a message of Python tells of: "… but 3 were given", "missing 2 …"."""
    words = wrong.split()
    if words[0] == "missing":
        return arity_of(callee)[0] - int(words[1])
    return int(words[words.index("but") + 1]) if "but" in words else -1
