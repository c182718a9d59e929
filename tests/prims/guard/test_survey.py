"""Looking through the root: what is hidden, what is frozen, where git keeps things."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from nodwyn.prims.guard.denylist import Identities
from nodwyn.prims.guard.survey import MOST_HIDDEN_FILES, SETTLED_NANOSECONDS, Surveyor


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "app"
    (root / "sub" / "deep").mkdir(parents=True)
    return root


class Policy:
    """Denies what ends in ``.pem`` or ``.aws``, keeps ``tasks.json`` from being written, and counts the questions."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def is_denied(self, path: str) -> str | None:
        self.asked.append(path)
        return "a secret" if path.endswith((".pem", ".aws")) else None

    def is_unwritable(self, path: str) -> str | None:
        return "runs code" if path.endswith("tasks.json") else None

    def surveyor(self, root: Path) -> Surveyor:
        return Surveyor(str(root), self.is_denied, self.is_unwritable)


def test_what_may_not_be_reached_is_found_anywhere(root: Path) -> None:
    (root / "sub" / "deep" / "key.pem").touch()
    (root / "sub" / ".aws").mkdir()
    (root / "sub" / ".aws" / "inside.pem").touch()
    (root / "sub" / "tasks.json").touch()
    survey = Policy().surveyor(root).look()
    assert set(survey.hidden) == {str(root / "sub/deep/key.pem"), str(root / "sub/.aws")}
    assert survey.frozen == (str(root / "sub/tasks.json"),)


def test_what_is_written_only_after_a_question_is_known_as_it_is(root: Path) -> None:
    surveyor = Surveyor(str(root), lambda path: None, lambda path: None, lambda path: "asks" if "ci" in path else None)
    asked, link = root / "sub" / "ci.yml", root / "sub" / "ci-link"
    asked.write_text("x")
    link.symlink_to("nowhere")
    (root / "other.yml").touch()
    (root / "ci").mkdir()
    before = surveyor.look().asked
    assert set(before) == {str(asked), str(link)}
    asked.write_text("longer")
    link.unlink()
    after = surveyor.look().asked
    assert set(after) == {str(asked)}
    assert after[str(asked)] != before[str(asked)]


def test_a_hidden_file_is_hidden_under_all_its_names(root: Path) -> None:
    (root / "key.pem").touch()
    (root / "sub" / "other").hardlink_to(root / "key.pem")
    (root / "sub" / "unrelated").touch()
    assert set(Policy().surveyor(root).look().hidden) == {str(root / "key.pem"), str(root / "sub/other")}


def test_all_names_in_one_directory_are_hidden(root: Path) -> None:
    (root / "key.pem").touch()
    names = [root / "sub" / name for name in ("one", "two", "three")]
    for name in names:
        name.hardlink_to(root / "key.pem")
    assert set(Policy().surveyor(root).look().hidden) == {str(root / "key.pem"), *map(str, names)}


def test_a_file_that_is_a_secret_elsewhere_is_hidden_under_its_names_in_the_root(root: Path, tmp_path: Path) -> None:
    secret, other = tmp_path / "secret", tmp_path / "other"
    secret.touch()
    other.touch()
    (root / "sub" / "notes").hardlink_to(secret)
    (root / "kept").hardlink_to(other)
    status = secret.stat()
    known = Identities(frozenset({(status.st_dev, status.st_ino)}))
    surveyor = Surveyor(str(root), lambda path: None, lambda path: None, identities=lambda: known)
    assert surveyor.look().hidden == (str(root / "sub/notes"),)
    known = Identities(programs=known.secrets)
    assert surveyor.look().hidden == ()
    assert surveyor.look().frozen == (str(root / "sub/notes"),)


@pytest.mark.parametrize("target", ["/proc/self/environ", "/dev/null", "/dev/fd/0"])
def test_a_link_to_what_a_sandbox_makes_anew_hides_nothing(root: Path, target: str) -> None:
    (root / "link").symlink_to(target)
    assert Surveyor(str(root), lambda path: "a secret", lambda path: None).look().hidden == (str(root / "sub"),)


