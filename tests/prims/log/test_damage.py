"""What is left of a log that was cut, altered or added to, and what is said of it."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from nodwyn.prims.log import Damaged, Event, Log, LogError, Reader, read
from nodwyn.prims.log.events import Note, Recovery
from nodwyn.prims.log.scan import BLOCK


def as_it_is(text: str) -> str:
    return text


def read_until_damage(path: Path) -> tuple[list[Event], Damaged | None]:
    """Return the events that can be read, and the damage that ended it."""
    events = []
    try:
        for event in read(path):
            events.append(event)
    except Damaged as damage:
        return events, damage
    return events, None


def torn_files(path: Path) -> list[Path]:
    return list(path.parent.glob("*.torn-*"))


def test_of_every_prefix_exactly_the_whole_events_are_read(closed: Path) -> None:
    data = closed.read_bytes()
    whole = list(read(closed))
    for length in range(len(data), -1, -1):
        os.truncate(closed, length)
        assert read_until_damage(closed) == (whole[: data[:length].count(b"\n")], None), length


@pytest.mark.usefixtures("no_sync")
def test_every_prefix_with_a_whole_event_can_be_gone_on_with(closed: Path) -> None:
    data = closed.read_bytes()
    first = data.index(b"\n") + 1
    for length in range(first, len(data), 5):
        closed.write_bytes(data[:length])
        torn = length - data.rindex(b"\n", 0, length) - 1
        with Log.open(closed, redact=as_it_is) as log:
            assert (log.recovery is None) == (torn == 0)
            log.append(Note(text="on"))
        assert closed.read_bytes().startswith(data[: length - torn])
        assert [path.read_bytes() for path in torn_files(closed)] == ([data[length - torn : length]] if torn else [])
        for path in torn_files(closed):
            path.unlink()


@pytest.mark.parametrize("length", [0, 1, 50])
def test_a_log_without_a_whole_event_is_not_gone_on_with(length: int, closed: Path) -> None:
    data = closed.read_bytes()[:length]
    closed.write_bytes(data)
    with pytest.raises(LogError, match="holds no whole event"):
        Log.open(closed, redact=as_it_is)
    assert closed.read_bytes() == data


def test_with_any_bit_flipped_reading_stops_at_that_record_and_says_so(closed: Path) -> None:
    data = closed.read_bytes()
    whole = list(read(closed))
    with open(closed, "r+b", buffering=0) as file:
        for place in range(len(data)):
            line = data[:place].count(b"\n") + 1
            for bit in range(8):
                os.pwrite(file.fileno(), bytes([data[place] ^ 1 << bit]), place)
                events, damage = read_until_damage(closed)
                assert events == whole[: line - 1], (place, bit)
                assert damage is not None, (place, bit)
                assert damage.line == line
            os.pwrite(file.fileno(), data[place : place + 1], place)


@pytest.mark.usefixtures("no_sync")
def test_with_a_bit_flipped_nothing_is_added_and_nothing_is_cut(closed: Path) -> None:
    data = closed.read_bytes()
    closed.with_suffix(".idx").unlink()
    for place in range(0, len(data), 3):
        altered = bytearray(data)
        altered[place] ^= 1 << place % 8
        closed.write_bytes(altered)
        with pytest.raises(LogError, match=r"line \d+ \(byte \d+\)|no log of a session|newer|has format"):
            Log.open(closed, redact=as_it_is)
        assert closed.read_bytes() == altered
        assert torn_files(closed) == []


def test_damage_is_shown_to_a_reader_and_the_rest_stays_readable(closed: Path) -> None:
    data = closed.read_bytes()
    lines = data.splitlines(keepends=True)
    lines[3] = lines[3].replace(b"allow", b"denyy")
    closed.write_bytes(b"".join(lines))
    closed.with_suffix(".idx").unlink()
    with Reader(closed) as reader:
        assert reader.last == 3
        assert isinstance(reader.damage, Damaged)
        assert f"{closed}, line 4 (byte {sum(map(len, lines[:3]))}): the checksum is not that of the line" in str(
            reader.damage
        )
        assert reader.event(3).kind == "tool.call"


def test_damage_is_noticed_when_one_event_is_asked_for(closed: Path) -> None:
    data = closed.read_bytes()
    closed.write_bytes(data.replace(b"allow", b"denyy"))
    with Reader(closed) as reader:
        assert reader.last == 6  # the index fits the log's end; nothing else was read
        with pytest.raises(Damaged, match="line 4"):
            reader.event(4)


@pytest.mark.parametrize("how", ["one", "all"])
def test_nothing_is_added_to_a_log_once_it_turns_out_to_be_damaged(closed: Path, how: str) -> None:
    closed.write_bytes(closed.read_bytes().replace(b"allow", b"denyy"))
    with Log.open(closed, redact=as_it_is) as log:
        data = closed.read_bytes()
        with pytest.raises(Damaged, match="line 4"):
            log.event(4) if how == "one" else list(log.events())
        for _ in range(2):
            with pytest.raises(Damaged, match="nothing can be added"):
                log.append(Note(text="x"))
    assert closed.read_bytes() == data
    assert not closed.with_suffix(".idx").exists()
    with pytest.raises(Damaged):
        Log.open(closed, redact=as_it_is)


def noises(number: int) -> list[bytes]:
    chance = random.Random(number)
    sizes = [1, 2, BLOCK, 4096, *(chance.randint(1, 4096) for _ in range(number))]
    return [
        *(bytes(size) for size in sizes),
        *(chance.randbytes(size) for size in sizes),
        b"\n",
        b"}\n" * 99,
        b"{" * 300,
    ]


@pytest.mark.usefixtures("no_sync")
@pytest.mark.parametrize("number", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_noise_at_the_end_is_moved_aside_and_all_events_are_kept(number: int, closed: Path) -> None:
    data = closed.read_bytes()
    whole = list(read(closed))
    for noise in noises(number):
        closed.write_bytes(data + noise)
        assert read_until_damage(closed) == (whole, None)
        with Reader(closed) as reader:
            assert (reader.last, reader.damage) == (len(whole), None)
        with Log.open(closed, redact=as_it_is) as log:
            assert log.recovery is not None
            assert log.recovery.size == len(noise)
            (kept,) = torn_files(closed)
            assert kept.name == log.recovery.kept
            assert kept.read_bytes() == noise
            assert kept.stat().st_mode & 0o777 == 0o600
        *before, report = read(closed)
        assert before == whole
        assert isinstance(report, Recovery)
        kept.unlink()


@pytest.mark.usefixtures("no_sync")
def test_two_torn_ends_at_the_same_place_are_both_kept(closed: Path) -> None:
    data = closed.read_bytes()
    for noise in (b"one", b"two"):
        closed.write_bytes(data + noise)
        Log.open(closed, redact=as_it_is).close()
    assert sorted(path.read_bytes() for path in torn_files(closed)) == [b"one", b"two"]


def lost_blocks(path: Path, data: bytes, first: int) -> None:
    """Write the log as a loss of power leaves it when a block from ``first`` on was not yet on the disk."""
    end = (first // BLOCK + 1) * BLOCK
    assert end < len(data)
    path.write_bytes(data[:first] + bytes(end - first) + data[end:])


@pytest.mark.usefixtures("no_sync")
def test_blocks_lost_after_the_last_barrier_end_the_log_before_them(begin_unsynced: Path) -> None:
    data = begin_unsynced.read_bytes()
    lines = data.splitlines(keepends=True)
    start = len(lines[0]) + len(lines[1])
    lost_blocks(begin_unsynced, data, start)
    assert len(read_until_damage(begin_unsynced)[0]) == 2
    with Log.open(begin_unsynced, redact=as_it_is) as log:
        assert log.recovery is not None
        assert log.recovery.size == len(data) - start


@pytest.mark.usefixtures("no_sync")
def test_blocks_lost_before_the_last_barrier_are_damage(begin_unsynced: Path) -> None:
    with Log.open(begin_unsynced, redact=as_it_is) as log:
        log.barrier()
        log.append(Note(text="says that all before is on the disk"))
    data = begin_unsynced.read_bytes()
    lines = data.splitlines(keepends=True)
    lost_blocks(begin_unsynced, data, len(lines[0]) + len(lines[1]))
    begin_unsynced.with_suffix(".idx").unlink()
    with pytest.raises(Damaged, match="line 3"):
        Log.open(begin_unsynced, redact=as_it_is)


@pytest.fixture
def begin_unsynced(closed: Path) -> Path:
    """Return a log of which only the first event is behind a barrier."""
    os.unlink(closed.with_suffix(".idx"))
    return closed
