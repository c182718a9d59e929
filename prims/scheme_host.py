"""What R7RS's own procedures for files, the environment and the clock reach in a session: the same as primitives do."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from nodwyn.interp.data import origin_of
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.host import SystemHost
from nodwyn.interp.library_path import standard_library
from nodwyn.interp.ports import BinaryInput, BinaryOutput, TextInput, TextOutput
from nodwyn.interp.syntax import Source
from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.effects import Effect
from nodwyn.prims.environment import is_within
from nodwyn.prims.fs.text import NotText, text_of
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.proposal import Call, Finding, Proposal
from nodwyn.prims.log import LogError

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

T = TypeVar("T")

LARGEST: Final = 64 << 20
"""Bytes of the largest file that a port reads."""

FILE_LABELS: Final = frozenset({"external:file"})

# A port's path comes without its labels: outside of the root it counts as made from text of elsewhere.
_UNKNOWN: Final = {"file name": frozenset({"external:unknown"})}


class GuardedHost(SystemHost):
    """The world as a session's Scheme can reach it."""

    def __init__(self, session: Session) -> None:
        super().__init__(["nodwyn"])
        self._session = session
        self._library = standard_library()
        self._opened: list[_GuardedFile] = []

    def open_text_input(self, path: str) -> TextInput:
        text = self._text("open-input-file", path)
        return TextInput(text, origin_of(FILE_LABELS), path)

    def open_binary_input(self, path: str) -> BinaryInput:
        return BinaryInput(self._read("open-binary-input-file", path), path, origin=origin_of(FILE_LABELS))

    def open_text_output(self, path: str) -> TextOutput:
        file = self._open_output("open-output-file", path)
        return TextOutput(io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True), path)

    def open_binary_output(self, path: str) -> BinaryOutput:
        return BinaryOutput(self._open_output("open-binary-output-file", path), path)

    def file_exists(self, path: str) -> bool:
        return _guarded(lambda: self._context("file-exists?", Effect.READ, path).files.exists(_name(path)))

    def delete_file(self, path: str) -> None:
        def delete() -> None:
            files = self._context("delete-file", Effect.WRITE, path).files
            files.delete(files.before(_name(path)), [("change", "the file is deleted")])

        _guarded(delete)

    def read_source(self, path: str, relative_to: str | None = None) -> Source:
        name = os.path.join(os.path.dirname(relative_to), path) if relative_to else path
        if is_within(os.path.normpath(name), self._library):
            return super().read_source(path, relative_to)
        return Source(name, self._text("load", name).removeprefix("\ufeff"))

    def environment_variable(self, name: str) -> str | None:
        self._decide_on_environment("get-environment-variable", name)
        return super().environment_variable(name)

    def environment_variables(self) -> dict[str, str]:
        self._decide_on_environment("get-environment-variables", "")
        return {name: value for name, value in super().environment_variables().items() if not _is_secret(name)}

    def close(self) -> None:
        """Write what open ports still hold.

        Raises: OSError when one could not be written, once all the others are; of several the first.
        """
        failed: OSError | None = None
        for file in self._opened:
            try:
                file.close()
            except SchemeError as error:
                reason = str(error).removeprefix(f"{file.name}: ")
                failed = failed or OSError(errno.EIO, f"not written as the session ended: {reason}", file.name)
        if failed is not None:
            raise failed

    def _read(self, procedure: str, path: str) -> bytes:
        return _guarded(lambda: self._context(procedure, Effect.READ, path).files.read(_name(path), largest=LARGEST))

    def _text(self, procedure: str, path: str) -> str:
        try:
            return text_of(self._read(procedure, path))
        except NotText as error:
            raise SchemeError(Condition("file", f"{path}: {error}")) from None

    def _open_output(self, procedure: str, path: str) -> _GuardedFile:
        context = self._context(procedure, Effect.WRITE, path)
        file = _guarded(lambda: _GuardedFile(context, _name(path)))
        self._opened = [opened for opened in self._opened if not opened.closed]
        self._opened.append(file)
        return file

    def _decide_on_environment(self, procedure: str, name: str) -> None:
        secret = Finding("deny", "denylist", "variables with such names hold secrets, and are not given to programs")
        proposal = Proposal(
            "other",
            f"environment variable {name}" if name else "environment variables",
            (secret,) if _is_secret(name) else (),
            ("environment", "it holds no secret"),
        )
        _guarded(lambda: self._context(procedure, Effect.READ).decide(proposal))

    def _context(self, procedure: str, effect: Effect, path: str = "") -> Context:
        session = self._session
        labels = {} if is_within(session.places.absolute(_name(path)), session.root) else _UNKNOWN
        return Context(session, Call(0, procedure, session.scheme_caller, labels), effect)


class _GuardedFile(io.BytesIO):
    """Bytes that become a file's content when they are flushed or closed, by a guarded write each time."""

    def __init__(self, context: Context, name: str) -> None:
        # Before what may refuse: Python closes what was not made whole, too.
        self._written: bytes | None = b""
        super().__init__()
        self.name = surrogates.escape(name)
        self._context = context
        self._before = context.files.before(name)
        self._before.refuse(context)
        self._written = None

    def flush(self) -> None:
        data = self.getvalue()
        if data != self._written:
            files = self._context.files
            _guarded(lambda: files.write(self._before, data, [("content", data.decode(errors="backslashreplace"))]))
            self._before, self._written = files.before(self._before.name), data

    def close(self) -> None:
        if not self.closed:
            self.flush()
            super().close()


def _guarded(work: Callable[[], T]) -> T:
    """Do something that the guard may refuse; return what comes of it.

    Raises: SchemeError.
    """
    try:
        return work()
    except Refused as error:
        raise SchemeError(Condition("refused", str(error))) from None
    except PrimitiveError as error:
        raise SchemeError(Condition(error.kind, str(error))) from None
    except LogError as error:
        raise SchemeError(Condition("control", str(error))) from None


def _name(path: str) -> str:
    return surrogates.unescape(path)


def _is_secret(name: str) -> bool:
    from nodwyn.prims.session import SECRET_ENDINGS

    return name.upper().endswith(SECRET_ENDINGS)
