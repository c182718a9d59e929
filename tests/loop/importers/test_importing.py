"""Importing a file: once, whole or not at all, and into the right project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodwyn.loop.importers import importing, lines
from nodwyn.loop.importers.importing import import_file
from nodwyn.loop.importers.lines import ImportRefused, parsed, time_of
from nodwyn.loop.ui.cli import main
from nodwyn.prims import system_calls
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.log import Log, Reader, delete_session, find_session, read
from nodwyn.prims.log.events import SessionArchive
from nodwyn.prims.memory.earlier import tasks
from nodwyn.prims.memory.searching import search_tasks
from nodwyn.prims.redact import Redactor
from tests.loop.importers import test_claude_code, test_pi, test_swe_agent
from tests.loop.importers.conftest import Importer, only

KEY = "ghp_" + "kDq7Zx2mWp9Lr4Tn8Vb3Yc6Hs1Jf5Gd0Ke2A"


def turn(number: int = 1, **given: Any) -> list[dict[str, Any]]:
    """Return the lines of a turn of Claude Code."""
    common = {"sessionId": "s", "timestamp": f"2026-03-04T05:{number:02}:00.000Z", **given}
    says = {"role": "user", "content": f"question {number}"}
    replies = {"role": "assistant", "id": f"m{number}", "content": [{"type": "text", "text": f"answer {number}"}]}
    return [
        {"type": "user", "uuid": f"q{number}", "message": says, **common},
        {"type": "assistant", "uuid": f"a{number}", "parentUuid": f"q{number}", "message": replies, **common},
    ]


def test_a_second_import_changes_nothing(importer: Importer) -> None:
    path = importer.lines(*turn())
    importer(path)
    first, files, log = importer.last, importer.files(), importer.log.read_bytes()
    importer(path)
    assert first is not None
    assert importer.last == (first.session, False, 0, 0, None, "", False)
    assert (importer.files(), importer.log.read_bytes()) == (files, log)


def test_a_copy_under_another_name_is_the_same_file(importer: Importer) -> None:
    importer(importer.lines(*turn()))
    importer(importer.lines(*turn(), name="copy.jsonl"))
    assert importer.last is not None
    assert not importer.last.is_new


def test_a_file_that_has_grown_is_a_new_session_and_the_old_one_is_archived(importer: Importer) -> None:
    importer(importer.lines(*turn(1)))
    old = importer.log
    events = importer(importer.lines(*turn(1), *turn(2)))
    assert importer.last is not None
    assert (importer.last.replaces, importer.last.is_archived) == (old.stem, True)
    assert only(events, "import")[0]["replaces"] == old.stem
    with Reader(old) as before, Reader(importer.log) as now:
        assert (before.overview.archived, now.overview.archived) == (True, False)
        assert (before.overview.turns, now.overview.turns) == (1, 2)


def test_a_search_leaves_out_what_another_session_replaced_and_no_other_that_is_archived(importer: Importer) -> None:
    importer(importer.lines(*turn(1, sessionId="t"), name="other.jsonl"))
    with Log.open(importer.log, redact=str) as log:
        log.append(SessionArchive(archived=True))
    aside, directory = importer.log, sessions_directory(importer.project)
    for number in (1, 2, 3):
        importer(importer.lines(*(line for each in range(1, number + 1) for line in turn(each))))
        assert {path.stem for path in tasks(directory)} == {importer.log.stem, aside.stem}
    assert search_tasks(tasks(directory), "answer", 8).count(": answer 1") == 2
    delete_session(importer.log)
    assert len(tasks(directory)) == 2  # what it replaced is there again


def test_what_was_replaced_keeps_the_date_of_its_last_event(importer: Importer) -> None:
    importer(importer.lines(*turn(1)))
    with Reader(importer.log) as log:
        path, last = importer.log, log.overview.last
    importer(importer.lines(*turn(1), *turn(2)))
    with Reader(path) as log:
        assert (log.overview.archived, log.overview.last) == (True, last)


def test_an_earlier_state_of_a_file_is_refused(importer: Importer) -> None:
    importer(importer.lines(*turn(1), *turn(2)))
    with pytest.raises(ImportRefused, match=f"is an earlier state of what was imported as {importer.log.stem}"):
        importer(importer.lines(*turn(1)))


@pytest.mark.parametrize("more", [0, 2])
def test_another_conversation_with_the_name_and_beginning_of_one_is_imported_beside_it(
    importer: Importer, more: int
) -> None:
    importer(importer.lines(*turn(1), *turn(2)))
    others = [turn(number) for number in range(3, 4 + more)]
    first = {"timestamp": "2026-03-04T05:01:00.000Z"}
    events = importer(importer.lines(*(line | first for lines in others for line in lines)))
    assert importer.last is not None
    assert (importer.last.is_new, importer.last.replaces) == (True, "")
    assert only(events, "user.msg")[0]["text"] == "question 3"


def test_an_old_one_that_is_open_is_not_archived(importer: Importer) -> None:
    importer(importer.lines(*turn(1)))
    with Log.open(importer.log, redact=str):
        importer(importer.lines(*turn(1), *turn(2)))
    assert importer.last is not None
    assert not importer.last.is_archived


def test_a_session_belongs_to_the_project_that_its_file_names(importer: Importer, project: Path) -> None:
    imported = import_file(importer.lines(*turn(cwd=str(project / "."))), None, str)
    assert (sessions_directory(project) / f"{imported.session}.jsonl").exists()


@pytest.mark.parametrize(
    ("cwd", "said"),
    [({}, "names no directory: --project DIR"), ({"cwd": "/no/such/place"}, "in /no/such/place, which is not here")],
)
def test_without_a_project_here_there_has_to_be_one_named(importer: Importer, cwd: dict[str, Any], said: str) -> None:
    with pytest.raises(ImportRefused, match=said):
        import_file(importer.lines(*turn(**cwd)), None, str)
    assert importer.files() == []


def test_a_project_that_is_no_directory_is_an_error(importer: Importer) -> None:
    with pytest.raises(ImportRefused, match="is no directory"):
        import_file(importer.lines(*turn()), Path("/no/such/place"), str)


def test_what_is_imported_is_redacted(importer: Importer) -> None:
    lines_of = json.dumps(turn()[0]).replace("question 1", f"the token is {KEY}")
    importer(importer.lines(lines_of, turn()[1], f"broken {KEY}"), Redactor().redact)
    assert KEY.encode() not in importer.log.read_bytes()


def wholes() -> dict[str, list[dict[str, Any]]]:
    """Return a session of each program, with as many kinds of lines as few lines have."""
    claude, pi = test_claude_code.Writer("/app"), test_pi.Writer("/app")
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    return {
        "claude": [
            claude.says("first"),
            claude.replies({"type": "text", "text": "I look"}, thinking, use),
            claude.answers("t1", [{"type": "text", "text": "a.txt"}], is_error=True),
            claude.says([{"type": "text", "text": "see"}, picture]),
            claude.line("summary", summary="x", leafUuid="u1"),
            claude.line("system", subtype="compact_boundary", content="x"),
            claude.line("attachment", attachment={"type": "queued_command", "prompt": "more", "commandMode": "prompt"}),
            claude.says("side", isSidechain=True, agentId="a1"),
            claude.says("back", parentUuid="u1"),
        ],
        "pi": [
            pi.head,
            pi.says("List"),
            pi.replies({"type": "thinking", "thinking": "hm"}, test_pi.call("c1"), stop="toolUse"),
            pi.result("c1", test_pi.text("a.txt")),
            pi.entry("compaction", summary="short", firstKeptEntryId="e2", tokensBefore=5),
            pi.entry("session_info", name="a name"),
            pi.entry("branch_summary", summary="left", fromId="e1"),
            pi.message("user", content="back"),
        ],
        "trajectory": [
            {
                "history": [*test_swe_agent.HISTORY, *test_swe_agent.CALLS],
                "info": {
                    "exit_status": "submitted",
                    "submission": "d",
                    "model_stats": {"instance_cost": 0.25, "tokens_sent": 9, "tokens_received": 8},
                },
                "trajectory": [{"action": "ls", "observation": "a.py", "response": "I look"}],
            }
        ],
    }


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each object or list in JSON with the name or number of each thing in it."""
    if isinstance(value, (dict, list)):
        for name in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, name
            yield from places(value[name])


