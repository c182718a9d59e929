"""Record types (section 5.5): a Python class for each, with a slot for each field."""

from __future__ import annotations

from collections.abc import Callable

from nodwyn.interp.data import UNSPECIFIED, Record, RecordType, Value, boolean
from nodwyn.interp.errors import wrong_type


def make_record_type(name: str, fields: tuple[str, ...], attributes: tuple[str, ...]) -> RecordType:
    """Return a new record type. ``attributes`` are the slot names of the fields."""
    # Python's names of types hold no null character.
    instance = type(name.replace("\0", "\ufffd"), (Record,), {"__slots__": attributes})
    made = RecordType(name, fields, attributes, instance)
    instance.record_type = made  # type: ignore[attr-defined]
    return made


def record_predicate(record_type: RecordType, name: str, attributes: tuple[str, ...]) -> Callable[[Value], Value]:
    """Return the predicate of a record type."""
    instance = record_type.instance

    def is_instance(value: Value) -> Value:
        return boolean(value.__class__ is instance)

    is_instance.__name__ = name
    return is_instance


def record_accessor(record_type: RecordType, name: str, attributes: tuple[str, ...]) -> Callable[[Value], Value]:
    """Return the accessor of a field."""
    (attribute,) = attributes
    instance = record_type.instance

    def access(record: Value) -> Value:
        if record.__class__ is not instance:
            raise wrong_type(name, "record", f"a record of type {record_type.name}", record)
        return getattr(record, attribute)

    access.__name__ = name
    return access


def record_modifier(record_type: RecordType, name: str, attributes: tuple[str, ...]) -> Callable[[Value, Value], Value]:
    """Return the modifier of a field."""
    (attribute,) = attributes
    instance = record_type.instance

    def modify(record: Value, value: Value) -> Value:
        if record.__class__ is not instance:
            raise wrong_type(name, "record", f"a record of type {record_type.name}", record)
        setattr(record, attribute, value)
        return UNSPECIFIED

    modify.__name__ = name
    return modify
