"""nodwyn's Scheme: R7RS-small for Python programs.

>>> from nodwyn.interp import Interpreter
>>> scheme = Interpreter()
>>> scheme.eval("(define (square x) (* x x))")
>>> scheme.eval("(square 12)")
144
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing takes milliseconds of every start
if TYPE_CHECKING:
    from typing import Any

    from nodwyn.interp.errors import Condition as Condition
    from nodwyn.interp.errors import SchemeError as SchemeError
    from nodwyn.interp.evaluating import Exit as Exit
    from nodwyn.interp.host import ClosedHost as ClosedHost
    from nodwyn.interp.host import Host as Host
    from nodwyn.interp.host import SystemHost as SystemHost
    from nodwyn.interp.interpreter import Interpreter as Interpreter
    from nodwyn.interp.limits import Limits as Limits

__all__ = ["ClosedHost", "Condition", "Exit", "Host", "Interpreter", "Limits", "SchemeError", "SystemHost"]


def __getattr__(name: str) -> Any:
    # Looked up when used, so that importing one module of the package does not import the engine.
    if name == "Interpreter":
        from nodwyn.interp import interpreter

        return interpreter.Interpreter
    if name == "Limits":
        from nodwyn.interp import limits

        return limits.Limits
    if name in ("Condition", "SchemeError"):
        from nodwyn.interp import errors

        return getattr(errors, name)
    if name == "Exit":
        from nodwyn.interp import evaluating

        return evaluating.Exit
    if name in ("ClosedHost", "Host", "SystemHost"):
        from nodwyn.interp import host

        return getattr(host, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
