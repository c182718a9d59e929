"""What is installed is what is in the tree: packages, data files, version, dependencies."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("interp", "prims", "loop", "stdlib")
INSTALLED_SUFFIXES = {".py", ".lark", ".scm", ".sld", ".toml", ".txt"}


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def installed_files() -> Iterator[str]:
    """Yield what a wheel must contain, as paths from the root of the tree."""
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in INSTALLED_SUFFIXES or path.name == "py.typed":
                yield path.relative_to(ROOT).as_posix()


def test_every_folder_with_python_in_it_is_a_listed_package(pyproject: dict[str, Any]) -> None:
    folders = {Path(file).parent for file in installed_files() if file.endswith(".py")}
    packages = {".".join(("nodwyn", *folder.parts)) for folder in folders}
    assert sorted(pyproject["tool"]["setuptools"]["packages"]) == sorted(packages)


def test_every_package_has_an_init_file() -> None:
    folders = {(ROOT / file).parent for file in installed_files() if file.endswith(".py")}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def test_every_top_folder_is_typed_and_linked_for_mypy(pyproject: dict[str, Any]) -> None:
    assert pyproject["tool"]["setuptools"]["package-dir"] == {f"nodwyn.{folder}": folder for folder in FOLDERS}
    for folder in FOLDERS:
        assert (ROOT / folder / "py.typed").is_file()
        assert (ROOT / ".types" / "nodwyn" / folder).readlink() == Path("..", "..", folder)


def test_the_version_is_the_same_everywhere(pyproject: dict[str, Any]) -> None:
    newest = re.search(r"^## ([0-9.]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert version("nodwyn") == pyproject["project"]["version"] == newest[1]


@pytest.mark.parametrize(("extra", "section"), [(None, "To run"), ("test", "To test")])
def test_every_dependency_is_explained(pyproject: dict[str, Any], extra: str | None, section: str) -> None:
    project = pyproject["project"]
    required = project["optional-dependencies"][extra] if extra else project["dependencies"]
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = page.partition(f"## {section}\n")[2].partition("\n## ")[0]
    explained = set(re.findall(r"^\| ([a-z][a-z0-9-]*) \|", rows, re.MULTILINE)) - {"package"}
    assert {re.split("[<>=~!]", requirement)[0] for requirement in required} == explained


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_wheel_contains_every_file(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tree)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*build, str(tmp_path), str(tree)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("nodwyn/")}
    assert packed == {f"nodwyn/{file}" for file in installed_files()}
