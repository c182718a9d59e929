"""What can be asked of procedures, promises, boxes, error objects and records (4.2.5, 6.10, 6.11; SRFI 111)."""

from __future__ import annotations

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    FALSE,
    TRUE,
    UNSPECIFIED,
    Boolean,
    Box,
    Promise,
    Record,
    RecordType,
    String,
    Symbol,
    Value,
    Vector,
    boolean,
    cons,
    intern,
    list_from,
    several,
)
from nodwyn.interp.errors import Condition, wrong_type

define = Table()


@define("procedure?")
def is_procedure(value: Value) -> Boolean:
    return boolean(callable(value))


@define("values")
def values(*results: Value) -> Value:
    return results[0] if len(results) == 1 else several(results)


@define("%procedure-place")
def procedure_place(procedure: Value) -> Value:
    """Return the file and the line that a procedure written in Scheme is from, as a pair; ``#f`` for any other."""
    from nodwyn.interp.runtime.arity import name_in

    code = getattr(procedure, "__code__", None)
    if code is None or name_in(code) is None:
        return FALSE
    return cons(String(code.co_filename), code.co_firstlineno)


@define("promise?")
def is_promise(value: Value) -> Boolean:
    return TRUE if value.__class__ is Promise else FALSE


@define("make-promise")
def make_promise(value: Value) -> Promise:
    return value if value.__class__ is Promise else Promise(True, value)


@define("box")
def box(content: Value) -> Box:
    return Box(content)


@define("box?")
def is_box(value: Value) -> Boolean:
    return TRUE if value.__class__ is Box else FALSE


@define("unbox")
def unbox(cell: Value) -> Value:
    try:
        return cell.content
    except AttributeError:
        raise wrong_type("unbox", "box", "a box", cell) from None


@define("set-box!")
def set_box(cell: Value, content: Value) -> Value:
    if cell.__class__ is not Box:
        raise wrong_type("set-box!", "box", "a box", cell)
    cell.content = content
    return UNSPECIFIED


def _condition(procedure: str, value: Value) -> Condition:
    if not isinstance(value, Condition):
        raise wrong_type(procedure, "error object", "an error object", value)
    return value


def _is_of_kind(name: str, kind: str) -> None:
    @define(name)
    def is_of_kind(value: Value) -> Boolean:
        return boolean(isinstance(value, Condition) and value.kind == kind)


_is_of_kind("read-error?", "read")
_is_of_kind("file-error?", "file")


@define("error-object?")
def is_error_object(value: Value) -> Boolean:
    return boolean(isinstance(value, Condition))


@define("error-object-message")
def error_object_message(condition: Value) -> Value:
    message = _condition("error-object-message", condition).message
    return String(message) if isinstance(message, str) else message


@define("error-object-irritants")
def error_object_irritants(condition: Value) -> Value:
    return list_from(_condition("error-object-irritants", condition).irritants)


@define("%error-object-kind")
def error_object_kind(condition: Value) -> Symbol:
    """Return what kind of mistake it was: error, type, range, arity, unbound, syntax, read, file … as a symbol."""
    return intern(_condition("%error-object-kind", condition).kind)


@define("%error-object-procedure")
def error_object_procedure(condition: Value) -> Value:
    """Return the name of the procedure that found the mistake, as a symbol, or #f."""
    name = _condition("%error-object-procedure", condition).procedure
    return FALSE if name is None else intern(name)


@define("%record?")
def is_record(value: Value) -> Boolean:
    return boolean(isinstance(value, Record))


@define("%record-type")
def record_type(record: Value) -> RecordType:
    if not isinstance(record, Record):
        raise wrong_type("%record-type", "record", "a record", record)
    return record.record_type


def _type(procedure: str, value: Value) -> RecordType:
    if value.__class__ is not RecordType:
        raise wrong_type(procedure, "type", "a record type", value)
    return value


@define("%record-type-name")
def record_type_name(type_of_record: Value) -> Symbol:
    return intern(_type("%record-type-name", type_of_record).name)


@define("%record-type-fields")
def record_type_fields(type_of_record: Value) -> Vector:
    """Return a vector of the names of the fields."""
    return Vector([intern(field) for field in _type("%record-type-fields", type_of_record).fields])
