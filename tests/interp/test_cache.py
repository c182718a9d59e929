"""The directory that compiled code is kept in: whose it is, and what becomes of its entries."""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path

import pytest

from nodwyn.interp import cache as cache_module
from nodwyn.interp.cache import Cache, cache_place, digest, fingerprint, open_cache


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(str(tmp_path), "nodwyn", "scheme")


def files(cache: Cache) -> list[Path]:
    return sorted(Path(cache.directory).iterdir())


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"HOME": "/home/ann"}, ("/home/ann/.cache", "nodwyn", "scheme")),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": "/var/ann"}, ("/var/ann", "nodwyn", "scheme")),
        # A relative path would be somewhere else for each directory a person works in.
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": "cache"}, ("/home/ann/.cache", "nodwyn", "scheme")),
        ({"HOME": "/home/ann", "NODWYN_CACHE_DIR": "/var/cache/"}, ("/var", "cache")),
        ({"HOME": "/home/ann", "NODWYN_CACHE_DIR": ""}, None),
        ({"HOME": "/home/ann", "NODWYN_CACHE_DIR": "cache"}, None),
        ({"HOME": "/home/ann", "NODWYN_CACHE_DIR": "/"}, None),
        ({"HOME": ""}, None),
        ({"HOME": "here"}, None),
        ({}, None),
    ],
)
def test_the_environment_says_where(
    environment: dict[str, str], place: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("HOME", "XDG_CACHE_HOME", "NODWYN_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert cache_place() == place


def test_entries_are_the_users_alone(cache: Cache) -> None:
    cache.write("entry", b"content")
    (entry,) = files(cache)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (entry, entry.parent, entry.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


def test_what_was_written_is_read(cache: Cache) -> None:
    cache.write("entry", b"content")
    cache.write("empty", b"")
    assert (cache.read("entry"), cache.read("empty"), cache.read("missing")) == (b"content", b"", None)


@pytest.mark.parametrize("damage", ["empty", "cut", "altered", "longer"])
def test_damaged_entries_are_none(damage: str, cache: Cache) -> None:
    cache.write("entry", b"content")
    (path,) = files(cache)
    whole = path.read_bytes()
    damaged = {"empty": b"", "cut": whole[:-1], "altered": whole[:-1] + b"!", "longer": whole + b"!"}
    path.write_bytes(damaged[damage])
    assert cache.read("entry") is None
    cache.write("entry", b"again")
    assert cache.read("entry") == b"again"


def test_a_link_is_no_entry(cache: Cache, tmp_path: Path) -> None:
    cache.write("entry", b"content")
    (path,) = files(cache)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert cache.read("entry") is None


def test_nothing_but_a_file_is_an_entry(cache: Cache) -> None:
    os.mkfifo(Path(cache.directory, "entry"))
    assert cache.read("entry") is None


def test_what_belongs_to_another_is_no_entry(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write("entry", b"content")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert cache.read("entry") is None


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o702])
def test_a_directory_that_others_can_enter_is_not_used(mode: int, tmp_path: Path) -> None:
    (tmp_path / "scheme").mkdir()
    (tmp_path / "scheme").chmod(mode)
    with pytest.raises(PermissionError):
        Cache(str(tmp_path), "scheme")


def test_a_directory_of_another_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(PermissionError):
        Cache(str(tmp_path), "scheme")


@pytest.mark.parametrize("name", ["nodwyn", "scheme"])
def test_a_link_to_somewhere_else_is_not_followed(name: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "scheme").mkdir(0o700, parents=True)
    (tmp_path / "elsewhere").chmod(0o700)
    if name == "nodwyn":
        (tmp_path / "nodwyn").symlink_to(tmp_path / "elsewhere")
    else:
        (tmp_path / "nodwyn").mkdir(0o700)
        (tmp_path / "nodwyn" / "scheme").symlink_to(tmp_path / "elsewhere" / "scheme")
    with pytest.raises(OSError):
        Cache(str(tmp_path), "nodwyn", "scheme")


@pytest.mark.parametrize("mark", [".git", ".hg"])
def test_a_repository_holds_no_cache(mark: str, tmp_path: Path) -> None:
    (tmp_path / mark).mkdir()
    with pytest.raises(PermissionError, match="repository"):
        Cache(str(tmp_path / "work"), "scheme")
    assert not (tmp_path / "work").exists()


def test_a_home_directory_under_version_control_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    Cache(str(tmp_path / ".cache"), "scheme").write("entry", b"content")


def test_without_a_place_there_is_no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NODWYN_CACHE_DIR", "")
    assert open_cache() is None
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NODWYN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert open_cache() is None


def test_a_process_opens_it_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NODWYN_CACHE_DIR", str(tmp_path / "first"))
    first = open_cache()
    assert first is not None
    assert open_cache() is first
    monkeypatch.setenv("NODWYN_CACHE_DIR", str(tmp_path / "second"))
    second = open_cache()
    assert second is not None
    assert second.directory == str(tmp_path / "second")


def test_a_directory_that_is_gone_does_no_harm(cache: Cache) -> None:
    cache.write("entry", b"content")
    for path in files(cache):
        path.unlink()
    os.rmdir(cache.directory)
    cache.write("entry", b"content")
    assert cache.read("entry") is None


def test_writers_at_once_leave_one_whole_entry(tmp_path: Path) -> None:
    contents = [bytes([number]) * 100_000 for number in range(4)]

    def write(content: bytes) -> None:
        for _ in range(20):
            Cache(str(tmp_path), "scheme").write("entry", content)

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cache = Cache(str(tmp_path), "scheme")
    assert cache.read("entry") in contents
    assert [path.name for path in files(cache)] == ["entry"]


def test_the_oldest_go_when_there_is_too_much(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "LIMIT", 1000)
    monkeypatch.setattr(cache_module, "FEW_WRITES", 1)
    for number in range(5):
        cache.write(f"entry-{number}", b"x" * 180)
        os.utime(Path(cache.directory, f"entry-{number}"), (number, number))
    cache.write("entry-5", b"x" * 180)
    # Down to three quarters, so that not every write looks for what to remove.
    assert [path.name for path in files(cache)] == ["entry-3", "entry-4", "entry-5"]


def test_an_entry_in_use_stays_young(cache: Cache) -> None:
    cache.write("entry", b"content")
    path = Path(cache.directory, "entry")
    old = time.time() - 30 * 86400
    os.utime(path, (old, old))
    cache.read("entry")
    assert path.stat().st_mtime > time.time() - 3600


def test_drafts_of_processes_that_died_go(cache: Cache) -> None:
    draft = Path(cache.directory, "entry.1.draft")
    draft.write_bytes(b"half")
    os.utime(draft, (0, 0))
    cache.write("entry", b"content")
    assert not draft.exists()


def test_a_digest_depends_on_where_its_parts_end() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("ab", "c", "")}) == 4
    assert digest("\ud800") != digest("\ud801")


def test_the_fingerprint_follows_the_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "reader").mkdir()
    (tmp_path / "cache.py").write_text("")
    (tmp_path / "reader" / "grammar.lark").write_text("")
    monkeypatch.setattr(cache_module, "__file__", str(tmp_path / "cache.py"))

    def made() -> str:
        monkeypatch.setattr(cache_module._Process, "fingerprint", "")
        return fingerprint()

    before = made()
    (tmp_path / "notes.txt").write_text("")
    assert made() == before
    (tmp_path / "reader" / "grammar.lark").write_text("datum")
    changed = made()
    os.utime(tmp_path / "cache.py", (0, 0))
    assert len({before, changed, made()}) == 3
    monkeypatch.setattr("sys.version", "another Python")
    assert made() not in (before, changed)
