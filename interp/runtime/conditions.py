"""From Python's exceptions to conditions: what went wrong, in the terms of the program.

Generated code lets Python reject wrong operands. The traceback's innermost generated frame names the form; the
builtin that the form calls is then called with the same operands, as far as they are still in variables, and says
what it expected.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import takewhile
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from nodwyn.interp.core import LocalRef, Node
from nodwyn.interp.data import DEFAULT, String, Value, character
from nodwyn.interp.datum import Datum, WrongOperands
from nodwyn.interp.errors import ELIDED, Condition, SchemeError
from nodwyn.interp.runtime.frames import code_of
from nodwyn.interp.runtime.misfits import misfit, misfit_inside
from nodwyn.interp.runtime.places import Place, Standing, heap_entries, innermost, stack_entries, value_in
from nodwyn.interp.runtime.state import State

if TYPE_CHECKING:
    # The compiler, which a program from the cache that makes no mistake does without.
    from nodwyn.interp.analyse.nodes import Invoke, Primitive, Receive, RecordAccess
    from nodwyn.interp.runtime.suggest import Exports
    from nodwyn.interp.syntax import Span


def stack_of(traceback: TracebackType | None) -> list[tuple[str, Any]]:
    """Return the Scheme stack of a traceback: procedure names and spans, innermost first.

    An entry named ELIDED, without a span, stands for callers that ended in a tail call.
    """
    entries: list[tuple[str, Any]] = []
    for entry in stack_entries(traceback):
        entries.append((entry.procedure, entry.node.span if entry.node is not None else None))
        if entry.after_tail_calls:
            entries.append((ELIDED, None))
    return entries


def condition_of(tc: State, error: Exception) -> Value:
    """Return the Scheme object for an exception that has reached the runtime.

    For :class:`SchemeError` its payload; for Python's own exceptions a new condition. A condition without a place
    gets that of the innermost form.
    """
    if isinstance(error, SchemeError):
        payload = error.payload
        if isinstance(payload, Condition) and payload.span is None and payload.kind != "error":
            _locate(payload, error.__traceback__, tc)
        return payload
    condition = _explain(error, innermost(error.__traceback__))
    if condition.span is None:
        _locate(condition, error.__traceback__, tc)
    return condition


def _locate(condition: Condition, traceback: TracebackType | None, tc: State) -> None:
    """Give a condition its place; if a library's code rejected something, name what the program called."""
    entries = list(stack_entries(traceback))
    condition.span = _place_among(entries, tc)
    if condition.kind in ("type", "range") and entries and _is_of_library(entries[0].node):
        condition.procedure = _exported_name(condition, entries)


def _exported_name(condition: Condition, entries: list[Standing]) -> str | None:
    """Return what of a library the program has called, where the library's own name for a part would say nothing."""
    from nodwyn.interp.runtime.suggest import exported_names

    known = exported_names(_LIBRARIES)
    if condition.procedure in known:
        return condition.procedure
    of_library = takewhile(lambda entry: _is_of_library(entry.node), entries)
    names = [entry.procedure for entry in of_library] + [called_at(condition.span)]
    return next((name for name in names if name in known), condition.procedure)


def _is_of_library(node: Node | None) -> bool:
    """Say whether a form is of a standard library, also where that has been written out in a program."""
    from nodwyn.interp.analyse.nodes import RecordAccess

    if node is None or node.span is None:
        return False
    if isinstance(node, RecordAccess) and node.operator.glob.key.startswith("("):
        return True
    return is_library(node.span.source.name)


def called_at(span: Span | None) -> str:
    """Return the name that the form at a place begins with, "" if it begins with something else."""
    import re

    if span is None:
        return ""
    found = re.match(_CALLED, span.source.text[span.start : span.end])
    return found[1] if found else ""


def where(traceback: TracebackType | None, tc: State | None = None) -> Any:
    """Return the span of the innermost form at fault: of the program's own texts, where it is in a library's code.

    tc: the state whose frames on the heap are the callers of those in the traceback; None if there are no others.
    """
    return _place_among(stack_entries(traceback), tc)


def _place_among(entries: list[Standing], tc: State | None) -> Any:
    spans = _spans(entries)
    if tc is not None and all(is_library(span.source.name) for span in spans):
        spans += _spans(heap_entries(tc))
    own = [span for span in spans if not is_library(span.source.name)]
    return next(iter(own or spans), None)


def _spans(entries: list[Standing]) -> list[Any]:
    return [entry.node.span for entry in entries if entry.node is not None and entry.node.span is not None]


