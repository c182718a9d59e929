"""The files that a call may reach. Each method asks the guard before it touches anything."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from nodwyn.prims import surrogates
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.guard.paths import Opened
from nodwyn.prims.guard.proposal import INSIDE, Finding, Proposal
from nodwyn.prims.guard.replace import Version
from nodwyn.prims.log.events import FileVersion

if TYPE_CHECKING:
    from nodwyn.prims.context import Context

READ_SIZE = 1 << 20

DEEPEST = 200
"""How many directories deep a walk goes."""

STRETCH = 256
"""How many entries of a directory a walk takes between two looks at whether it is to go on."""


class FileError(PrimitiveError):
    """A file cannot be read or written; the message names it."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{surrogates.escape(name)}: {reason}", kind="file")


class Entry(NamedTuple):
    """A name in a directory."""

    name: str
    is_directory: bool


class Before(NamedTuple):
    """A file as it was when it was looked at, to be written only if it is still so."""

    name: str
    """As it was asked for."""
    path: str
    """The real path."""
    shown: str
    """The path as the log and the person see it."""
    version: Version | None
    """None when there is no such file."""
    findings: tuple[Finding, ...]
    is_outside: bool

    def refuse(self, context: Context) -> None:
        """Refuse at once what writing would be refused for.

        Raises: Refused.
        """
        if any(finding.verdict == "deny" for finding in self.findings):
            context.decide(Proposal("write", self.shown, self.findings))