def test_a_link_hides_what_it_leads_to_and_is_not_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path.resolve() / "outside"
    outside.mkdir()
    (outside / "key.pem").touch()
    (outside / "further.pem").touch()
    (root / "innocent").symlink_to(outside / "key.pem")
    (root / "folder").symlink_to(outside)
    (root / "round").symlink_to(root)
    (root / "broken.pem").symlink_to("nowhere")
    assert Policy().surveyor(root).look().hidden == (str(outside / "key.pem"),)


def test_directories_of_git_are_found_and_not_looked_through(root: Path) -> None:
    for folder in (".git", "sub/deep/.git", "sub/.GIT"):
        (root / folder).mkdir()
        (root / folder / "x.pem").touch()
    for name in ("HEAD", "objects", "refs"):
        (root / "bare.git" / name).mkdir(parents=True)
    (root / "worktree").mkdir()
    (root / "worktree" / ".git").write_text("gitdir: /somewhere\n")
    survey = Policy().surveyor(root).look()
    assert set(survey.repositories) == {str(root / name) for name in (".git", "sub/deep/.git", "sub/.GIT", "bare.git")}
    assert survey.frozen == (str(root / "worktree/.git"),)
    assert survey.hidden == ()


def test_very_many_in_one_directory_are_hidden_with_it(root: Path) -> None:
    for number in range(MOST_HIDDEN_FILES + 1):
        (root / "sub" / f"{number}.pem").touch()
        (root / f"{number}.pem").touch()
    hidden = Policy().surveyor(root).look().hidden
    assert str(root / "sub") in hidden
    assert len(hidden) == MOST_HIDDEN_FILES + 2


def settle(folder: Path) -> None:
    """Let a directory have changed long enough ago."""
    long_ago = time.time_ns() - 10 * SETTLED_NANOSECONDS
    os.utime(folder, ns=(long_ago, long_ago))


def test_what_did_not_change_is_not_read_again(root: Path) -> None:
    (root / "sub" / "key.pem").touch()
    for folder in (root, root / "sub", root / "sub" / "deep"):
        settle(folder)
    policy = Policy()
    surveyor = policy.surveyor(root)
    first = surveyor.look()
    policy.asked.clear()
    assert surveyor.look() == first
    assert policy.asked == []
    (root / "sub" / "deep" / "late.pem").touch()
    assert str(root / "sub/deep/late.pem") in surveyor.look().hidden
    assert policy.asked == [str(root / "sub/deep/late.pem")]


def test_what_changed_just_now_is_read_again(root: Path) -> None:
    surveyor = Policy().surveyor(root)
    surveyor.look()
    times = os.stat(root)
    (root / "key.pem").touch()
    os.utime(root, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert surveyor.look().hidden == (str(root / "key.pem"),)


def test_what_is_anothers_to_look_through_is_left_out_and_never_hidden_as_a_whole(root: Path) -> None:
    policy, apart = Policy(), root / "sub" / "deep"
    (apart / "key.pem").touch()
    for number in range(MOST_HIDDEN_FILES + 1):
        (root / "sub" / f"{number}.pem").touch()
    found = Surveyor(str(root), policy.is_denied, policy.is_unwritable, apart=str(apart)).look()
    assert set(found.hidden) == {str(root / "sub" / f"{number}.pem") for number in range(MOST_HIDDEN_FILES + 1)}


def test_repositories_are_looked_into_where_they_have_no_meaning(root: Path) -> None:
    policy = Policy()
    for name in (".git/key.pem", "bare/HEAD", "bare/objects/x", "bare/refs/key.pem"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    found = Surveyor(str(root), policy.is_denied, policy.is_unwritable, skips_repositories=False).look()
    assert (set(found.hidden), found.repositories) == (
        {str(root / ".git/key.pem"), str(root / "bare/refs/key.pem")},
        (),
    )
