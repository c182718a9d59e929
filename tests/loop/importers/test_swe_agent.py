"""Trajectories of SWE-agent and mini-SWE-agent."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.importers.lines import ImportRefused
from tests.loop.importers.conftest import Importer, only, shape


def trajectory(importer: Importer, value: Any) -> Path:
    """Write a trajectory, last changed at a known time."""
    path = importer.folder / "task.traj"
    path.write_text(json.dumps(value))
    os.utime(path, (1_772_600_000, 1_772_600_000))
    return path


HISTORY: list[dict[str, Any]] = [
    {"role": "system", "content": "You are…", "agent": "main"},
    {"role": "user", "content": "An example", "is_demo": True},
    {"role": "user", "content": "Fix the issue", "agent": "main"},
    {"role": "assistant", "content": "I look.\n```\nls\n```", "thought": "I look.", "action": "ls\n"},
    {"role": "user", "content": "a.py"},
    {"role": "assistant", "content": "Done.", "thought": "Done.", "action": "submit"},
]

CALLS: list[dict[str, Any]] = [
    {
        "role": "assistant",
        "content": "I look again.",
        "thinking_blocks": [{"type": "thinking", "thinking": "hm"}],
        "tool_calls": [{"id": "c1", "function": {"name": "find", "arguments": '{"path": "."}'}}],
    },
    {"role": "tool", "content": "b.py", "tool_call_ids": ["c1"], "extra": {"returncode": 0}},
    {"role": "assistant", "content": "And again.", "extra": {"actions": [{"command": "ls"}]}},
    {"role": "tool", "content": "b.py", "tool_call_id": "c1", "timestamp": 1_772_600_000},
]


def test_steps_are_calls_of_a_shell(importer: Importer) -> None:
    info = {
        "exit_status": "submitted",
        "submission": "diff --git a/a.py b/a.py",
        "model_stats": {"instance_cost": 0.25, "tokens_sent": 900, "tokens_received": 80},
    }
    steps = [{"action": "ls", "observation": "a.py"}, {"action": "submit", "observation": "handed in"}]
    events = importer(trajectory(importer, {"history": HISTORY, "info": info, "trajectory": steps}))
    assert [(said["purpose"], said["text"]) for said in only(events, "loop.msg")] == [
        ("system", "You are…"),
        ("demonstration", "An example"),
    ]
    assert [message["text"] for message in only(events, "user.msg")] == ["Fix the issue"]
    assert [(call["name"], call["arguments"]) for call in only(events, "tool.call")] == [
        ("bash", {"command": "ls"}),
        ("bash", {"command": "submit"}),
    ]
    assert [result["value"] for result in only(events, "tool.result")] == ["a.py", "handed in"]
    first, last = only(events, "llm.resp")
    assert "cost" not in first
    assert "unpriced" not in first
    assert (last["cost"], last["usage"]) == (250_000, {"input": 900, "output": 80})
    assert only(events, "note")[0]["text"] == "handed in:\ndiff --git a/a.py b/a.py"
    assert only(events, "turn.end")[0]["how"] == "done"


def test_a_cost_that_the_file_does_not_tell_is_not_known(importer: Importer) -> None:
    first, last = only(importer(trajectory(importer, {"history": HISTORY})), "llm.resp")
    assert ("unpriced" in first, last["unpriced"]) == (False, True)


def test_a_session_without_times_has_that_of_its_file(importer: Importer) -> None:
    events = importer(trajectory(importer, {"history": HISTORY}))
    assert importer.log.stem.startswith("20260304T045320Z-")
    assert {event.as_json()["when"] for event in events} == {"2026-03-04T04:53:20.000Z"}


def test_calls_of_functions_keep_their_names_and_arguments(importer: Importer) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "str_replace", "arguments": '{"path": "a.py"}'}}
    bad = {"id": "c2", "type": "function", "function": {"name": "bash", "arguments": "{no json"}}
    history = [
        {"role": "user", "content": [{"type": "text", "text": "Fix it"}]},
        {"role": "assistant", "content": "", "action": "str_replace a.py", "tool_calls": [call]},
        {"role": "tool", "content": "edited", "tool_call_ids": ["c1"]},
        {"role": "assistant", "content": "and", "action": "x", "tool_calls": [bad]},
        {"role": "tool", "content": "what?", "tool_call_ids": ["c2"]},
    ]
    events = importer(trajectory(importer, {"history": history}))
    assert [(call["name"], call["arguments"], call["id"]) for call in only(events, "tool.call")] == [
        ("str_replace", {"path": "a.py"}, "c1"),
        ("bash", "{no json", "c2"),
    ]
    assert [result["value"] for result in only(events, "tool.result")] == ["edited", "what?"]


def test_steps_without_a_history_are_enough(importer: Importer) -> None:
    steps = [{"response": "I look.", "action": "ls", "observation": "a.py"}]
    events = importer(trajectory(importer, {"trajectory": steps}))
    assert shape(events) == ["turn.start", "llm.resp", "tool.call", "tool.result", "turn.end"]


@pytest.mark.parametrize(
    ("status", "how"),
    [
        ("submitted", "done"),
        ("Submitted", "done"),
        ("exit_cost", "budget"),
        ("submitted (exit_context)", "budget"),
        ("LimitsExceeded", "budget"),
        ("exit_error", "error"),
        ("early_exit", "stopped"),
        ("", "stopped"),
    ],
)
def test_the_status_says_how_it_ended(importer: Importer, status: str, how: str) -> None:
    history = HISTORY[2:5]
    events = importer(trajectory(importer, {"history": history, "info": {"exit_status": status}}))
    assert only(events, "turn.end")[0]["how"] == how


def test_a_mini_trajectory_has_its_own_times_and_commands(importer: Importer) -> None:
    messages = [
        {"role": "system", "content": "You are…"},
        {"role": "user", "content": "Fix it", "extra": {"timestamp": 1_772_000_000.5}},
        {"role": "assistant", "content": "Look:\n```bash\nls -l\n```", "extra": {"timestamp": 1_772_000_001}},
        {"role": "user", "content": "a.py", "extra": {"returncode": 1}},
        {"role": "exit", "content": "Submitted", "extra": {"exit_status": "Submitted"}},
    ]
    value = {"messages": messages, "info": {"exit_status": "Submitted"}, "trajectory_format": "mini-swe-agent-1.1"}
    events = importer(trajectory(importer, {**value, "instance_id": "task-7"}))
    assert importer.log.stem.startswith("20260225T061320Z-")
    assert [call["arguments"] for call in only(events, "tool.call")] == [{"command": "ls -l"}]
    assert [(result["ok"], result["value"]) for result in only(events, "tool.result")] == [(False, "a.py")]
    assert only(events, "import")[0]["session"] == "task-7"
    assert only(events, "turn.end")[0]["how"] == "done"


def test_the_messages_alone_are_a_trajectory(importer: Importer) -> None:
    events = importer(trajectory(importer, [{key: item[key] for key in ("role", "content")} for item in HISTORY]))
    assert [call["arguments"] for call in only(events, "tool.call")] == [{"command": "ls"}]
    assert only(events, "turn.end")[0]["how"] == "done"


@pytest.mark.parametrize("value", [[], [1, 2], [[{"role": "user"}]], ["role"]])
def test_another_array_is_none(importer: Importer, value: Any) -> None:
    with pytest.raises(ImportRefused, match="is no session of"):
        importer(trajectory(importer, value))


def test_what_is_no_message_is_kept(importer: Importer) -> None:
    events = importer(trajectory(importer, {"history": [*HISTORY, {"role": "oracle", "content": "?"}]}))
    assert importer.kept == {"messages without a known role": 1}
    assert '"oracle"' in only(events, "import.line")[0]["text"]