class Files:
    """The files that a call may reach."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._places = context.session.places

    def read(self, name: str, *, largest: int, hint: str = "") -> bytes:
        """Return a file's bytes, as it is now.

        largest: how many there may be. hint: what to do with a larger one.

        Raises: FileError, Refused.
        """
        # Written out, for a search reads thousands of files: context managers would cost as much as opening one.
        try:
            opened = self._places.open(name)
            try:
                self.decide_to_read(opened.path, opened.findings, opened.outside)
                return _whole(name, opened, largest, hint)
            finally:
                if opened.descriptor >= 0:
                    os.close(opened.descriptor)
        except OSError as error:
            raise _file_error(name, error) from None

    def search(
        self, name: str, *, largest: int, asking: bool = False, left_out: Callable[[str], None] = lambda reason: None
    ) -> bytes | None:
        """Return the bytes of a file that a walk has found, or None when it is none to be searched.

        That is so when pin or denylist have anything against it, be it a question that was not answered for all such
        files beforehand; when it is no regular file any more, is gone, or has more than ``largest`` bytes.

        asking: whether the guard puts such a question, and what pin and denylist have against it is a refusal.
        left_out: told why there are none.

        Raises: Refused when another layer of the guard does not allow it.
        """
        try:
            opened = self._places.open_found(name)
            try:
                if not stat.S_ISREG(opened.status.st_mode) or opened.status.st_size > largest:
                    left_out("too large" if stat.S_ISREG(opened.status.st_mode) else "no regular file")
                    return None
                if opened.findings and not (asking or self._is_answered(opened.findings)):
                    left_out(_why_not_unasked(opened.findings))
                    return None
                self.decide_to_read(opened.path, opened.findings, opened.outside)
                return _whole(name, opened, largest, "")
            finally:
                if opened.descriptor >= 0:
                    os.close(opened.descriptor)
        except (OSError, FileError):
            left_out("unreadable")
            return None

    def _is_answered(self, findings: Sequence[Finding]) -> bool:
        """Return whether the person has said yes to all questions of these kinds."""
        allows = self._context.session.guard.approvals.allows
        return all(finding.verdict == "confirm" and allows(finding.kind) for finding in findings)

    def list(self, name: str) -> list[Entry]:
        """Return what a directory has, by name.

        Raises: FileError, Refused.
        """
        with self._open(name, directory=True) as opened:
            self._decide_to_list(opened)
            with os.scandir(opened.descriptor) as scan:
                return sorted(Entry(entry.name, entry.is_dir(follow_symlinks=False)) for entry in scan)

    def walk(
        self,
        name: str,
        *,
        going_on: Callable[[], None] | None = None,
        left_out: Callable[[str], None] = lambda name: None,
        too_deep: Callable[[str], None] | None = None,
        begun: Callable[[str, bool], None] = lambda base, is_file: None,
    ) -> Iterator[str]:
        """Yield the regular files at or below a path, relative to the root, in no order.

        Hidden entries below the path, links, what is no regular file, and what the denylist names are left out.

        going_on: called now and then, to raise what ends the walk; a cancel does when it is not given. left_out: told
            of each entry that is left out, but for hidden ones and links. too_deep: told of each directory that is too
            deep to be entered; when it is not given, one ends the walk. begun: told, before anything is yielded, where
            the path leads, relative to the root and links followed, and whether to a file.

        Raises: FileError, Refused, PrimitiveError.
        """
        with self._open(name) as opened:
            self._decide_to_list(opened)
            begun(self._places.shown(opened.path), stat.S_ISREG(opened.status.st_mode))
            if stat.S_ISREG(opened.status.st_mode):
                yield self._places.shown(opened.path)
            elif stat.S_ISDIR(opened.status.st_mode):
                yield from self._below(opened, going_on or self._stop_when_cancelled, left_out, too_deep)
            else:
                raise FileError(name, "it is no directory and no regular file")

    def _below(
        self,
        opened: Opened,
        going_on: Callable[[], None],
        left_out: Callable[[str], None],
        too_deep: Callable[[str], None] | None,
    ) -> Iterator[str]:
        base = self._places.shown(opened.path)
        stack = [_Level(os.dup(opened.descriptor), "" if base == "." else f"{base}/", [])]
        try:
            yield from self._names(stack[0], going_on, left_out)
            while stack:
                level = stack[-1]
                if not level.folders:
                    os.close(stack.pop().descriptor)
                    continue
                folder = level.folders.pop()
                if len(stack) == DEEPEST:
                    _leave_deep(f"{level.prefix}{folder}/", too_deep)
                    continue
                descriptor = _entered(level.descriptor, folder)
                if descriptor is not None:
                    stack.append(_Level(descriptor, f"{level.prefix}{folder}/", []))
                    yield from self._names(stack[-1], going_on, left_out)
        finally:
            for level in stack:
                os.close(level.descriptor)

    def _names(self, level: _Level, going_on: Callable[[], None], left_out: Callable[[str], None]) -> Iterator[str]:
        """Yield the files of a directory, and note its directories."""
        denied, whole = self._places.denied, f"{self._places.root.rstrip('/')}/{level.prefix}"
        going_on()
        with os.scandir(level.descriptor) as scan:
            for number, entry in enumerate(scan, 1):
                if number % STRETCH == 0:
                    going_on()
                name = entry.name
                if name.startswith("."):
                    continue
                if denied(whole + name):
                    left_out(level.prefix + name)
                elif entry.is_file(follow_symlinks=False):
                    yield level.prefix + name
                elif entry.is_dir(follow_symlinks=False):
                    level.folders.append(name)
                elif not entry.is_symlink():
                    left_out(level.prefix + name)

    def _stop_when_cancelled(self) -> None:
        if self._context.is_cancelled():
            raise PrimitiveError("it was cancelled")

    def exists(self, name: str) -> bool:
        """Return whether there is a file or directory.

        Raises: FileError, Refused.
        """
        try:
            with self._open(name) as opened:
                self._decide_to_list(opened)
        except FileError:
            return False
        return True

    def before(self, name: str) -> Before:
        """Return a file as it is now, for :meth:`write`. It was not decided yet that the caller may know its text.

        Raises: FileError.
        """
        with _named(name):
            judged = self._places.judge_write(name)
            readable = not any(finding.verdict == "deny" for finding in judged.findings)
            version = self._places.version(judged.path) if readable else None
        shown = self._places.shown(judged.path)
        return Before(name, judged.path, surrogates.escape(shown), version, judged.findings, judged.outside)

    def write(self, before: Before, data: bytes, shown: Sequence[tuple[str, str]], *, mode: int | None = None) -> None:
        """Put new content in place of what a file had. What it replaces is kept, so that it can be undone.

        shown: what a person is shown of the change, complete. mode: permission bits; those that the file has when not
            given.

        Raises: FileError when the file changed since, Refused.
        """
        self._change(before, data, shown, mode)

    def delete(self, before: Before, shown: Sequence[tuple[str, str]], directories: int = 0) -> None:
        """Delete a file. Its content is kept, so that it can be undone.

        directories: how many of those around it go with it, from the innermost, as far as they are then empty.

        Raises: FileError when the file changed since, Refused.
        """
        self._change(before, None, shown, None, directories)

    def _change(
        self, before: Before, data: bytes | None, shown: Sequence[tuple[str, str]], mode: int | None, gone: int = 0
    ) -> None:
        session = self._context.session
        old = before.version.data if before.version else None
        findings = list(before.findings)
        if not self._context.call.is_persons:
            inside = Finding("confirm", "approval", "it writes a file", "edits")
            outside = Finding("confirm", "approval", "it writes a file outside of the root")
            findings.append(outside if before.is_outside else inside)
        details = {"content": data.decode(errors="replace")} if data is not None else {}
        self._context.decide(
            Proposal(
                "write",
                before.shown,
                tuple(findings),
                ("approval", "the person's own Scheme writes inside the root"),
                lambda: [("file", before.shown), *shown],
                before.path,
                details,
                before.is_outside,
            )
        )
        call = self._context.call
        given: dict[str, Any] = {} if old is None else {"before": session.versions.keep(old)}
        if data is not None:
            given["after"] = sha256(data).hexdigest()
        if call.seq:
            given["call"] = call.seq
        permissions = before.version.mode if before.version else mode or 0
        with _named(before.name):
            if directories := (gone if data is None else self._places.missing_directories(before.path)):
                given["directories"] = directories
            session.log.append(FileVersion(path=before.path, mode=permissions, agent=call.agent, **given))
            session.log.barrier()
            self._places.replace(before.path, data, before.version, mode)
            self._places.remove_directories(before.path, gone)

    def decide_to_read(self, path: str, findings: tuple[Finding, ...], is_outside: bool) -> None:
        """Have the guard decide about reading a file, or about telling what is in one. Raises: Refused."""
        named, subject = surrogates.escape(path), surrogates.escape(self._places.shown(path))
        self._context.decide(
            Proposal("read", subject, findings, INSIDE, lambda: [("file", named)], path, {}, is_outside)
        )

    def _decide_to_list(self, opened: Opened) -> None:
        self._context.decide(
            Proposal(
                "other",
                surrogates.escape(self._places.shown(opened.path)),
                opened.findings,
                ("pin", "names inside the root"),
                lambda: [("directory", opened.path)],
                opened.path,
                reaches_out=opened.outside,
            )
        )

    @contextmanager
    def _open(self, name: str, *, directory: bool = False) -> Iterator[Opened]:
        with _named(name):
            opened = self._places.open(name, directory)
        try:
            with _named(name):
                yield opened
        finally:
            if opened.descriptor >= 0:
                os.close(opened.descriptor)


class _Level(NamedTuple):
    """A directory of a walk that is not yet done."""

    descriptor: int
    prefix: str
    folders: list[str]


def _why_not_unasked(findings: Sequence[Finding]) -> str:
    """Return in a word or two why a file is not read without a question."""
    return "protected" if any(finding.verdict == "deny" for finding in findings) else "asked about when named"


def _leave_deep(name: str, too_deep: Callable[[str], None] | None) -> None:
    if too_deep is None:
        raise FileError(name, f"it is more than {DEEPEST} directories deep; name a directory in it")
    too_deep(name)


def _entered(descriptor: int, name: str) -> int | None:
    """Open a directory in another one, never through a link; None when it cannot be listed."""
    try:
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=descriptor)
    except OSError:
        return None


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Turn an error of the system into one that names the file as it was asked for."""
    try:
        yield
    except OSError as error:
        raise _file_error(name, error) from None


def _file_error(name: str, error: OSError) -> FileError:
    if isinstance(error, FileNotFoundError):
        return FileError(name, "there is no such file or directory")
    if isinstance(error, NotADirectoryError):
        return FileError(name, "it is no directory, or lies in something that is none")
    return FileError(name, error.strerror or str(error))


def _whole(name: str, opened: Opened, largest: int, hint: str) -> bytes:
    """Read a file to its end.

    Raises: FileError, OSError.
    """
    status = opened.status
    if stat.S_ISDIR(status.st_mode):
        raise FileError(name, "it is a directory; fs-list lists it")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(name, "it is no regular file")
    data = os.read(opened.descriptor, min(status.st_size, largest) + 1)
    pieces = [data]
    size = len(data)
    while data and size <= largest and size != status.st_size:
        data = os.read(opened.descriptor, READ_SIZE)
        pieces.append(data)
        size += len(data)
    if size > largest:
        raise FileError(name, f"it has {max(size, status.st_size)} bytes, more than {largest}{hint}")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
