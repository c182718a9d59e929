"""What in a repository decides what git runs, and whether it changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims.guard.repositories import (
    Change,
    compare,
    decisive_parts,
    looks_like_repository,
    take,
    takes_part_in_bare,
)

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "app"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def changes(root: Path, change: Callable[[Path], object]) -> set[tuple[str, str]]:
    """Return what a change to a repository is told as, with paths relative to its root."""
    before = take([str(root / ".git")], str(root))
    change(root / ".git")
    found = compare(before, take([str(root / ".git")], str(root)))
    return {(os.path.relpath(change.path, root), change.what) for change in found}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda git: (git / "config").write_text("[core]\n"), (".git/config", "changed")),
        (lambda git: (git / "config").unlink(), (".git/config", "removed")),
        (lambda git: (git / "config.worktree").write_text("x"), (".git/config.worktree", "made")),
        (lambda git: (git / "commondir").write_text("../evil"), (".git/commondir", "made")),
        (lambda git: (git / "info" / "attributes").write_text("* filter=x"), (".git/info/attributes", "made")),
        (lambda git: (git / "hooks" / "pre-commit").write_text("x"), (".git/hooks/pre-commit", "made")),
        (lambda git: (git / "hooks" / "pre-push").symlink_to("/bin/sh"), (".git/hooks/pre-push", "made")),
        (lambda git: shutil.rmtree(git / "hooks"), (".git/hooks", "removed")),
    ],
)
def test_a_change_is_told(root: Path, change: Callable[[Path], object], told: tuple[str, str]) -> None:
    assert told in changes(root, change)


@pytest.mark.parametrize(
    "change",
    [
        lambda git: (git / "HEAD").write_text("ref: refs/heads/other\n"),
        lambda git: (git / "refs" / "heads" / "x").write_text("0" * 40),
        lambda git: (git / "info" / "exclude").write_text("x"),
        lambda git: (git / "hooks" / "pre-commit.sample").write_text("x"),
        lambda git: os.utime(git / "config", (1, 1)),
    ],
)
def test_what_runs_nothing_is_not_told(root: Path, change: Callable[[Path], object]) -> None:
    assert changes(root, change) == set()


def test_a_hook_that_can_be_run_now_is_told(root: Path) -> None:
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.write_text("x")
    hook.chmod(0o644)
    assert changes(root, lambda git: hook.chmod(0o755)) == {(".git/hooks/pre-commit", "changed")}


def test_submodules_and_worktrees_have_parts_of_their_own(root: Path) -> None:
    git = root / ".git"
    for inner in ("modules/a", "modules/group/b", "modules/a/modules/c", "worktrees/t"):
        (git / inner).mkdir(parents=True)
        (git / inner / "HEAD").touch()
    parts = decisive_parts(str(git), str(root))
    for part in ("modules/a/config", "modules/group/b/hooks", "modules/a/modules/c/config", "worktrees/t/commondir"):
        assert str(git / part) in parts


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("[core]\n\thooksPath = .husky\n", ".husky"),
        ('[core]\n\thookspath="tools/hooks"\n', "tools/hooks"),
        ("[include]\n\tpath = ../shared.config\n", "shared.config"),
        ('[includeIf "onbranch:x"]\n\tpath = extra\n', ".git/extra"),
    ],
)
def test_what_the_configuration_names_in_the_root_is_a_part(root: Path, setting: str, part: str) -> None:
    (root / ".git" / "config").write_text(setting)
    assert str(root / part) in decisive_parts(str(root / ".git"), str(root))


@pytest.mark.parametrize("setting", ["[core]\n\thooksPath = /etc\n", "[include]\n\tpath = ~/.gitconfig\n"])
def test_what_it_names_elsewhere_is_none(root: Path, setting: str) -> None:
    before = decisive_parts(str(root / ".git"), str(root))
    with open(root / ".git" / "config", "a", encoding="utf-8") as file:
        file.write(setting)
    assert decisive_parts(str(root / ".git"), str(root)) == before


def test_changes_are_told_in_order() -> None:
    before = {"/b": "1", "/c": "1", "/same": "1"}
    assert compare(before, {"/a": "1", "/b": "2", "/same": "1"}) == [
        Change("/a", "made"),
        Change("/b", "changed"),
        Change("/c", "removed"),
    ]


def test_a_repository_is_known_by_what_is_in_it() -> None:
    assert looks_like_repository(["HEAD", "config", "objects", "refs"])
    assert not looks_like_repository(["HEAD", "objects"])


@pytest.mark.parametrize(
    ("there", "written", "takes_part"),
    [
        (["HEAD", "objects/", "refs/"], "config", True),
        (["HEAD", "objects/", "refs/"], "Hooks/pre-commit", True),
        (["HEAD", "objects/", "refs/"], "info/attributes", True),
        (["HEAD", "objects/", "refs/"], "notes.txt", False),
        (["HEAD", "objects/", "refs/"], "refs/heads/x", False),
        (["config", "objects/", "refs/"], "HEAD", True),
        (["config", "HEAD", "refs/"], "objects/pack/x", True),
        (["config", "head", "Objects/"], "REFS/x", True),
        (["config", "objects/"], "refs/heads/x", False),
        (["objects/", "refs/"], "config", False),
        ([], "config", False),
        ([], "sub/HEAD", False),
    ],
)
def test_the_last_part_of_a_bare_repository_to_be_written_counts(
    tmp_path: Path, there: list[str], written: str, takes_part: bool
) -> None:
    bare = tmp_path / "deep" / "bare"
    bare.mkdir(parents=True)
    for name in there:
        (bare / name).mkdir() if name.endswith("/") else (bare / name).touch()
    assert takes_part_in_bare(str(bare / written), str(tmp_path)) is takes_part
