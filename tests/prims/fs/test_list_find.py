"""fs-list and fs-find: names, and no file is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nodwyn.interp.data import iterate
from nodwyn.interp.errors import SchemeError
from nodwyn.prims.session import Session
from tests.prims.conftest import events


def names(session: Session, expression: str) -> list[str]:
    return [item.text() for item in iterate(session.evaluate(expression))]


@pytest.fixture
def tree(root: Path) -> Path:
    for name in "b.md a.py src/a.py src/lib/x.py src/lib/deep/y.md docs/a.md .hidden/z.py .editorconfig .env".split():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    (root / "ignored.log").write_text("")
    (root / ".gitignore").write_text("*.log\n")
    (root / "link.py").symlink_to("a.py")
    (root / "loop").symlink_to(".")
    (root / "to-src").symlink_to("src")
    os.mkfifo(root / "pipe")
    return root


def test_a_directory_is_listed_sorted_with_hidden_names_and_slashes(session: Session, tree: Path) -> None:
    expected = ".editorconfig .env .gitignore .hidden/ a.py b.md docs/ ignored.log link.py loop pipe src/ to-src"
    assert names(session, "(fs-list)") == expected.split()
    assert names(session, '(fs-list "src")') == ["a.py", "lib/"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("(fs-find)", "a.py b.md docs/a.md ignored.log src/a.py src/lib/deep/y.md src/lib/x.py"),
        ('(fs-find "src")', "src/a.py src/lib/deep/y.md src/lib/x.py"),
        ('(fs-find "." "*.py")', "a.py src/a.py src/lib/x.py"),
        ('(fs-find "." "docs/*.md")', "docs/a.md"),
        ('(fs-find "docs" "docs/*.md")', "docs/a.md"),
        ('(fs-find "src" "lib/*")', "src/lib/deep/y.md src/lib/x.py"),
        ('(fs-find "src" "src/lib")', "src/lib/deep/y.md src/lib/x.py"),
        ('(fs-find "src" "src")', ""),
        ('(fs-find "src" "!*.py")', "src/lib/deep/y.md"),
        ('(fs-find "src" "!src/lib/**")', "src/a.py"),
        ('(fs-find "src" "!lib/**")', "src/a.py"),
        ('(fs-find "a.py")', "a.py"),
        ('(fs-find "src/a.py" "*.py")', "src/a.py"),
        ('(fs-find "src/a.py" "*.md")', ""),
        ('(fs-find ".editorconfig")', ".editorconfig"),
        ('(fs-find ".hidden")', ".hidden/z.py"),
        ('(fs-find "." "nothing")', ""),
        ('(fs-find "to-src")', "src/a.py src/lib/deep/y.md src/lib/x.py"),
        ('(fs-find "to-src" "lib/*.py")', "src/lib/x.py"),
        ('(fs-find "to-src" "src/lib/*.py")', "src/lib/x.py"),
        ('(fs-find "to-src" "src")', ""),
        ('(fs-find "to-src" "!lib/**")', "src/a.py"),
        ('(fs-find "docs/../to-src/lib" "deep/*")', "src/lib/deep/y.md"),
        ('(fs-find "link.py" "*.py")', "a.py"),
        ('(fs-find "link.py" "link.*")', ""),
    ],
)
def test_what_is_found(session: Session, tree: Path, expression: str, expected: str) -> None:
    assert names(session, expression) == expected.split()


def test_no_file_is_read(session: Session, tree: Path) -> None:
    names(session, "(fs-find)")
    assert [event.as_json()["effect"] for event in events(session, "guard.decision")] == ["other"]


def test_paths_are_sorted_by_their_parts(session: Session, root: Path) -> None:
    for name in ["a/b", "a-b/c", "a.b", "B", "é"]:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("")
    assert names(session, "(fs-find)") == ["B", "a/b", "a-b/c", "a.b", "é"]


def test_3000_files_are_found_and_3001_are_an_error_with_advice(session: Session, root: Path) -> None:
    for number in range(3000):
        (root / f"{number}.txt").touch()
    assert len(names(session, "(fs-find)")) == 3000
    (root / "one.more").touch()
    with pytest.raises(SchemeError, match=r"more than 3000 files match below \.; name a directory further down"):
        session.evaluate("(fs-find)")
    assert names(session, '(fs-find "." "*.more")') == ["one.more"]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ('(fs-find "..")', "outside"),
        ('(fs-list "..")', "outside"),
        ('(fs-find "none")', "none: there is no such file or directory"),
        ('(fs-list "a.py")', "a.py: it is no directory"),
        ('(fs-find "pipe")', "pipe: it is no"),
        ('(fs-find ".env")', "secret"),
        ('(fs-find "." "{a")', "glob must be a glob, and a brace in it is not closed"),
    ],
)
def test_what_cannot_be_searched_is_said(session: Session, tree: Path, expression: str, said: str) -> None:
    with pytest.raises(SchemeError, match=said):
        session.evaluate(expression)


def test_a_tree_that_never_ends_is_an_error(session: Session, root: Path) -> None:
    folder = root
    for _ in range(210):
        folder = folder / "d"
    folder.mkdir(parents=True)
    with pytest.raises(SchemeError, match="more than 200 directories deep"):
        session.evaluate("(fs-find)")


def test_a_wide_tree_needs_few_open_files(session: Session, root: Path) -> None:
    for number in range(300):
        (root / f"d{number}" / "inner").mkdir(parents=True)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    session.evaluate("(fs-find)")
    assert not before or len(os.listdir("/proc/self/fd")) <= before + 1


def test_a_cancel_ends_the_walk(session: Session, tree: Path) -> None:
    session.is_cancelled = lambda: True
    with pytest.raises(SchemeError, match="it was cancelled"):
        session.evaluate("(fs-find)")
