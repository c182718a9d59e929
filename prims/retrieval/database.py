"""The file that an index is in: an SQLite database, made anew when it is damaged or of another version.

A database never gets the name of an earlier one: a process that still has the earlier one open would, when it closes
it, remove files of the new one. A small file beside them names the one that holds now.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from nodwyn.prims.private import NotPrivate, open_private, private_directory, replace_file
from nodwyn.prims.retrieval.contents import VERSION as CONTENTS_VERSION

VERSION: Final = f"1.{CONTENTS_VERSION}"
"""Of the tables and of what they hold."""

BUSY_SECONDS: Final = 20.0
"""How long another process's change is waited for."""

LARGEST_LOG: Final = 1 << 20
"""Bytes that SQLite's log keeps on the disk when it is done with."""

LONGEST_NAME: Final = 200

_OF_THE_SYSTEM: Final = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    )
)
"""Errors that say nothing of what the file holds."""

_TABLES: Final = """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE segments (id INTEGER PRIMARY KEY AUTOINCREMENT, size INTEGER NOT NULL);
    CREATE TABLE contents (
        id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, segment INTEGER NOT NULL,
        base INTEGER NOT NULL, layout BLOB NOT NULL, checksum INTEGER NOT NULL, used INTEGER NOT NULL);
    CREATE TABLE postings (
        word TEXT, segment INTEGER, body BLOB, first BLOB, defined BLOB, checksum INTEGER,
        PRIMARY KEY (word, segment)) WITHOUT ROWID;
    CREATE TABLE stems (stem TEXT, word TEXT, PRIMARY KEY (stem, word)) WITHOUT ROWID;
    CREATE TABLE trees (
        id INTEGER PRIMARY KEY AUTOINCREMENT, root TEXT NOT NULL UNIQUE, generation INTEGER NOT NULL,
        changed INTEGER NOT NULL);
    CREATE TABLE files (
        tree INTEGER, path TEXT, size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL,
        inode INTEGER NOT NULL, checked INTEGER NOT NULL, content INTEGER, PRIMARY KEY (tree, path)) WITHOUT ROWID;
    CREATE INDEX named ON files (content);
    CREATE TABLE commits (hash TEXT PRIMARY KEY, words TEXT NOT NULL, paths TEXT NOT NULL, used INTEGER NOT NULL)
        WITHOUT ROWID;
    CREATE TABLE histories (tree INTEGER PRIMARY KEY, signature TEXT NOT NULL, commits TEXT NOT NULL);
    INSERT INTO meta VALUES ('epoch', 0), ('collected', 0);
"""


class Unwritable(Exception):
    """There can be no index: the message says where and why."""


class Damaged(Exception):
    """What an index holds is not what was written."""


class Database:
    """The database of a project's index."""

    def __init__(self, directory: Path) -> None:
        """Nothing is opened or made before it is used.

        directory: where indexes are; made when missing, but for its parent.
        """
        self.directory = directory
        self._pointer = directory / f"current-{VERSION}"
        self._name = ""
        self._connection: sqlite3.Connection | None = None

    @property
    def name(self) -> str:
        """The name of the file that was opened last; no other database ever has it."""
        return self._name

    @property
    def path(self) -> Path:
        """The file, when there is one."""
        return self.directory / self._name

    def exists(self) -> bool:
        """Whether there is a database; nothing is made."""
        return (self.directory / self._named()).is_file()

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[sqlite3.Connection]:
        """See one state of the database within the context; write all of it, or nothing. A database is made if needed.

        Raises: Unwritable, Damaged.
        """
        try:
            connection = self._connected()
            connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
        except NotPrivate as error:
            raise Unwritable(str(error).rstrip(".")) from error
        except OSError as error:
            raise Unwritable(f"{self.directory} cannot be written: {error.strerror or error}") from error
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _OF_THE_SYSTEM:
                raise Damaged(str(error)) from error
            self.close()
            raise Unwritable(f"{self.directory} cannot be used: {error}") from error

    def _connected(self) -> sqlite3.Connection:
        """Return the connection to the database that holds now."""
        name = self._named()
        if self._connection is not None and name == self._name:
            return self._connection
        self.close()
        if name and (self.directory / name).is_file():
            return self._open(name)
        private_directory(self.directory)
        self._pointer.unlink(missing_ok=True)
        return self._create()

    def discard(self) -> None:
        """Give up the database, damaged as it is, unless another process did so already."""
        self.close()
        if self._name and self._named() == self._name:
            self._remove(self._name)
            with suppress(OSError):
                self._pointer.unlink()

    def remove_all(self) -> None:
        """Remove every database, of any version.

        Raises: OSError.
        """
        self.close()
        for path in sorted(self.directory.glob("current-*")) + sorted(self.directory.glob("words-*")):
            path.unlink(missing_ok=True)

    def remove_old(self, before: float) -> None:
        """Remove databases that do not hold any more, or are of other versions, if nothing changed them since."""
        for path in (*self.directory.glob("current-*"), *self.directory.glob("words-*")):
            if path != self._pointer and not path.name.startswith(self._name):
                with suppress(OSError):
                    if path.stat().st_mtime < before:
                        path.unlink()

    def size(self) -> int:
        """Return how many bytes the files of the database have."""
        total = 0
        for path in self.directory.glob(f"{self._named() or '-'}*"):
            with suppress(OSError):
                total += path.stat().st_size
        return total

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the database. Twice does nothing."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _named(self) -> str:
        try:
            descriptor = open_private(self._pointer, os.O_RDONLY)
        except OSError:
            return ""
        try:
            name = os.read(descriptor, LONGEST_NAME).decode(errors="replace")
        finally:
            os.close(descriptor)
        return name if name.startswith("words-") and "/" not in name else ""

    def _create(self) -> sqlite3.Connection:
        name = f"words-{os.urandom(8).hex()}.sqlite"
        os.close(open_private(self.directory / name, os.O_RDWR | os.O_CREAT | os.O_EXCL))
        try:
            connection = self._open(name)
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
            connection.execute("PRAGMA journal_mode = WAL")
            # Whoever names one first has made it: others use that.
            os.link(self._temporary(name), self._pointer)
        except FileExistsError:
            self.close()
            self._remove(name)
            return self._open(self._named())
        except BaseException:
            self.close()
            self._remove(name)
            raise
        finally:
            self._temporary(name, make=False).unlink(missing_ok=True)
        return connection

    def _temporary(self, name: str, *, make: bool = True) -> Path:
        path = self.directory / f".{name}"
        if make:
            replace_file(path, name.encode())
        return path

    def _open(self, name: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{(self.directory / name).as_uri()}?mode=rw",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        self._connection, self._name = connection, name
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA journal_size_limit = {LARGEST_LOG}")
        return connection

    def _remove(self, name: str) -> None:
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                (self.directory / f"{name}{ending}").unlink()
