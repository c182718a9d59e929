"""The runtime of one interpreter: its state, its globals, and how Python calls Scheme."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

from nodwyn.interp import data
from nodwyn.interp.data import Value
from nodwyn.interp.host import Host
from nodwyn.interp.runtime import records
from nodwyn.interp.runtime.continuations import continuation_here, make_call_cc
from nodwyn.interp.runtime.parameters import make_parameter
from nodwyn.interp.runtime.state import State
from nodwyn.interp.runtime.trampoline import execute, make_run


class Runtime:
    """What builtins that need an interpreter's state are bound to.

    tc: the state that generated code shares. globals: the one dictionary of its global variables.
    host: the door to everything outside.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.tc = State()
        self.tc.run = make_run(self.tc)
        self.tc.call_cc = make_call_cc(self.tc)
        self.globals: dict[str, Any] = dict(_fixed_globals())
        self.globals["%tc"] = self.tc
        self.globals["%run"] = self.tc.run
        self.globals["%bounce"] = self.tc.bounce
        self.globals["%here"] = continuation_here
        self.globals["%units"] = self.tc.units

    def call(self, procedure: Callable[..., Value], *arguments: Value) -> Value:
        """Call a Scheme procedure from Python: a full continuation captured inside cannot leave it."""
        return execute(self.tc, procedure, *arguments)

    def parameter(self, default: Value, converter: Callable[[Value], Value] | None = None) -> Callable[..., Value]:
        """Return a new parameter object; ``default`` has been converted already."""
        if converter is None:
            return make_parameter(default, None)
        return make_parameter(default, lambda value: execute(self.tc, converter, value))


def _fixed_globals() -> dict[str, Any]:
    return {
        # Without this Python would give generated code its own builtins, ``__import__`` among them.
        "__builtins__": {},
        "%TRUE": data.TRUE,
        "%FALSE": data.FALSE,
        "%NIL": data.NIL,
        "%UNSPECIFIED": data.UNSPECIFIED,
        "%UNASSIGNED": data.Singleton("UNASSIGNED", "#<unassigned>"),
        "%EOF": data.EOF,
        "%DEFAULT": data.DEFAULT,
        "%Pair": data.Pair,
        "%Symbol": data.Symbol,
        "%String": data.String,
        "%Char": data.Char,
        "%Vector": data.Vector,
        "%Bytevector": data.Bytevector,
        "%Boolean": data.Boolean,
        "%Values": data.Values,
        "%BaseException": BaseException,
        "%int": int,
        "%float": float,
        "%sqrt": sqrt,
        "%len": len,
        "%ord": ord,
        "%chr": chr,
        "%range": range,
        "%str": str,
        "%type": type,
        "%repr": repr,
        "%intern": data.intern,
        "%union": data.union,
        "%bare-string": data.bare_string,
        "%characters": data.UNLABELLED,
        "%list": data.list_from,
        "%list1": data.list1,
        "%list2": data.list2,
        "%list3": data.list3,
        "%list4": data.list4,
        "%no-clause": _no_clause,
        "%make-record-type": records.make_record_type,
        "%record-predicate": records.record_predicate,
        "%record-accessor": records.record_accessor,
        "%record-modifier": records.record_modifier,
    }


def _no_clause(name: str, taken: str, count: int) -> Value:
    from nodwyn.interp.errors import Condition, SchemeError

    raise SchemeError(Condition("arity", f"takes {taken}, got {count}", procedure=name or "a procedure"))
