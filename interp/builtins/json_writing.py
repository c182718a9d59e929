"""Writing JSON (RFC 8259) for SRFI 180."""

from __future__ import annotations

import math
from typing import Final

from nodwyn.interp.builtins.json_reading import NULL, json_error
from nodwyn.interp.builtins.lists import measure
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, NIL, TRUE, UNLABELLED, Origin, Pair, String, Symbol, Value, Vector, iterate, union
from nodwyn.interp.numbers.format import format_number
from nodwyn.interp.printer import abbreviated

define = Table()

ARRAY_HINT: Final = "an array is written from a vector: (list->vector …)"

NO_TEXT_HINT: Final = (
    "there is one for strings, integers, finite reals, #t, #f, the symbol null, vectors and association lists"
)

_ESCAPED: Final = {
    **{code: f"\\u{code:04x}" for code in range(0x20)},
    ord('"'): '\\"',
    ord("\\"): "\\\\",
    ord("\b"): "\\b",
    ord("\f"): "\\f",
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
}


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPED)}"'


def _scalar(value: Value) -> str | None:
    """Return the JSON text of a value that is no array or object, or None if there is none."""
    kind = value.__class__
    if kind is String:
        return _quoted(value.text())
    if kind is int:
        return format_number(value)
    if kind is float and math.isfinite(value):
        return repr(value)
    if value is TRUE:
        return "true"
    if value is FALSE:
        return "false"
    return "null" if value is NULL else None


@define("%json-scalar")
def json_scalar(value: Value) -> String:
    """Return the JSON text of a string, number, boolean or ``null``."""
    text = _scalar(value)
    if text is None:
        message = f"there is no JSON text for {abbreviated(value)}"
        raise json_error(message, value, procedure="json-accumulator", hint=NO_TEXT_HINT)
    return String(text, value.origin if value.__class__ is String else UNLABELLED)


class _Writing:
    """One value on its way to text. open_values: the identities of the arrays and objects around a place."""

    __slots__ = ("open_values", "origin", "pieces")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.origin: Origin = UNLABELLED
        self.open_values: set[int] = set()

    def write(self, root: Value) -> None:
        """Append the text of ``root``. Without recursion: data may be nested deeper than Python's stack."""
        # What is still to come, last first: a string is text as it is, a tuple closes a value, a list holds
        # one value to be written.
        waiting: list[str | tuple[int, str] | list[Value]] = [[root]]
        while waiting:
            item = waiting.pop()
            if item.__class__ is str:
                self.pieces.append(item)
            elif item.__class__ is tuple:
                self.open_values.discard(item[0])
                self.pieces.append(item[1])
            else:
                waiting.extend(reversed(self._parts(item[0])))

    def _parts(self, value: Value) -> list[str | tuple[int, str] | list[Value]]:
        text = _scalar(value)
        if text is not None:
            if value.__class__ is String:
                self.origin = union(self.origin, value.origin)
            return [text]
        if value.__class__ is Vector:
            members = [["", each] for each in value.items]
        elif value is NIL or value.__class__ is Pair:
            members = [[f"{self._key(each, value)}:", each.cdr] for each in self._associations(value)]
        else:
            message = f"there is no JSON text for {abbreviated(value)}"
            raise json_error(message, value, procedure="json-write", hint=NO_TEXT_HINT)
        if id(value) in self.open_values:
            raise json_error("an array or object contains itself", value, procedure="json-write")
        self.open_values.add(id(value))
        opener, closer = "[]" if value.__class__ is Vector else "{}"
        parts: list[str | tuple[int, str] | list[Value]] = [opener]
        for before, member in members:
            parts.append(before if len(parts) == 1 else f",{before}")
            parts.append([member])
        return [*parts, (id(value), closer)]

    def _associations(self, value: Value) -> list[Value]:
        if measure(value) < 0:
            message = f"an object must be a proper association list, got {abbreviated(value)}"
            raise json_error(message, value, procedure="json-write", hint=ARRAY_HINT)
        return list(iterate(value))

    def _key(self, association: Value, whole: Value) -> str:
        if association.__class__ is not Pair or association.car.__class__ is not Symbol:
            message = f"an object must be an association list whose keys are symbols, got {abbreviated(whole)}"
            raise json_error(message, whole, procedure="json-write", hint=ARRAY_HINT)
        return _quoted(association.car.name)


@define("%json-text")
def json_text(value: Value) -> String:
    """Return the JSON text of a value (SRFI 180, ``json-write``)."""
    writing = _Writing()
    writing.write(value)
    return String("".join(writing.pieces), writing.origin)
