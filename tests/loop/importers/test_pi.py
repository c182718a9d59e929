"""Sessions of pi: what each kind of entry becomes."""

from __future__ import annotations

from base64 import b64encode
from itertools import count
from typing import Any

import pytest

from tests.loop.importers.conftest import Importer, only, shape


class Writer:
    """Writes the lines of a session, each the child of the one before."""

    def __init__(self, directory: str) -> None:
        self.parent: str | None = None
        self.head = {"type": "session", "version": 3, "id": "0f9a", "cwd": directory, "timestamp": self._time(0)}
        self._numbers = count(1)

    def _time(self, second: int) -> str:
        return f"2026-03-04T05:00:{second:02}.000Z"

    def entry(self, type: str, **given: Any) -> dict[str, Any]:
        number = next(self._numbers)
        entry = {"type": type, "id": f"e{number}", "parentId": self.parent, "timestamp": self._time(number), **given}
        self.parent = f"e{number}"
        return entry

    def message(self, role: str, **given: Any) -> dict[str, Any]:
        return self.entry("message", message={"role": role, "timestamp": 1_772_600_000_000, **given})

    def says(self, content: Any) -> dict[str, Any]:
        return self.message("user", content=content)

    def replies(self, *blocks: dict[str, Any], stop: str = "stop", **given: Any) -> dict[str, Any]:
        usage = {"input": 10, "output": 5, "cacheRead": 0, "cacheWrite": 3, "cost": {"total": 0.0125}}
        told = {"provider": "p", "model": "some-model", "usage": usage, "stopReason": stop, **given}
        return self.message("assistant", content=list(blocks), **told)

    def result(self, id: str, *blocks: dict[str, Any], is_error: bool = False) -> dict[str, Any]:
        return self.message("toolResult", toolCallId=id, toolName="bash", content=list(blocks), isError=is_error)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(id: str) -> dict[str, Any]:
    return {"type": "toolCall", "id": id, "name": "bash", "arguments": {"command": "ls"}}


@pytest.fixture
def writer(importer: Importer) -> Writer:
    return Writer(str(importer.project))


@pytest.mark.parametrize("usage", [None, {"input": 1}, {"cost": {}}, {"cost": {"total": "much"}}, {"cost": 1}])
def test_a_cost_that_the_file_does_not_tell_is_not_known(importer: Importer, writer: Writer, usage: Any) -> None:
    events = importer(importer.lines(writer.head, writer.says("Go"), writer.replies(text("So"), usage=usage)))
    (reply,) = only(events, "llm.resp")
    assert (reply["unpriced"], "cost" in reply) == (True, False)


def test_a_turn_with_a_call_is_a_turn_with_a_call(importer: Importer, writer: Writer) -> None:
    lines = [
        writer.head,
        writer.says("List the files"),
        writer.replies({"type": "thinking", "thinking": "hm"}, call("c1"), stop="toolUse"),
        writer.result("c1", text("a.txt"), is_error=True),
        writer.replies(text("There is a.txt")),
    ]
    events = importer(importer.lines(*lines))
    assert shape(events) == [
        *("user.msg", "turn.start", "llm.resp", "tool.call", "tool.result", "llm.resp", "turn.end")
    ]
    first, last = only(events, "llm.resp")
    assert [block["type"] for block in first["content"]] == ["thinking", "call"]
    assert (first["stop"], last["stop"], last["model"], last["cost"]) == ("calls", "end", "some-model", 12500)
    assert last["usage"] == {"input": 10, "output": 5, "cache_write": 3}
    assert "unpriced" not in last
    (result,) = only(events, "tool.result")
    assert (result["ok"], result["value"]) == (False, "a.txt")
    assert only(events, "turn.end")[0]["how"] == "done"
    assert importer.log.stem.startswith("20260304T050000Z-")
    assert only(events, "import")[0]["program"] == "pi"


def test_pictures_become_blobs(importer: Importer, writer: Writer) -> None:
    picture = {"type": "image", "data": b64encode(b"pixels").decode(), "mimeType": "image/jpeg"}
    lines = [writer.head, writer.says([text("Look"), picture]), writer.replies(text("I see"))]
    events = importer(importer.lines(*lines))
    assert [(each["media"], each["size"]) for each in only(events, "attachment")] == [("image/jpeg", 6)]


