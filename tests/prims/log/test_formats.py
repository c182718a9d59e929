"""Logs of released formats stay readable for ever. The logs in logs/ are never made again."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from nodwyn.prims.log import Log, Reader, Unknown, read
from nodwyn.prims.log.events import Attachment, GuardDecision, Note, SessionStart, ToolResult
from nodwyn.prims.log.line import START, seal
from nodwyn.prims.surrogates import unescape

LOGS = Path(__file__).with_name("logs")

# Each log, its format, its hash, its number of events.
RELEASED = [
    ("20261009T034803Z-3981612f", 1, "a2d92433e1baaeae9a1e1bdddcbf99b14df608692fab0761f83aaef7e247de55", 52),
]


@pytest.fixture(params=RELEASED, ids=[name for name, *_ in RELEASED])
def released(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the path of a copy of a released log."""
    shutil.copytree(LOGS / f"{request.param[0]}.blobs", tmp_path / f"{request.param[0]}.blobs")
    return Path(shutil.copy(LOGS / f"{request.param[0]}.jsonl", tmp_path))


@pytest.mark.parametrize(("name", "version", "digest", "events"), RELEASED)
def test_a_released_log_is_never_made_again(name: str, version: int, digest: str, events: int) -> None:
    path = LOGS / f"{name}.jsonl"
    assert sha256(path.read_bytes()).hexdigest() == digest
    start, *others = read(path)
    assert isinstance(start, SessionStart)
    assert (start.session, start.format, 1 + len(others)) == (name, version, events)


def test_every_event_of_a_released_log_is_known_and_whole(released: Path) -> None:
    lines = released.read_bytes().decode().removesuffix("\n").split("\n")
    for event, line in zip(read(released), lines, strict=True):
        members = json.loads(unescape(line))
        del members["sum"]
        assert type(event) is not Unknown
        assert event.as_json() == members
        assert event.unknown_fields() == {}
        assert event.replace().replace() == event.replace()  # each field still has its form


def test_a_released_log_would_be_written_the_same_today(released: Path) -> None:
    checksum = START.checksum
    written = b""
    for event in read(released):
        line, checksum = seal(event.as_json(), checksum)
        written += line
    assert written == released.read_bytes()


def test_a_released_log_can_be_gone_on_with(released: Path) -> None:
    before = released.read_bytes()
    with Log.open(released, redact=str) as log:
        log.append(Note(text="on"))
    assert released.read_bytes().startswith(before)


def test_what_is_hard_to_write_is_read_from_a_released_log() -> None:
    with Reader(LOGS / "20261009T034803Z-3981612f.jsonl") as reader:
        picture, decision, result = reader.event(5), reader.event(14), reader.event(15)
        assert isinstance(picture, Attachment)
        assert reader.blob(picture.blob) == bytes(range(256))
        assert isinstance(decision, GuardDecision)
        assert decision.subject == "src/gr\udcf6\udcdfe.py"
        assert isinstance(result, ToolResult)
        assert result.value == "def größe():\n\treturn '\ufdd0'\n"