def _explain(error: Exception, place: Place | None) -> Condition:
    if isinstance(error, NameError):
        return _unbound(error, place)
    if isinstance(error, TypeError) and str(error).startswith("'NoneType' object is not subscriptable"):
        # A variable that had no value yet when its frame was moved to the heap.
        return Condition("unbound", "a variable is used before its definition")
    inside = _frame_inside(error)
    if inside is not None and isinstance(error, TypeError):
        explained = misfit_inside(error, inside)
        if explained is not None:
            return explained
    if place is not None and place.node is not None:
        explained = _explain_node(error, place, place.node)
        if explained is not None:
            return explained
    if isinstance(error, ZeroDivisionError):
        return Condition("numeric", "division by zero")
    if isinstance(error, OverflowError):
        return Condition("numeric", "the result is too large for an inexact number")
    if isinstance(error, IndexError):
        return Condition("range", "an index is out of range")
    if inside is not None and _is_internal(error):
        return _internal(error, inside)
    return Condition("type", _plain(error), procedure=_builtin_at(place))


def _builtin_at(place: Place | None) -> str | None:
    from nodwyn.interp.analyse.nodes import Primitive

    return place.node.name if place is not None and isinstance(place.node, Primitive) else None


def _is_internal(error: Exception) -> bool:
    """Say whether Python rejected what no program can have: a mistake of this engine, and not of a program."""
    if isinstance(error, AttributeError):
        return not (isinstance(error.obj, (Datum, int, float, str)) or callable(error.obj))
    return not isinstance(error, TypeError) or "NoneType" in str(error)


def _internal(error: Exception, frame: FrameType) -> Condition:
    where = f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
    message = f"the interpreter itself failed ({where}: {type(error).__name__}: {error})"
    return Condition("control", message, hint="this is a fault of nodwyn; the program need not be wrong")


