"""The parser's tables on disk: used when they are whole, made again when not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nodwyn.interp.reader import parse_datum, parser


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test without a parser, as a new process does."""
    monkeypatch.setattr(parser._Process, "parser", None)
    monkeypatch.setattr(parser._Process, "directory", None)


def tables(directory: Path) -> list[Path]:
    return list(directory.glob("reader-*"))


def restart() -> None:
    parser._Process.parser = None


def test_tables_are_kept_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "cache"
    parser.configure_cache(directory)
    assert parse_datum("1") == 1
    assert [path.suffix for path in tables(directory)] == [".tables"]
    restart()
    monkeypatch.setattr(parser, "_make", None)
    assert parse_datum("2") == 2


@pytest.mark.parametrize("damage", [b"", b"x", b"0" * 64 + b"\nnot tables", "cut", "altered"])
def test_damaged_tables_are_made_again(tmp_path: Path, damage: bytes | str) -> None:
    parser.configure_cache(tmp_path)
    parse_datum("1")
    (path,) = tables(tmp_path)
    good = path.read_bytes()
    if damage == "cut":
        path.write_bytes(good[:-10])
    elif damage == "altered":
        path.write_bytes(good[:-10] + b"0123456789")
    else:
        assert isinstance(damage, bytes)
        path.write_bytes(damage)
    restart()
    assert parse_datum("2") == 2
    assert path.read_bytes().partition(b"\n")[0] != damage


def test_a_directory_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    parser.configure_cache(in_the_way)
    assert parse_datum("1") == 1


def test_lark_is_imported_when_first_needed() -> None:
    program = "import sys, nodwyn.interp.reader as reader; assert 'lark' not in sys.modules; reader.parse_datum('1')"
    subprocess.run([sys.executable, "-c", f"{program}; assert 'lark' in sys.modules"], check=True)
