"""The list of all sessions that is kept beside them: derived, checked, and safe to delete."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims.log import Log, listing, sessions
from nodwyn.prims.log.events import Interruption, Note, SessionStart, SessionTitle, TurnEnd, TurnStart
from nodwyn.prims.log.index import index_path
from nodwyn.prims.log.sessions import delete_session

Begin = Callable[..., Log]


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch, no_sync: None) -> None:
    """Have lists kept of a few sessions, too."""
    monkeypatch.setattr(listing, "MOST_CHANGED", 0)
    monkeypatch.setattr(listing, "FEWEST", 3)


@pytest.fixture
def three(begin: Begin, tmp_path: Path) -> list[Path]:
    """Return the logs of three closed sessions, of which a list is kept."""
    logs = [begin() for _ in range(3)]
    for log in logs:
        log.append(SessionTitle(title=f"titled {log.path.stem}"))
        log.close()
    shown(tmp_path)
    assert (tmp_path / ".list").exists()
    return sorted(log.path for log in logs)


def shown(directory: Path) -> list[tuple[str, dict[str, Any]]]:
    return [(session.name, session.overview.members()) for session in sessions(directory)]


def test_a_list_is_shown_from_it_without_reading_a_log(three: list[Path], tmp_path: Path) -> None:
    before = shown(tmp_path)
    for path in three:
        index_path(path).unlink()
    assert shown(tmp_path) == before
    assert not list(tmp_path.glob("*.idx"))


def test_what_a_log_gained_is_shown(three: list[Path], tmp_path: Path) -> None:
    with Log.open(three[1], redact=str) as log:
        log.append(SessionTitle(title="another"))
    assert [members["title"] for _, members in shown(tmp_path)][1] == "another"
    assert [members["title"] for _, members in shown(tmp_path)][1] == "another"


def test_a_session_that_is_open_has_its_owner(three: list[Path], tmp_path: Path) -> None:
    with Log.open(three[0], redact=str) as log:
        log.append(Note(text="x"))
        (first, *others) = sessions(tmp_path)
        assert first.owner is not None
        assert first.overview.events == log.last
        assert all(other.owner is None for other in others)


def test_deleted_and_new_sessions_are_seen(begin: Begin, three: list[Path], tmp_path: Path) -> None:
    delete_session(three[0])
    assert not any(three[0].stem.encode() in path.read_bytes() for path in tmp_path.iterdir())
    assert [name for name, _ in shown(tmp_path)] == [path.stem for path in three[1:]]
    name = begin().path.stem
    assert name in [shown_name for shown_name, _ in shown(tmp_path)]


@pytest.mark.parametrize("rest", ["", "nodwyn-list-1 0\n{}\n", "{}", "\0" * 100])
def test_one_that_is_damaged_is_made_again(three: list[Path], tmp_path: Path, rest: str) -> None:
    before = shown(tmp_path)
    kept = (tmp_path / ".list").read_bytes()
    (tmp_path / ".list").write_text(rest)
    assert shown(tmp_path) == before
    assert (tmp_path / ".list").read_bytes() == kept


ODD: list[Any] = [None, 1, "x", [], [[]], {}, {"a": 1}]


@pytest.mark.parametrize("value", [*ODD, *({"NAME": row} for row in ODD)], ids=str)
def test_one_with_something_else_in_it_is_made_again(three: list[Path], tmp_path: Path, value: Any) -> None:
    before = shown(tmp_path)
    line = json.dumps(value).replace("NAME", three[0].stem).encode()
    (tmp_path / ".list").write_bytes(b"%b %b\n%b\n" % (listing.LAYOUT, sha256(line).hexdigest().encode(), line))
    assert shown(tmp_path) == before


def test_damage_at_any_byte_of_it_changes_no_list(three: list[Path], tmp_path: Path) -> None:
    before, kept = shown(tmp_path), (tmp_path / ".list").read_bytes()
    for place in range(0, len(kept), 7):
        (tmp_path / ".list").write_bytes(kept[:place] + bytes([kept[place] ^ 1]) + kept[place + 1 :])
        assert shown(tmp_path) == before


@pytest.mark.parametrize(
    ("events", "ended"),
    [
        ([], ""),
        ([TurnStart()], ""),
        ([TurnStart(), TurnEnd(turn=2, how="budget")], "budget"),
        ([TurnStart(), Interruption(of=2, reason="stopped")], "interrupted"),
        ([TurnStart(), TurnEnd(turn=2, how="error"), TurnStart()], ""),
        ([TurnStart(), TurnEnd(turn=2, how="error"), Interruption(of=1, reason="x")], "error"),
    ],
)
def test_it_says_how_the_last_turn_ended(begin: Begin, tmp_path: Path, events: list[Any], ended: str) -> None:
    log = begin()
    for event in events:
        log.append(event)
    assert log.overview.ended == ended


def test_an_imported_session_is_as_old_as_what_it_tells_of(tmp_path: Path) -> None:
    start = SessionStart(program="nodwyn 0", root="/", when="2026-01-02T03:04:05.000Z")
    with Log.create(tmp_path, start, redact=str, name="20260102T030405Z-00000000") as log:
        log.append(Note(text="x", when="2026-01-02T04:00:00.000Z"))
        assert (log.overview.started, log.overview.last) == ("2026-01-02T03:04:05.000Z", "2026-01-02T04:00:00.000Z")
        assert log.event(2).at > "2026-01-02T04:00:00.000Z"
