"""The directories of homes that the person names in sandbox.toml: what may be named, and what is said of mistakes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from nodwyn.prims.guard.denylist import Denylist
from nodwyn.prims.guard.sandbox_toml import FILE, MOST_NAMED, SettingError, readable, refusal


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path.resolve() / "home"
    (home / "src" / "app").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return home


def read(home: Path, text: str, *, file: Path | None = None) -> list[str]:
    """Return what a file lets commands read, relative to the home."""
    file = file or home / FILE
    file.write_text(text)
    denied = Denylist((str(home / ".config/nodwyn"),), str(home)).secret
    return [os.path.relpath(path, home) for path in readable(file, str(home / "src/app"), denied)]


def listed(*paths: str) -> str:
    return f"readable = {list(paths)}\n"


@pytest.mark.parametrize(
    ("named", "read_are"),
    [
        (["~/miniconda3", "~/tools/own"], ["miniconda3", "tools/own"]),
        (["~/miniconda3/", "~/./tools/../tools/own"], ["miniconda3", "tools/own"]),
        (["~/tools/own", "~/tools", "~/tools/own"], ["tools"]),
        (["~/not-there"], []),
        (["~/src/app", "~/src/app/lib"], []),
        (["~/src"], ["src"]),
        ([], []),
    ],
)
def test_directories_are_named_by_paths(home: Path, named: list[str], read_are: list[str]) -> None:
    for name in ("miniconda3", "tools/own", "src/app/lib"):
        (home / name).mkdir(parents=True)
    assert read(home, listed(*named)) == read_are


def test_without_the_file_nothing_is_read(home: Path) -> None:
    assert readable(home / FILE, str(home / "src/app"), lambda path: None) == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("readable = [", "sandbox.toml is no TOML: "),
        ("a = " + "[" * 5000, "sandbox.toml is no TOML: "),
        ("a = " + "9" * 5000, "sandbox.toml is no TOML: a number in it is too long"),
        ("readble = []", "there is no setting readble; did you mean readable?"),
        ("[sandbox]\nreadable = []", "there is no setting sandbox; there are readable"),
        ('readable = "~/x"', "readable must be a list of at most 100 directories, as in readable = ["),
        ("readable = 1", "readable must be a list"),
        (listed(*["~/x"] * (MOST_NAMED + 1)), "readable must be a list of at most 100"),
        ("readable = [1]", "each the path of a directory, not 1"),
        ('readable = ["~/x\\u0000"]', "each the path of a directory, not '~/x\\x00'"),
        ('readable = ["~/x\\u202e"]', "each the path of a directory, not '~/x\\u202e'"),
        (listed("tools"), "readable has 'tools', but each path in it must begin with / or ~/"),
        (listed(""), "readable has '', but each path in it must begin with / or ~/"),
        (listed("~root/x"), "must begin with / or ~/"),
        (listed("$HOME/x"), "must begin with / or ~/"),
    ],
)
def test_a_mistake_is_said_with_its_place(home: Path, text: str, says: str) -> None:
    with pytest.raises(SettingError, match=re.escape(says)) as error:
        read(home, text)
    assert str(home / FILE) in str(error.value)


def names_of_homes(home: Path) -> Sequence[str]:
    return [
        "/",
        "//",
        "~",
        "~/",
        "~/.",
        "~/src/..",
        str(home),
        str(home.parent),
        "/home",
        "/home/other",
        "/root",
        "/Users/x",
    ]


@pytest.mark.parametrize("number", range(12))
def test_a_home_and_what_homes_lie_in_are_refused(home: Path, number: int) -> None:
    name = names_of_homes(home)[number]
    with pytest.raises(SettingError, match=r"is a home, or homes lie in it.*; name a directory in one"):
        read(home, listed(name))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("/run", "temporary files and sockets lie there"),
        ("/run/user/1000", "temporary files and sockets lie there"),
        ("/var/tmp", "temporary files and sockets lie there"),
        ("/dev", "temporary files and sockets lie there"),
        ("/proc/self/root", "shows or steers what the system"),
        ("~/.ssh", ".ssh holds secrets, and is neither read nor written; take it out"),
        ("~/.SSH/keys", ".ssh holds secrets"),
        ("~/.config/gh", ".config/gh holds secrets"),
        ("~/x/.aws/y", ".aws holds secrets"),
        ("~/.config/nodwyn", "nodwyn keeps its own data there"),
        ("~/file", "it is no directory; name the one that it lies in"),
        ("~/pipe", "it is no directory"),
        ("~/link", "is a link; name the directory that it leads to by its own path: the link says .ssh"),
        ("~/over/lib", "over is a link; name the directory that it leads to by its own path: the link says x/y"),
        ("~/hanging", "hanging is a link"),
    ],
)
def test_what_may_not_be_read_is_refused_in_words(home: Path, name: str, says: str) -> None:
    (home / "x/y/lib").mkdir(parents=True)
    (home / ".ssh").mkdir()
    (home / "file").touch()
    os.mkfifo(home / "pipe")
    for link, text in {"link": ".ssh", "over": "x/y", "hanging": "gone"}.items():
        (home / link).symlink_to(text)
    with pytest.raises(SettingError, match=re.escape(says)) as error:
        read(home, listed("~/x", name))
    assert name in str(error.value)


def test_a_home_of_the_system_that_is_a_link_is_named_by_a_tilde_all_the_same(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "tools").mkdir()
    (home.parent / "way").symlink_to(home)
    monkeypatch.setenv("HOME", str(home.parent / "way"))
    assert read(home, listed("~/tools")) == ["tools"]


@pytest.mark.parametrize("there", ["file", "link"])
def test_a_file_in_the_root_settles_nothing(home: Path, there: str) -> None:
    (home / "x").mkdir()
    inside = home / "src/app" / FILE
    if there == "link":
        inside.write_text(listed("~/x"))
        (home / FILE).symlink_to(inside)
    with pytest.raises(SettingError, match=r"leads into .*/src/app, where a command could change it: put a file that"):
        read(home, listed("~/x"), file=inside if there == "file" else None)


def test_a_file_that_others_made_unreadable_is_said(home: Path) -> None:
    (home / FILE).mkdir()
    with pytest.raises(SettingError, match="it is no regular file"):
        readable(home / FILE, str(home / "src/app"), lambda path: None)


def test_whether_it_is_there_makes_no_difference_to_a_refusal(home: Path) -> None:
    denied = Denylist((), str(home)).secret
    before = refusal(str(home / ".ssh"), denied)
    (home / ".ssh").mkdir()
    assert refusal(str(home / ".ssh"), denied) == before is not None
