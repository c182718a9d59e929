"""Requests built again from the log alone, or an error that says why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.window.replay import ReplayError, rebuild, rebuild_all
from nodwyn.prims.log import Log, Reader
from nodwyn.prims.log.events import AgentStart, ModelRequest, Note
from nodwyn.prims.log.line import START, seal
from tests.loop.window.conftest import Story, as_it_is, text


@pytest.fixture
def closed(story: Story) -> Story:
    """Return a story of two requests of the main context and one of a sub-agent's; its log is closed."""
    story.say("go")
    story.read("x", "CONTENT")
    story.append(AgentStart(name="explorer", task="Look around."))
    Story(story.log, "explorer").reply(text("I see."))
    story.reply(text("Done."))
    story.log.close()
    return story


def altered(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Change events of a log as somebody could who knows how its checksums are made."""
    checksum, lines = START.checksum, []
    for line in path.read_bytes().splitlines():
        members = json.loads(line)
        del members["sum"]
        change(members)
        sealed, checksum = seal(members, checksum)
        lines.append(sealed)
    path.write_bytes(b"".join(lines))
    return path


def test_a_request_is_rebuilt_as_it_was(closed: Story) -> None:
    with Reader(closed.log.path) as log:
        for asked in closed.asked:
            assert rebuild(log, asked.seq) == asked.built
        assert [(each.seq, each.agent) for each in rebuild_all(log)] == [
            (closed.asked[0].seq, "main"),
            (next(log.seqs("llm.req", agent="explorer")), "explorer"),
            (closed.asked[1].seq, "main"),
        ]


def test_a_copy_of_the_log_alone_is_enough(closed: Story, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.jsonl"
    path.write_bytes(closed.log.path.read_bytes())
    with Reader(path) as log:
        assert rebuild(log, closed.asked[-1].seq) == closed.asked[-1].built


def test_what_comes_later_changes_no_request(closed: Story) -> None:
    with Log.open(closed.log.path, redact=as_it_is) as log:
        later = Story(log)
        later.summarise(2, closed.log.last)
        later.fold(6, "short")
        later.elide(6)
        later.narrow(1, 9)
        for asked in closed.asked:
            assert rebuild(log, asked.seq) == asked.built


def test_an_altered_event_is_found(closed: Story) -> None:
    def change(members: dict[str, Any]) -> None:
        if members["kind"] == "user.msg":
            members["text"] = "stop"

    path = altered(closed.log.path, change)
    with Reader(path) as log:
        assert log.damage is None
        for seq in (closed.asked[0].seq, closed.asked[1].seq):
            with pytest.raises(ReplayError, match=f"request {seq} is not built as it was sent: its digest is"):
                rebuild(log, seq)
        with pytest.raises(ReplayError):
            list(rebuild_all(log))


def test_an_unknown_recipe_version_is_named(closed: Story) -> None:
    def change(members: dict[str, Any]) -> None:
        if members["kind"] == "recipe":
            members["version"] = 99

    with (
        Reader(altered(closed.log.path, change)) as log,
        pytest.raises(ReplayError, match=r"recipe \d+ has version 99 of the window's rules; this program knows 1"),
    ):
        rebuild(log, closed.asked[0].seq)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("user.msg", {"attachments": 7}),
        ("user.msg", {"attachments": ["x"]}),
        ("llm.resp", {"request": []}),
        ("tool.call", {"reply": {}}),
        ("tool.result", {"call": None, "ok": 3}),
        ("recipe", {"system": 5}),
        ("recipe", {"policy": {"result": "many"}}),
        ("recipe", {"tools": {"a": [1.5]}}),
    ],
)
def test_what_no_program_of_ours_records_is_an_error(closed: Story, kind: str, changes: dict[str, Any]) -> None:
    def change(members: dict[str, Any]) -> None:
        if members["kind"] == kind:
            members.update(changes)

    with Reader(altered(closed.log.path, change)) as log, pytest.raises(ReplayError, match="request"):
        list(rebuild_all(log))


def test_a_log_without_recipes_says_so(story: Story) -> None:
    story.say("go")
    request = story.append(ModelRequest(recipe=1, digest="0" * 64))
    with pytest.raises(
        ReplayError, match=r"has no recipes, so none of its requests can be built again; `nodwyn replay"
    ):
        rebuild(story.log, request)


def test_a_request_whose_recipe_is_none_says_so(closed: Story) -> None:
    def change(members: dict[str, Any]) -> None:
        if members["seq"] == closed.asked[0].seq:
            members["recipe"] = 2

    with Reader(altered(closed.log.path, change)) as log, pytest.raises(ReplayError, match="event 2 is no recipe"):
        rebuild(log, closed.asked[0].seq)


@pytest.mark.parametrize("seq", [-1, 0, 10_000])
def test_a_seq_that_is_not_there_names_near_requests(closed: Story, seq: int) -> None:
    with Reader(closed.log.path) as log, pytest.raises(ReplayError, match=f"there is no event {seq}; the requests are"):
        rebuild(log, seq)


def test_an_event_that_is_no_request_names_near_ones(story: Story) -> None:
    story.say("go")
    with pytest.raises(ReplayError, match=r"event 2 is no request but user\.msg; .* has no requests"):
        rebuild(story.log, 2)
    for _ in range(10):
        story.reply(text("Done."))
    note = story.append(Note(text="here"))
    for _ in range(10):
        story.reply(text("Done."))
    requests = [asked.seq for asked in story.asked]
    near = ", ".join(map(str, requests[7:13]))
    with pytest.raises(ReplayError, match=f"event {note} is no request but note; requests near it are {near}$"):
        rebuild(story.log, note)


def test_a_request_behind_damage_is_out_of_reach(closed: Story) -> None:
    lines = closed.log.path.read_bytes().splitlines(keepends=True)
    lines[-4] = lines[-4].replace(b'"seq"', b'"sqe"')
    closed.log.path.write_bytes(b"".join(lines))
    with Reader(closed.log.path) as log:
        assert rebuild(log, closed.asked[0].seq) == closed.asked[0].built
        with pytest.raises(ReplayError, match="The events before it are whole"):
            rebuild(log, closed.asked[1].seq)
