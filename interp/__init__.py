"""nodwyn's Scheme: R7RS-small for Python programs.

    >>> from nodwyn.interp import Interpreter
    >>> scheme = Interpreter()
    >>> scheme.eval("(define (square x) (* x x))")
    >>> scheme.eval("(square 12)")
    144
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nodwyn.interp.errors import Condition as Condition
    from nodwyn.interp.errors import SchemeError as SchemeError
    from nodwyn.interp.host import ClosedHost as ClosedHost
    from nodwyn.interp.host import Host as Host
    from nodwyn.interp.host import SystemHost as SystemHost
    from nodwyn.interp.interpreter import Interpreter as Interpreter
    from nodwyn.interp.limits import Limits as Limits

_EXPORTS = {
    "ClosedHost": "host",
    "Condition": "errors",
    "Host": "host",
    "Interpreter": "interpreter",
    "Limits": "limits",
    "SchemeError": "errors",
    "SystemHost": "host",
}

__all__ = sorted(_EXPORTS)


def __getattr__(name: str) -> Any:
    # Looked up when used, so that importing one module of the package does not import the engine.
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{module}"), name)
