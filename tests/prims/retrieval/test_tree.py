"""Which files the index of a repository covers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.repository import GitFailed, Repository
from nodwyn.prims.retrieval import tree
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin
from tests.prims.retrieval.conftest import Git, call, found, put, run_git, search, settle, update


def test_what_git_lists_tracked_and_untracked_and_not_ignored(session: Session, root: Path, git: Git) -> None:
    put(root, tracked_py="zebra", new_py="zebra", ignored_log="zebra", sub__deep_py="zebra")
    (root / ".gitignore").write_text("*.log\n")
    git("add", "tracked.py")
    assert set(found(search(session, "zebra"))) == {"tracked.py", "new.py", "sub/deep.py"}


def test_without_git_the_walk_of_a_search(session: Session, root: Path) -> None:
    put(root, a_py="zebra", ignored_log="zebra", sub__b_py="zebra")
    (root / ".gitignore").write_text("*.log\n")
    (root / ".hidden.py").write_text("zebra")
    (root / "link.py").symlink_to("a.py")
    assert set(found(search(session, "zebra"))) == {"a.py", "ignored.log", "sub/b.py"}


def test_of_our_own_folder_only_what_git_tracks(session: Session, root: Path, git: Git) -> None:
    (root / ".nodwyn" / "worktrees" / "x").mkdir(parents=True)
    (root / ".nodwyn" / "script.scm").write_text("; zebra")
    (root / ".nodwyn" / "worktrees" / "x" / "a.py").write_text("zebra")
    put(root, a_py="zebra")
    git("add", "-f", ".nodwyn/script.scm")
    assert set(found(search(session, "zebra"))) == {".nodwyn/script.scm", "a.py"}


def test_listing_runs_nothing_of_the_repository(session: Session, root: Path, git: Git, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    program = root / "monitor"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    put(root, a_py="zebra")
    git("add", "a.py")
    git("commit", "-qm", "Stripes")
    for name in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external", "filter.x.clean", "core.editor"):
        git("config", name, str(program))
    (root / ".gitattributes").write_text("* filter=x\n")
    assert found(search(session, "zebra stripes")) == ["a.py"]
    assert not mark.exists()


def test_an_ignore_file_only_narrows(session: Session, root: Path, git: Git) -> None:
    put(root, a_py="zebra")
    (root / ".env").write_text("zebra=1")
    (root / ".gitignore").write_text("!.env\n!/etc/passwd\n")
    git("add", "-f", ".env")
    text = search(session, "zebra")
    assert found(text) == ["a.py"]
    assert "Left out, because the guard refuses or would ask: .env" in text


def test_what_the_index_leaves_out_other_primitives_reach(session: Session, root: Path, git: Git) -> None:
    put(root, ignored_log="zebra\n")
    (root / ".gitignore").write_text("*.log\n")
    assert found(search(session, "zebra")) == []
    assert call(session, "fs-read", path="ignored.log") == "zebra\n"


def test_a_path_that_was_added_is_covered_from_then_on(begin: Begin, root: Path, git: Git) -> None:
    put(root, a_py="zebra", vendor__lib_py="zebra", vendor__deep__x_py="zebra", gen_txt="zebra")
    (root / ".gitignore").write_text("vendor\ngen.txt\n")
    first = begin()
    assert found(search(first, "zebra")) == ["a.py"]
    assert update(first, "vendor").startswith("vendor is indexed from now on, whatever git ignores.\nThe index holds ")
    update(first, "gen.txt")
    everything = {"a.py", "vendor/lib.py", "vendor/deep/x.py", "gen.txt"}
    assert set(found(search(first, "zebra"))) == everything
    assert set(found(search(begin(), "zebra"))) == everything
    (root / "vendor" / "later.py").write_text("zebra")
    assert "vendor/later.py" in found(search(first, "zebra"))


@pytest.mark.parametrize("becomes", ["gone", "a link out of the root", "a link to keys", "a pipe", "a file", "a loop"])
def test_what_becomes_of_an_added_path_stops_no_search(
    begin: Begin, root: Path, git: Git, tmp_path: Path, becomes: str
) -> None:
    put(root, a_py="zebra", vendor__lib_py="zebra")
    (root / ".gitignore").write_text("vendor\n.ssh\n")
    update(begin(), "vendor")
    vendor, elsewhere = root / "vendor", tmp_path / "elsewhere"
    vendor.rename(elsewhere)
    if becomes == "a link out of the root":
        vendor.symlink_to(elsewhere)
    elif becomes == "a link to keys":
        elsewhere.rename(root / ".ssh")
        vendor.symlink_to(".ssh")
    elif becomes == "a pipe":
        os.mkfifo(vendor)
    elif becomes == "a file":
        vendor.write_text("zebra")
    elif becomes == "a loop":
        vendor.symlink_to("vendor")
    assert set(found(search(begin(), "zebra"))) == {"a.py", *(["vendor"] if becomes == "a file" else [])}


def test_what_was_added_survives_the_index(begin: Begin, root: Path, git: Git, tmp_path: Path) -> None:
    put(root, vendor__lib_py="zebra")
    (root / ".gitignore").write_text("vendor\n")
    session = begin()
    update(session, "vendor")
    (index,) = (tmp_path / "data" / "projects").glob("*/index")
    for file in index.iterdir():
        file.unlink()
    assert found(search(session, "zebra")) == ["vendor/lib.py"]


@pytest.mark.parametrize(
    ("path", "said"),
    [("..", "outside of"), ("/etc", "outside of"), ("missing", "there is no such file or directory")],
)
def test_only_what_lies_in_the_root_can_be_added(session: Session, root: Path, git: Git, path: str, said: str) -> None:
    with pytest.raises((PrimitiveError, Refused), match=said):
        update(session, path)


def test_an_added_root_is_not_indexed(session: Session, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    put(other, x_py="zebra")
    put(root, a_py="zebra")
    session.places.add(str(other))
    assert found(search(session, "zebra")) == ["a.py"]
    with pytest.raises(PrimitiveError, match="the index is of that alone"):
        update(session, str(other))


def test_submodules_and_nested_repositories_are_left_out_until_they_are_added(
    session: Session, root: Path, git: Git, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    run_git(library, "init", "-q", "-b", "main")
    put(library, lib_py="zebra")
    run_git(library, "add", ".")
    run_git(library, "commit", "-qm", "Begin")
    git("submodule", "add", "-q", str(library), "module")
    (root / "nested").mkdir()
    run_git(root / "nested", "init", "-q")
    put(root / "nested", n_py="zebra")
    put(root, a_py="zebra")
    assert found(search(session, "zebra")) == ["a.py"]
    update(session, "module")
    update(session, "nested")
    assert set(found(search(session, "zebra"))) == {"a.py", "module/lib.py", "nested/n.py"}


def test_an_unmerged_path_is_one_file(session: Session, root: Path, git: Git) -> None:
    put(root, a_py="zebra\n")
    git("add", ".")
    git("commit", "-qm", "Begin")
    git("checkout", "-qb", "other")
    put(root, a_py="zebra other\n")
    git("commit", "-qam", "Other")
    git("checkout", "-q", "main")
    put(root, a_py="zebra main\n")
    git("commit", "-qam", "Main")
    with pytest.raises(Exception, match="returned non-zero"):
        git("merge", "other")
    text = search(session, "zebra")
    assert found(text) == ["a.py"]
    assert "of 1 file" in text


def test_a_sparse_checkout_has_what_is_there(session: Session, root: Path, git: Git) -> None:
    put(root, in__a_py="zebra", out__b_py="zebra")
    git("add", ".")
    git("commit", "-qm", "Begin")
    git("sparse-checkout", "set", "in")
    assert found(search(session, "zebra")) == ["in/a.py"]
    git("sparse-checkout", "disable")
    assert set(found(search(session, "zebra"))) == {"in/a.py", "out/b.py"}


def test_a_shallow_clone_has_the_history_that_is_there(begin: Begin, root: Path, tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    origin.mkdir()
    run_git(origin, "init", "-q", "-b", "main")
    for number in range(3):
        put(origin, a_py=f"{number}\n")
        run_git(origin, "add", ".")
        run_git(origin, "commit", "-qm", f"Message{number}")
    root.rmdir()
    run_git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", str(root))
    session = begin()
    assert found(search(session, "message2")) == ["a.py"]
    assert found(search(session, "message1")) == []
    run_git(root, "fetch", "-q", "--unshallow")
    assert found(search(session, "message1")) == ["a.py"]


def test_a_pointer_of_large_file_storage_is_a_text_as_any(session: Session, root: Path, git: Git) -> None:
    (root / ".gitattributes").write_text("*.bin filter=lfs diff=lfs merge=lfs -text\n")
    put(root, big_bin=f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n")
    assert found(search(session, "oid sha256")) == ["big.bin"]


def test_a_session_in_a_subdirectory_has_what_lies_in_it(begin: Begin, root: Path, git: Git) -> None:
    put(root, sub__in_py="zebra", out_py="zebra", sub__gen_py="zebra")
    (root / ".gitignore").write_text("gen.py\n")
    git("add", ".")
    git("commit", "-qm", "Giraffe")
    update(begin(), "sub/gen.py")
    with Session.start(root / "sub", client="test") as session:
        assert set(found(search(session, "zebra"))) == {"in.py", "gen.py"}
        assert found(search(session, "giraffe")) == ["in.py"]


def test_a_root_that_git_ignores_is_walked(begin: Begin, root: Path, git: Git) -> None:
    put(root, out__a_py="zebra")
    (root / ".gitignore").write_text("out\n")
    with Session.start(root / "out", client="test") as session:
        assert found(search(session, "zebra")) == ["a.py"]


def test_past_the_limits_it_holds_the_first_in_path_order_and_says_so(
    session: Session, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MOST_FILES", 2)
    put(root, c_py="zebra", a_py="zebra", b__x_py="zebra")
    text = search(session, "zebra")
    assert set(found(text)) == {"a.py", "b/x.py"}
    assert (
        "The index is partial: of a tree it holds 2 files, the first in path order. For the rest use index-grep" in text
    )
    monkeypatch.setattr(tree, "MOST_FILES", 20)
    monkeypatch.setattr(tree, "LARGEST_TREE", 12)
    assert set(found(search(session, "zebra"))) == {"a.py", "b/x.py"}


@pytest.mark.skipif(os.name != "posix", reason="names are bytes")
def test_names_of_any_bytes(session: Session, root: Path, git: Git) -> None:
    for name in (b"new\nline.py", b"\xff\xfe.py", b"-option", b"with space", "größe.py".encode(), b'quo"te'):
        with open(os.path.join(os.fsencode(root), name), "w") as file:
            file.write("zebra")
    settle()
    text = search(session, "zebra", 20)
    assert "of 6 files" in text
    assert text.count("zebra") == 12
    assert "\ufdd0dcff" in text


def test_why_git_lists_only_what_it_tracks_is_told_without_what_git_advises(
    session: Session, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a.py").write_text("zebra\n")
    git("add", "a.py")
    files = Repository.files

    def of_tracked_only(repository: Repository, *, untracked: bool, seconds: float) -> Sequence[tuple[str, bool]]:
        if untracked:
            raise GitFailed("git cannot read /vol. 2/x. Mend that. Or ask for less.", "git cannot read /vol. 2/x")
        return files(repository, untracked=False, seconds=seconds)

    monkeypatch.setattr(Repository, "files", of_tracked_only)
    text = search(session, "zebra")
    assert "git cannot read /vol. 2/x, so that only the files that git tracks count" in text
