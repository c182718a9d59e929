"""Files beneath the root: where paths and links lead, what is opened, what is written, and what others do meanwhile."""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims import system_calls
from nodwyn.prims.guard import resolve
from nodwyn.prims.guard.paths import Opened, Places
from nodwyn.prims.guard.replace import Changed, Version


@pytest.fixture(params=["one system call", "a walk"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test runs with both ways of finding what a path leads to."""
    if request.param == "a walk":

        def refused(directory: int, path: str) -> int:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

        monkeypatch.setattr(resolve, "_point_beneath", refused)
        monkeypatch.setattr(resolve, "_opener", lambda: refused)
    elif not has_openat2():
        pytest.skip("the kernel has no openat2")
    return str(request.param)


def has_openat2() -> bool:
    directory = os.open("/", os.O_RDONLY)
    try:
        os.close(resolve._point_beneath(directory, "."))
    except OSError:
        return False
    finally:
        os.close(directory)
    return True


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    (root / "src").mkdir(parents=True)
    (root / "src" / "main.py").write_text("main")
    (tmp_path / "app-private").mkdir()
    (tmp_path / "app-private" / "key").write_text("private")
    (tmp_path / "outside").write_text("outside")
    return root


@pytest.fixture
def places(root: Path, way: str) -> Places:
    return Places(str(root), own=(str(root.parent / "own"),), home=str(root.parent / "home"))


def content(opened: Opened) -> str:
    try:
        return os.read(opened.descriptor, 1000).decode()
    finally:
        os.close(opened.descriptor)


def denial(places: Places, name: str) -> str:
    """Return why a path is not read."""
    opened = places.open(name)
    assert opened.descriptor == -1
    (finding,) = opened.findings
    assert finding.verdict == "deny"
    return f"{finding.layer}: {finding.reason}"


@pytest.mark.parametrize(
    "name",
    [
        "src/main.py",
        "./src//main.py",
        "src/../src/main.py",
        "{root}/src/main.py",
        "src/./main.py",
        "../app/src/main.py",
    ],
)
def test_a_file_is_read_by_any_path_that_leads_to_it(name: str, places: Places, root: Path) -> None:
    opened = places.open(name.format(root=root))
    assert (opened.path, opened.findings, opened.outside) == (str(root / "src" / "main.py"), (), False)
    assert content(opened) == "main"


@pytest.mark.parametrize("name", ["", ".", "src/..", "{root}", "{root}/"])
def test_the_root_itself_is_a_directory_that_can_be_listed(name: str, places: Places, root: Path) -> None:
    opened = places.open(name.format(root=root), directory=True)
    assert opened.path == str(root)
    assert os.listdir(opened.descriptor) == ["src"]
    os.close(opened.descriptor)


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "../app-private/key",
        "{root}-private/key",
        "/etc/passwd",
        "src/../../outside",
        "/proc/self/root/etc/passwd",
        "/proc/self/cwd",
        "/dev/null",
        "..",
        "/",
    ],
)
def test_what_is_outside_is_not_reached(name: str, places: Places, root: Path) -> None:
    assert denial(places, name.format(root=root)).startswith(f"pin: it is outside of {root}")
    target = places.judge_write(name.format(root=root))
    assert [finding.layer for finding in target.findings] == ["pin"]
    assert target.outside


def test_a_home_is_outside(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert places.open("~/notes").path == "/home/ann/notes"
    assert places.absolute("~/notes") == "/home/ann/notes"


LINKS_INSIDE = [
    "main.py",
    "./main.py",
    "../src/main.py",
    "{root}/src/main.py",
    "../../app/src/main.py",
    "other",
    "folder/main.py",
]


@pytest.mark.parametrize("target", LINKS_INSIDE)
def test_a_link_that_stays_inside_is_followed(target: str, places: Places, root: Path) -> None:
    (root / "src" / "link").symlink_to(target.format(root=root))
    (root / "src" / "other").symlink_to("main.py")
    (root / "src" / "folder").symlink_to(".")
    opened = places.open("src/link")
    assert opened.path == str(root / "src" / "main.py")
    assert content(opened) == "main"
    assert places.judge_write("src/link").path == str(root / "src" / "main.py")


@pytest.mark.parametrize(
    "target",
    [
        "../../outside",
        "/etc/passwd",
        "{root}-private/key",
        "../../app-private/key",
        "/proc/self/root/etc/passwd",
        "{root}/../outside",
    ],
)
def test_a_link_that_leads_outside_is_not(target: str, places: Places, root: Path) -> None:
    (root / "src" / "link").symlink_to(target.format(root=root))
    (root / "up").symlink_to("..")
    assert "outside" in denial(places, "src/link")
    assert "outside" in denial(places, "up/outside")
    assert places.judge_write("src/link").findings[0].layer == "pin"


def test_a_link_to_a_link_to_a_link_has_an_end(places: Places, root: Path) -> None:
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    with pytest.raises(OSError, match="link"):
        places.open("a")
    with pytest.raises(OSError, match="link"):
        places.judge_write("a")


@pytest.mark.parametrize("name", ["missing", "src/missing", "missing/missing", "src/main.py/x"])
def test_what_is_not_there_is_an_error(name: str, places: Places) -> None:
    with pytest.raises((FileNotFoundError, NotADirectoryError)):
        places.open(name)


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 300])
def test_a_name_that_no_file_can_have_is_an_error_of_the_system(name: str, places: Places) -> None:
    with pytest.raises(OSError):
        places.open(name)
    with pytest.raises(OSError):
        places.judge_write(name)


def test_a_name_that_is_no_unicode_is_one(places: Places, root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root) + b"/\xff")).write_text("bytes")
    assert content(places.open("\udcff")) == "bytes"


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


SPECIAL: dict[str, Callable[[Path], None]] = {"FIFO": os.mkfifo, "socket": make_socket}


@pytest.mark.parametrize("kind", SPECIAL)
def test_what_is_no_file_is_never_opened_and_does_not_block(kind: str, places: Places, root: Path) -> None:
    SPECIAL[kind](root / "special")
    opened = places.open("special")
    assert not stat.S_ISREG(opened.status.st_mode)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.read(opened.descriptor, 1)
    os.close(opened.descriptor)
    (finding,) = places.judge_write("special").findings
    assert (finding.verdict, finding.reason) == ("deny", "it is no regular file")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_not_opened(places: Places, root: Path) -> None:
    try:
        os.mknod(root / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices cannot be made here")
    opened = places.open("device")
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.read(opened.descriptor, 1)
    os.close(opened.descriptor)


def test_a_file_with_several_names_is_a_question(places: Places, root: Path) -> None:
    os.link(root / "src" / "main.py", root / "other")
    opened = places.open("other")
    (finding,) = opened.findings
    assert (finding.verdict, finding.layer, finding.kind) == ("confirm", "pin", "reads")
    assert "2 names" in finding.reason
    assert content(opened) == "main"
    (finding,) = places.judge_write("other").findings
    assert (finding.verdict, finding.kind) == ("confirm", "edits")


def test_another_name_of_a_secret_is_refused(places: Places, root: Path) -> None:
    (root.parent / "home" / ".ssh").mkdir(parents=True)
    (root.parent / "home" / ".ssh" / "id_rsa").write_text("key")
    os.link(root.parent / "home" / ".ssh" / "id_rsa", root / "notes.txt")
    assert "another name" in denial(places, "notes.txt")
    assert "another name" in places.judge_write("notes.txt").findings[0].reason


@pytest.mark.parametrize("name", [".env", ".ENV", "src/.env.local", "server.pem", ".aws/credentials"])
def test_a_secret_in_the_root_is_neither_read_nor_written(name: str, places: Places, root: Path) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("secret")
    assert denial(places, name).startswith("denylist: ")
    assert places.judge_write(name).findings[0].layer == "denylist"
    (root / "innocent").symlink_to(name)
    assert denial(places, "innocent").startswith("denylist: ")
    assert places.judge_write("innocent").findings[0].layer == "denylist"


def test_a_secret_that_does_not_exist_yet_is_not_written(places: Places) -> None:
    assert places.judge_write(".env").findings[0].verdict == "deny"
    assert places.judge_write("new/.ssh/config").findings[0].verdict == "deny"


def test_hooks_are_read_and_not_written(places: Places, root: Path) -> None:
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh")
    assert content(places.open(".git/hooks/pre-commit")) == "#!/bin/sh"
    for name in (".git/hooks/pre-commit", ".GIT/hooks/new", ".git/config"):
        (finding,) = places.judge_write(name).findings
        assert (finding.verdict, finding.layer) == ("deny", "denylist")


def test_a_file_of_continuous_integration_asks(places: Places) -> None:
    (finding,) = places.judge_write(".github/workflows/ci.yml").findings
    assert (finding.verdict, finding.layer, finding.kind) == ("confirm", "denylist", "")


def test_own_directories_are_not_reached_within_the_root(root: Path, way: str) -> None:
    (root / "data").mkdir()
    (root / "data" / "log").write_text("log")
    places = Places(str(root), own=(str(root / "data"),), home="/nowhere")
    assert "nodwyn keeps its own data there" in denial(places, "data/log")
    assert "nodwyn keeps its own data there" in denial(places, "data")


def test_what_the_person_added_is_reached_and_is_outside(places: Places, root: Path) -> None:
    (root.parent / "app-private" / ".env").write_text("secret")
    assert places.add("../app-private") == str(root.parent / "app-private")
    assert places.added == [str(root.parent / "app-private")]
    (root / "link").symlink_to("../app-private/key")
    for name in ("../app-private/key", str(root.parent / "app-private" / "key"), "link"):
        opened = places.open(name)
        assert (opened.findings, opened.outside) == ((), True)
        assert content(opened) == "private"
    assert denial(places, "../app-private/.env").startswith("denylist: ")
    assert "outside" in denial(places, "../outside")
    places.forget_added()
    assert "outside" in denial(places, "../app-private/key")


def test_an_added_file_is_reached_alone(places: Places, root: Path) -> None:
    places.add("../app-private/key")
    (root.parent / "app-private" / "key2").write_text("other")
    assert content(places.open("../app-private/key")) == "private"
    assert "outside" in denial(places, "../app-private/key2")
    assert "outside" in denial(places, "../app-private")


def test_paths_are_shown_as_people_see_them(places: Places, root: Path) -> None:
    assert places.shown(str(root)) == "."
    assert places.shown(str(root / "src" / "main.py")) == "src/main.py"
    assert places.shown(f"{root}-private/key") == f"{root}-private/key"


def test_a_decomposed_name_is_judged_as_the_composed_one(root: Path, way: str) -> None:
    own = root / unicodedata.normalize("NFC", "donn\u00e9es")
    other = root / unicodedata.normalize("NFD", "donn\u00e9es")
    other.mkdir()
    (other / "log").write_text("log")
    places = Places(str(root), own=(str(own),), home="/nowhere")
    assert "own data" in denial(places, f"{other}/log")


class TestWriting:
    """Replacing what files hold."""

    def test_new_content_takes_the_place_of_the_old_in_one_step(self, places: Places, root: Path) -> None:
        file = root / "src" / "main.py"
        file.chmod(0o754)
        before = file.stat().st_ino
        places.replace(str(file), b"new", places.version(str(file)))
        assert file.read_text() == "new"
        assert stat.S_IMODE(file.stat().st_mode) == 0o754
        assert file.stat().st_ino != before
        assert os.listdir(root / "src") == ["main.py"]

    def test_a_new_file_has_the_usual_mode_and_directories_are_made(self, places: Places, root: Path) -> None:
        path = str(root / "new" / "deep" / "file")
        assert places.version(path) is None
        mask = os.umask(0o027)
        try:
            places.replace(path, b"new", None)
        finally:
            os.umask(mask)
        assert Path(path).read_bytes() == b"new"
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o640

    def test_a_mode_can_be_given(self, places: Places, root: Path) -> None:
        places.replace(str(root / "tool"), b"#!/bin/sh", None, 0o755)
        assert stat.S_IMODE((root / "tool").stat().st_mode) == 0o755

    def test_a_file_is_deleted(self, places: Places, root: Path) -> None:
        path = str(root / "src" / "main.py")
        places.replace(path, None, places.version(path))
        assert not os.path.exists(path)

    @pytest.mark.parametrize(
        ("others", "number", "alone", "left"),
        [
            ((), 3, 3, []),
            ((), 2, 2, ["a"]),
            ((), 0, 0, ["a", "a/b", "a/b/c"]),
            (("a/b/x",), 3, 1, ["a", "a/b", "a/b/x"]),
            (("a/b/c/x",), 3, 0, ["a", "a/b", "a/b/c", "a/b/c/x"]),
        ],
    )
    def test_directories_that_hold_nothing_else_go_with_a_file(
        self, others: tuple[str, ...], number: int, alone: int, left: list[str], places: Places, root: Path
    ) -> None:
        path = str(root / "a" / "b" / "c" / "file")
        assert places.missing_directories(path) == 3
        places.replace(path, b"new", None)
        for other in others:
            (root / other).mkdir()
        assert places.lone_directories(path, number) == alone
        places.replace(path, None, places.version(path))
        places.remove_directories(path, number)
        assert sorted(str(each.relative_to(root)) for each in root.rglob("*") if "src" not in each.parts) == left

    def test_directories_of_a_write_that_fails_go_again(
        self, places: Places, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(descriptor: int, data: bytes) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(system_calls, "write", full)
        with pytest.raises(OSError, match="No space left"):
            places.replace(str(root / "src" / "new" / "deep" / "file"), b"new", None)
        assert os.listdir(root / "src") == ["main.py"]

    @pytest.mark.parametrize("data", [b"mine", None])
    def test_a_file_that_changed_since_is_not_overwritten(self, data: bytes | None, places: Places, root: Path) -> None:
        file = root / "src" / "main.py"
        version = places.version(str(file))
        file.write_text("theirs")
        with pytest.raises(Changed, match="changed since it was read"):
            places.replace(str(file), data, version)
        assert file.read_text() == "theirs"
        assert os.listdir(root / "src") == ["main.py"]

    def test_a_file_that_came_or_went_since_is_a_change_too(self, places: Places, root: Path) -> None:
        file = root / "src" / "main.py"
        with pytest.raises(Changed):
            places.replace(str(file), b"mine", None)
        file.unlink()
        with pytest.raises(Changed):
            places.replace(str(file), b"mine", Version(b"main", 0o644))

    @pytest.mark.parametrize("moment", ["before the name is given", "before the new name is given"])
    def test_a_change_while_the_new_content_is_written_is_noticed(
        self, moment: str, places: Places, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = root / "src" / ("main.py" if moment == "before the name is given" else "new.py")
        version = places.version(str(path))
        sync = system_calls.sync_data

        def change(descriptor: int) -> None:
            sync(descriptor)
            path.write_text("theirs")

        monkeypatch.setattr(system_calls, "sync_data", change)
        with pytest.raises(Changed):
            places.replace(str(path), b"mine", version)
        assert path.read_text() == "theirs"
        assert all(not name.startswith(".nodwyn") for name in os.listdir(root / "src"))

    def test_a_failed_write_leaves_the_old_and_nothing_else(
        self, places: Places, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = root / "src" / "main.py"

        def full(descriptor: int, data: bytes) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(system_calls, "write", full)
        with pytest.raises(OSError, match="No space"):
            places.replace(str(path), b"mine", places.version(str(path)))
        assert path.read_text() == "main"
        assert os.listdir(root / "src") == ["main.py"]

    @pytest.mark.parametrize("has_unnamed_files", [True, False])
    def test_a_file_has_no_name_until_it_is_whole_where_the_system_can_do_that(
        self, has_unnamed_files: bool, places: Places, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if has_unnamed_files and not hasattr(os, "O_TMPFILE"):
            pytest.skip("this system has no files without a name")
        if not has_unnamed_files:
            monkeypatch.delattr(os, "O_TMPFILE", raising=False)
        path = root / "src" / "main.py"
        there: list[list[str]] = []
        monkeypatch.setattr(system_calls, "sync_data", lambda _: there.append(os.listdir(root / "src")))
        places.replace(str(path), b"mine", places.version(str(path)))
        (names,) = there
        # A process that is killed here leaves what is there now.
        assert len(names) == (1 if has_unnamed_files else 2)
        assert path.read_text() == "mine"
        assert os.listdir(root / "src") == ["main.py"]

    @pytest.mark.parametrize("target", ["../outside", "../app-private", "src"])
    def test_what_became_a_link_since_it_was_judged_is_not_followed(
        self, target: str, places: Places, root: Path
    ) -> None:
        path = places.judge_write("src/main.py").path
        (root / "src").rename(root / "was")
        (root / "src").symlink_to(target)
        with pytest.raises(OSError):
            places.version(path)
        with pytest.raises(OSError):
            places.replace(path, b"mine", None)
        (root / "src").unlink()
        (root / "was").rename(root / "src")
        (root / "src" / "main.py").unlink()
        (root / "src" / "main.py").symlink_to("../../outside")
        with pytest.raises(OSError):
            places.version(path)
        with pytest.raises(OSError):
            places.replace(path, b"mine", None)
        assert (root.parent / "outside").read_text() == "outside"
        assert os.listdir(root.parent / "app-private") == ["key"]

    def test_a_link_to_what_is_not_there_yet_is_resolved(self, places: Places, root: Path) -> None:
        (root / "link").symlink_to("src/new.py")
        target = places.judge_write("link")
        assert (target.path, target.findings) == (str(root / "src" / "new.py"), ())
        places.replace(target.path, b"new", None)
        assert (root / "link").is_symlink()
        assert (root / "src" / "new.py").read_text() == "new"

    def test_a_directory_is_not_written(self, places: Places) -> None:
        (finding,) = places.judge_write("src").findings
        assert (finding.verdict, finding.reason) == ("deny", "it is a directory")

    def test_temporary_names_cannot_be_foreseen(
        self, places: Places, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        names: set[str] = set()
        rename = os.rename

        def note(source: str, *arguments: Any, **keywords: Any) -> None:
            names.update(name for name in os.listdir(root / "src") if name.startswith(".nodwyn-"))
            rename(source, *arguments, **keywords)

        monkeypatch.setattr(os, "rename", note)
        path = str(root / "src" / "main.py")
        for number in range(3):
            places.replace(path, b"%d" % number, places.version(path))
        assert len(names) == 3
        assert all(len(name) == len(".nodwyn-") + 16 for name in names)

    def test_a_file_system_without_hard_links_will_do(
        self, places: Places, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refused(*arguments: object, **keywords: object) -> None:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

        monkeypatch.setattr(os, "link", refused)
        places.replace(str(root / "new"), b"new", None)
        assert (root / "new").read_text() == "new"
        assert sorted(os.listdir(root)) == ["new", "src"]

    def test_a_written_file_of_several_names_keeps_the_others_as_they_were(self, places: Places, root: Path) -> None:
        os.link(root / "src" / "main.py", root / "other")
        path = str(root / "other")
        places.replace(path, b"new", places.version(path))
        assert (root / "src" / "main.py").read_text() == "main"


class TestFilesThatAListingHasShown:
    def test_a_file_is_opened_for_reading(self, places: Places, root: Path) -> None:
        opened = places.open_found("src/main.py")
        assert (opened.path, opened.findings, opened.outside) == (str(root / "src" / "main.py"), (), False)
        assert content(opened) == "main"

    @pytest.mark.parametrize("name", ["link", "folder/main.py", "src/../link", "src//main.py", "../app/src/main.py"])
    def test_what_is_reached_in_another_way_is_judged_by_where_it_leads(
        self, name: str, places: Places, root: Path
    ) -> None:
        (root / "link").symlink_to("src/main.py")
        (root / "folder").symlink_to("src")
        opened = places.open_found(name)
        assert opened.path == str(root / "src" / "main.py")
        assert content(opened) == "main"

    @pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "link", "folder/key", "src/.env", ".ssh/config"])
    def test_what_is_forbidden_is_not_open(self, name: str, places: Places, root: Path) -> None:
        (root / "link").symlink_to("../outside")
        (root / "folder").symlink_to("../app-private")
        (root / "src" / ".env").write_text("secret")
        (root / ".ssh").mkdir()
        (root / ".ssh" / "config").write_text("secret")
        os.close(places.open(".").descriptor)  # the root itself stays open from now on
        before = len(os.listdir("/dev/fd"))
        opened = places.open_found(name)
        assert opened.descriptor == -1
        assert opened.findings[0].verdict == "deny"
        assert len(os.listdir("/dev/fd")) == before

    def test_what_has_become_a_fifo_does_not_block(self, places: Places, root: Path) -> None:
        os.mkfifo(root / "fifo")
        opened = places.open_found("fifo")
        assert stat.S_ISFIFO(opened.status.st_mode)
        os.close(opened.descriptor)

    def test_a_file_of_several_names_is_a_question(self, places: Places, root: Path) -> None:
        os.link(root / "src" / "main.py", root / "other")
        opened = places.open_found("other")
        assert [finding.verdict for finding in opened.findings] == ["confirm"]
        os.close(opened.descriptor)

    def test_a_name_that_is_gone_is_an_error(self, places: Places) -> None:
        with pytest.raises(FileNotFoundError):
            places.open_found("gone")


def test_no_descriptor_stays_open(places: Places, root: Path) -> None:
    def descriptors() -> int:
        return len(os.listdir("/dev/fd"))

    places.open(".")
    (root / ".env").write_text("secret")
    (root / "link").symlink_to(str(root / "src"))
    os.mkfifo(root / "fifo")
    places.version(str(root / "src" / "main.py"))
    before = descriptors()
    for name in ("src/main.py", ".", ".env", "../outside", "missing", "link/main.py", "fifo", "src/main.py/x"):
        for directory in (True, False):
            try:
                opened = places.open(name, directory)
            except OSError:
                continue
            if opened.descriptor >= 0:
                os.close(opened.descriptor)
        places.judge_write(name) if name != "src/main.py/x" else None
    path = str(root / "a" / "b" / "c")
    places.replace(path, b"new", None)
    with pytest.raises(Changed):
        places.replace(path, b"newer", None)
    assert descriptors() == before


SWAPPERS = {
    "a file": """
while True:
    os.symlink("../outside", "link"); os.replace("link", "src/main.py")
    with open("file", "w") as file: file.write("main")
    os.replace("file", "src/main.py")
""",
    "a directory": """
while True:
    os.rename("src", "was"); os.symlink("../away", "src"); os.unlink("src"); os.rename("was", "src")
""",
    "a directory above": """
while True:
    os.rename("src", "../app-moved"); os.symlink("../away", "src"); os.unlink("src"); os.rename("../app-moved", "src")
""",
}


@pytest.fixture
def swapper(root: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """A process that puts a link to the outside in place of a file or directory and takes it away again, endlessly."""
    import subprocess

    (root.parent / "away").mkdir()
    (root.parent / "away" / "main.py").write_text("outside")
    program = f"import os\nos.chdir({str(root)!r})\nprint(flush=True)\n{SWAPPERS[request.param]}"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


TRIES = 100_000


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("swapper", SWAPPERS, indirect=True)
@pytest.mark.parametrize("method", ["open", "open_found"])
@pytest.mark.usefixtures("swapper")
def test_nothing_outside_is_read_while_links_come_and_go(places: Places, method: str) -> None:
    read, leaked = 0, 0
    for _ in range(TRIES):
        try:
            opened = getattr(places, method)("src/main.py")
        except OSError:
            continue
        if opened.descriptor >= 0:
            text = content(opened)
            read += text == "main"
            leaked += text == "outside"
    assert leaked == 0
    assert read > 100


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("swapper", SWAPPERS, indirect=True)
@pytest.mark.usefixtures("swapper")
def test_nothing_outside_is_written_while_links_come_and_go(places: Places, root: Path) -> None:
    written = 0
    for number in range(TRIES // 100):
        try:
            path = places.judge_write("src/main.py").path
            places.replace(path, b"%d" % number, places.version(path))
            written += 1
        except OSError:
            continue
    assert (root.parent / "outside").read_text() == "outside"
    assert (root.parent / "away" / "main.py").read_text() == "outside"
    assert os.listdir(root.parent / "away") == ["main.py"]
    assert written > 0
