"""Small files that others wrote: each is read at once, or it is said why it is not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims import small_files
from nodwyn.prims.small_files import NotToml, Unreadable, read_small, toml_of, written_text

PLACES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (os.mkfifo, "it is no regular file"),
    "a device without end": (lambda path: path.symlink_to("/dev/zero"), "it is no regular file"),
    "a directory": (Path.mkdir, "it is no regular file"),
    "a link to itself": (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
    "bytes that are no text": (lambda path: path.write_bytes(b"a\n\xff"), "it is not UTF-8: the byte 0xFF in line 2"),
    "another encoding": (lambda path: path.write_text("a", encoding="utf-16"), "it is UTF-16 text"),
    "too much": (
        lambda path: path.write_bytes(b" " * (small_files.MOST_WRITTEN + 1)),
        "it has more than 1048576 bytes",
    ),
}


@pytest.mark.parametrize("what", PLACES)
def test_what_is_no_text_that_a_person_wrote_is_said_at_once(tmp_path: Path, what: str) -> None:
    make, reason = PLACES[what]
    place = tmp_path / "settings"
    make(place)
    with pytest.raises(Unreadable) as caught:
        written_text(place)
    assert str(caught.value).startswith(f"{place}: {reason}")


@pytest.mark.parametrize("data", [b"a = 1\n\xc3\xa9", b"\xef\xbb\xbfa = 1\n\xc3\xa9"])
def test_a_text_may_begin_with_a_mark_of_its_encoding(tmp_path: Path, data: bytes) -> None:
    place = tmp_path / "settings"
    place.write_bytes(data)
    (tmp_path / "link").symlink_to(place)
    assert written_text(tmp_path / "link") == "a = 1\né"


def test_no_file_is_told_from_one_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        written_text(tmp_path / "settings")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = ", "Invalid value"),
        ("a = 1\na = 2", "Cannot overwrite a value"),
        (f"a = {'9' * 5_000}", "a number in it is too long"),
        (f"a = {'[' * 50_000}", "a number in it is too long, or lists or tables nest too deep"),
    ],
)
def test_what_is_no_toml_is_said(text: str, reason: str) -> None:
    assert toml_of("a = 1") == {"a": 1}
    with pytest.raises(NotToml, match=f"^{reason}"):
        toml_of(text)


@pytest.mark.parametrize("what", ["a pipe", "a device without end", "a directory", "a link to itself"])
def test_what_is_no_small_file_is_none(tmp_path: Path, what: str) -> None:
    PLACES[what][0](tmp_path / "it")
    assert read_small(tmp_path / "it", 10) is None
    assert read_small(tmp_path / "other", 10) is None


def test_of_a_small_file_the_beginning_is_read(tmp_path: Path) -> None:
    (tmp_path / "it").write_bytes(b"0123456789")
    assert read_small(tmp_path / "it", 4) == b"0123"
