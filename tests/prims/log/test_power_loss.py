"""Loss of power, simulated: what was written and synced is recorded, then mixes of blocks that may survive are tried.

A disk holds, of a block that was written since the last sync, its content after any of those writes or before them,
and of the file's size any of those since then. Blocks and size are independent of each other.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from nodwyn.prims import system_calls
from nodwyn.prims.log import Event, Log, LogFailed, read
from nodwyn.prims.log.events import Note, Recovery
from nodwyn.prims.log.scan import BLOCK

Begin = Callable[..., Log]
STATES_OF_A_TRACE = 5


def as_it_is(text: str) -> str:
    return text


class Step(NamedTuple):
    """The file after a call, and how many events were behind a barrier then."""

    content: bytes
    synced: bool
    promised: int


class Disk:
    """Records the calls by which a log changes, and can refuse writes."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.path = Path()
        self.steps: list[Step] = []
        self.promised = 0
        self.refuse_after: int | None = None
        patch.setattr(system_calls, "write", self.write)
        patch.setattr(system_calls, "truncate", self.truncate)
        patch.setattr(system_calls, "sync_data", self.sync)
        patch.setattr(system_calls, "sync_directory", lambda path: None)

    def begin(self, path: Path) -> None:
        """Record what happens to a log that is now behind a barrier."""
        self.path, self.promised = path, 1
        self._record(synced=True)

    def end(self) -> None:
        """Record and refuse nothing more."""
        self.path = Path()
        self.refuse_after = None

    def _record(self, *, synced: bool = False) -> None:
        if self.path.is_file():
            self.steps.append(Step(self.path.read_bytes(), synced, self.promised))

    def write(self, descriptor: int, data: bytes) -> int:
        if self.refuse_after == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = os.write(descriptor, data[: self.refuse_after])
        if self.refuse_after is not None:
            self.refuse_after = 0
        self._record()
        return written

    def truncate(self, descriptor: int, size: int) -> None:
        os.ftruncate(descriptor, size)
        self._record()

    def sync(self, descriptor: int) -> None:
        if self.path.is_file():
            self._record(synced=os.path.samestat(os.fstat(descriptor), self.path.stat()))


def record_trace(begin: Begin, disk: Disk, chance: random.Random) -> list[Event]:
    """Let a session go on through barriers, refused writes and new owners; return all of its events."""
    log = begin()
    disk.begin(log.path)
    for _ in range(chance.randint(5, 40)):
        try:
            log.append(Note(text="x" * chance.choice([3, 100, 300, 380, 500, 3000])))
            if chance.random() < 0.15:
                log.barrier()
                disk.promised = log.last
        except LogFailed:
            pass
        else:
            if chance.random() < 0.05:
                disk.refuse_after = chance.randint(1, 100)
            if chance.random() > 0.05:
                continue
        log.close()
        disk.refuse_after = None
        log = Log.open(log.path, redact=as_it_is)
        disk.promised = log.last
    written = list(read(log.path))
    log.close()
    disk.end()
    return written


def surviving(steps: list[Step], now: int, chance: random.Random) -> tuple[bytes, int]:
    """Return what a disk may hold when the power goes after the step ``now``, and how many events were promised."""
    base = max(number for number in range(now + 1) if steps[number].synced)
    candidates = [steps[number].content for number in range(base, now + 1)]
    size = len(chance.choice(candidates))
    kept_whole = chance.random()
    state = b""
    for start in range(0, size, BLOCK):
        version = candidates[-1] if chance.random() < kept_whole else chance.choice(candidates)
        state += version[start : start + BLOCK].ljust(BLOCK, b"\0")
    return state[:size], steps[now].promised


@pytest.mark.parametrize("traces", [30, pytest.param(1000, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])])
def test_after_a_loss_of_power_the_log_is_a_prefix_from_the_last_barrier_on(
    traces: int, begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(traces):
        chance = random.Random(number)
        with monkeypatch.context() as patch:
            disk = Disk(patch)
            written = record_trace(begin, disk, chance)
            for state in range(STATES_OF_A_TRACE):
                content, promised = surviving(disk.steps, chance.randrange(len(disk.steps)), chance)
                survivor = tmp_path / f"20260101T000000Z-{number:05x}{state:03x}.jsonl"
                survivor.write_bytes(content)
                check_survivor(survivor, written, promised)


def check_survivor(path: Path, written: list[Event], promised: int) -> None:
    """Fail unless the log holds a prefix of what was written, with all that was promised, and can be gone on with."""
    before = list(read(path))
    assert len(before) >= promised
    assert before == written[: len(before)]
    log = Log.open(path, redact=as_it_is)
    after = list(read(path))
    log.close()
    assert after[: len(before)] == before
    assert all(isinstance(event, Recovery) for event in after[len(before) :])
