"""Sessions of Claude Code: what each kind of line becomes."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from nodwyn.prims.log import Reader
from tests.loop.importers.conftest import Importer, only, shape

SESSION = "5b3f8a52-8f43-4cf1-9d5c-1f0f6f0a1c11"
PIXEL = b"\x89PNG\r\n\x1a\n-a-picture-"


class Writer:
    """Writes the lines of a session, each the child of the one before."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.parent: str | None = None
        self._numbers = count(1)

    def line(self, type: str, message: Any = None, **given: Any) -> dict[str, Any]:
        number = next(self._numbers)
        line = {
            "type": type,
            "uuid": f"u{number}",
            "parentUuid": self.parent,
            "sessionId": SESSION,
            "timestamp": f"2026-03-04T05:{number // 60:02}:{number % 60:02}.250Z",
            "cwd": self.directory,
            "isSidechain": False,
            "version": "2.1.0",
            **({"message": message} if message is not None else {}),
            **given,
        }
        self.parent = line["uuid"]
        return line

    def says(self, content: Any, **given: Any) -> dict[str, Any]:
        return self.line("user", {"role": "user", "content": content}, **given)

    def replies(self, *blocks: dict[str, Any], id: str = "", **given: Any) -> dict[str, Any]:
        message = {
            "role": "assistant",
            "id": id or f"msg_{self.parent}",
            "model": "some-model",
            "content": list(blocks),
            "stop_reason": "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn",
            "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 7, "service_tier": "x"},
        }
        return self.line("assistant", message, **given)

    def answers(self, id: str, content: Any, **given: Any) -> dict[str, Any]:
        return self.says([{"type": "tool_result", "tool_use_id": id, "content": content, **given}])


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(id: str, name: str = "Bash", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": given or {"command": "ls"}}


def image(data: str) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


@pytest.fixture
def writer(importer: Importer) -> Writer:
    return Writer(str(importer.project))


def test_a_turn_with_a_call_is_a_turn_with_a_call(importer: Importer, writer: Writer) -> None:
    events = importer(
        importer.lines(
            writer.says("List the files"),
            writer.replies({"type": "thinking", "thinking": "hm", "signature": "s"}, call("t1")),
            writer.answers("t1", "a.txt"),
            writer.replies(text("There is a.txt")),
        )
    )
    assert shape(events) == [
        *("user.msg", "turn.start", "llm.resp", "tool.call", "tool.result", "llm.resp", "turn.end")
    ]
    (message,) = only(events, "user.msg")
    assert (message["text"], message["source"], message["labels"]) == ("List the files", "import", ["external:log"])
    first, last = only(events, "llm.resp")
    assert first["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "call", "id": "t1", "name": "Bash", "arguments": {"command": "ls"}},
    ]
    assert (first["stop"], last["stop"], first["model"]) == ("calls", "end", "some-model")
    assert first["usage"] == {"input": 10, "output": 5, "cache_read": 7}
    assert first["unpriced"]
    assert "cost" not in first
    (called,) = only(events, "tool.call")
    assert (called["name"], called["arguments"], called["by"], called["reply"]) == (
        *("Bash", {"command": "ls"}, "model"),
        first["seq"],
    )
    (result,) = only(events, "tool.result")
    assert (result["call"], result["ok"], result["value"]) == (called["seq"], True, "a.txt")
    (ended,) = only(events, "turn.end")
    assert (ended["how"], ended["milliseconds"]) == ("done", 3000)


@pytest.mark.parametrize("is_called", [False, True])
def test_a_turn_lasts_until_its_last_event_however_late_the_next_message_is(
    importer: Importer, writer: Writer, is_called: bool
) -> None:
    lines = [writer.says("Hurry", timestamp="2026-03-04T05:00:06.000Z")]
    if is_called:
        lines.append(writer.replies(call("t1"), timestamp="2026-03-04T05:00:06.500Z"))
        lines.append(writer.answers("t1", "a.txt") | {"timestamp": "2026-03-04T05:00:07.000Z"})
    else:
        lines.append(writer.replies(text("Done"), timestamp="2026-03-04T05:00:07.000Z"))
    late = "2026-03-06T05:00:00.000Z"
    lines += [writer.says("Thanks", timestamp=late), writer.line("summary", timestamp=late)]
    events = importer(importer.lines(*lines))
    first, last = only(events, "turn.end")
    assert (first["milliseconds"], first["when"]) == (1000, "2026-03-04T05:00:07.000Z")
    assert (last["milliseconds"], last["when"]) == (0, late)
    assert only(events, "llm.resp")[0]["when"] < late
    assert only(events, "user.msg")[1]["when"] == late


def test_the_session_has_the_time_and_place_of_the_original(importer: Importer, writer: Writer) -> None:
    events = importer(importer.lines(writer.says("Hello"), writer.replies(text("Hi"))))
    assert importer.log.stem.startswith("20260304T050001Z-")
    start = events[0].as_json()
    assert (start["client"], start["root"], start["when"]) == (
        *("import", str(importer.project)),
        "2026-03-04T05:00:01.250Z",
    )
    assert [event.as_json()["when"][14:19] for event in events] == ["00:01"] * 3 + ["00:02"] * 4
    with Reader(importer.log) as log:
        assert (log.overview.started[:19], log.overview.last[:19]) == ("2026-03-04T05:00:01", "2026-03-04T05:00:02")


def test_the_lines_of_a_reply_are_one_reply(importer: Importer, writer: Writer) -> None:
    events = importer(
        importer.lines(
            writer.says("Do two things"),
            writer.replies(text("Both."), id="m1"),
            writer.replies(call("t1"), id="m1"),
            writer.replies(call("t2"), id="m1"),
            writer.answers("t1", "one"),
            writer.answers("t2", "two"),
            writer.replies(text("Done")),
        )
    )
    first, _ = only(events, "llm.resp")
    assert [block["type"] for block in first["content"]] == ["text", "call", "call"]
    assert [result["value"] for result in only(events, "tool.result")] == ["one", "two"]


@pytest.mark.parametrize(
    ("content", "value"),
    [("text", "text"), ([text("one"), text("two")], "one\ntwo"), ([], ""), (None, "")],
)
def test_a_result_is_a_text_or_a_list_of_blocks(importer: Importer, writer: Writer, content: Any, value: str) -> None:
    lines = [writer.says("Go"), writer.replies(call("t1")), writer.answers("t1", content, is_error=True)]
    events = importer(importer.lines(*lines, writer.replies(text("ok"))))
    (result,) = only(events, "tool.result")
    assert (result["ok"], result["value"]) == (False, value)
    assert importer.kept == {}


def test_pictures_become_blobs(importer: Importer, writer: Writer) -> None:
    data = b64encode(PIXEL).decode()
    events = importer(
        importer.lines(
            writer.says([text("Look"), image(data)]),
            writer.replies(call("t1")),
            writer.answers("t1", [text("shot"), image(data)]),
            writer.replies(text("I see")),
        )
    )
    (attachment,) = only(events, "attachment")
    (message,) = only(events, "user.msg")
    (result,) = only(events, "tool.result")
    assert message["attachments"] == [attachment["seq"]]
    assert (attachment["media"], attachment["size"]) == ("image/png", len(PIXEL))
    assert result["blobs"] == [attachment["blob"]]
    with Reader(importer.log) as log:
        assert log.blob(attachment["blob"]) == PIXEL


def test_a_picture_that_is_none_is_kept_as_its_line(importer: Importer, writer: Writer) -> None:
    events = importer(importer.lines(writer.says([text("Look"), image("no base64!")]), writer.replies(text("?"))))
    assert only(events, "user.msg")[0]["text"] == "Look"
    assert importer.kept == {"user": 1}


def test_a_call_without_a_result_is_closed_by_an_interruption(importer: Importer, writer: Writer) -> None:
    events = importer(importer.lines(writer.says("Go"), writer.replies(call("t1")), writer.says("And?")))
    (called,) = only(events, "tool.call")
    assert [interruption["of"] for interruption in only(events, "interruption")] == [called["seq"]]
    assert [ended["how"] for ended in only(events, "turn.end")] == ["stopped", "stopped"]


def test_a_result_without_a_call_is_kept_as_its_line(importer: Importer, writer: Writer) -> None:
    events = importer(importer.lines(writer.says("Go"), writer.answers("t9", "lost"), writer.replies(text("ok"))))
    assert only(events, "tool.result") == []
    assert '"lost"' in only(events, "import.line")[0]["text"]


def test_broken_lines_are_kept_and_counted(importer: Importer, writer: Writer) -> None:
    lines: Sequence[Any] = [
        writer.says("Go"),
        '{"type":"user","uuid":"x","mess',
        "not json",
        "[1, 2]",
        b"\xff\xfe bytes",
        b"\0\0\0\0",
        '{"type":"user","n":NaN}',
        '{"a":' * 500 + "1" + "}" * 500,
        {"silly": "this"},
        writer.replies(text("ok")),
    ]
    events = importer(importer.lines(*lines))
    assert importer.kept == {"broken lines": 7, "lines without a type": 1}
    assert [kept["line"] for kept in only(events, "import.line")] == [2, 3, 4, 5, 6, 7, 8, 9]
    (imported,) = only(events, "import")
    assert (imported["lines"], imported["unknown"]) == (10, 8)
    assert only(events, "turn.end")[0]["how"] == "done"


def test_dangling_parents_and_repeated_lines_do_no_harm(importer: Importer, writer: Writer) -> None:
    says, replies = writer.says("Go", parentUuid="nowhere"), writer.replies(text("ok"))
    events = importer(importer.lines(says, replies, says, replies))
    assert shape(events) == ["user.msg", "turn.start", "llm.resp", "turn.end"]
    assert only(events, "import")[0]["repeated"] == 2


def test_a_branch_is_marked_and_both_are_kept(importer: Importer, writer: Writer) -> None:
    first, answer = writer.says("One"), writer.replies(text("1"))
    second = writer.says("Two")
    taken_back = [second, writer.replies(text("2"))]
    writer.parent = answer["uuid"]
    again = [writer.says("Three"), writer.replies(text("3"))]
    events = importer(importer.lines(first, answer, *taken_back, *again))
    assert [message["text"] for message in only(events, "user.msg")] == ["One", "Two", "Three"]
    (note,) = only(events, "note")
    assert "another branch" in note["text"]
    assert note["seq"] < only(events, "user.msg")[2]["seq"]


def test_a_compaction_is_a_note_in_place_of_what_was_said(importer: Importer, writer: Writer) -> None:
    lines = [writer.says("One"), writer.replies(text("1"))]
    lines += [writer.line("system", subtype="compact_boundary", content="Conversation compacted")]
    lines += [writer.says("This session goes on from…", isCompactSummary=True)]
    events = importer(importer.lines(*lines, writer.says("Two"), writer.replies(text("2"))))
    (narrow,) = only(events, "context.narrow")
    assert narrow["note"] == "This session goes on from…"
    assert (narrow["first"], narrow["through"]) == (2, narrow["seq"] - 1)
    assert [message["text"] for message in only(events, "user.msg")] == ["One", "Two"]
    assert [note["text"] for note in only(events, "note")] == ["Conversation compacted"]


def test_a_compaction_of_what_is_in_another_file_is_told_to_the_model(importer: Importer, writer: Writer) -> None:
    lines = [writer.says("Goes on from…", isCompactSummary=True), writer.says("Two"), writer.replies(text("2"))]
    events = importer(importer.lines(*lines))
    assert only(events, "context.narrow") == []
    assert [said["purpose"] for said in only(events, "loop.msg")] == ["handover"]


@pytest.mark.parametrize(
    ("content", "given", "purpose"),
    [
        ("<command-name>/model</command-name>", {}, "command"),
        ("<local-command-stdout>ok</local-command-stdout>", {}, "command"),
        ("<system-reminder>be brief</system-reminder>", {}, "reminder"),
        ("Caveat: The messages below were generated", {"isMeta": True}, "command"),
        ("Skill text", {"isMeta": True}, "program"),
    ],
)
def test_what_the_program_says_is_not_the_persons(
    importer: Importer, writer: Writer, content: str, given: dict[str, Any], purpose: str
) -> None:
    lines = [writer.says(content, **given), writer.says("Go"), writer.replies(text("ok"))]
    events = importer(importer.lines(*lines))
    assert [message["text"] for message in only(events, "user.msg")] == ["Go"]
    assert [(said["purpose"], said["text"]) for said in only(events, "loop.msg")] == [(purpose, content)]


def test_an_interruption_by_the_person_stops_the_turn(importer: Importer, writer: Writer) -> None:
    lines = [writer.says("Go"), writer.replies(call("t1")), writer.answers("t1", "no", is_error=True)]
    events = importer(importer.lines(*lines, writer.says([text("[Request interrupted by user for tool use]")])))
    (ended,) = only(events, "turn.end")
    assert (ended["how"], ended["reason"]) == ("stopped", "the person interrupted it")


def test_a_sidechain_is_a_sub_agent(importer: Importer, writer: Writer) -> None:
    lines = [writer.says("Look around"), writer.replies(call("t1", "Task", prompt="Find it"))]
    parent = writer.parent
    writer.parent = None
    aside: dict[str, Any] = {"isSidechain": True}
    lines += [writer.says("Find it", **aside), writer.replies(call("s1"), **aside)]
    lines += [writer.line("user", writer.answers("s1", "x")["message"], **aside, parentUuid=lines[-1]["uuid"])]
    lines += [writer.replies(text("It is in x"), **aside)]
    writer.parent = parent
    lines += [writer.answers("t1", "It is in x"), writer.replies(text("Found"))]
    events = importer(importer.lines(*lines))
    (begun,) = only(events, "agent.start")
    (ended,) = only(events, "agent.end")
    assert (begun["name"], begun["task"], begun["agent"]) == ("sidechain-1", "Find it", "main")
    assert (ended["start"], ended["answer"]) == (begun["seq"], "It is in x")
    assert {event.kind for event in events if event.agent == "sidechain-1"} == {
        *("loop.msg", "llm.resp", "tool.call", "tool.result")
    }
    assert [message["text"] for message in only(events, "user.msg")] == ["Look around"]
    assert only(events, "turn.end")[0]["how"] == "done"


def test_sub_agents_side_by_side_are_told_apart_by_their_ids(importer: Importer, writer: Writer) -> None:
    lines = [writer.says("Look around"), writer.replies(call("t1", "Task"), call("t2", "Task"))]
    for id in ("a", "b", "a", "b"):
        lines.append(writer.replies(text(f"by {id}"), isSidechain=True, agentId=id))
    lines += [writer.answers("t1", "1"), writer.answers("t2", "2"), writer.replies(text("Found"))]
    events = importer(importer.lines(*lines))
    assert [begun["name"] for begun in only(events, "agent.start")] == ["agent-a", "agent-b"]
    assert [event.agent for event in events if event.kind == "llm.resp"] == [
        *("main", "agent-a", "agent-b", "agent-a", "agent-b", "main")
    ]


def aside(writer: Writer, agent: str, answer: str, *, prefix: str = "x") -> list[dict[str, Any]]:
    """Return the lines of a sub-agent's own file."""
    own = Writer(writer.directory)
    said = own.says("Find it", isSidechain=True, agentId=agent, uuid=f"{prefix}1")
    return [said, own.replies(text(answer), isSidechain=True, agentId=agent, uuid=f"{prefix}2")]


@pytest.mark.parametrize("name", ["agent-a1.jsonl", "saved.jsonl"])
def test_the_file_of_a_sub_agent_is_a_session_of_its_own(importer: Importer, writer: Writer, name: str) -> None:
    events = importer(importer.lines(*aside(writer, "a1", "Found"), name=name))
    assert shape(events) == ["user.msg", "turn.start", "llm.resp", "turn.end"]


def test_files_of_a_session_and_its_sub_agents_are_not_states_of_one_another(
    importer: Importer, writer: Writer
) -> None:
    session = [writer.says("Look"), writer.replies(text("Looked")), writer.says("Again"), writer.replies(text("So"))]
    importer(importer.lines(*session))
    importer(importer.lines(*aside(writer, "a1", "In x"), name="agent-a1.jsonl"))
    importer(importer.lines(*aside(writer, "b2", "In y"), "{broken", name="agent-b2.jsonl"))
    assert importer.last is not None
    assert importer.last.is_new
    assert importer.last.replaces == ""


@pytest.mark.parametrize("place", ["session/subagents", ".", "session/subagents/workflows/wf_1"])
def test_a_sub_agents_file_is_taken_in_wherever_it_is(importer: Importer, writer: Writer, place: str) -> None:
    (importer.folder / place).mkdir(parents=True, exist_ok=True)
    importer.lines(*aside(writer, "a1", "In x"), name=f"{place}/agent-a1.jsonl")
    lines = [writer.says("Look around"), writer.replies(call("t1", "Task"))]
    named = [] if place.startswith("session") else [writer.answers("t1", "x") | {"toolUseResult": {"agentId": "a1"}}]
    events = importer(importer.lines(*lines, *named))
    assert [event.kind for event in events if event.agent == "agent-a1"] == ["loop.msg", "llm.resp"]
    assert len(only(events, "agent.end")) == 1


def test_a_sub_agents_file_beside_the_session_is_taken_in(importer: Importer, writer: Writer) -> None:
    (importer.folder / "session" / "subagents").mkdir(parents=True)
    importer.lines(*aside(writer, "a1", "In x"), "{broken", name="session/subagents/agent-a1.jsonl")
    lines = [writer.says("Look around"), writer.replies(call("t1", "Task"))]
    lines += [writer.answers("t1", "In x") | {"toolUseResult": {"agentId": "a1"}}, writer.replies(text("Found"))]
    events = importer(importer.lines(*lines))
    assert [begun["name"] for begun in only(events, "agent.start")] == ["agent-a1"]
    assert [event.kind for event in events if event.agent == "agent-a1"] == ["loop.msg", "llm.resp"]
    assert importer.kept == {"broken lines": 1}
    assert only(events, "turn.end")[0]["how"] == "done"


@pytest.mark.parametrize("id", ["../../secret", "", "none", 7, None])
def test_an_agent_whose_file_is_not_there_is_none(importer: Importer, writer: Writer, id: Any) -> None:
    (importer.folder / "secret.jsonl").write_text('{"type":"user"}\n')
    lines = [writer.says("Look around"), writer.replies(call("t1", "Task"))]
    lines += [writer.answers("t1", "In x") | {"toolUseResult": {"agentId": id}}, writer.replies(text("Found"))]
    assert only(importer(importer.lines(*lines)), "agent.start") == []


def test_the_latest_name_is_the_title(importer: Importer, writer: Writer) -> None:
    says = writer.says("Go")
    lines = [
        {"type": "summary", "summary": "Of another session", "leafUuid": "elsewhere"},
        {"type": "summary", "summary": "Of this one", "leafUuid": says["uuid"]},
        says,
        writer.replies(text("ok")),
    ]
    events = importer(importer.lines(*lines))
    assert [title["title"] for title in only(events, "session.title")] == ["Of this one"]
    assert importer.kept == {"summary": 1}


def test_lines_of_no_meaning_here_are_kept_and_counted_by_type(importer: Importer, writer: Writer) -> None:
    lines = [
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        writer.says("Go"),
        writer.line("progress", data={"type": "hook_progress"}),
        writer.line("progress", data={"type": "hook_progress"}),
        writer.replies(text("ok")),
    ]
    events = importer(importer.lines(*lines))
    assert importer.kept == {"file-history-snapshot": 1, "progress": 2}
    assert [event.kind for event in events].count("import.line") == 3


def queued(prompt: Any) -> dict[str, Any]:
    return {"type": "queued_command", "commandMode": "prompt", "prompt": prompt}


@pytest.mark.parametrize("prompt", ["Also the docs", [text("Also the docs")]])
def test_a_message_that_was_queued_is_the_persons(importer: Importer, writer: Writer, prompt: Any) -> None:
    lines = [writer.says("Go"), writer.line("attachment", attachment=queued(prompt)), writer.replies(text("ok"))]
    events = importer(importer.lines(*lines))
    assert [message["text"] for message in only(events, "user.msg")] == ["Go", "Also the docs"]
    assert [end["how"] for end in only(events, "turn.end")] == ["done"]


def test_a_message_into_a_turn_parts_no_call_from_its_result(importer: Importer, writer: Writer) -> None:
    lines = [
        writer.says("Go"),
        writer.replies(call("t1")),
        writer.line("attachment", attachment=queued("and the docs")),
    ]
    events = importer(importer.lines(*lines, writer.answers("t1", "a.py"), writer.replies(text("ok"))))
    assert shape(events) == [
        *("user.msg", "turn.start", "llm.resp", "tool.call", "user.msg", "tool.result", "llm.resp", "turn.end")
    ]


def test_a_message_that_waited_for_the_answer_begins_a_turn(importer: Importer, writer: Writer) -> None:
    lines = [
        writer.says("Go"),
        writer.replies(text("ok")),
        writer.line("attachment", attachment=queued("Now the docs")),
    ]
    events = importer(importer.lines(*lines, writer.replies(text("done"))))
    assert [end["how"] for end in only(events, "turn.end")] == ["done", "done"]


def test_an_error_of_the_service_is_an_error(importer: Importer, writer: Writer) -> None:
    failed = writer.replies(text("API Error: overloaded"), isApiErrorMessage=True)
    events = importer(importer.lines(writer.says("Go"), failed))
    assert [error["message"] for error in only(events, "error")] == ["API Error: overloaded"]
    assert only(events, "llm.resp") == []


def test_a_session_that_begins_in_the_middle_has_a_turn_without_a_message(importer: Importer, writer: Writer) -> None:
    events = importer(importer.lines(writer.replies(text("…and so on"))))
    assert shape(events) == ["turn.start", "llm.resp", "turn.end"]


def test_ids_that_come_twice_are_told_apart(importer: Importer, writer: Writer) -> None:
    lines = [writer.says("Go"), writer.replies(call("t1"), call("t1")), writer.answers("t1", "one")]
    events = importer(importer.lines(*lines, writer.replies(text("ok"))))
    assert [called["id"] for called in only(events, "tool.call")] == ["t1", "t1#2"]
    assert len(only(events, "interruption")) == 1
