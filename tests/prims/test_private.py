"""Files and directories for their owner alone."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nodwyn.prims import system_calls
from nodwyn.prims.private import NotPrivate, check_private, open_private, private_directory, replace_file, write_whole


@pytest.fixture(params=[0o000, 0o022, 0o777])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_modes_do_not_depend_on_the_umask(tmp_path: Path) -> None:
    directory = private_directory(tmp_path / "d")
    os.close(open_private(directory / "opened", os.O_WRONLY | os.O_CREAT))
    replace_file(directory / "replaced", b"x", durable=True)
    assert (mode(directory), mode(directory / "opened"), mode(directory / "replaced")) == (0o700, 0o600, 0o600)


@pytest.mark.parametrize("bits", [0o700, 0o500, 0o000])
@pytest.mark.parametrize("may_be_read", [False, True])
def test_a_directory_that_is_there_is_used_as_it_is(tmp_path: Path, bits: int, may_be_read: bool) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d").chmod(bits)
    assert mode(private_directory(tmp_path / "d", may_be_read=may_be_read)) == bits


@pytest.mark.parametrize("may_be_read", [False, True])
@pytest.mark.parametrize("bits", [0o755, 0o750, 0o701, 0o710, 0o744, 0o775, 0o770, 0o722, 0o702, 0o777, 0o1777])
def test_one_that_is_open_to_others_is_told_and_not_changed(tmp_path: Path, bits: int, may_be_read: bool) -> None:
    path = tmp_path / "my own"
    path.mkdir()
    path.chmod(bits)
    if may_be_read and not bits & 0o022:
        assert private_directory(path, may_be_read=True) == path
    else:
        what, right = "write in" if bits & 0o022 else "read", "go-w" if may_be_read else "700"
        for look in (private_directory, check_private):
            with pytest.raises(NotPrivate) as refused:
                look(path, may_be_read=may_be_read)
            assert f"others can {what} {path} (mode {bits:04o})" in str(refused.value)
            assert f"`chmod {right} '{path}'`" in str(refused.value)
    assert mode(path) == bits


def test_looking_makes_nothing(tmp_path: Path) -> None:
    assert check_private(tmp_path / "none" / "d") == tmp_path / "none" / "d"
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_refused_even_to_a_directory_of_ours(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(NotPrivate, match=r"link is a link\. Name the directory that it leads to"):
        private_directory(tmp_path / "link")
    assert mode(tmp_path / "real") == 0o755


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotPrivate, match="is not a directory"):
        private_directory(tmp_path / "file")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory to another user")
def test_another_users_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    os.chown(tmp_path / "d", 12345, -1)
    with pytest.raises(NotPrivate, match="belongs to another user"):
        private_directory(tmp_path / "d")


def test_a_link_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(OSError, match="symbolic links"):
        open_private(tmp_path / "link", os.O_RDONLY)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR | os.O_CREAT])
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path, make: Callable[[Path], None], flags: int) -> None:
    make(tmp_path / "place")
    with pytest.raises(OSError, match=r"no regular file|Is a directory"):
        open_private(tmp_path / "place", flags)


def test_a_started_program_does_not_inherit_a_file(tmp_path: Path) -> None:
    descriptor = open_private(tmp_path / "file", os.O_WRONLY | os.O_CREAT)
    assert not os.get_inheritable(descriptor)
    os.close(descriptor)


def test_replacing_a_file_that_fails_leaves_the_old_one_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"old")

    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(system_calls, "sync_data", fail)
    with pytest.raises(OSError, match="Input/output"):
        replace_file(tmp_path / "file", b"new", durable=True)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"old")]


def test_a_write_that_makes_no_progress_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_calls, "write", lambda descriptor, data: 0)
    with pytest.raises(OSError, match="Input/output error"):
        write_whole(1, b"x")
