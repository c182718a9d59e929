"""Where things are kept, and which directories are one project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import platformdirs
import pytest

from nodwyn.prims.directories import (
    config_directory,
    data_directory,
    kept_config,
    kept_projects,
    main_worktree,
    project_directory,
    project_key,
    sessions_directory,
)
from nodwyn.prims.private import NotPrivate

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(where: Path, *arguments: str) -> str:
    """Run git with settings of its own."""
    settings = ["-c", "user.name=n", "-c", "user.email=e", "-c", "protocol.file.allow=always"]
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    command = ["git", "-C", str(where), *settings, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()


def make_repository(path: Path) -> Path:
    path.mkdir(parents=True)
    git(path, "init", "-q", "-b", "main")
    git(path, "commit", "-q", "--allow-empty", "-m", "x")
    return path


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    return tmp_path / "data"


def test_the_environment_names_the_directories(data: Path, tmp_path: Path) -> None:
    assert (data_directory(), config_directory()) == (data, tmp_path / "config")
    assert [path.stat().st_mode & 0o777 for path in (data, tmp_path / "config")] == [0o700, 0o700]


@pytest.mark.parametrize("value", [None, ""])
def test_else_the_platform_names_them(value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NODWYN_DATA_DIR", "NODWYN_CONFIG_DIR"):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    assert data_directory() == Path(platformdirs.user_data_dir("nodwyn", appauthor=False))
    assert config_directory() == Path(platformdirs.user_config_dir("nodwyn", appauthor=False))
    assert tmp_path in data_directory().parents


def test_what_is_kept_is_looked_for_without_making_a_place_for_it(data: Path, tmp_path: Path) -> None:
    assert (kept_config(), kept_projects()) == (tmp_path / "config", data / "projects")
    assert not (tmp_path / "config").exists()
    assert not data.exists()
    (tmp_path / "config").mkdir()
    (tmp_path / "config").chmod(0o777)
    with pytest.raises(NotPrivate, match="others can write in"):
        kept_config()


def test_a_home_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NODWYN_DATA_DIR", "~/here")
    monkeypatch.setenv("NODWYN_CONFIG_DIR", "~/there")
    assert (data_directory(), config_directory()) == (tmp_path / "home" / "here", tmp_path / "home" / "there")


@pytest.mark.parametrize("level", ["", "projects", "projects/KEY", "projects/KEY/sessions"])
def test_a_link_at_any_level_is_refused(level: str, data: Path, tmp_path: Path) -> None:
    place = data / level.replace("KEY", project_key(tmp_path))
    made = [folder for folder in reversed(place.parents) if folder == data or data in folder.parents]
    for folder in made:
        folder.mkdir(mode=0o700)
    (tmp_path / "elsewhere").mkdir()
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotPrivate, match="is a link"):
        sessions_directory(tmp_path)


def test_sessions_lie_under_their_project(data: Path, tmp_path: Path) -> None:
    key = project_key(tmp_path)
    assert project_directory(tmp_path) == data / "projects" / key
    assert sessions_directory(tmp_path) == data / "projects" / key / "sessions"


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("app", "app"),
        ("größe x", "gr--e-x"),
        (".hidden.", "hidden"),
        ("-", "root"),
        ("x" * 99, "x" * 40),
        ("a.git", "a"),
    ],
)
def test_a_key_is_a_readable_name_and_a_hash(name: str, readable: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert re.fullmatch(re.escape(readable) + "-[0-9a-f]{12}", project_key(tmp_path / name))


def test_directories_of_one_name_have_different_keys(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent / "app").mkdir(parents=True)
    assert project_key(tmp_path / "a" / "app") != project_key(tmp_path / "b" / "app")


def test_a_name_that_is_not_utf_8_has_a_key(tmp_path: Path) -> None:
    place = Path(os.fsdecode(os.fsencode(tmp_path) + b"/gr\xf6\xdfe"))
    place.mkdir()
    assert project_key(place).startswith("gr--e-")


def test_a_link_to_a_project_is_that_project(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "app")
    assert project_key(tmp_path / "link") == project_key(tmp_path / "app")


@needs_git
def test_worktrees_of_a_repository_are_one_project_from_anywhere_in_them(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "app")
    git(main, "worktree", "add", "-q", str(tmp_path / "by-hand"))
    (tmp_path / "by-hand" / "src").mkdir()
    for place in (main, tmp_path / "by-hand", tmp_path / "by-hand" / "src"):
        assert main_worktree(place) == main
        common = Path(git(place, "rev-parse", "--path-format=absolute", "--git-common-dir"))
        assert common.parent == main


@needs_git
def test_worktrees_of_a_bare_repository_are_one_project(tmp_path: Path) -> None:
    make_repository(tmp_path / "app")
    git(tmp_path, "clone", "-q", "--bare", "app", "bare.git")
    for name in ("one", "two"):
        git(tmp_path / "bare.git", "worktree", "add", "-q", "-b", name, str(tmp_path / name))
        assert main_worktree(tmp_path / name) == tmp_path / "bare.git"
    assert project_key(tmp_path / "one").startswith("bare-")


@needs_git
def test_a_submodule_and_its_worktrees_are_a_project_of_their_own(tmp_path: Path) -> None:
    make_repository(tmp_path / "library")
    main = make_repository(tmp_path / "app")
    git(main, "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    git(main / "lib", "worktree", "add", "-q", str(tmp_path / "other"))
    assert main_worktree(main / "lib") == main_worktree(tmp_path / "other") == main / "lib"


@needs_git
def test_a_repository_in_a_repository_is_a_project_of_its_own(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "app")
    inner = make_repository(main / "vendor" / "inner")
    (main / "docs").mkdir()
    assert main_worktree(inner) == inner
    assert main_worktree(main / "docs") == main


@needs_git
def test_the_environment_of_git_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = make_repository(tmp_path / "app")
    monkeypatch.setenv("GIT_DIR", str(make_repository(tmp_path / "other") / ".git"))
    assert main_worktree(main) == main


@needs_git
def test_a_folder_cannot_claim_to_be_a_worktree_of_another_repository(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "app")
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "stranger").mkdir()
    shutil.copy(tmp_path / "tree" / ".git", tmp_path / "stranger" / ".git")
    assert main_worktree(tmp_path / "stranger") == tmp_path / "stranger"
    (tmp_path / "stranger" / ".git").write_text(f"gitdir: {main}/.git\n")
    assert main_worktree(tmp_path / "stranger") == tmp_path / "stranger"


@pytest.mark.parametrize("content", ["", "gitdir", "gitdir: ", "gitdir: /nowhere", "\0", "x" * 10_000])
def test_a_broken_git_file_is_passed_over(content: str, tmp_path: Path) -> None:
    (tmp_path / ".git").write_text(content)
    assert main_worktree(tmp_path) == tmp_path


@pytest.mark.timeout(30)
@pytest.mark.parametrize("name", [".git", ".git/HEAD", "kept/commondir", "kept/gitdir", "common/config"])
def test_a_pipe_in_place_of_a_file_of_git_holds_nothing_up(name: str, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "common").mkdir()
    (tmp_path / "kept" / "commondir").write_text("../common\n")
    (tmp_path / "kept" / "gitdir").write_text(f"{tmp_path}/.git\n")
    if name == ".git/HEAD":
        (tmp_path / ".git").mkdir()
    elif name != ".git":
        (tmp_path / ".git").write_text(f"gitdir: {tmp_path}/kept\n")
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    assert main_worktree(tmp_path) in (tmp_path, tmp_path / "common")


def test_an_empty_git_directory_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert main_worktree(tmp_path) == tmp_path


@pytest.mark.parametrize("variable", ["NODWYN_DATA_DIR", "NODWYN_CONFIG_DIR"])
def test_a_relative_path_names_no_directory(variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be a place of its own in each project, for git to find."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, "relative")
    with pytest.raises(NotPrivate, match=f"{variable} is relative.*absolute path"):
        data_directory() if variable == "NODWYN_DATA_DIR" else config_directory()
    assert not list(tmp_path.iterdir())
