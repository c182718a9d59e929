"""From Python's exceptions to conditions: what went wrong, in the terms of the program.

Generated code lets Python reject wrong operands. The traceback's innermost generated frame names the form; the
builtin that the form calls is then called with the same operands, as far as they are still in variables, and says
what it expected.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from nodwyn.interp.core import Const, GlobalRef, LocalRef, Node
from nodwyn.interp.data import String, Value, character
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.ports import TextOutput
from nodwyn.interp.runtime.arity import name_in
from nodwyn.interp.runtime.frames import BOUNCING, code_of
from nodwyn.interp.runtime.misfits import misfit, misfit_inside
from nodwyn.interp.runtime.parameters import Cell
from nodwyn.interp.runtime.state import State
from nodwyn.interp.runtime.units import Unit

if TYPE_CHECKING:
    # The compiler, which a program from the cache that makes no mistake does without.
    from nodwyn.interp.analyse.nodes import Invoke, Primitive, Receive, RecordAccess, Text
    from nodwyn.interp.runtime.suggest import Exports

STACK_ENTRIES = 60
"""How many entries of a Scheme stack are kept for a person to read: the innermost ones."""


ELIDED = "…"
"""In the place of a name on the stack: procedures were here that ended in a tail call."""


class Place:
    """A form that a generated frame is at: its unit, node, and the frame's variables.

    after_tail_calls: its procedure was called by the trampoline, for one that is no longer there.
    """

    __slots__ = ("after_tail_calls", "frame", "node", "unit")

    def __init__(self, unit: Unit, node: Node | None, frame: FrameType, after_tail_calls: bool) -> None:
        self.unit = unit
        self.node = node
        self.frame = frame
        self.after_tail_calls = after_tail_calls


def places(traceback: TracebackType | None) -> list[Place]:
    """Return the innermost generated frames of a traceback, the innermost first."""
    from collections import deque

    entries: deque[tuple[TracebackType, bool]] = deque(maxlen=STACK_ENTRIES)
    bounced = False
    while traceback is not None:
        if id(traceback.tb_frame.f_code) in BOUNCING:
            bounced = True
        elif code_of(traceback.tb_frame) is not None:
            entries.append((traceback, bounced))
            bounced = False
        traceback = traceback.tb_next
    return [place_of_frame(entry, bounced) for entry, bounced in reversed(entries)]


def place_of_frame(entry: TracebackType, after_tail_calls: bool = False) -> Place:
    """Return the form that the frame of a traceback entry, which is of generated code, is at."""
    known = code_of(entry.tb_frame)
    assert known is not None
    unit, numbers, _ = known
    node = unit.nodes().get(numbers.get(entry.tb_lasti, 0))
    return Place(unit, node, entry.tb_frame, after_tail_calls)


def procedure_at(place: Place) -> str:
    """Return the Scheme name of the procedure that a frame belongs to."""
    return name_in(place.frame.f_code) or ""


def stack_of(traceback: TracebackType | None) -> list[tuple[str, Any]]:
    """Return the Scheme stack of a traceback: procedure names and spans, innermost first.

    An entry named ELIDED, without a span, stands for callers that ended in a tail call.
    """
    entries: list[tuple[str, Any]] = []
    for place in places(traceback):
        span = place.node.span if place.node is not None else None
        entries.append((procedure_at(place), span))
        if place.after_tail_calls:
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
            payload.span = where(error.__traceback__)
        return payload
    condition = _explain(error, _innermost(error.__traceback__))
    if condition.span is None:
        condition.span = where(error.__traceback__)
    return condition


def _innermost(traceback: TracebackType | None) -> Place | None:
    last = None
    while traceback is not None:
        if code_of(traceback.tb_frame) is not None:
            last = traceback
        traceback = traceback.tb_next
    return None if last is None else place_of_frame(last)


def where(traceback: TracebackType | None) -> Any:
    """Return the span of the innermost form at fault: of the program's own texts, where it is in a library's code."""
    spans = [place.node.span for place in places(traceback) if place.node is not None and place.node.span is not None]
    own = [span for span in spans if not is_library(span.source.name)]
    return next(iter(own or spans), None)


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
    return Condition("type", _plain(error))


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
        return _strict_failure(error, strict, place, node)
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
    for position, operand in enumerate(node.operands):
        found, value = value_in(place, operand)
        if not found:
            kept = f"%{node.number}.{position}"  # as ``Site.once`` names it
            found, value = kept in place.frame.f_locals, place.frame.f_locals.get(kept)
            if value.__class__ is str:
                value = String(value) if isinstance(operand, Text) else character(value)
        if not found:
            # Where Python has rejected an object, that is the first operand, or any string.
            if not isinstance(error, AttributeError) or (position > 0 and not isinstance(operand, Text)):
                return None
            value = String("") if any(each is error.obj for each in values) else error.obj
        values.append(value)
    try:
        strict(*values)
    except SchemeError as failure:
        return failure.payload if isinstance(failure.payload, Condition) else None
    except Exception:
        return None
    return None


def value_in(place: Place, node: Node) -> tuple[bool, Value]:
    """Return whether the value of a form can be had again without running anything, and the value."""
    from nodwyn.interp.analyse.kinds import GROWING, PIECES, STRING
    from nodwyn.interp.analyse.nodes import Invoke, Primitive, RecordAccess, Text

    if isinstance(node, Const):
        return True, node.value
    if isinstance(node, Text):
        return _string_of_text(place, node)
    variables = place.frame.f_locals
    if isinstance(node, LocalRef):
        name = f"{node.variable.name}.{node.variable.identity}"
        if name not in variables:
            return False, None
        value = variables[name]
        if value.__class__ is str:
            # A string or character of which the compiler kept the text alone.
            return True, String(value) if node.variable.kind in (STRING, GROWING) else character(value)
        if node.variable.kind == PIECES:
            return True, TextOutput()
        return True, value[0] if node.variable.boxed else value
    if isinstance(node, GlobalRef):
        return node.glob.key in place.unit.globals, place.unit.globals.get(node.glob.key)
    if f"%{node.number}" in variables:
        value = variables[f"%{node.number}"]
        return True, character(value) if value.__class__ is str else value
    if isinstance(node, Primitive):
        return (False, None) if node.name in EFFECTS else _value_again(place, node.name, node.operands)
    if isinstance(node, RecordAccess):
        return _value_again(place, node.operator.glob.key, node.operands)
    if isinstance(node, Invoke) and node.builtin in REPEATABLE:
        return _value_again(place, node.builtin or "", node.operands)
    if isinstance(node, Invoke) and not node.operands:
        return _value_of_parameter(place, node.operator)
    return False, None


def _string_of_text(place: Place, node: Text) -> tuple[bool, Value]:
    """Return the string of which a form is the text."""
    for name in (f"%{node.number}", f"%{node.number}.0"):
        if name in place.frame.f_locals:
            value = place.frame.f_locals[name]
            return True, String(value) if value.__class__ is str else value
    return value_in(place, node.operand)


def _value_of_parameter(place: Place, operator: Node) -> tuple[bool, Value]:
    """Return the value of a parameter that a form asks for."""
    _, parameter = value_in(place, operator)
    cell = getattr(parameter, "cell", None)
    return cell.__class__ is Cell, getattr(cell, "content", None)


REPEATABLE = frozenset(
    """append assq assv bytevector cons cons* expt length list list->string list->vector list-ref list-tail make-string
    make-vector number->string quotient remainder reverse string string->list string->number string->symbol
    string-append substring symbol->string vector vector->list abs max min sqrt exact inexact""".split()
)
"""Builtins without effects, which can be called once more to learn what an operand was."""


EFFECTS = frozenset(["read-char"])
"""Builtins that are written out as operands and that must not be called once more."""


def _value_again(place: Place, name: str, operands: list[Node]) -> tuple[bool, Value]:
    """Compute the value of a builtin without effects once more."""
    function = place.unit.globals.get(name)
    if function is None:
        return False, None
    values = []
    for operand in operands:
        found, value = value_in(place, operand)
        if not found:
            return False, None
        values.append(value)
    try:
        return True, function(*values)
    except Exception:
        return False, None


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
            return f"an operation was given {' and '.join(found)}, which it does not take"
    return "an operand is not of the type that the operation takes"
