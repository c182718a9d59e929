"""The parser's tables in the cache: used when they are whole, made again when not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nodwyn.interp.cache import Cache
from nodwyn.interp.reader import parse_datum, parser


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test without a parser, as a new process does."""
    monkeypatch.setattr(parser._Process, "parser", None)
    monkeypatch.setattr(parser._Process, "cache", None)


def tables(directory: Path) -> list[Path]:
    return list((directory / "cache").iterdir())


def restart() -> None:
    parser._Process.parser = None


def test_tables_are_kept_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser.configure_cache(Cache(str(tmp_path), "cache"))
    assert parse_datum("1") == 1
    assert [path.suffix for path in tables(tmp_path)] == [".tables"]
    restart()
    monkeypatch.setattr(parser, "_make", None)
    assert parse_datum("2") == 2


def test_tables_that_are_not_larks_are_made_again(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path), "cache")
    parser.configure_cache(cache)
    parse_datum("1")
    (path,) = tables(tmp_path)
    cache.write(path.name, b"no tables")
    restart()
    assert parse_datum("2") == 2
    assert cache.read(path.name) != b"no tables"


def test_lark_is_imported_when_first_needed() -> None:
    program = "import sys, nodwyn.interp.reader as reader; assert 'lark' not in sys.modules; reader.parse_datum('1')"
    subprocess.run([sys.executable, "-c", f"{program}; assert 'lark' in sys.modules"], check=True)
