"""What can be asked of procedures, promises, boxes, error objects and records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.data import FALSE, Promise, Record, RecordType, String, Value, Values, origin_of
from nodwyn.interp.errors import Condition

Builtins = dict[str, Callable[..., Value]]


class Point(Record):
    """An instance of a record type of two fields."""

    __slots__ = ("x", "y")


POINT = RecordType("point", ("x", "y"), ("x", "y"), Point)
Point.record_type = POINT


def test_procedures(apply: Callable[..., Any]) -> None:
    assert apply("procedure?", lambda: 1) is True
    others: list[Any] = [1, "a", "'a", [], True]
    assert [apply("procedure?", value) for value in others] == [False] * 5


def test_values(builtins: Builtins) -> None:
    assert builtins["values"](1) == 1
    several = builtins["values"](1, 2)
    assert isinstance(several, Values)
    assert several.results == (1, 2)
    assert builtins["values"]().results == ()


def test_promises(builtins: Builtins) -> None:
    promise = builtins["make-promise"](5)
    assert isinstance(promise, Promise)
    assert promise.state == [True, 5]
    assert builtins["make-promise"](promise) is promise
    assert builtins["promise?"](promise)
    assert not builtins["promise?"](5)


def test_boxes(builtins: Builtins, complaint: Callable[..., str]) -> None:
    box = builtins["box"](1)
    builtins["set-box!"](box, 2)
    assert builtins["unbox"](box) == 2
    assert builtins["box?"](box)
    assert not builtins["box?"](2)
    assert complaint("unbox", 5) == "type: unbox: box must be a box, got 5"
    assert complaint("set-box!", [], 5) == "type: set-box!: box must be a box, got ()"


@pytest.mark.parametrize(
    ("kind", "is_read", "is_file"), [("error", False, False), ("read", True, False), ("file", False, True)]
)
def test_error_objects(builtins: Builtins, apply: Callable[..., Any], kind: str, is_read: bool, is_file: bool) -> None:
    condition = Condition(kind, "no luck", (1, String("a")), procedure="try")
    assert apply("error-object?", condition) is True
    assert apply("error-object-message", condition) == "no luck"
    assert apply("error-object-irritants", condition) == [1, "a"]
    assert apply("read-error?", condition) is is_read
    assert apply("file-error?", condition) is is_file
    assert apply("%error-object-kind", condition) == f"'{kind}"
    assert apply("%error-object-procedure", condition) == "'try"
    condition.procedure = None
    assert builtins["%error-object-procedure"](condition) is FALSE


def test_other_objects_are_no_error_objects(apply: Callable[..., Any], complaint: Callable[..., str]) -> None:
    for name in ("error-object?", "read-error?", "file-error?"):
        assert apply(name, 5) is False
    for name in ("error-object-message", "error-object-irritants"):
        assert complaint(name, 5) == f"type: {name}: error object must be an error object, got 5"


def test_a_message_that_is_a_string_stays_itself(builtins: Builtins) -> None:
    message: Any = String("x", origin_of(frozenset({"external:file"})))
    assert builtins["error-object-message"](Condition("error", message)) is message


def test_records(apply: Callable[..., Any], complaint: Callable[..., str]) -> None:
    point = Point()
    assert apply("%record?", point) is True
    assert apply("%record?", 5) is False
    assert apply("%record-type", point) is POINT
    assert apply("%record-type-name", POINT) == "'point"
    assert apply("%record-type-fields", POINT) == ("'x", "'y")
    assert complaint("%record-type", 5) == "type: %record-type: record must be a record, got 5"
    assert complaint("%record-type-name", 5) == "type: %record-type-name: type must be a record type, got 5"
