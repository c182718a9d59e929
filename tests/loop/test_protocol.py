"""The protocol: every message is a JSON object, there and back, and what is none is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.protocol import (
    Answered,
    Arrived,
    Asked,
    Cancelled,
    Happened,
    Message,
    NotAMessage,
    Progressed,
    Refused,
    Said,
    from_json,
    from_line,
    to_json,
    to_line,
)
from nodwyn.prims.log.record import restore

ROOT = Path(__file__).parents[2]

NOTE = {"seq": 3, "at": "2026-01-02T03:04:05.678Z", "kind": "note", "agent": "main", "text": "two\nlines"}

MESSAGES: list[tuple[Message, dict[str, Any]]] = [
    (Happened(restore(dict(NOTE))), {"type": "event", "event": NOTE}),
    (Arrived("main", "text", "Hel"), {"type": "delta", "agent": "main", "kind": "text", "text": "Hel"}),
    (Progressed(12, "output", "ok\n"), {"type": "progress", "call": 12, "stream": "output", "text": "ok\n"}),
    (
        Asked(1, "line: make", "ab" * 32, ("it writes",), "edits"),
        {
            "type": "question",
            "id": 1,
            "text": "line: make",
            "digest": "ab" * 32,
            "reasons": ["it writes"],
            "kind": "edits",
        },
    ),
    (Refused("it is no JSON"), {"type": "error", "text": "it is no JSON"}),
    (Said("mend it"), {"type": "message", "text": "mend it"}),
    (
        Answered(1, True, True, "edits"),
        {"type": "answer", "question": 1, "yes": True, "lasts": True, "kind": "edits"},
    ),
    (Cancelled(), {"type": "cancel"}),
]


@pytest.mark.parametrize(("message", "given"), MESSAGES, ids=[given["type"] for _, given in MESSAGES])
def test_a_message_is_an_object_there_and_back(message: Message, given: dict[str, Any]) -> None:
    assert to_json(message) == given
    assert from_json(given) == message
    assert from_line(to_line(message)) == message
    assert to_line(message).count("\n") == 1


def test_an_answer_needs_no_more_than_a_yes() -> None:
    assert from_json({"type": "answer", "question": 2, "yes": False}) == Answered(2, False)


def test_members_that_are_not_known_are_passed_over() -> None:
    assert from_json({"type": "message", "text": "hi", "colour": "red"}) == Said("hi")


def test_a_lone_surrogate_goes_over_the_wire() -> None:
    line = to_line(Said("a\udc80"))
    assert line.encode() == b'{"type":"message","text":"a\xef\xb7\x90dc80"}\n'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "the line is no JSON"),
        ("[" * 100_000, "the line is no JSON"),
        ("3", "a message is a JSON object"),
        ("{}", "there is no message of type None; there are event, delta"),
        ('{"type":"mesage","text":"x"}', "there is no message of type 'mesage'"),
        ('{"type":"message"}', "message: text is missing; it is a text"),
        ('{"type":"message","text":3}', "message: text must be a text"),
        ('{"type":"answer","question":true,"yes":true}', "answer: question must be a whole number"),
        ('{"type":"answer","question":1,"yes":"yes"}', "answer: yes must be true or false"),
        ('{"type":"answer","question":1,"yes":true,"kind":"network"}', "answer: kind must be one of reads, edits, all"),
    ],
)
def test_what_is_no_message_is_said(line: str, said: str) -> None:
    with pytest.raises(NotAMessage, match=re.escape(said)):
        from_line(line)


def test_the_page_about_the_protocol_shows_every_message() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    shown = [from_line(line) for line in page.splitlines() if line.startswith("    {")]
    assert {type(message) for message in shown} == {type(message) for message, _ in MESSAGES}