def _frame_inside(error: Exception) -> FrameType | None:
    """Return the frame that an error was raised in, None if it is of generated code."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return None if traceback is None or code_of(traceback.tb_frame) is not None else traceback.tb_frame


def _explain_node(error: Exception, place: Place, node: Node) -> Condition | None:
    from nodwyn.interp.analyse.nodes import Invoke, Primitive, Receive, RecordAccess

    if isinstance(node, Invoke):
        return _explain_call(error, place, node) if _frame_inside(error) is None else None
    if isinstance(node, Primitive):
        strict = place.unit.globals.get(node.name)
        failure = _strict_failure(error, strict, place, node)
        if failure is None and strict is not None and isinstance(error, WrongOperands):
            # Some builtins compare their operand with 0.
            failure = _failure_of(strict, list(error.operands[: len(node.operands)]), [])
        return failure
    if isinstance(node, RecordAccess):
        strict = place.unit.globals.get(node.operator.glob.key)
        return _strict_failure(error, strict, place, node)
    if isinstance(node, Receive) and isinstance(error, ValueError):
        return _wrong_count(place, node)
    return None


def _wrong_count(place: Place, node: Receive) -> Condition:
    expected = len(node.variables)
    more = " or more" if node.rest is not None else ""
    got = place.frame.f_locals.get(f"%{node.number}")
    results = getattr(got, "results", None)
    count = len(results) if results is not None else 1
    return Condition("arity", f"expected {expected}{more} values, got {count}")


def _strict_failure(
    error: Exception, strict: Callable[..., Value] | None, place: Place, node: Primitive | RecordAccess
) -> Condition | None:
    """Return the condition that a builtin raises for the operands of a form, if they can still be had."""
    from nodwyn.interp.analyse.nodes import Text

    if strict is None:
        return None
    values: list[Value] = []
    stand_ins: list[Value] = []
    for position, operand in enumerate(node.operands):
        found, value = value_in(place, operand)
        if not found:
            kept = f"%{node.number}.{position}"  # as ``Site.once`` names it
            found, value = kept in place.frame.f_locals, place.frame.f_locals.get(kept)
            if value.__class__ is str:
                value = String(value) if isinstance(operand, Text) else character(value)
        if not found and isinstance(error, AttributeError) and not any(each is error.obj for each in values):
            # Python has rejected an object: the first operand, or any string.
            if position > 0 and not isinstance(operand, Text):
                return None
            value = error.obj
        elif not found:
            # It has rejected another. What comes behind that need not have been evaluated; a text was that of a string.
            if not isinstance(operand, Text) and not isinstance(error, AttributeError):
                return None
            value = String("") if isinstance(operand, Text) else DEFAULT
            stand_ins.append(value)
        values.append(value)
    return _failure_of(strict, values, stand_ins)


def _failure_of(strict: Callable[..., Value], values: list[Value], stand_ins: list[Value]) -> Condition | None:
    """Return the condition that a builtin raises, unless its cause can be what stands for an operand nobody has."""
    try:
        strict(*values)
    except SchemeError as failure:
        payload = failure.payload
        if not isinstance(payload, Condition):
            return None
        blames = any(each is stand_in for each in payload.irritants for stand_in in stand_ins)
        return None if blames or (stand_ins and payload.kind != "type") else payload
    except Exception:
        return None
    return None


def _explain_call(error: Exception, place: Place, node: Invoke) -> Condition | None:
    found, callee = value_in(place, node.operator)
    if found:
        return misfit(callee, len(node.operands))
    return misfit_inside(error, place.frame) if isinstance(error, TypeError) else None


def _unbound(error: NameError, place: Place | None) -> Condition:
    from nodwyn.interp.runtime.suggest import Exports

    if isinstance(error, UnboundLocalError) or "free variable" in str(error):
        # Its own attribute for the name is empty.
        key = str(error).split("'")[1]
        span = None if place is None else _span_of_reference(place, key)
        return Condition("unbound", f"{key.rpartition('.')[0]} is used before its definition", span=span)
    key = error.name or ""
    name = scheme_name(key)
    if place is not None and place.unit.defines(key):
        return Condition("unbound", f"{name} is used before its definition")
    exports = Exports(_LIBRARIES)
    hint = exports.hint(name) or _spelling(name, place, exports)
    return Condition("unbound", f"unbound variable: {name}", hint=hint)


def _spelling(name: str, place: Place | None, exports: Exports) -> str:
    """Return a hint with the names most like one among those that a program may mean, "" if there is none."""
    from nodwyn.interp.runtime.suggest import nearest

    if place is None:
        return ""
    known = {scheme_name(each) for each in place.unit.globals if each[:1] not in "%'"}
    # What libraries keep to themselves has the form of their other variables.
    known -= {scheme_name(each) for each in place.unit.globals if each[:1] == "("} - exports.libraries.keys()
    known |= {each.rpartition(".")[0] for each in place.frame.f_locals if each[0] != "%"}
    close = nearest(name, known)
    return f"did you mean {' or '.join(close)}?" if close else ""


def _span_of_reference(place: Place, key: str) -> Any:
    """Return the span of the first reference to a local variable in the form that a frame is at."""
    start = place.node.number if place.node is not None else 0
    for number, node in sorted(place.unit.nodes().items()):
        if number >= start and isinstance(node, LocalRef) and f"{node.variable.name}.{node.variable.identity}" == key:
            return node.span
    return None


def scheme_name(key: str) -> str:
    """Return the name of a variable from its global's key."""
    if key.startswith("("):
        return key.partition("):")[2] or key
    for prefix in ("user:", "program:", "environment:"):
        if key.startswith(prefix):
            return key[len(prefix) :]
    return key


def is_library(source: str) -> bool:
    """Say whether a text is one of the standard libraries."""
    return source.startswith(_LIBRARIES)


_CALLED = r"""[(\[]\s*([^\s()\[\]"';`,|#][^\s()\[\]"';|]*)"""

_LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "stdlib", "")

TYPE_NAMES = {
    "int": "an exact integer",
    "float": "a real number",
    "Ratio": "an exact rational",
    "Rectangular": "a complex number",
    "Boolean": "a boolean",
    "Singleton": "a constant",
    "Pair": "a pair",
    "Symbol": "a symbol",
    "Char": "a character",
    "String": "a string",
    "Vector": "a vector",
    "Bytevector": "a bytevector",
    "Values": "several values",
    "function": "a procedure",
    "Continuation": "a procedure",
}

ATTRIBUTES = {"car": "a pair", "cdr": "a pair", "items": "a vector", "chars": "a string", "char": "a character",
              "octets": "a bytevector", "origin": "a string"}  # fmt: skip


def _plain(error: Exception) -> str:
    """Say in general terms what Python rejected, where the operands are gone."""
    if isinstance(error, AttributeError):
        from nodwyn.interp.printer import abbreviated

        expected = ATTRIBUTES.get(error.name or "", "a record with the field asked for")
        return f"expected {expected}, got {abbreviated(error.obj)}"
    if isinstance(error, TypeError):
        found = [TYPE_NAMES[word] for word in str(error).replace("'", " ").split() if word in TYPE_NAMES]
        if found:
            return f"it was given {' and '.join(found)}, which it does not take"
    return "an operand is not of the type that it takes"
