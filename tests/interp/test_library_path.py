"""Where the files of libraries are found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.library_path import LibraryPath
from nodwyn.interp.syntax import Source


def _refuse(name: str, base: str | None) -> Source:
    raise PermissionError(13, "Permission denied")


@pytest.fixture
def path(tmp_path: Path) -> LibraryPath:
    (tmp_path / "first" / "srfi").mkdir(parents=True)
    (tmp_path / "second" / "srfi").mkdir(parents=True)
    (tmp_path / "first" / "srfi" / "1.sld").write_text("first", encoding="utf-8")
    (tmp_path / "second" / "srfi" / "1.sld").write_text("second", encoding="utf-8")
    (tmp_path / "second" / "top.sld").write_text("top", encoding="utf-8")
    (tmp_path / "first" / "srfi" / "1.scm").write_text("included", encoding="utf-8")
    (tmp_path / "outside.scm").write_text("outside", encoding="utf-8")
    return LibraryPath([str(tmp_path / "first"), str(tmp_path / "second")], _refuse)


def test_the_first_directory_that_has_the_library_counts(path: LibraryPath) -> None:
    found = path.find("(srfi 1)")
    assert found is not None
    assert found.text == "first"
    assert found.name.endswith(os.path.join("first", "srfi", "1.sld"))
    top = path.find("(top)")
    assert top is not None
    assert top.text == "top"


@pytest.mark.parametrize(
    "name", ["(no such)", "(srfi)", "(.. outside)", "(srfi .. srfi 1)", "(|srfi/1|)", "(|a b|)", "(||)", "(a\0b)"]
)
def test_other_names_find_nothing(name: str, path: LibraryPath) -> None:
    assert path.find(name) is None


def test_all_names_are_listed(path: LibraryPath) -> None:
    assert sorted(path.names()) == ["(srfi 1)", "(srfi 1)", "(top)"]


def test_a_library_includes_files_of_its_directory_without_the_host(path: LibraryPath) -> None:
    found = path.find("(srfi 1)")
    assert found is not None
    assert path.include("1.scm", found.name).text == "included"


@pytest.mark.parametrize("name", ["../../outside.scm", "1.scm", "/etc/hostname"])
def test_any_other_file_is_for_the_host_to_give(name: str, path: LibraryPath) -> None:
    base = path.find("(srfi 1)") if name.startswith("..") else None
    with pytest.raises(SchemeError) as caught:
        path.include(name, None if base is None else base.name)
    assert caught.value.payload.kind == "file"
    assert caught.value.payload.message == f"cannot read {name}: permission denied"


def test_a_library_that_is_no_text_is_told(path: LibraryPath, tmp_path: Path) -> None:
    (tmp_path / "first" / "bad.sld").write_bytes(b"\xff\xfe")
    with pytest.raises(SchemeError) as caught:
        path.find("(bad)")
    assert caught.value.payload.kind == "file"
    assert "bad.sld" in caught.value.payload.message