SOME: list[Any] = [["x"], {"a": {}}, 7]
MORE: list[Any] = [None, True, -1, 2.5, "", "u1", "\ud800", [], [[]], {}]


@pytest.mark.parametrize("odd", [*SOME, *(pytest.param(value, marks=pytest.mark.slow) for value in MORE)], ids=ascii)
@pytest.mark.parametrize("program", list(wholes()))
def test_any_part_of_a_file_may_be_anything(
    program: str, odd: Any, importer: Importer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_calls, "sync_data", lambda descriptor: None)
    monkeypatch.setattr(importing, "sync_directory", lambda path: None)
    lines = wholes()[program]
    imported = 0
    for holder, name in list(places(lines)):
        before, holder[name] = holder[name], odd
        rmtree(sessions_directory(importer.project), ignore_errors=True)
        try:
            events = importer(importer.lines(*(json.dumps(line) for line in lines)))
            assert events[-1].kind == "session.end"
            imported += 1
        except ImportRefused:
            assert importer.files() == []
        holder[name] = before
    assert imported > 10 or program == "trajectory"


def test_it_is_a_finished_session_like_any_other(importer: Importer) -> None:
    importer(importer.lines(*turn()))
    with Log.open(importer.log, redact=str, only_complete=True) as log:
        assert log.overview.ended == "done"
    assert find_session(importer.log.stem[:-2], importer.log.parents[2]) == importer.log
    assert importer.log.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no session of Claude Code, pi or SWE-agent"),
        (b"hello\nworld\n", "is no session"),
        (b"\0" * 5000, "is no session"),
        (b"\xff\xfe" * 500, "is no session"),
        (b"{}", "is no session"),
        (b"[" * 100_000, "is no session"),
        (b'{"a":' * 100_000, "is no session"),
        (b'{"history": 5}', "is no session"),
        (b'{"type":"session","id":"x","timestamp":"2026-01-01T00:00:00Z"}\n', "has no conversation"),
        (b'{"type":"summary","summary":"x","leafUuid":"y"}\n', "has no conversation"),
    ],
)
def test_what_is_no_session_is_an_error_and_leaves_nothing(importer: Importer, content: bytes, said: str) -> None:
    path = importer.folder / "session.jsonl"
    path.write_bytes(content)
    with pytest.raises(ImportRefused, match=said):
        importer(path)
    assert importer.files() == []


