"""From Python syntax trees to code objects."""

from __future__ import annotations

import ast
import sys
import warnings
from types import CodeType

from nodwyn.interp.errors import too_nested
from nodwyn.interp.generate.pyast import locate
from nodwyn.interp.recursion import RecursionLimit

COMPILER_DEPTH = 3000
"""Python frames' worth of nesting that CPython's compiler may use: it recurses in C and crashes on far more."""


def compile_module(body: list[ast.stmt], source: str) -> CodeType:
    """Compile statements as a module.

    source: the file name for tracebacks. Raises SchemeError where the code is nested more deeply than CPython
    can compile.
    """
    module = ast.Module(body, [])
    locate(module, 1)
    try:
        with RecursionLimit(current_depth() + COMPILER_DEPTH), warnings.catch_warnings():
            # A program may well ask whether 3 is #f; Python warns of such comparisons with literals.
            warnings.simplefilter("ignore", SyntaxWarning)
            return compile(module, source, "exec", dont_inherit=True, optimize=0)
    except RecursionError:
        raise too_nested() from None


def current_depth() -> int:
    """Return how many Python frames are on the stack."""
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth += 1
        frame = frame.f_back  # type: ignore[assignment]
    return depth
