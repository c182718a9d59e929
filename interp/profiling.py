"""``--profile``: where the time of a program goes, by procedure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType
from typing import Any

from nodwyn.interp.interpreter import Interpreter
from nodwyn.interp.runtime.arity import name_in

SHOWN = 25
"""Procedures that are listed at most."""

SHOWN_ALWAYS = 5
"""And at least, where all others take less than the next."""

NEGLIGIBLE = 0.0005
"""Seconds."""


class Cost:
    """What one procedure took: seconds in itself, in all with those it called, and how often it was called."""

    __slots__ = ("calls", "own", "total")

    def __init__(self) -> None:
        self.own = self.total = 0.0
        self.calls = 0


def profiled(scheme: Interpreter, work: Callable[[], int]) -> int:
    """Run ``work``, write where its time went to the standard error, and return what it returned."""
    import cProfile

    # Time in functions of Python that are written in C is that of the procedure that calls them.
    profile = cProfile.Profile(builtins=False)
    status = profile.runcall(work)
    port = scheme.runtime.host.standard_error()
    if port.is_open:
        port.write("\n".join(_report(scheme, profile.getstats())) + "\n")
    return status


def _report(scheme: Interpreter, entries: Iterable[Any]) -> list[str]:
    builtins = {
        value.__code__: name for name, value in scheme.runtime.globals.items() if isinstance(value, FunctionType)
    }
    costs: dict[str, Cost] = {}
    everything = engine = 0.0
    for entry in entries:
        code, own = entry.code, entry.inlinetime
        everything += own
        name = _shown_name(code, builtins)
        if name is None:
            engine += own
            continue
        cost = costs.setdefault(name, Cost())
        cost.own += own
        cost.total += entry.totaltime
        cost.calls += entry.callcount
    lines = [
        f"profile: {everything:.3f} s in all, {engine:.3f} s of it in the engine itself: reading, compiling, calling",
        "   own s   total s      calls  procedure",
    ]
    ranked = sorted(costs.items(), key=lambda item: -item[1].own)[:SHOWN]
    for rank, (name, cost) in enumerate(ranked):
        if rank >= SHOWN_ALWAYS and cost.own < NEGLIGIBLE:
            break
        lines.append(f"{cost.own:8.3f} {cost.total:9.3f} {cost.calls:10d}  {name}")
    return lines


def _shown_name(code: object, builtins: dict[CodeType, str]) -> str | None:
    """Return a procedure's name and place, None for the engine's own functions."""
    if not isinstance(code, CodeType):
        return None
    name = name_in(code)
    if name is not None:
        where = f"{_short(code.co_filename)}:{code.co_firstlineno}"
        return f"{name or 'lambda'} ({where})"
    builtin = builtins.get(code)
    return None if builtin is None or builtin.startswith("%") else builtin


def _short(path: str) -> str:
    relative = os.path.relpath(path) if os.path.isabs(path) else path
    return path if relative.startswith(os.pardir) else relative