def test_a_line_without_end_is_an_error_and_leaves_nothing(importer: Importer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 1 << 20)
    monkeypatch.setattr(importing, "LINES_LOOKED_AT", 2)
    path = importer.lines(*turn(1), b"x" * (3 << 20), *turn(2))
    with pytest.raises(ImportRefused, match=r"session.jsonl, line 3 is longer than 1 MiB"):
        importer(path)
    assert importer.files() == []


def test_a_file_that_changes_meanwhile_is_refused_and_leaves_nothing(
    importer: Importer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = importer.lines(*turn(1))
    record = importing._record

    def record_slowly(*given: Any) -> Any:
        with open(path, "ab") as file:
            file.write(b"more\n")
        return record(*given)

    monkeypatch.setattr(importing, "_record", record_slowly)
    with pytest.raises(ImportRefused, match="was changed while it was read"):
        importer(path)
    assert importer.files() == []


def test_what_an_import_that_was_killed_left_goes_with_the_next_one(importer: Importer) -> None:
    left = sessions_directory(importer.project) / ".importing"
    left.mkdir(mode=0o700)
    (left / "20260304T050100Z-00000000.jsonl").write_bytes(b"half")
    (left / "20260304T050100Z-00000000.blobs").mkdir()
    (left / "20260304T050100Z-00000000.blobs" / "x").write_bytes(b"half")
    importer(importer.lines(*turn()))
    assert importer.files() == sorted([importer.log.name, f"{importer.log.stem}.idx"])


@given(st.lists(st.binary(max_size=60), max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_whatever_is_between_its_lines_is_kept(importer: Importer, noise: list[bytes]) -> None:
    start = turn(1, sessionId=repr(noise))[0]
    path = importer.lines(start, *noise, turn(1)[1])
    events = importer(path)
    kept = [entry["text"].encode("utf-8", "surrogateescape") for entry in only(events, "import.line")]
    told = [line.rstrip(b"\r") for line in b"\n".join(noise).split(b"\n")]
    told = [line for line in told if line.decode("utf-8", "surrogateescape").strip()]
    assert kept == told
    assert len(only(events, "llm.resp")) == 1


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2026-03-04T05:06:07.123456Z", "2026-03-04T05:06:07.123Z"),
        ("2026-03-04T05:06:07+02:00", "2026-03-04T03:06:07.000Z"),
        (1_772_600_000, "2026-03-04T04:53:20.000Z"),
        (1_772_600_000_123, "2026-03-04T04:53:20.123Z"),
        ("soon", ""),
        ("1899-01-01T00:00:00Z", ""),
        (-1, ""),
        (1e300, ""),
        (True, ""),
        (None, ""),
    ],
)
def test_times_are_those_of_events(value: Any, time: str) -> None:
    assert time_of(value) == time


@pytest.mark.parametrize(
    "text", ['{"a": 1e999}', '{"a": Infinity}', '{"a": "b"', "7", '{"a":' + "[" * 120 + "]" * 120 + "}"]
)
def test_what_no_log_could_hold_is_no_object(text: str) -> None:
    assert parsed(text) is None


def test_a_number_too_long_is_kept_as_text() -> None:
    assert parsed('{"a": ' + "9" * 2000 + "}") == {"a": "9" * 2000}


def test_the_command_says_what_became_of_each_file(
    importer: Importer, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    good, bad = importer.lines(*turn(), "{broken"), importer.folder / "none.jsonl"
    assert main(["import", "--project", ".", str(good), str(bad)]) == 1
    said = capsys.readouterr()
    name = said.out.partition("  ")[0]
    assert said.out == f"{name}  {good}: 1 turn, 8 events; kept as they were: broken lines (1)\n"
    assert said.err == f"nodwyn: {bad}: No such file or directory\n"
    assert main(["import", "--project", ".", str(good)]) == 0
    assert capsys.readouterr().out == f"{name}  {good}: already imported\n"
    assert main(["sessions"]) == 0
    assert "question 1  (import)" in capsys.readouterr().out


def test_what_the_command_says_of_a_file_is_one_line_and_cannot_move_the_cursor(
    importer: Importer, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = [json.dumps({"type": f"k{number}\n\x1b[2J" + "y" * 200, "sessionId": "s"}) for number in range(40)]
    good, bad = importer.lines(*turn(), *kinds, name="a\x1b\nb.jsonl"), importer.folder / "\x1bnone.jsonl"
    assert main(["import", "--project", str(project), str(good), str(bad)]) == 1
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert said.out.count("\n") == 1
    assert said.out.endswith(" (1), 20 other kinds\n")
    assert len(said.out) < 3000


def test_it_is_not_taken_for_the_session_to_go_on_with(
    importer: Importer, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    importer(importer.lines(*turn()))
    assert main(["resume"]) == 1
    assert "there is no session here to go on with" in capsys.readouterr().err


def test_two_imports_of_a_file_at_once_make_one_session(importer: Importer, project: Path) -> None:
    path = importer.lines(*(line for number in range(1, 40) for line in turn(number)))
    command = [sys.executable, "-m", "nodwyn.loop.ui.cli", "import", "--project", str(project), str(path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ.copy()) for _ in range(3)]
    said = [process.communicate(timeout=60)[0].decode() for process in running]
    assert sum("already imported" in line for line in said) == 2
    assert len([name for name in importer.files() if name.endswith(".jsonl")]) == 1


@pytest.mark.slow
def test_a_large_file_is_streamed(importer: Importer) -> None:
    path = importer.folder / "large.jsonl"
    with open(path, "w") as file:
        for number in range(20_000):
            for line in turn(number % 60, filler="x" * 2000):
                line = {**line, "uuid": f"{line['uuid']}-{number}"}
                file.write(json.dumps(line) + "\n")
    started = time.monotonic()
    events = sum(1 for _ in importer(path))
    assert events > 80_000
    assert time.monotonic() - started < 60
    assert sum(1 for _ in read(importer.log)) == events