def test_a_compaction_stands_for_what_is_before_the_first_entry_kept(importer: Importer, writer: Writer) -> None:
    lines = [writer.head, writer.says("One"), writer.replies(text("1")), writer.says("Two"), writer.replies(text("2"))]
    lines += [writer.entry("compaction", summary="We did one", firstKeptEntryId="e3", tokensBefore=5)]
    events = importer(importer.lines(*lines, writer.says("Three"), writer.replies(text("3"))))
    (narrow,) = only(events, "context.narrow")
    messages = only(events, "user.msg")
    assert narrow["note"] == "We did one"
    assert (narrow["first"], narrow["through"]) == (messages[0]["seq"], messages[1]["seq"] - 2)


def test_a_branch_is_marked_and_both_are_kept(importer: Importer, writer: Writer) -> None:
    lines = [writer.head, writer.says("One"), writer.replies(text("1")), writer.says("Two"), writer.replies(text("2"))]
    writer.parent = "e2"
    lines += [writer.entry("branch_summary", fromId="e4", summary="Two was tried")]
    writer.parent = "e2"
    lines += [writer.says("Three"), writer.replies(text("3"))]
    events = importer(importer.lines(*lines))
    assert [message["text"] for message in only(events, "user.msg")] == ["One", "Two", "Three"]
    assert "another branch" in only(events, "note")[0]["text"]
    assert [(said["purpose"], said["text"]) for said in only(events, "loop.msg")] == [("branch", "Two was tried")]


def test_what_the_person_ran_and_extensions_said_is_told_to_the_model(importer: Importer, writer: Writer) -> None:
    lines = [
        writer.head,
        writer.message("bashExecution", command="ls", output="a.txt", exitCode=0),
        writer.entry("custom_message", customType="plan", content="Step 2", display=True),
        writer.says("Go"),
        writer.replies(text("ok")),
    ]
    events = importer(importer.lines(*lines))
    assert [(said["purpose"], said["text"]) for said in only(events, "loop.msg")] == [
        ("command", "$ ls\na.txt\n[exit 0]"),
        ("plan", "Step 2"),
    ]


def test_an_aborted_reply_is_an_error_with_what_had_come(importer: Importer, writer: Writer) -> None:
    lines = [writer.head, writer.says("Go"), writer.replies(text("I wi"), stop="aborted")]
    lines += [writer.says("Again"), writer.replies(stop="error", errorMessage="overloaded")]
    events = importer(importer.lines(*lines))
    assert [error["message"] for error in only(events, "error")] == ["the reply was aborted", "overloaded"]
    assert len(only(events, "llm.resp")) == 1


def test_the_name_is_the_title(importer: Importer, writer: Writer) -> None:
    lines = [writer.head, writer.says("Go"), writer.replies(text("ok")), writer.entry("session_info", name="Parser")]
    assert [title["title"] for title in only(importer(importer.lines(*lines)), "session.title")] == ["Parser"]


def test_what_has_no_meaning_here_is_kept_and_counted(importer: Importer, writer: Writer) -> None:
    lines: list[dict[str, Any] | str] = [
        writer.head,
        writer.entry("model_change", provider="p", modelId="m"),
        writer.entry("custom", customType="x", data={}),
        "{broken",
        writer.says("Go"),
        writer.result("c9", text("lost")),
        writer.replies(text("ok"), {"type": "hologram"}),
    ]
    events = importer(importer.lines(*lines))
    assert importer.kept == {"model_change": 1, "custom": 1, "broken lines": 1, "message": 2}
    assert len(only(events, "import.line")) == 5


def test_entries_of_the_first_version_have_no_ids(importer: Importer, project: Any) -> None:
    lines: list[dict[str, Any]] = [
        {"type": "session", "id": "x", "timestamp": "2024-12-03T14:00:00.000Z", "cwd": str(project)},
        {"type": "message", "timestamp": "2024-12-03T14:00:01.000Z", "message": {"role": "user", "content": "Hello"}},
        {"type": "message", "message": {"role": "assistant", "content": [text("Hi")], "stopReason": "stop"}},
    ]
    assert shape(importer(importer.lines(*lines))) == ["user.msg", "turn.start", "llm.resp", "turn.end"]


def test_a_turn_lasts_until_its_last_event_however_late_the_next_message_is(importer: Importer, writer: Writer) -> None:
    lines = [writer.head, writer.says("Hurry"), writer.replies(text("Done")), writer.says("Thanks")]
    times = ["2026-03-04T05:00:00.000Z", "2026-03-04T05:00:06.000Z", "2026-03-04T05:00:07.000Z", "2026-03-06T05:00:00Z"]
    events = importer(importer.lines(*(line | {"timestamp": time} for line, time in zip(lines, times, strict=True))))
    assert [end["milliseconds"] for end in only(events, "turn.end")] == [1000, 0]
