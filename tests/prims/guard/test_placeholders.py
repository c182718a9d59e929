"""Standing in for what does not exist yet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nodwyn.prims.guard.placeholders import Placeholders, take_leftovers


def test_something_stands_there_for_a_while(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    with Placeholders([str(path)]) as placeholders:
        assert placeholders.standing == (str(path),)
        assert path.read_bytes() == b""
        assert path.stat().st_mode & 0o777 == 0o600
    assert not path.exists()


def test_where_the_parent_is_missing_it_stands_for_the_parent(tmp_path: Path) -> None:
    paths = [str(tmp_path / ".vscode" / name) for name in ("tasks.json", "settings.json")]
    with Placeholders(paths) as placeholders:
        assert placeholders.standing == (str(tmp_path / ".vscode"),)
        assert (tmp_path / ".vscode").is_dir()
    assert os.listdir(tmp_path) == []


def test_what_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SECRET\n")
    (tmp_path / "empty").touch()
    with Placeholders([str(tmp_path / ".env"), str(tmp_path / "empty")]) as placeholders:
        assert placeholders.standing == ()
    assert (tmp_path / ".env").read_text() == "SECRET\n"
    assert (tmp_path / "empty").exists()


@pytest.mark.parametrize("how", ["written", "replaced"])
def test_the_real_thing_that_comes_meanwhile_stays(tmp_path: Path, how: str) -> None:
    path = tmp_path / ".env"
    with Placeholders([str(path)]):
        if how == "written":
            path.write_text("SECRET\n")
        else:
            (tmp_path / "new").write_text("SECRET\n")
            (tmp_path / "new").rename(path)
    assert path.read_text() == "SECRET\n"


def test_a_directory_that_was_filled_meanwhile_stays(tmp_path: Path) -> None:
    with Placeholders([str(tmp_path / ".vscode" / "tasks.json")]):
        (tmp_path / ".vscode" / "settings.json").write_text("{}")
    assert (tmp_path / ".vscode" / "settings.json").exists()


@pytest.mark.parametrize("name", [".env", ".vscode/tasks.json"])
def test_several_share_one_and_the_last_takes_it_away(tmp_path: Path, name: str) -> None:
    place = tmp_path / name.partition("/")[0]
    with Placeholders([str(tmp_path / name)]) as first:
        with Placeholders([str(tmp_path / name)]) as second:
            assert first.standing == second.standing == (str(place),)
        assert place.exists()
    assert not place.exists()


@pytest.mark.parametrize("name", [".env", "missing/.env"])
@pytest.mark.parametrize("look", [2, 3])
def test_one_that_another_takes_away_while_it_is_looked_at_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, look: int
) -> None:
    looks: list[str] = []
    lstat = os.lstat

    def taken_away(path: str) -> os.stat_result:
        status = lstat(path)
        if path == place:
            looks.append(path)
            if len(looks) == look:
                other.__exit__(None, None, None)
        return status

    other = Placeholders([str(tmp_path / name)])
    with other:
        (place,) = other.standing
        monkeypatch.setattr(os, "lstat", taken_away)
        with Placeholders([str(tmp_path / name)]) as mine:
            assert mine.standing == (place,)
            assert lstat(place).st_mtime == 0
        monkeypatch.undo()
        other._held.clear()
    assert os.listdir(tmp_path) == []


def test_one_that_was_left_over_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.touch()
    os.utime(path, (0, 0))
    with Placeholders([str(path)]) as placeholders:
        assert placeholders.standing == (str(path),)
    assert not path.exists()


def test_nothing_is_made_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    (tmp_path / ".env").symlink_to(tmp_path / "outside" / "made")
    with Placeholders([str(tmp_path / "link" / ".env"), str(tmp_path / ".env")]) as placeholders:
        assert placeholders.standing == ()
    assert os.listdir(tmp_path / "outside") == []


def test_an_error_inside_takes_it_away_too(tmp_path: Path) -> None:
    with pytest.raises(LookupError), Placeholders([str(tmp_path / ".env")]):
        raise LookupError
    assert os.listdir(tmp_path) == []


def test_what_a_killed_program_left_is_taken_away_but_not_what_is_held_or_real(tmp_path: Path) -> None:
    left, held, real, folder = (tmp_path / name for name in ("left", "held", "real", "folder"))
    left.touch()
    folder.mkdir()
    real.touch()
    for path in (left, folder):
        os.utime(path, (0, 0))
    with Placeholders([str(held)]):
        take_leftovers(map(str, (left, held, real, folder / "tasks.json", tmp_path / "none")))
        assert sorted(path.name for path in tmp_path.iterdir()) == ["held", "real"]
    assert not held.exists()
