"""Compiled code on disk, by content, from one process to the next.

Loading an entry runs what is in it. So the directory belongs to the user alone: it is one that only the user can
enter, it is reached through no link, it is never part of a repository, and what does not belong to the user in it is
not read. Where this does not hold, or there is no place for a cache, nothing is kept and all else works as well.
"""

from __future__ import annotations

import os
import stat
import sys

try:
    # A thirtieth of what ``hashlib`` costs to import.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

LIMIT = 128 * 1024 * 1024
"""Bytes that all entries together may have before the oldest are removed."""

DIGEST_BYTES = 20
DAY = 86400
HOUR = 3600
FEW_WRITES = 256
"""Entries that one process writes between two looks at the size of the whole."""


def digest(*parts: str) -> str:
    """Return a text that differs whenever one of ``parts`` does, in hexadecimal digits."""
    state = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        octets = part.encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(octets))
        state.update(octets)
    return state.hexdigest()


def _checksum(octets: bytes) -> bytes:
    return blake2b(octets, digest_size=DIGEST_BYTES).digest()


class Cache:
    """A directory of entries by name. Many processes may read and write it at once.

    base: the directory that the user wants caches in. names: the cache's own directories in it, one in the other.
    What is missing is made. Raises OSError where it cannot be used.
    """

    def __init__(self, base: str, *names: str) -> None:
        self.directory = os.path.join(base, *names)
        self._folder: int | None = None
        if _in_repository(self.directory):
            raise PermissionError(f"{self.directory} is part of a repository")
        os.makedirs(base, 0o700, exist_ok=True)
        if os.open in os.supports_dir_fd:
            self._folder = _open_own(base, names)
        else:
            os.makedirs(self.directory, 0o700, exist_ok=True)
        self._writes = 0

    def close(self) -> None:
        """Let go of the directory."""
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def __del__(self) -> None:
        self.close()

    def read(self, name: str) -> bytes | None:
        """Return an entry, None if there is none that is whole."""
        try:
            octets = self._read(name)
        except OSError:
            return None
        content = octets[DIGEST_BYTES:]
        return content if _checksum(content) == octets[:DIGEST_BYTES] else None

    def _read(self, name: str) -> bytes:
        file = self._open(name, os.O_RDONLY)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode) or not _is_own(status):
                raise PermissionError(f"{name} in {self.directory} is another's")
            octets = os.read(file, status.st_size)
            while len(octets) < status.st_size and (more := os.read(file, status.st_size - len(octets))):
                octets += more
        finally:
            os.close(file)
        if _age(status) > DAY:
            # Used entries are young, so that those that nobody uses are the first to go.
            os.utime(self._path(name), dir_fd=self._folder)
        return octets

    def write(self, name: str, content: bytes) -> None:
        """Keep an entry. A failure to is no fault: the next process will compile again."""
        # Process numbers are not enough where the directory is shared by machines.
        draft = f"{name}.{os.urandom(8).hex()}.draft"
        try:
            file = self._open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        except OSError:
            return
        try:
            try:
                _write_all(file, _checksum(content))
                _write_all(file, content)
            finally:
                os.close(file)
            os.replace(self._path(draft), self._path(name), src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except OSError:
            self._remove(draft)
            return
        if self._writes % FEW_WRITES == 0:
            self._bound()
        self._writes += 1

    def _path(self, name: str) -> str:
        return name if self._folder is not None else os.path.join(self.directory, name)

    def _open(self, name: str, flags: int) -> int:
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
        return os.open(self._path(name), flags, 0o600, dir_fd=self._folder)

    def _remove(self, name: str) -> None:
        try:
            os.unlink(self._path(name), dir_fd=self._folder)
        except OSError:
            pass

    def _bound(self) -> None:
        """Remove drafts that a process left behind, and the oldest entries if all together are too large."""
        entries = []
        try:
            for name in os.listdir(self.directory if self._folder is None else self._folder):
                status = os.stat(self._path(name), dir_fd=self._folder, follow_symlinks=False)
                if name.endswith(".draft") and _age(status) > HOUR:
                    self._remove(name)
                else:
                    entries.append((status.st_mtime, status.st_size, name))
        except OSError:
            # Another process is removing entries.
            return
        total = sum(size for _, size, _ in entries)
        if total <= LIMIT:
            return
        for _, size, name in sorted(entries):
            self._remove(name)
            total -= size
            if total <= LIMIT * 3 // 4:
                break


def _write_all(file: int, octets: bytes) -> None:
    rest = memoryview(octets)
    while rest:
        rest = rest[os.write(file, rest) :]


def _age(status: os.stat_result) -> float:
    import time

    return time.time() - status.st_mtime


def _is_own(status: os.stat_result) -> bool:
    # Where there are no user numbers, a user's directories are closed to others by the system.
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _open_own(base: str, names: tuple[str, ...]) -> int:
    """Return the innermost of the cache's directories, open; made where they are missing.

    Raises OSError where one is a link, or others may write in it, or even enter the innermost.
    """
    folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
    for name in names:
        outer = folder
        try:
            try:
                os.mkdir(name, 0o700, dir_fd=outer)
            except FileExistsError:
                pass
            folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=outer)
        finally:
            os.close(outer)
        status = os.fstat(folder)
        forbidden = 0o077 if name is names[-1] else 0o022
        if not _is_own(status) or stat.S_IMODE(status.st_mode) & forbidden:
            os.close(folder)
            raise PermissionError(f"{name} in {base} is not the user's alone")
    return folder


