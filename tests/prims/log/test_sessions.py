"""Naming, finding, listing and deleting sessions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims.log import (
    Log,
    LogError,
    NoSuchSession,
    delete_session,
    delete_sessions,
    find_session,
    sessions,
    size_of,
)
from nodwyn.prims.log.blobs import blobs_path
from nodwyn.prims.log.events import (
    ModelError,
    ModelResponse,
    Note,
    SessionArchive,
    SessionStart,
    SessionTitle,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.log.index import index_path
from nodwyn.prims.log.names import is_name, new_name

Begin = Callable[..., Log]


def as_it_is(text: str) -> str:
    return text


def make_logs(projects: Path, *names: str) -> None:
    """Make empty logs: ``project/session``."""
    for name in names:
        project, session = name.split("/")
        (projects / project / "sessions").mkdir(parents=True, exist_ok=True)
        (projects / project / "sessions" / f"{session}.jsonl").touch()


def test_a_name_is_the_start_and_eight_random_digits() -> None:
    name = new_name()
    assert re.fullmatch(r"20\d{6}T\d{6}Z-[0-9a-f]{8}", name)
    assert is_name(name)
    assert new_name() != name
    assert not is_name("20261009T034803Z-3981612F")
    assert not is_name("../20261009T034803Z-3981612f")


def test_a_session_is_found_by_a_beginning_that_no_other_has_in_any_project(tmp_path: Path) -> None:
    first, second = "20261009T034803Z-3981612f", "20261009T034803Z-48aa0000"
    make_logs(tmp_path, f"app-1/{first}", f"lib-2/{second}")
    assert find_session(first, tmp_path).stem == first
    assert find_session("20261009T034803Z-4", tmp_path) == tmp_path / "lib-2" / "sessions" / f"{second}.jsonl"


def test_a_beginning_that_several_have_is_an_error_that_names_them(tmp_path: Path) -> None:
    make_logs(tmp_path, *(f"app-1/20261009T034803Z-0000000{number}" for number in range(7)))
    with pytest.raises(NoSuchSession, match=r"7 sessions .* 20261009T034803Z-00000000, .*-00000004 and 2 more"):
        find_session("2026", tmp_path)


@pytest.mark.parametrize("beginning", ["2031", "", "*", "../", "20261009T034803Z-3981612f.jsonl"])
def test_a_beginning_that_none_has_is_an_error(beginning: str, tmp_path: Path) -> None:
    make_logs(tmp_path, "app-1/20261009T034803Z-3981612f", "app-1/20261010T034803Z-3981612f", "app-1/notes")
    with pytest.raises(NoSuchSession, match=re.escape(repr(beginning))):
        find_session(beginning, tmp_path)


def test_a_list_shows_each_session_with_what_its_events_say(begin: Begin, tmp_path: Path) -> None:
    log = begin()
    log.append(UserMessage(text="Tidy the tests. " * 50))
    log.append(UserMessage(text="And then?"))
    log.append(TurnStart())
    log.append(ModelResponse(request=1, content=[], stop="end", cost=1200))
    log.append(ModelError(request=1, message="overloaded", cost=34))
    log.append(SessionTitle(title="Tests"))
    seq = log.append(SessionArchive(archived=True))
    (session,) = sessions(tmp_path)
    assert (session.name, session.path, session.damage) == (log.path.stem, log.path, "")
    assert session.owner is not None
    assert session.owner.pid == os.getpid()
    assert session.overview.members() == {
        "events": seq,
        "started": log.event(1).at,
        "last": log.event(seq).at,
        "root": "/work/app",
        "client": "terminal",
        "title": "Tests",
        "first": ("Tidy the tests. " * 50)[:200],
        "turns": 1,
        "ended": "",
        "turn": 4,
        "cost": 1234,
        "unpriced": False,
        "hidden": False,
        "archived": True,
    }
    log.close()
    (session,) = sessions(tmp_path)
    assert session.owner is None


def test_a_list_is_the_same_without_what_is_derived(begin: Begin, tmp_path: Path) -> None:
    for number in range(3):
        log = begin()
        log.append(UserMessage(text=str(number)))
        log.close()
    before = [(session.name, session.overview.members()) for session in sessions(tmp_path)]
    for path in tmp_path.glob("*.idx"):
        path.unlink()
    assert [(session.name, session.overview.members()) for session in sessions(tmp_path)] == before
    assert len(list(tmp_path.glob("*.idx"))) == 3


def test_a_damaged_log_is_listed_with_its_damage_and_an_empty_one_is_not(closed: Path, tmp_path: Path) -> None:
    closed.write_bytes(closed.read_bytes().replace(b"allow", b"denyy")[:-20])
    (tmp_path / "20310101T000000Z-00000000.jsonl").touch()
    (tmp_path / "20310102T000000Z-00000000.jsonl").symlink_to(closed)
    (session,) = sessions(tmp_path)
    assert "line 4" in session.damage
    assert session.overview.events == 3


def test_a_log_that_is_damaged_from_its_beginning_is_listed_with_the_time_in_its_name(closed: Path) -> None:
    data = bytearray(closed.read_bytes())
    data[5] ^= 1
    closed.write_bytes(data)
    closed.with_suffix(".idx").unlink()
    (session,) = sessions(closed.parent)
    assert "line 1" in session.damage
    name = session.name
    assert session.overview.last == (
        f"{name[:4]}-{name[4:6]}-{name[6:8]}T{name[9:11]}:{name[11:13]}:{name[13:15]}.000Z"
    )


def test_a_project_without_sessions_has_none(tmp_path: Path) -> None:
    assert list(sessions(tmp_path / "missing")) == []


def test_a_hidden_session_says_so(tmp_path: Path) -> None:
    start = SessionStart(program="nodwyn 0", root="/", client="eval", hidden=True)
    Log.create(tmp_path, start, redact=as_it_is).close()
    (session,) = sessions(tmp_path)
    assert (session.overview.hidden, session.overview.client) == (True, "eval")


def test_deleting_a_session_leaves_nothing_of_it_and_all_of_the_others(
    begin: Begin, closed: Path, tmp_path: Path
) -> None:
    other = begin()
    other.append(Note(text="x"))
    other.close()
    remain = {path.name for path in tmp_path.iterdir() if path.name.startswith(other.path.stem)}
    with open(closed, "ab") as file:
        file.write(b"torn")
    with Log.open(closed, redact=as_it_is) as log:
        log.store(b"image")
    assert index_path(closed).exists()
    delete_session(closed)
    assert {path.name for path in tmp_path.iterdir()} == remain
    with pytest.raises(LogError, match="cannot be read"):
        delete_session(closed)


@pytest.mark.parametrize("is_link", [True, False])
def test_deleting_a_session_takes_what_stands_in_place_of_its_blobs_and_nothing_behind_it(
    closed: Path, tmp_path: Path, is_link: bool
) -> None:
    kept, blobs = tmp_path / "kept", blobs_path(closed)
    kept.mkdir()
    (kept / "theirs").touch()
    blobs.symlink_to(kept) if is_link else blobs.touch()
    delete_session(closed)
    assert not os.path.lexists(blobs)
    assert (kept / "theirs").exists()


def test_a_session_whose_blobs_cannot_be_deleted_is_still_there(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Log.open(closed, redact=as_it_is) as log:
        log.store(b"image")

    unlink = os.unlink

    def refuse(path: str | Path, **given: int) -> None:
        if len(os.path.basename(path)) == 64:  # a blob
            raise PermissionError(13, "Permission denied", str(path))
        unlink(path, **given)

    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", refuse)
        with pytest.raises(PermissionError):
            delete_session(closed)
    assert closed.exists()
    delete_session(closed)
    assert not blobs_path(closed).exists()


def test_deleting_several_leaves_those_that_are_open_and_all_of_the_others(begin: Begin, tmp_path: Path) -> None:
    logs = [begin() for _ in range(6)]
    for log in logs:
        log.store(b"image")
        log.path.with_suffix(".mem").write_bytes(b"words")
        (log.path.parent / f".{log.path.stem}.unfinished").write_bytes(b"")
    for log in logs[1:]:
        log.close()
    names = [log.path.stem for log in logs]
    assert list(delete_sessions(tmp_path, names[:4])) == names[1:4]
    left = {path.name.removeprefix(".").partition(".")[0] for path in tmp_path.iterdir()} - {"list"}
    assert left == {names[0], *names[4:]}
    assert logs[4].path.with_suffix(".mem").exists()
    logs[0].close()


def test_a_size_is_that_of_a_log_and_of_all_beside_it(begin: Begin) -> None:
    one, two = begin(), begin()
    for log in (one, two):
        log.store(b"x" * 1000)
        log.close()
    both = size_of([one.path, two.path])
    assert both == size_of([one.path]) + size_of([two.path])
    one.path.with_suffix(".mem").write_bytes(b"y" * 500)
    (one.path.parent / f".{one.path.stem}.unfinished").write_bytes(b"z" * 50)
    assert size_of([one.path, two.path]) == both + 550
    assert size_of([one.path]) > 1500 + one.path.stat().st_size
