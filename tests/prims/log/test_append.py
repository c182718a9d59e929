"""Adding to a log: at once, behind barriers, a second later at most, and never past a disk that fails."""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims import system_calls
from nodwyn.prims.log import Log, LogError, LogFailed, NewerFormat, NoSuchEvent, Reader, read
from nodwyn.prims.log.events import (
    FORMAT,
    AgentStart,
    Approval,
    GuardDecision,
    Interruption,
    ModelRequest,
    ModelResponse,
    Note,
    SessionStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)
from nodwyn.prims.log.line import START, seal

Begin = Callable[..., Log]
DIGEST = "0" * 64


def as_it_is(text: str) -> str:
    return text


def last_text(path: Path) -> str:
    *_, last = read(path)
    assert isinstance(last, Note)
    return last.text


class Syncs:
    """Counts the syncs, and can let them fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times: list[float] = []
        self.failing = False
        self._really = system_calls.sync_data
        monkeypatch.setattr(system_calls, "sync_data", self)

    def __call__(self, descriptor: int) -> None:
        self.times.append(time.monotonic())
        if self.failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._really(descriptor)


@pytest.fixture
def syncs(monkeypatch: pytest.MonkeyPatch) -> Syncs:
    return Syncs(monkeypatch)


def test_a_log_begins_with_its_session_and_format(begin: Begin) -> None:
    log = begin()
    start = log.event(1)
    assert isinstance(start, SessionStart)
    assert (start.session, start.format, start.seq) == (log.path.stem, FORMAT, 1)


def test_events_are_numbered_and_stamped(begin: Begin) -> None:
    log = begin()
    assert [log.append(Note(text=text)) for text in "abc"] == [2, 3, 4]
    stamps = [event.at for event in log.events()]
    assert stamps == sorted(stamps)
    assert all(len(at) == len("2026-10-09T03:48:03.123Z") and at[10] == "T" and at[-5] == "." for at in stamps)


def test_an_event_can_be_read_the_moment_it_was_appended(begin: Begin) -> None:
    log = begin()
    for text in "abc":
        log.append(Note(text=text))
        assert last_text(log.path) == text


def test_files_are_for_their_owner_alone_whatever_the_umask(begin: Begin) -> None:
    before = os.umask(0o777)
    try:
        log = begin()
        log.store(b"image")
        log.close()
    finally:
        os.umask(before)
    for path in [log.path.with_suffix(".idx"), log.path, *log.path.with_suffix(".blobs").iterdir()]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.path.with_suffix(".blobs").stat().st_mode) == 0o700


def test_a_barrier_waits_for_the_disk_once(begin: Begin, syncs: Syncs) -> None:
    log = begin()
    syncs.times.clear()
    log.barrier()
    assert len(syncs.times) == 0
    for text in "abc":
        log.append(Note(text=text))
    log.barrier()
    log.barrier()
    assert len(syncs.times) == 1


def test_the_first_line_after_a_barrier_says_what_is_behind_it(begin: Begin) -> None:
    log = begin()
    for text in "ab":
        log.append(Note(text=text))
    log.barrier()
    for text in "cd":
        log.append(Note(text=text))
    assert [event.as_json().get("barrier") for event in log.events()] == [None, 1, None, 3, None]


def test_an_event_without_a_barrier_is_on_the_disk_within_a_second(begin: Begin, syncs: Syncs) -> None:
    log = begin()
    syncs.times.clear()
    appended = time.monotonic()
    log.append(Note(text="x"))
    while not syncs.times:
        time.sleep(0.01)
        assert time.monotonic() < appended + 5
    assert 0.2 < syncs.times[0] - appended < 1.0
    log.append(Note(text="y"))
    assert log.event(3).as_json()["barrier"] == 2


def test_no_sync_comes_late_when_a_barrier_was_in_time(begin: Begin, syncs: Syncs) -> None:
    log = begin()
    log.append(Note(text="x"))
    log.barrier()
    syncs.times.clear()
    time.sleep(1)
    assert syncs.times == []


def test_a_short_write_is_continued(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    log = begin()
    monkeypatch.setattr(system_calls, "write", lambda descriptor, data: os.write(descriptor, data[:7]))
    for text in ("a", "b" * 100):
        log.append(Note(text=text))
    assert [event.kind for event in read(log.path)] == ["session.start", "note", "note"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG])
@pytest.mark.parametrize("after", [0, 1, 30])
def test_after_a_failed_write_the_log_ends_on_a_whole_record_and_is_given_up(
    code: int, after: int, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = begin()
    log.append(Note(text="acknowledged"))
    before = log.path.read_bytes()
    left = [after]

    def write(descriptor: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(code, os.strerror(code))
        left[0] -= (written := os.write(descriptor, data[: left[0]]))
        return written

    with monkeypatch.context() as patch:
        patch.setattr(system_calls, "write", write)
        with pytest.raises(LogFailed, match=rf"{log.path} cannot be written: .*resume the session"):
            log.append(Note(text="refused"))
    assert log.path.read_bytes() == before
    for effect in (log.barrier, lambda: log.append(Note(text="x")), lambda: log.store(b"x")):
        with pytest.raises(LogFailed):
            effect()
    log.close()
    with Log.open(log.path, redact=as_it_is) as again:
        assert again.recovery is None
        assert again.append(Note(text="on")) == 3


def test_what_cannot_be_cut_off_after_a_failed_write_is_moved_aside_later(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = begin()

    def fail(*arguments: object) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:

        def write_half(descriptor: int, data: bytes) -> int:
            patch.setattr(system_calls, "write", fail)
            return os.write(descriptor, data[: len(data) // 2])

        patch.setattr(system_calls, "write", write_half)
        patch.setattr(system_calls, "truncate", fail)
        with pytest.raises(LogFailed):
            log.append(Note(text="refused"))
        log.close()
        with pytest.raises(LogError, match="cannot be made ready: Input/output error"):
            Log.open(log.path, redact=as_it_is)
    with Log.open(log.path, redact=as_it_is) as again:
        assert again.recovery is not None


def test_a_failed_sync_ends_the_session_and_is_not_tried_again(begin: Begin, syncs: Syncs) -> None:
    log = begin()
    log.append(Note(text="x"))
    syncs.failing = True
    with pytest.raises(LogFailed, match="may not be on the disk: Input/output error"):
        log.barrier()
    syncs.failing = False
    count = len(syncs.times)
    for effect in (log.barrier, lambda: log.append(Note(text="y"))):
        with pytest.raises(LogFailed, match="may not be on the disk"):
            effect()
    log.close()
    assert len(syncs.times) == count


def test_a_sync_that_fails_late_shows_at_the_next_use(begin: Begin, syncs: Syncs) -> None:
    log = begin()
    syncs.failing = True
    log.append(Note(text="x"))
    count = len(syncs.times)
    while len(syncs.times) == count:
        time.sleep(0.01)
    time.sleep(0.05)
    with pytest.raises(LogFailed, match="may not be on the disk"):
        log.append(Note(text="y"))


@pytest.mark.parametrize("meddle", [os.unlink, lambda path: os.truncate(path, 10)])
def test_a_log_that_another_program_changed_lets_no_effect_through(
    meddle: Callable[[Path], None], begin: Begin
) -> None:
    log = begin()
    log.append(Note(text="x"))
    meddle(log.path)
    with pytest.raises(LogFailed, match="changed or removed by another program"):
        log.barrier()


class Stop(BaseException):
    """What a time limit raises in the middle of anything."""


@pytest.mark.parametrize("written", [0, 5, 10_000])
def test_a_stop_in_the_middle_of_an_append_leaves_whole_records(
    written: int, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = begin()
    log.append(Note(text="before"))

    def write(descriptor: int, data: bytes) -> int:
        os.write(descriptor, data[:written])
        raise Stop

    with monkeypatch.context() as patch:
        patch.setattr(system_calls, "write", write)
        with pytest.raises(Stop):
            log.append(Note(text="stopped"))
    log.append(Note(text="after"))
    log.barrier()
    texts = [event.text for event in read(log.path) if isinstance(event, Note)]
    assert texts in (["before", "after"], ["before", "stopped", "after"])
    assert [event.seq for event in log.events()] == list(range(1, len(texts) + 2))


def test_after_a_stop_nothing_is_cut_from_a_log_that_was_changed_meanwhile(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = begin()
    for text in "abc":
        log.append(Note(text=text))

    def stop(descriptor: int, data: bytes) -> int:
        raise Stop

    with monkeypatch.context() as patch:
        patch.setattr(system_calls, "write", stop)
        with pytest.raises(Stop):
            log.append(Note(text="stopped"))
    changed = log.path.read_bytes().replace(b'"text":"b"', b'"text":"B"')
    log.path.write_bytes(changed)
    with pytest.raises(LogFailed, match="changed or removed by another program"):
        log.append(Note(text="after"))
    log.close()
    assert log.path.read_bytes() == changed


def test_threads_may_append_at_once(begin: Begin) -> None:
    log = begin()
    threads = [
        threading.Thread(target=lambda: [log.append(Note(text="x" * number)) for number in range(100)])
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.seq for event in read(log.path)] == list(range(1, 502))


def test_what_had_begun_is_closed_by_interruptions_innermost_first(begin: Begin) -> None:
    log = begin()
    turn = log.append(TurnStart())
    request = log.append(ModelRequest(recipe=1, digest=DIGEST))
    log.append(ModelResponse(request=request, content=[], stop="calls"))
    done = log.append(ToolCall(name="fs-read", arguments={}, by="model"))
    log.append(ToolResult(call=done, ok=True, value=""))
    agent = log.append(AgentStart(name="explorer", task="look"))
    open_request = log.append(ModelRequest(recipe=1, digest=DIGEST, agent="explorer"))
    call = log.append(ToolCall(name="shell-exec", arguments={}, by="model", agent="explorer"))
    log.close()
    with Log.open(log.path, redact=as_it_is) as again:
        assert again.interrupted == [call, open_request, agent, turn]
        ends = [event for event in again.events() if isinstance(event, Interruption)]
    assert [(end.of, end.agent) for end in ends] == [
        (call, "explorer"),
        (open_request, "explorer"),
        (agent, "main"),
        (turn, "main"),
    ]
    assert "not known" in ends[0].reason
    with Log.open(log.path, redact=as_it_is) as again:
        assert again.interrupted == []
        assert again.append(TurnEnd(turn=turn, how="stopped")) == ends[-1].seq + 1


@pytest.mark.parametrize(
    ("decided", "is_known"),
    [
        ([], False),
        ([("run", "confirm", "")], True),
        ([("run", "confirm", "no")], True),
        ([("run", "deny", "")], True),
        ([("run", "confirm", "yes")], False),
        ([("run", "allow", "")], False),
        ([("read", "allow", ""), ("write", "confirm", "")], True),
        ([("read", "confirm", "yes"), ("write", "confirm", "")], True),
        ([("write", "confirm", "yes"), ("write", "confirm", "")], False),
        ([("other", "allow", ""), ("write", "confirm", "")], False),
    ],
)
@pytest.mark.parametrize("is_behind_another", [False, True])
def test_of_a_call_that_was_never_allowed_it_is_known_that_nothing_was_done(
    begin: Begin, decided: list[tuple[str, str, str]], is_known: bool, is_behind_another: bool
) -> None:
    log = begin()
    if is_behind_another:
        done = log.append(ToolCall(name="shell-exec", arguments={}, by="model"))
        log.append(GuardDecision(effect="run", subject="x", decision="allow", layer="pin", reason="x", call=done))
        log.append(ToolResult(call=done, ok=True, value=""))
    call = log.append(ToolCall(name="shell-exec", arguments={}, by="model"))
    for effect, decision, answer in decided:
        asked = log.append(
            GuardDecision(effect=effect, subject="x", decision=decision, layer="pin", reason="x", call=call)
        )
        if answer:
            log.append(Approval(decision=asked, question="x", answer=answer, actor="person"))
    log.close()
    with Log.open(log.path, redact=as_it_is) as again:
        (end,) = (event for event in again.events() if isinstance(event, Interruption))
    assert end.of == call
    assert ("nothing of it was done" in end.reason) is is_known
    assert ("is not known" in end.reason) is not is_known


def test_a_newer_log_can_be_shown_but_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "20310101T000000Z-00000000.jsonl"
    members = {"seq": 1, "at": "2031-01-01T00:00:00.000Z", "kind": "session.start", "agent": "main"}
    path.write_bytes(seal({**members, "format": FORMAT + 1, "program": "nodwyn 9", "root": "/"}, START.checksum)[0])
    before = path.read_bytes()
    with pytest.raises(NewerFormat, match=rf"has format {FORMAT + 1}, written by nodwyn 9: .* not continue it"):
        Log.open(path, redact=as_it_is)
    assert path.read_bytes() == before
    (start,) = read(path)
    assert isinstance(start, SessionStart)
    assert start.format == FORMAT + 1


def test_what_does_not_begin_as_a_session_is_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "20310101T000000Z-00000000.jsonl"
    path.write_bytes(seal({"seq": 1, "at": "", "kind": "note", "agent": "main", "text": ""}, START.checksum)[0])
    with pytest.raises(LogError, match="its first event is note"):
        Log.open(path, redact=as_it_is)


def test_a_log_that_is_not_there_or_a_link_is_not_opened(closed: Path, tmp_path: Path) -> None:
    link = tmp_path / "20310101T000000Z-00000000.jsonl"
    with pytest.raises(LogError, match="No such file"):
        Log.open(link, redact=as_it_is)
    link.symlink_to(closed)
    with pytest.raises(LogError, match="cannot be opened"):
        Log.open(link, redact=as_it_is)
    with pytest.raises(LogError, match="cannot be read"):
        Reader(link)


def test_closing_twice_does_nothing_and_using_it_then_says_so(begin: Begin) -> None:
    log = begin()
    log.close()
    log.close()
    with pytest.raises(LogFailed, match=f"session {log.path.stem} was closed"):
        log.append(Note(text="x"))


def test_a_session_that_cannot_begin_leaves_nothing(tmp_path: Path, syncs: Syncs) -> None:
    syncs.failing = True
    with pytest.raises(LogFailed):
        Log.create(tmp_path, SessionStart(program="nodwyn 0", root="/"), redact=as_it_is)
    assert list(tmp_path.iterdir()) == []


def test_binary_content_is_stored_once_under_its_hash(begin: Begin) -> None:
    log = begin()
    data = bytes(range(256)) * 100
    digest = log.store(data)
    assert log.store(data) == digest
    (blob,) = log.path.with_suffix(".blobs").iterdir()
    assert (blob.name, blob.read_bytes(), log.blob(digest)) == (digest, data, data)
    blob.write_bytes(data[:-1] + b"x")
    with pytest.raises(LogError, match="is damaged"):
        log.blob(digest)
    blob.unlink()
    with pytest.raises(LogError, match="No such file"):
        log.blob(digest)


def test_a_seq_that_is_not_there_is_an_error_with_those_that_are(begin: Begin) -> None:
    log = begin()
    for seq in (0, -1, 2):
        with pytest.raises(NoSuchEvent, match=f"no event {seq}: this log has the events 1 to 1"):
            log.event(seq)


def test_events_can_be_read_from_any_on_and_found_by_kind_and_agent(begin: Begin) -> None:
    log = begin()
    for number in range(2, 10):
        log.append(Note(text=str(number), agent="explorer" if number % 3 else "main"))
    log.append(TurnStart())
    with Reader(log.path) as reader:
        assert [event.seq for event in reader.events(7)] == [7, 8, 9, 10]
        assert list(reader.events(11)) == []
        assert list(reader.seqs("note", agent="main")) == [3, 6, 9]
        assert list(reader.seqs("note", "turn.start", start=8)) == [8, 9, 10]
        assert list(reader.seqs("summary")) == list(reader.seqs("note", agent="nobody")) == []
        log.append(Note(text="x"))
        assert (reader.last, reader.refresh(), reader.last) == (10, 11, 11)
