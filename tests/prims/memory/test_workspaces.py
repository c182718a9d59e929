"""workspaces.toml: one line changes, and nothing else."""

from __future__ import annotations

import threading
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodwyn.prims.memory import workspaces
from nodwyn.prims.memory.workspaces import WorkspacesError, path, settle

KEY = "app-0123456789ab"

SETTLED = f"""\
# Mine.
title = "kept"   # a comment

[projects."{KEY}"]
# about this one
name = "App"
earlier_tasks = false  # for now
root = "/work/app"

[projects."other-0123456789ab"]
earlier_tasks = false
"""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir(mode=0o700)
    return path()


def settled(text: str, file: Path, value: bool = True) -> str:
    """Return the file after something was settled in it."""
    file.write_text(text)
    settle(KEY, "earlier_tasks", value, root=Path("/work/app"))
    return file.read_text()


def test_there_is_nothing_settled_at_first() -> None:
    assert workspaces.settings(KEY) == {}


def test_a_first_setting_makes_the_file(file: Path) -> None:
    settle(KEY, "earlier_tasks", True, root=Path('/work/"app"'))

    assert workspaces.settings(KEY) == {"root": '/work/"app"', "earlier_tasks": True}
    assert file.stat().st_mode & 0o777 == 0o600


def test_only_its_line_changes(file: Path) -> None:
    after = settled(SETTLED, file)

    assert after == SETTLED.replace("earlier_tasks = false  # for now", "earlier_tasks = true  # for now")
    assert settled(after, file, False) == SETTLED


def test_another_setting_of_the_entry_keeps_it(file: Path) -> None:
    settled(SETTLED, file)
    settle(KEY, "notes", True, root=Path("/work/app"))

    assert workspaces.settings(KEY) == {"name": "App", "earlier_tasks": True, "root": "/work/app", "notes": True}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "a = 1",
        "[projects.other]\nx = 1\n",
        f"[projects.'{KEY}']\nname = 'App'\n",
        f"[ projects . {KEY} ] # mine\nname = 'App'\n",
        f"[projects.{KEY}]\n\n[projects.{KEY}.more]\nearlier_tasks = false\n",
        f'[projects."{KEY}"]\r\nname = "App"\r\n',
    ],
)
def test_everything_else_means_what_it_meant(text: str, file: Path) -> None:
    expected = tomllib.loads(text)
    entry = expected.setdefault("projects", {}).setdefault(KEY, {})
    if KEY not in text:
        entry["root"] = "/work/app"
    entry["earlier_tasks"] = True

    assert tomllib.loads(settled(text, file)) == expected


@pytest.mark.parametrize(
    "text",
    [
        f'projects = {{ "{KEY}" = {{ name = "App" }} }}\n',
        f'[projects]\n"{KEY}".name = "App"\n',
        f'[projects."{KEY}"]\nearlier_tasks = [\n  false,\n]\n',
        "projects = 3\n",
        f'text = """\n[projects."{KEY}"]\nearlier_tasks = false\n"""\n',
    ],
)
def test_what_cannot_be_changed_safely_is_left_to_the_person(text: str, file: Path) -> None:
    with pytest.raises(WorkspacesError, match=rf'changed safely.*\[projects\."{KEY}"\]: earlier_tasks = true'):
        settled(text, file)

    assert file.read_text() == text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[projects\n", "is no TOML"),
        ("a = \n", "is no TOML"),
        (f"a = {'9' * 5000}", "is no TOML"),
        ("\0", "it is binary data"),
    ],
)
def test_what_is_no_toml_is_never_written_over(text: str, what: str, file: Path) -> None:
    with pytest.raises(WorkspacesError, match=what):
        settled(text, file)

    assert file.read_text() == text


def test_what_is_no_text_is_an_error(file: Path) -> None:
    file.write_bytes(b"\xff")
    with pytest.raises(WorkspacesError, match="not UTF-8: the byte 0xFF in line 1"):
        workspaces.settings(KEY)


def test_a_link_that_the_person_put_there_stays_one(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text(SETTLED)
    file.symlink_to(real)

    settle(KEY, "earlier_tasks", True, root=Path("/work/app"))

    assert file.is_symlink()
    assert "earlier_tasks = true  # for now" in real.read_text()


def test_two_writers_lose_nothing() -> None:
    names = [f"setting_{number}" for number in range(12)]
    threads = [threading.Thread(target=settle, args=(KEY, name, True), kwargs={"root": Path("/")}) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert workspaces.settings(KEY) == {"root": "/", **dict.fromkeys(names, True)}


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
def test_a_root_of_any_name_can_be_noted(file: Path, root: str) -> None:
    root = root.encode("utf-8", "ignore").decode()
    file.unlink(missing_ok=True)
    settle(KEY, "earlier_tasks", True, root=Path(f"/{root}".replace("\0", "")))

    assert workspaces.settings(KEY)["earlier_tasks"] is True
