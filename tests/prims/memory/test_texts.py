"""What an event says, in words and numbered lines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.log import Event
from nodwyn.prims.log.events import (
    Attachment,
    LoopMessage,
    ModelResponse,
    Narrow,
    Plan,
    Summary,
    ToolCall,
    ToolResult,
    UserMessage,
)
from nodwyn.prims.memory.texts import LONGEST_LINE, call_text, lines_of, ranked_texts, text_of, what_of

REPLY = ModelResponse(
    request=1,
    content=[
        {"type": "thinking", "thinking": "hidden"},
        {"type": "text", "text": "First\nlook."},
        {"type": "call", "id": "c", "name": "fs-edit", "arguments": {"path": "a.py", "edits": [1], "new": "x\ny"}},
    ],
    stop="calls",
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is\n", "as it is\n"),
        (None, ""),
        ({"exit": 0, "output": "", "errors": "", "notes": []}, "exit 0\n"),
        ({"exit": 1, "output": "a\nb", "errors": "c", "notes": ["late"]}, "exit 1\na\nb\n[stderr]\nc\n[late]\n"),
        ({"exit": None, "output": "", "errors": "", "notes": ["timed out"]}, "no exit status\n[timed out]\n"),
        ({"b": [1, "ä"]}, '{\n  "b": [\n    1,\n    "ä"\n  ]\n}'),
        (True, "true"),
    ],
)
def test_a_result_is_text_with_lines(value: Any, text: str) -> None:
    assert text_of(ToolResult(call=1, ok=True, value=value)) == text


@pytest.mark.parametrize(
    ("event", "what", "text"),
    [
        (UserMessage(text="do"), "the person's message", "do"),
        (UserMessage(text="do", source="scheme"), "a message that Scheme made", "do"),
        (LoopMessage(text="mind"), "nodwyn's message", "mind"),
        (Attachment(name="a.txt", text="in it", size=5), "the attached file a.txt", "in it"),
        (Plan(items=[{"text": "one", "mark": "done"}]), "the plan", "[done] one"),
        (Summary(first=1, through=2, text="short", digest="0" * 64), "the person's summary", "short"),
        (Narrow(first=1, through=2, note="kept"), "a compaction's note", "kept"),
        (REPLY, "a reply", "First\nlook.\n→ fs-edit\n  path: a.py\n  edits: [1]\n  new:\n  x\n  y"),
        (REPLY.replace(agent="explorer"), "a reply, in the context of explorer", None),
    ],
)
def test_what_an_event_is_and_says(event: Event, what: str, text: str | None) -> None:
    assert what_of(event) == what
    assert text is None or text_of(event) == text


def test_a_result_is_named_with_its_call_and_whether_it_failed() -> None:
    call = ToolCall(name="fs-read", arguments={"path": "a"}, by="model")
    failed = ToolResult(call=1, ok=False, value="no", agent="scout")

    assert what_of(failed, call) == 'the result of fs-read {"path":"a"}, which failed, in the context of scout'
    assert len(call_text("x", {"text": "long " * 1000})) < 250
    assert call_text("x", "{malformed\n") == "x {malformed "


def test_calls_of_searches_do_not_count_for_a_reply() -> None:
    blocks = [{"type": "call", "id": "c", "name": name, "arguments": {"query": name}} for name in ("recall", "fs-read")]

    ((text, times),) = ranked_texts(ModelResponse(request=1, content=blocks, stop="calls"))

    assert (text, times) == ("→ fs-read\n  query: fs-read", 1)


def test_the_call_of_a_result_counts_three_times() -> None:
    event = ToolResult(call=1, ok=True, value="output")

    assert list(ranked_texts(event, "fs-read", {"path": "a.py"})) == [("output", 1), ("fs-read\npath: a.py", 3)]


@pytest.mark.parametrize(
    ("content", "text"),
    [(None, ""), ("text", ""), ([1, {"type": "call"}, {"type": "text"}], "→ \n"), ([{}], "")],
)
def test_of_a_reply_of_another_form_there_is_what_has_a_form(content: Any, text: str) -> None:
    assert text_of(ModelResponse(request=1, content=content, stop="end")) == text


@given(st.text(alphabet="a\n\r\u2028ä", max_size=30), st.integers(0, 3))
def test_lines_end_at_line_feeds_alone_and_join_to_the_text(text: str, longs: int) -> None:
    text += "x" * (longs * LONGEST_LINE + 1)
    lines = lines_of(text)

    assert "".join(lines) == text
    assert all(len(line) <= LONGEST_LINE for line in lines)
    assert all("\n" not in line[:-1] for line in lines)
    assert not any(line == "" for line in lines)


def test_an_empty_text_has_no_lines() -> None:
    assert lines_of("") == []
