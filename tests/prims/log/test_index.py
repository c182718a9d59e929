"""SESSION.idx and SESSION.owner: derived, checked, made again, and safe to lose at any moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims.log import Event, Log, Reader, sessions
from nodwyn.prims.log.events import Note, TurnStart
from nodwyn.prims.log.index import LAYOUT, MAXIMUM_LAG, Index, index_path, load_index, load_overview
from nodwyn.prims.log.read import open_to_read

Begin = Callable[..., Log]


def as_it_is(text: str) -> str:
    return text


def index_of(path: Path, *, stored: bool) -> Index:
    """Return the index of a log, with the help of the stored one or made from the log alone."""
    descriptor = open_to_read(path)
    try:
        index = load_index(path, descriptor) if stored else Index()
        assert index.catch_up(path, descriptor) is None
    finally:
        os.close(descriptor)
    return index


def check_equal_to_a_rebuild(path: Path) -> None:
    assert index_of(path, stored=True).to_bytes() == index_of(path, stored=False).to_bytes()


def covered(path: Path) -> int:
    """Return how many events of the log the stored index covers, or 0 when it is of no use."""
    descriptor = open_to_read(path)
    try:
        return load_index(path, descriptor).position.seq
    finally:
        os.close(descriptor)


def test_the_stored_index_is_that_of_the_log(closed: Path) -> None:
    assert index_path(closed).read_bytes() == index_of(closed, stored=False).to_bytes()
    assert covered(closed) == 6


def test_each_truncation_of_it_is_noticed(closed: Path) -> None:
    data = index_path(closed).read_bytes()
    for length in range(len(data) - 1, -1, -1):
        os.truncate(index_path(closed), length)
        assert covered(closed) == 0, length
        check_equal_to_a_rebuild(closed)


def test_each_flipped_bit_of_it_is_noticed(closed: Path) -> None:
    data = index_path(closed).read_bytes()
    with open(index_path(closed), "r+b", buffering=0) as file:
        for place in range(len(data)):
            for bit in range(8):
                os.pwrite(file.fileno(), bytes([data[place] ^ 1 << bit]), place)
                assert covered(closed) == 0, (place, bit)
            check_equal_to_a_rebuild(closed)
            os.pwrite(file.fileno(), data[place : place + 1], place)


@pytest.mark.parametrize("addition", [b"\0", b"x" * 16, bytes(4096)])
def test_what_is_added_to_it_is_noticed(addition: bytes, closed: Path) -> None:
    index_path(closed).write_bytes(index_path(closed).read_bytes() + addition)
    assert covered(closed) == 0
    check_equal_to_a_rebuild(closed)


ODD: list[Any] = [None, True, -1, 0, 1, 10**30, 1.5, "x", "", [], [[]], {"a": 1}]


@pytest.mark.parametrize("value", ODD, ids=str)
@pytest.mark.parametrize("member", ["offset", "seq", "sum", "kinds", "agents", "open", "overview", "byteorder", None])
def test_a_header_with_something_else_in_it_does_no_harm(member: str | None, value: Any, closed: Path) -> None:
    _, second, columns = index_path(closed).read_bytes().split(b"\n", 2)
    header = json.dumps(value if member is None else {**json.loads(second), member: value}).encode()
    first = b"%b %b" % (LAYOUT, sha256(header).hexdigest().encode())
    index_path(closed).write_bytes(b"\n".join((first, header, columns)))
    with Reader(closed) as reader:
        assert reader.last == 6
    assert [session.name for session in sessions(closed.parent)] == [closed.stem]


@pytest.mark.parametrize("data", [b"", b'{"seq":1,'])
def test_a_log_without_an_event_can_be_opened_and_left_out_of_lists_time_and_again(data: bytes, closed: Path) -> None:
    closed.write_bytes(data)
    for _ in range(3):
        assert list(sessions(closed.parent)) == []
        with Reader(closed) as reader:
            reader.keep_index()
            assert (reader.last, reader.damage) == (0, None)


def test_another_sessions_index_is_of_no_use(closed: Path, begin: Begin, a_few: list[Event]) -> None:
    other = begin()
    for event in a_few:
        other.append(event)
    other.close()
    index_path(closed).write_bytes(index_path(other.path).read_bytes())
    assert covered(closed) == 0
    check_equal_to_a_rebuild(closed)


def test_an_index_that_lags_behind_is_added_to(closed: Path) -> None:
    lagging = index_path(closed).read_bytes()
    with Log.open(closed, redact=as_it_is) as log:
        log.append(TurnStart(agent="explorer"))
    index_path(closed).write_bytes(lagging)
    assert covered(closed) == 6
    check_equal_to_a_rebuild(closed)
    with Reader(closed) as reader:
        assert (reader.last, reader.event(7).agent) == (7, "explorer")


def test_an_index_of_a_log_that_was_cut_is_of_no_use(closed: Path) -> None:
    os.truncate(closed, closed.read_bytes().rindex(b"\n", 0, -1) + 1)
    assert covered(closed) == 0
    check_equal_to_a_rebuild(closed)


def test_a_directory_in_its_place_does_no_harm(closed: Path) -> None:
    index_path(closed).unlink()
    index_path(closed).mkdir()
    with Log.open(closed, redact=as_it_is) as log:
        assert log.append(Note(text="x")) == 7
    check_equal_to_a_rebuild(closed)


def test_a_link_in_its_place_is_replaced_and_not_followed(closed: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(index_path(closed).read_bytes())
    index_path(closed).unlink()
    index_path(closed).symlink_to(tmp_path / "elsewhere")
    assert covered(closed) == 0
    before = (tmp_path / "elsewhere").read_bytes()
    Log.open(closed, redact=as_it_is).close()
    assert not index_path(closed).is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == before


def test_it_may_be_deleted_while_the_log_is_open(begin: Begin) -> None:
    log = begin()
    log.append(Note(text="x"))
    log.close()
    with Log.open(log.path, redact=as_it_is) as again, Reader(log.path) as reader:
        index_path(log.path).unlink()
        again.append(Note(text="y"))
        assert reader.refresh() == 3
        assert reader.event(2).kind == "note"
    check_equal_to_a_rebuild(log.path)


CRASH = """
import os, sys
from pathlib import Path
from nodwyn.prims import private, system_calls
from nodwyn.prims.log import Log
path, step = Path(sys.argv[1]), sys.argv[2]
log = Log.open(path, redact=str)
really_write, really_rename = os.write, os.rename
def write(descriptor, data):
    if step == "half":
        really_write(descriptor, data[: len(data) // 2])
    if step in ("none", "half"):
        os._exit(9)
    return really_write(descriptor, data)
def rename(old, new):
    if step == "renamed":
        really_rename(old, new)
    os._exit(9)
system_calls.write = write
os.rename = rename
log.close()
"""


@pytest.mark.parametrize("step", ["none", "half", "written", "renamed"])
def test_a_crash_at_any_step_of_storing_it_does_no_harm(step: str, closed: Path) -> None:
    before = index_path(closed).read_bytes()
    done = subprocess.run([sys.executable, "-c", CRASH, str(closed), step], check=False)
    assert done.returncode == 9
    assert index_path(closed).read_bytes() == before
    check_equal_to_a_rebuild(closed)
    Log.open(closed, redact=as_it_is).close()
    assert list(closed.parent.glob(".*")) == []


@pytest.mark.usefixtures("no_sync")
def test_it_is_stored_now_and_then_so_that_a_crash_leaves_little_to_read(begin: Begin) -> None:
    log = begin()
    for _ in range(MAXIMUM_LAG - 1):
        log.append(Note(text="x"))
    log.barrier()
    assert covered(log.path) == MAXIMUM_LAG
    log.append(Note(text="x"))
    log.barrier()
    assert covered(log.path) == MAXIMUM_LAG


@pytest.mark.usefixtures("no_sync")
def test_a_reader_that_had_to_read_a_long_log_stores_it(begin: Begin) -> None:
    log = begin()
    for _ in range(MAXIMUM_LAG):
        log.append(Note(text="x"))
    log.close()
    index_path(log.path).unlink()
    Reader(log.path).close()
    assert covered(log.path) == MAXIMUM_LAG + 1


def test_a_list_of_sessions_reads_the_index_alone(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    descriptor = open_to_read(closed)
    read: list[int] = []
    really = os.pread

    def pread(descriptor: int, size: int, offset: int) -> bytes:
        read.append(size)
        return really(descriptor, size, offset)

    monkeypatch.setattr(os, "pread", pread)
    overview = load_overview(closed, descriptor)
    os.close(descriptor)
    assert overview is not None
    assert (overview.events, overview.first) == (6, "Räum die Tests auf, bitte 🌲")
    assert sum(read) < 100


@pytest.mark.usefixtures("no_sync")
def test_opening_a_long_log_to_append_does_not_read_it_whole(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    log = begin()
    for number in range(20_000):
        log.append(Note(text=f"{number} words of the event"))
    log.close()
    read: list[int] = []
    really = os.pread

    def pread(descriptor: int, size: int, offset: int) -> bytes:
        read.append(len(data := really(descriptor, size, offset)))
        return data

    monkeypatch.setattr(os, "pread", pread)
    with Log.open(log.path, redact=as_it_is) as again:
        again.append(Note(text="x"))
    assert sum(read) < 2000
