"""Kinds of event: what each takes and refuses, what the redactor is given, what is read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.prims.log import Damaged, Event, EventError, Log, Reader, Unknown, read
from nodwyn.prims.log.events import ModelRequest, Note, Recipe, ToolCall, ToolResult, UserMessage, Vouch
from nodwyn.prims.log.line import START, checksum_of, seal
from nodwyn.prims.log.record import ENVELOPE, KINDS, MAXIMUM_DEPTH, REQUIRED, Field

DIGEST = "0123456789abcdef" * 4

# A value that fits, and one that does not, for each form of field.
FITTING: dict[str, Any] = {
    "text": "words",
    "a list of texts": ["one", "two"],
    "JSON": {"a key": ["words", 1, 2.5, None, True]},
    "blocks with texts": [{"type": "text", "text": "words"}, {"type": "call", "id": "words", "name": "words"}, 7, {}],
    "an object": {"a key": ["words", 1, 2.5, None, True]},
    "an object of numbers from 0": {"a key": 7, "words": 2.5},
    "a list of objects with what, text, seq": [{"what": "words", "text": "words", "seq": 1, "a key": None}],
    "a SHA-256 in hexadecimal": DIGEST,
    "the seq of an event": 3,
    "a list of seqs": [1, 2],
    "a whole number from 0": 0,
    "true or false": False,
}
UNFIT: dict[str, Any] = {
    "text": 3,
    "a list of texts": "one",
    "blocks with texts": [{"type": "text", "text": ["words"]}],
    "an object": ["words"],
    "an object of numbers from 0": {"tokens": "7"},
    "a list of objects with what, text, seq": [{"what": "words", "text": 7, "seq": 1}],
    "a SHA-256 in hexadecimal": DIGEST.upper(),
    "the seq of an event": 0,
    "a list of seqs": [0],
    "a whole number from 0": -1,
    "true or false": 1,
}


def fitting(field: Field) -> Any:
    if field.form.startswith("one of "):
        return field.form.removeprefix("one of ").split(", ")[0]
    return FITTING[field.form]


def complete(kind: str) -> Event:
    """Return an event with every field given."""
    return KINDS[kind](**{name: fitting(field) for name, field in KINDS[kind].fields.items()})


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_is_read_back_as_it_was_made(kind: str, begin: Callable[..., Log]) -> None:
    log = begin()
    event = complete(kind)
    seq = log.append(event)
    again = log.event(seq)
    assert type(again) is KINDS[kind]
    assert (again.seq, again.kind, again.agent) == (seq, kind, "words")
    assert again.replace() == event
    assert again.unknown_fields() == {}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_text_of_every_kind_passes_the_redactor(kind: str, begin: Callable[..., Log]) -> None:
    log = begin(redact=lambda text: "*" if text in {"words", "one", "two", "a key"} else text)
    line = json.dumps(log.event(log.append(complete(kind))).as_json())
    assert not any(f'"{text}"' in line for text in ("words", "one", "two", "a key"))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_field_of_every_kind_refuses_what_does_not_fit(kind: str) -> None:
    event = complete(kind)
    for name, field in KINDS[kind].fields.items():
        unfit = "none of these" if field.form.startswith("one of ") else UNFIT.get(field.form)
        if unfit is not None:
            with pytest.raises(EventError, match=f"{kind}: {name} must be {field.form}"):
                event.replace(**{name: unfit})


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_says_what_is_missing(kind: str) -> None:
    required = [name for name, field in KINDS[kind].fields.items() if field.default is REQUIRED]
    for name in required:
        given = {other: fitting(KINDS[kind].fields[other]) for other in required if other != name}
        with pytest.raises(EventError, match=f"{kind}: {name} is missing"):
            KINDS[kind](**given)
    if not required:
        KINDS[kind]()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_and_field_is_documented(kind: str) -> None:
    assert KINDS[kind].__doc__
    assert all(field.doc for field in KINDS[kind].fields.values())


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_field_has_the_name_of_another_member_of_a_line(kind: str) -> None:
    assert not {*ENVELOPE, "sum"} & (KINDS[kind].fields.keys() - {"agent"})


def test_what_closes_something_names_it_in_a_field() -> None:
    assert all(kind.closes in kind.fields for kind in KINDS.values() if kind.closes)


def test_a_field_that_is_not_of_the_kind_is_refused_with_those_that_are() -> None:
    with pytest.raises(EventError, match="note has no field words; it has text, agent"):
        Note(words="x")  # type: ignore[call-arg]


def test_a_wrong_value_is_named_by_its_type_alone() -> None:
    with pytest.raises(EventError, match="got a value of type bytes") as refused:
        Note(text=b"sk-secret")  # type: ignore[arg-type]
    assert "secret" not in str(refused.value)


def test_an_event_is_never_changed() -> None:
    note = Note(text="x")
    with pytest.raises(AttributeError, match="never changed"):
        note.text = "y"  # type: ignore[misc]
    assert note.replace(text="y") == Note(text="y") != note


def test_a_field_left_out_has_its_default_and_takes_no_place(begin: Callable[..., Log]) -> None:
    log = begin()
    event = log.event(log.append(UserMessage(text="x")))
    assert isinstance(event, UserMessage)
    assert (event.source, event.attachments) == ("person", ())
    assert event.as_json().keys() == {"seq", "at", "kind", "agent", "barrier", "text"}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (float("nan"), "nan"),
        ([float("inf")], "inf"),
        ({"x": -float("inf")}, "-inf"),
        (b"bytes", "a value of type bytes"),
        ({1: "x"}, "an object with the key 1; keys are texts"),
        ({None: "x"}, "an object with the key None"),
        ({"x": {2, 3}}, "a value of type set"),
        (1 << 4096, "more than 4096 bits"),
    ],
)
def test_what_json_cannot_hold_is_refused_and_nothing_is_written(
    value: Any, reason: str, begin: Callable[..., Log]
) -> None:
    log = begin()
    with pytest.raises(EventError, match=f"tool.result: value holds .*{reason}"):
        log.append(ToolResult(call=1, ok=True, value=value))
    assert log.append(Note(text="next")) == 2


def test_json_may_be_deep_but_not_without_end(begin: Callable[..., Log]) -> None:
    log = begin()
    deep: Any = "x"
    for _ in range(MAXIMUM_DEPTH):
        deep = [deep]
    event = log.event(log.append(ToolResult(call=1, ok=True, value=deep)))
    assert isinstance(event, ToolResult)
    assert event.value == deep
    with pytest.raises(EventError, match=f"nested deeper than {MAXIMUM_DEPTH}"):
        log.append(ToolResult(call=1, ok=True, value=[deep]))
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(EventError, match="nested deeper"):
        log.append(ToolResult(call=1, ok=True, value=endless))


def test_keys_are_redacted_and_none_is_lost(begin: Callable[..., Log]) -> None:
    log = begin(redact=lambda text: "[redacted:key]" if text.startswith("sk-") else text)
    call = ToolCall(name="x", arguments={"sk-1": 1, "sk-2": 2, "path": "sk-3"}, by="model")
    event = log.event(log.append(call))
    assert isinstance(event, ToolCall)
    assert event.arguments == {"[redacted:key]": 1, "[redacted:key]'": 2, "path": "[redacted:key]"}


def test_digests_choices_and_numbers_are_not_given_to_the_redactor(begin: Callable[..., Log]) -> None:
    seen: list[str] = []
    log = begin(redact=lambda text: seen.append(text) or text)  # type: ignore[func-returns-value]
    seen.clear()
    log.append(Vouch(digest=DIGEST, size=7, labels=["external:file"]))
    log.append(ModelRequest(recipe=1, digest=DIGEST))
    assert seen == ["main", "external:file", "main"]


def test_a_redactor_that_fails_lets_nothing_be_written(begin: Callable[..., Log]) -> None:
    def fail_on_secrets(text: str) -> str:
        if text == "secret":
            raise RuntimeError("no rules")
        return text

    log = begin(redact=fail_on_secrets)
    with pytest.raises(RuntimeError, match="no rules"):
        log.append(Note(text="secret"))
    assert log.append(Note(text="next")) == 2


def test_unknown_kinds_and_fields_are_read_back_unchanged(begin: Callable[..., Log]) -> None:
    log = begin()
    log.close()
    lines = log.path.read_bytes()
    checksum = lines[-35:-3]
    later: list[dict[str, Any]] = [
        {"kind": "hologram", "agent": "main", "beam": [1, {"x": None}], "text": "a"},
        {"kind": "note", "agent": "main", "text": "b", "colour": "red"},
    ]
    for seq, members in enumerate(later, 2):
        line, checksum = seal({"seq": seq, "at": "2031-01-01T00:00:00.000Z", **members}, checksum)
        lines += line
    log.path.write_bytes(lines)
    _, hologram, note = read(log.path)
    assert type(hologram) is Unknown
    assert hologram.as_json() == {"seq": 2, "at": "2031-01-01T00:00:00.000Z", **later[0]}
    assert (hologram.kind, hologram.unknown_fields()) == ("hologram", {"beam": [1, {"x": None}], "text": "a"})
    assert type(note) is Note
    assert note.unknown_fields() == {"colour": "red"}


def written(log: Log, members: dict[str, Any]) -> None:
    """Have a log hold its first event, then one with these members and the checksum that it must have."""
    first = next(read(log.path)).as_json()
    line, checksum = seal(first, START.checksum)
    at = "2031-01-01T00:00:00.000Z"
    log.path.write_bytes(line + seal({"seq": 2, "at": at, "agent": "main", **members}, checksum)[0])


def refused(log: Log) -> str:
    """Return what is said of the second event of a log; the first is read, and nothing is added or changed."""
    before = log.path.read_bytes()
    events = read(log.path)
    assert next(events).kind == "session.start"
    with pytest.raises(Damaged) as damage:
        next(events)
    with pytest.raises(Damaged):
        Log.open(log.path, redact=str)
    with Reader(log.path) as reader:
        assert (reader.last, str(reader.damage)) == (1, str(damage.value))
    assert log.path.read_bytes() == before
    return str(damage.value)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_field_that_is_not_as_declared_is_found_when_it_is_read(kind: str, begin: Callable[..., Log]) -> None:
    log = begin()
    log.close()
    whole = {"kind": kind, **{name: fitting(field) for name, field in KINDS[kind].fields.items()}}
    for name, field in KINDS[kind].fields.items():
        unfit = 7 if field.form.startswith("one of ") else UNFIT.get(field.form)
        if unfit is not None:
            written(log, {**whole, name: unfit})
            said = refused(log)
            assert f"{log.path}, line 2 " in said
            assert f"{kind}: {name} must be {field.form}, got " in said
            assert "go on in a new session" in said


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_field_that_is_missing_is_found_when_it_is_read(kind: str, begin: Callable[..., Log]) -> None:
    log = begin()
    log.close()
    whole = {"kind": kind, **{name: fitting(field) for name, field in KINDS[kind].fields.items()}}
    for name, field in KINDS[kind].fields.items():
        if field.default is REQUIRED:
            written(log, {other: value for other, value in whole.items() if other != name})
            assert f"{kind}: {name} is missing: {field.doc}" in refused(log)


@pytest.mark.parametrize("members", [{"at": 5}, {"agent": None}, {"kind": 7}, {"when": 1}, {"text": 2**63}])
def test_what_every_line_has_is_looked_at_too(members: dict[str, Any], begin: Callable[..., Log]) -> None:
    log = begin()
    log.close()
    written(log, {"kind": "note", "text": "a", **members})
    assert f"{next(iter(members))} must be text" in refused(log)


def test_json_that_is_too_deep_or_too_large_is_found_when_it_is_read(begin: Callable[..., Log]) -> None:
    log = begin()
    log.close()
    deep: Any = []
    for _ in range(MAXIMUM_DEPTH):
        deep = [deep]
    for kind in ("note", "hologram"):
        written(log, {"kind": kind, "text": "a", "beam": deep})
        assert f"{kind}: beam is nested deeper than {MAXIMUM_DEPTH}" in refused(log)
    first, last = b'{"seq":2,"at":"","kind":"hologram","agent":"main","x":', b'"sum":"'
    head = log.path.read_bytes().split(b"\n")[0] + b"\n"
    body = first + b"1e999"
    log.path.write_bytes(head + body + b"," + last + checksum_of(body, head[-35:-3]) + b'"}\n')
    assert "the line is no event" in refused(log)


def test_an_option_of_a_later_program_is_read(begin: Callable[..., Log]) -> None:
    log = begin()
    log.close()
    written(log, {"kind": "turn.end", "turn": 1, "how": "postponed"})
    _, end = read(log.path)
    assert end.as_json()["how"] == "postponed"


def test_a_recipe_keeps_floats_as_they_print(begin: Callable[..., Log]) -> None:
    log = begin()
    numbers = [0.1, 1e22, 5e-324, 1.7976931348623157e308, -0.0]
    recipe = Recipe(version=1, system="", tools=[], policy={}, provider="p", model="m", parameters=numbers)
    event = log.event(log.append(recipe))
    assert isinstance(event, Recipe)
    assert [repr(number) for number in event.parameters] == [repr(number) for number in numbers]


def test_a_line_that_is_no_json_is_an_error_of_the_event() -> None:
    with pytest.raises(EventError, match="note cannot be recorded"):
        seal({"kind": "note", "text": object()}, START.checksum)
