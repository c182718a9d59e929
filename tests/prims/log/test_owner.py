"""One owner at a time, whatever processes do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims.log import Log, LogError, LogFailed, OwnedElsewhere, delete_session, owner_of, read, sessions
from nodwyn.prims.log.events import Note
from nodwyn.prims.log.owner import owner_path, running_owner

Begin = Callable[..., Log]

OWN = """
import sys
from pathlib import Path
from nodwyn.prims.log import Log, OwnedElsewhere
try:
    log = Log.open(Path(sys.argv[1]), redact=str)
except OwnedElsewhere as refusal:
    print(refusal, flush=True)
    sys.exit(5)
print("owned", flush=True)
sys.stdin.read()
"""


def as_it_is(text: str) -> str:
    return text


def start_owner(path: Path) -> subprocess.Popen[str]:
    """Start a process that tries to own the log and, when it does, keeps it until its input ends."""
    command = [sys.executable, "-c", OWN, str(path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_a_second_process_is_told_who_owns_the_log_and_may_read(begin: Begin) -> None:
    log = begin()
    process = start_owner(log.path)
    message = first_line(process)
    process.communicate()
    assert process.returncode == 5
    owner = owner_of(log.path)
    assert owner is not None
    assert (owner.pid, owner.host) == (os.getpid(), os.uname().nodename)
    assert message.startswith(f"session {log.path.stem} is owned by process {os.getpid()} on {owner.host} since 2")
    assert len(list(read(log.path))) == 1


def test_a_process_that_owns_a_log_is_named_here(closed: Path) -> None:
    process = start_owner(closed)
    assert first_line(process) == "owned\n"
    before = closed.read_bytes()
    with pytest.raises(OwnedElsewhere, match=f"owned by process {process.pid} on") as refusal:
        Log.open(closed, redact=as_it_is)
    assert refusal.value.owner is not None
    assert refusal.value.owner.pid == process.pid
    assert owner_of(closed) == refusal.value.owner == running_owner(closed)
    with pytest.raises(OwnedElsewhere):
        delete_session(closed)
    assert closed.read_bytes() == before
    end(process)


def test_an_owner_that_was_killed_owns_nothing(closed: Path) -> None:
    process = start_owner(closed)
    first_line(process)
    end(process)
    assert owner_path(closed).exists()
    assert running_owner(closed) is None
    with Log.open(closed, redact=as_it_is):
        owner = owner_of(closed)
        assert owner is not None
        assert owner.pid == os.getpid()
    assert owner_of(closed) is None


def test_the_same_process_cannot_own_it_twice_but_again(begin: Begin) -> None:
    log = begin()
    with pytest.raises(OwnedElsewhere, match=f"process {os.getpid()} "):
        Log.open(log.path, redact=as_it_is)
    log.append(Note(text="x"))
    log.close()
    Log.open(log.path, redact=as_it_is).close()


def test_reading_the_file_elsewhere_in_the_process_does_not_give_the_lock_away(begin: Begin) -> None:
    log = begin()
    list(read(log.path))
    os.close(os.open(log.path, os.O_RDWR))
    process = start_owner(log.path)
    assert "is owned by" in first_line(process)
    process.communicate()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_owns_nothing_and_keeps_nothing(begin: Begin) -> None:
    log = begin()
    said, say = os.pipe()
    wait, end_wait = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            log.append(Note(text="from the child"))
        except LogFailed as refusal:
            os.write(say, str(refusal).encode())
        log.close()
        os.close(end_wait)
        os.read(wait, 1)  # lives on after the parent has closed the log
        os._exit(0)
    assert b"belongs to the process that this one was forked from" in os.read(said, 1000)
    assert owner_of(log.path) is not None
    log.append(Note(text="from the parent"))
    log.close()
    with Log.open(log.path, redact=as_it_is) as again:
        assert again.last == 2
    for descriptor in (said, say, wait, end_wait):
        os.close(descriptor)
    os.waitpid(child, 0)


def test_a_started_program_does_not_inherit_the_lock(begin: Begin) -> None:
    log = begin()
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    log.close()
    Log.open(log.path, redact=as_it_is).close()
    assert process.poll() is None  # it ran all the while
    process.communicate(b"\n")


DAMAGED = [b"", b"{", b"[" * 4000, b"\xff", b'{"pid": 1}', b"[]", b"7", b'"text"', b"null"]
DAMAGED += [b'{"pid":%b,"host":"HERE","since":""}' % pid for pid in (b"-1", b"0", b"true", b"1.5", b'"1"', b"9" * 20)]
DAMAGED += [b'{"pid":1,"host":7,"since":""}', b'{"pid":1,"host":"HERE","since":null}', b'{"pid":1,"host":"","x":""}']


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_owner_file_names_nobody(content: bytes, closed: Path) -> None:
    owner_path(closed).write_bytes(content.replace(b"HERE", os.uname().nodename.encode()))
    assert owner_of(closed) is None
    assert [session.owner for session in sessions(closed.parent) if session.path == closed] == [None]


@pytest.mark.timeout(10)
def test_a_pipe_in_place_of_the_owners_name_is_not_waited_for(closed: Path) -> None:
    os.mkfifo(owner_path(closed))
    assert owner_of(closed) is None


@pytest.mark.parametrize("content", [*DAMAGED, b'{"pid":1,"host":"elsewhere","since":"2026"}'])
def test_a_stale_or_damaged_owner_file_decides_nothing(content: bytes, closed: Path) -> None:
    owner_path(closed).write_bytes(content)
    Log.open(closed, redact=as_it_is).close()
    assert not owner_path(closed).exists()


def test_an_owner_that_cannot_be_named_is_one_all_the_same(begin: Begin) -> None:
    log = begin()
    owner_path(log.path).unlink()
    with pytest.raises(OwnedElsewhere, match="is owned by another process: close it there first"):
        Log.open(log.path, redact=as_it_is)


def test_of_processes_that_start_together_one_owns(closed: Path) -> None:
    processes = [start_owner(closed) for _ in range(6)]
    answers = [first_line(process) for process in processes]
    assert answers.count("owned\n") == 1
    for process in processes:
        end(process)


def test_a_log_that_is_replaced_while_it_is_opened_is_not_taken(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    really = fcntl.flock

    def lock_and_replace(descriptor: int, operation: int) -> None:
        really(descriptor, operation)
        closed.rename(closed.with_suffix(".moved"))

    monkeypatch.setattr(fcntl, "flock", lock_and_replace)
    with pytest.raises(LogError, match="was removed or replaced"):
        Log.open(closed, redact=as_it_is)


def test_a_lock_is_gone_soon_after_a_kill(closed: Path) -> None:
    for _ in range(3):
        process = start_owner(closed)
        assert first_line(process) == "owned\n"
        end(process)
        started = time.monotonic()
        Log.open(closed, redact=as_it_is).close()
        assert time.monotonic() - started < 5
