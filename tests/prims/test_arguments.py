"""Every primitive called with every kind of wrong argument answers with the parameter, what it wants and what it got:
as Scheme and as a model's call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.declare import Parameter, Primitive
from nodwyn.prims.families import ALL
from nodwyn.prims.kinds import Choice, Flag, GlobText, Kind, NameText, Parts, SchemeOnly, Several, Text, Unfit, Whole
from nodwyn.prims.session import Session

# A value of each kind in Scheme, and what a message shows of it.
SCHEME = {
    "a number": ("12345", "12345"),
    "a negative number": ("-3", "-3"),
    "a fraction": ("1/2", "1/2"),
    "a flonum": ("1.5", "1.5"),
    "a huge number": ("(expt 10 100)", "1000"),
    "true": ("#t", "#t"),
    "a string": ('"word"', '"word"'),
    "an empty string": ('""', '""'),
    "a symbol": ("'word", "word"),
    "a character": ("#\\a", "#\\a"),
    "a list": ("(list 1 2)", "(1 2)"),
    "an improper list": ("(cons 1 2)", "(1 . 2)"),
    "a vector": ("(vector (list 1))", "#"),
    "a bytevector": ("(bytevector 1)", "#u8(1)"),
    "a procedure": ("car", "#<procedure car"),
    "the end of file": ("(eof-object)", "#<eof>"),
    "a circular list": ("(let ((x (list 1))) (set-cdr! x x) x)", "(1 1 1"),
}

MODEL: dict[str, Any] = {
    "a number": 12345,
    "a negative number": -3,
    "a fraction": 1.5,
    "true": True,
    "a string": "word",
    "an empty string": "",
    "a list": [1, 2],
    "an object": {"a": 1},
    "a deep list": [[[1]]],
}


def takes(kind: Kind, value: str) -> bool:
    """Return whether a kind takes values of a sort, so that they are no mistake."""
    text = {"a string", *(() if isinstance(kind, Text) and not kind.empty else ("an empty string",))}
    if isinstance(kind, SchemeOnly):
        return kind.wanted == "any value" or (kind.wanted, value) in {
            ("a procedure", "a procedure"),
            ("a string", "a string"),
            ("a string", "an empty string"),
        }
    if isinstance(kind, GlobText):
        return value == "a string"
    if isinstance(kind, NameText):
        return value in text | {"a symbol"}
    if isinstance(kind, Text):
        return value in text
    if isinstance(kind, Whole):
        if type(kind) is not Whole:
            return True  # the call itself says what it has
        number = {"a number": 12345, "a huge number": 10**100}.get(value)
        return number is not None and fits(kind, number)
    if isinstance(kind, Flag):
        return value == "true"
    assert isinstance(kind, (Choice, Several, Parts))
    return False


def fits(kind: Kind, value: object) -> bool:
    """Return whether a kind takes a plain value."""
    try:
        kind.check(value)
    except Unfit:
        return False
    return True


def fitting(parameter: Parameter) -> tuple[str, Any]:
    """Return what a parameter takes, in Scheme and as JSON."""
    if isinstance(parameter.kind, Whole):
        number = max(1, parameter.kind.least or 1)
        return str(number), number
    if isinstance(parameter.kind, Choice):
        return f"'{parameter.kind.options[0]}", parameter.kind.options[0]
    return FITTING.get(parameter.name, '"x"'), "x"


WRONG = [(primitive, place, parameter) for primitive in ALL for place, parameter in enumerate(primitive.parameters)]
WRONG_IN_SCHEME = [row for row in WRONG if "person" in row[0].callers]
WRONG_OF_A_MODEL = [row for row in WRONG if "model" in row[0].callers]
FITTING = {
    "path": '"a.txt"',
    "paths": '(list "a.txt")',
    "check": "(lambda (effect) #t)",
    "thunk": "(lambda () 1)",
    "kind": "'reads",
}


def name_of(value: object) -> str:
    return value.name if isinstance(value, (Primitive, Parameter)) else ""


@pytest.mark.parametrize(("primitive", "place", "parameter"), WRONG_IN_SCHEME, ids=name_of)
def test_a_wrong_argument_in_scheme(session: Session, primitive: Primitive, place: int, parameter: Parameter) -> None:
    for sort, (expression, shown) in SCHEME.items():
        if takes(parameter.kind, sort):
            continue
        before = [fitting(each)[0] for each in primitive.parameters[:place] if each.is_required]
        optional = ["#f"] * sum(not each.is_required for each in primitive.parameters[:place])
        with pytest.raises(SchemeError) as raised:
            session.evaluate(f"({' '.join([primitive.name, *before, *optional, expression])})")
        condition = raised.value.payload
        assert isinstance(condition, Condition)
        message = str(raised.value)
        assert message.startswith(f"{primitive.name}: {parameter.name}"), (sort, message)
        assert " must be " in message
        assert "got " in message
        if not isinstance(parameter.kind, (Several, Parts)):
            assert shown in message, sort
            assert parameter.kind.wanted.split(" from ")[0] in message


@pytest.mark.parametrize(("primitive", "place", "parameter"), WRONG_OF_A_MODEL, ids=name_of)
def test_a_wrong_argument_of_a_model(session: Session, primitive: Primitive, place: int, parameter: Parameter) -> None:
    for sort, value in MODEL.items():
        if takes(parameter.kind, sort):
            continue
        arguments = {each.name: fitting(each)[1] for each in primitive.parameters if each.is_required}
        result = session.log.event(call_from_model(session, primitive.name, {**arguments, parameter.name: value}))
        answer = result.as_json()
        assert answer["ok"] is False
        assert answer["value"].startswith(f"{primitive.name}: {parameter.name}"), (sort, answer["value"])
        assert " must be " in answer["value"]
        assert "got " in answer["value"]


@pytest.mark.parametrize("primitive", ALL, ids=name_of)
def test_too_many_too_few_and_unknown_arguments(session: Session, primitive: Primitive) -> None:
    with pytest.raises(SchemeError, match=rf"{primitive.name}: takes (no|at most)"):
        session.evaluate(f"({primitive.name} {' '.join(['1'] * (len(primitive.parameters) + 1))})")
    required = [parameter.name for parameter in primitive.parameters if parameter.is_required]
    if required:
        with pytest.raises(SchemeError, match=f"{primitive.name}: {required[0]} is missing"):
            session.evaluate(f"({primitive.name})")
    if "model" in primitive.callers:
        result = session.log.event(call_from_model(session, primitive.name, {"unheard": 1})).as_json()
        assert result["value"].startswith(f"{primitive.name}: there is no parameter 'unheard'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("{", "the arguments are no JSON"),
        ("[" * 100_000, "the arguments are no JSON"),
        ("[]", "the arguments must be a JSON object, got []"),
        ('"a"', 'the arguments must be a JSON object, got "a"'),
        ("", "path is missing"),
    ],
)
def test_arguments_of_a_model_that_are_no_object(session: Session, arguments: str, message: str) -> None:
    result = session.log.event(call_from_model(session, "fs-read", arguments)).as_json()
    assert result["ok"] is False
    assert result["value"].startswith(f"fs-read: {message}")
    assert session.log.event(result["call"]).as_json()["arguments"] == arguments


@pytest.mark.parametrize(
    ("depth", "said"),
    [
        (90, "start must be a line number from 1, got [[[["),
        (900, "the arguments are no JSON: it is nested deeper than 100"),
    ],
)
def test_a_deep_json_argument_is_an_ordinary_mistake(session: Session, depth: int, said: str) -> None:
    deep = json.dumps({"path": "x", "start": 0}).replace("0", "[" * depth + "]" * depth)
    result = session.log.event(call_from_model(session, "fs-read", deep)).as_json()
    assert result["value"].startswith(f"fs-read: {said}")
