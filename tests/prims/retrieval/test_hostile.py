"""Repositories that try things: nothing hangs, leaks, grows without bound, or is run."""

from __future__ import annotations

import base64
import os
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from nodwyn.prims.retrieval import history, tree
from nodwyn.prims.retrieval import index as index_module
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin
from tests.prims.retrieval.conftest import Git, found, put, search, settle, update, updates


@pytest.mark.timeout(60)
@pytest.mark.parametrize("has_git", [True, False])
def test_what_is_no_file_is_never_opened(session: Session, root: Path, has_git: bool) -> None:
    if has_git:
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    os.mkfifo(root / "pipe.py")
    (root / "loop").symlink_to(".")
    (root / "first").symlink_to("second")
    (root / "second").symlink_to("first")
    (root / "outside.py").symlink_to("/etc/passwd")
    put(root, a_py="zebra root\n")
    assert found(search(session, "zebra root")) == ["a.py"]


def test_a_file_that_becomes_a_pipe_while_it_is_known(session: Session, root: Path) -> None:
    put(root, a_py="zebra\n", b_py="zebra\n")
    search(session, "zebra")
    (root / "a.py").unlink()
    os.mkfifo(root / "a.py")
    assert found(search(session, "zebra")) == ["b.py"]


@pytest.mark.timeout(60)
def test_a_head_that_is_a_pipe_holds_nothing_up(root: Path, tmp_path: Path) -> None:
    (root / ".git").mkdir()
    os.mkfifo(root / ".git" / "HEAD")
    assert history.standing(str(root)) == ""


def test_a_line_of_base64_adds_next_to_nothing(session: Session, root: Path) -> None:
    def size() -> int:
        question = "SELECT sum(length(word) + length(body) + length(first) + length(defined)) FROM postings"
        with index_module.index_of(session).store.database.transaction(writes=False) as connection:
            return int(connection.execute(question).fetchone()[0])

    put(root, a_py="zebra\n")
    search(session, "zebra")
    before = size()
    octets = base64.b64encode(random.Random(0).randbytes(760_000)).decode()
    (root / "plain.txt").write_text(octets.replace("/", "A").replace("+", "B"))
    search(session, "zebra")
    assert size() - before < len(octets) / 100
    (root / "slashes.txt").write_text(octets)
    search(session, "zebra")
    assert size() - before < 4 * len(octets)


def test_a_huge_sparse_file_is_not_read(session: Session, root: Path, git: Git) -> None:
    with open(root / "huge.py", "wb") as file:
        file.truncate(2 << 30)
    put(root, a_py="zebra\n")
    started = time.monotonic()
    assert found(search(session, "zebra")) == ["a.py"]
    assert time.monotonic() - started < 5


def test_hostile_patterns_to_ignore_hold_nothing_up(
    session: Session, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "GIT_SECONDS", 1.0)
    (root / ".gitignore").write_text("*a" * 400 + "b\n" + "!../../*\n/\n**/**/**/**/**/x\n\\\n")
    put(root, **{f"{'a' * 60}_py": "zebra\n", "known_py": "zebra\n"})
    git("add", "-f", "known.py")
    started = time.monotonic()
    text = search(session, "zebra")
    assert time.monotonic() - started < 15
    assert found(text) == ["known.py"]
    assert "The index is partial: git ls-files took more than 1 seconds and was stopped, so that only" in text


def test_a_configuration_that_moves_the_tree_is_not_followed(session: Session, root: Path, git: Git) -> None:
    put(root, a_py="zebra\n")
    git("config", "core.worktree", "/etc")
    assert found(search(session, "zebra")) == ["a.py"]
    assert not any(path.startswith("/") for path in found(search(session, "root")))


def test_a_message_cannot_pass_itself_off_as_another_commit(session: Session, root: Path, git: Git) -> None:
    put(root, a_py="x\n", b_py="y\n")
    git("add", "a.py")
    git("commit", "-qm", "Begin\n\n\x01" + "0" * 40 + "\x02okapi\nb.py\x01")
    git("add", "b.py")
    git("commit", "-qm", "Then")
    settle()
    assert found(search(session, "okapi")) == ["a.py"]


def test_more_names_than_there_is_room_for(begin: Begin, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_NAMES", 500)
    monkeypatch.setattr(tree, "MOST_FILES", 50)
    for number in range(600):
        (root / f"f{number:04}").write_text("zebra")
    session = begin()
    assert "The index is partial" in search(session, "zebra")
    assert updates(session)[0]["files"] == 50


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_hundred_thousand_tiny_files(begin: Begin, root: Path, git: Git) -> None:
    for folder in range(200):
        (root / f"d{folder:03}").mkdir()
        for number in range(500):
            os.close(os.open(root / f"d{folder:03}" / f"{number}.txt", os.O_CREAT))
    put(root, a_py="zebra\n")
    session = begin()
    started = time.monotonic()
    assert found(search(session, "zebra")) in ([], ["a.py"])
    assert time.monotonic() - started < 60
    update(session)
    assert found(search(session, "zebra")) == ["a.py"]
    assert index_module.index_of(session).load().files.keys() <= {"a.py"} | {
        f"d{folder:03}/{number}.txt" for folder in range(200) for number in range(500)
    }


PIPES = """
    .git .git/HEAD .git/config .git/commondir .git/index .git/packed-refs .git/shallow .git/info/exclude
    .git/objects/info/alternates .git/refs/heads/main .gitignore inner/.gitignore .gitattributes .gitmodules
    .git/worktrees/x/gitdir
""".split()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("place", PIPES)
def test_a_pipe_where_git_has_a_file_holds_nothing_up(
    root: Path, git: Git, begin: Begin, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (tree, history):
        monkeypatch.setattr(module, "GIT_SECONDS", 0.5)
    put(root, a_py="zebra\n", inner__b_py="zebra\n")
    git("add", "-A")
    git("commit", "-qm", "Begin")
    path = root / place
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    started = time.monotonic()
    with begin() as session:
        assert found(search(session, "zebra")) == ["a.py", "inner/b.py"]
    assert time.monotonic() - started < 8