def _in_repository(directory: str) -> bool:
    """Say whether the directory is in the work tree of a repository; a home directory that is one does not count."""
    home = os.path.realpath(os.path.expanduser("~"))
    above = os.path.realpath(directory)
    while above not in (home, os.path.dirname(above)):
        if any(os.path.lexists(os.path.join(above, mark)) for mark in (".git", ".hg", ".jj", ".svn")):
            return True
        above = os.path.dirname(above)
    return False


def cache_place() -> tuple[str, ...] | None:
    """Return where the cache is to be, None for nowhere: a directory of the user's, and the cache's own in it.

    The environment variable NODWYN_CACHE_DIR gives its path; empty, it says that there is to be none.
    """
    own = os.environ.get("NODWYN_CACHE_DIR")
    if own is not None:
        base, name = os.path.split(own.rstrip(os.sep))
        return (base, name) if name and os.path.isabs(own) else None
    base = _user_caches()
    return (base, "nodwyn", "scheme") if os.path.isabs(base) else None


def _user_caches() -> str:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA", "")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return base
    # Not that of the password file: without HOME, a process is nobody's session.
    home = os.environ.get("HOME", "")
    below = ("Library", "Caches") if sys.platform == "darwin" else (".cache",)
    return os.path.join(home, *below) if home else ""


class _Process:
    """What all interpreters of this process share."""

    place: tuple[str, ...] | None = None
    cache: Cache | None = None
    fingerprint = ""


def open_cache() -> Cache | None:
    """Return the user's cache, None where there is none."""
    place = cache_place()
    if place is None:
        return None
    if _Process.place != place:
        try:
            fingerprint()
            _Process.cache = Cache(*place)
        except OSError:
            _Process.cache = None
            return None
        _Process.place = place
    return _Process.cache


def fingerprint() -> str:
    """Return what changes whenever the engine, the Python that it runs on, or the kind of machine does.

    Raises OSError where the engine's files cannot be looked at.
    """
    if not _Process.fingerprint:
        parts = [sys.version, sys.platform, sys.byteorder, os.name]
        pending = [os.path.dirname(os.path.abspath(__file__))]
        while pending:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.name.endswith((".py", ".lark")):
                        status = entry.stat()
                        parts.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
                    elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                        pending.append(entry.path)
        _Process.fingerprint = digest(*sorted(parts))
    return _Process.fingerprint
