"""Disks that are full: an error before the effect, and a log that ends on a whole record."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nodwyn.prims import system_calls
from nodwyn.prims.log import Log, LogFailed, read
from nodwyn.prims.log.events import Note, SessionStart

Begin = Callable[..., Log]
TEXT = "x" * 1000


def as_it_is(text: str) -> str:
    return text


def act_until_refused(log: Log) -> tuple[int, LogFailed]:
    """Have an effect after each event until the log refuses one; return how many there were, and the refusal."""
    effects = 0
    while True:
        try:
            log.append(Note(text=TEXT))
            log.barrier()
        except LogFailed as refusal:
            return effects, refusal
        effects += 1


def check_and_go_on(path: Path, effects: int) -> None:
    """Fail unless the log holds the events behind the effects, whole, and can be gone on with where there is space."""
    data = path.read_bytes()
    assert data.endswith(b'"}\n')
    events = list(read(path))
    assert len(events) == 1 + effects
    with Log.open(path, redact=as_it_is) as log:
        assert log.recovery is None
        assert log.append(Note(text="on")) == effects + 2


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """Mount a file system of 64 KiB in memory."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "nodwyn-test", str(place)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small tmpfs needs root")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs is Linux's")
def test_a_full_file_system(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as directory:
        ballast = directory / "ballast"
        ballast.write_bytes(bytes(20_000))
        log = Log.create(directory, SessionStart(program="nodwyn 0", root="/"), redact=as_it_is)
        effects, refusal = act_until_refused(log)
        assert "No space left on device" in str(refusal)
        assert effects > 10
        log.close()
        ballast.unlink()
        check_and_go_on(log.path, effects)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux's")
def test_a_device_that_is_full(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    log = begin()
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(system_calls, "write", lambda descriptor, data: os.write(full, data))
            effects, refusal = act_until_refused(log)
    finally:
        os.close(full)
    assert (effects, "No space left on device" in str(refusal)) == (0, True)
    log.close()
    check_and_go_on(log.path, 0)


LIMITED = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_full_disk import Log, SessionStart, act_until_refused, as_it_is
log = Log.create(Path(sys.argv[1]), SessionStart(program="nodwyn 0", root="/"), redact=as_it_is)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_500, 20_500))
effects, refusal = act_until_refused(log)
print(effects, log.path, refusal, sep="\\n")
"""


def test_a_limit_on_the_size_of_files(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIMITED, str(tmp_path), str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    effects, path, refusal = done.stdout.splitlines()
    assert "File too large" in refusal
    assert int(effects) > 10
    check_and_go_on(Path(path), int(effects))
