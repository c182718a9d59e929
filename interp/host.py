"""Everything that a Scheme program can reach outside itself, and nothing else, is a method of a host.

:class:`Host` refuses everything; a subclass grants what it overrides. :class:`ClosedHost`, which an embedded
interpreter has by default, grants an output at most; :class:`SystemHost` grants what the process itself may do.

Methods may raise ``OSError``, ``ValueError`` (such as for a path with a NUL in it) or ``SchemeError``; the
builtins make the first two conditions of kind "file" that name the path.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from errno import EBADF
from typing import NoReturn, TextIO

from nodwyn.interp.data import UNLABELLED
from nodwyn.interp.errors import failure
from nodwyn.interp.open_files import OpenFiles
from nodwyn.interp.ports import BinaryInput, BinaryOutput, Nowhere, TextInput, TextOutput, file_input
from nodwyn.interp.sources import ByteSource, TextSource
from nodwyn.interp.syntax import Source


def _refuse(kind: str, what: str) -> NoReturn:
    raise failure(kind, None, f"this program has no access to {what}")


class Host:
    """What a program can reach: nothing, unless a subclass grants it."""

    def open_text_input(self, path: str) -> TextInput:
        """Return a port that reads the text of the file ``path``, with the origin that its text has."""
        _refuse("file", "files")

    def open_binary_input(self, path: str) -> BinaryInput:
        """Return a port that reads the bytes of the file ``path``."""
        _refuse("file", "files")

    def open_text_output(self, path: str) -> TextOutput:
        """Return a port that writes text to the file ``path``, made anew."""
        _refuse("file", "files")

    def open_binary_output(self, path: str) -> BinaryOutput:
        """Return a port that writes bytes to the file ``path``, made anew."""
        _refuse("file", "files")

    def file_exists(self, path: str) -> bool:
        """Return whether there is a file or directory ``path``."""
        _refuse("file", "files")

    def delete_file(self, path: str) -> None:
        """Delete the file ``path``."""
        _refuse("file", "files")

    def read_source(self, path: str, relative_to: str | None = None) -> Source:
        """Return the program text in the file ``path``, for ``load`` and ``include``.

        relative_to: name of the source file that mentions it, from whose directory a relative ``path`` goes out;
            None for the current directory.
        """
        _refuse("file", "files")

    def command_line(self) -> list[str]:
        """Return the program's name and its arguments."""
        _refuse("control", "the command line")

    def environment_variable(self, name: str) -> str | None:
        """Return the value of an environment variable, or None."""
        _refuse("control", "environment variables")

    def environment_variables(self) -> dict[str, str]:
        """Return all environment variables."""
        _refuse("control", "environment variables")

    def current_second(self) -> float:
        """Return the seconds since 1970-01-01 00:00 UTC, as POSIX counts them (without leap seconds)."""
        _refuse("control", "a clock")

    def current_jiffy(self) -> int:
        """Return the jiffies since an epoch that is fixed within the process."""
        _refuse("control", "a clock")

    def jiffies_per_second(self) -> int:
        """Return how many jiffies are a second."""
        _refuse("control", "a clock")

    def standard_input(self) -> TextInput:
        """Return the port that ``current-input-port`` is at first."""
        raise NotImplementedError

    def standard_output(self) -> TextOutput:
        """Return the port that ``current-output-port`` is at first."""
        raise NotImplementedError

    def standard_error(self) -> TextOutput:
        """Return the port that ``current-error-port`` is at first."""
        raise NotImplementedError

    def flush(self) -> None:
        """Hand on what the program wrote to the standard ports; called when it ends or waits for input."""

    def close(self) -> None:
        """Write what the program's ports on files still hold, and close them: nothing runs any more.

        Raises: SchemeError if some of it cannot be written.
        """


class ClosedHost(Host):
    """Grants no access. Its standard input is empty.

    output: where the standard output and the standard error of a program go; None for nowhere.
    """

    def __init__(self, output: TextIO | None = None) -> None:
        self._input = TextInput("", UNLABELLED, "the standard input")
        self._output = TextOutput(output or Nowhere(), "the standard output", is_standard=True)

    def standard_input(self) -> TextInput:
        return self._input

    def standard_output(self) -> TextOutput:
        return self._output

    def standard_error(self) -> TextOutput:
        return self._output

    def flush(self) -> None:
        self._output.flush()


class _Closed(Nowhere):
    """The standard output of a process that has none: that there was something to write is an error in the end."""

    def __init__(self) -> None:
        self._has_lost = False

    def write(self, text: str) -> None:
        """Lose text."""
        self._has_lost = self._has_lost or bool(text)

    def flush(self) -> None:
        """Raise OSError when text was lost."""
        if self._has_lost:
            raise OSError(EBADF, "it is closed")


def _shown(argument: str) -> str:
    """Return text from the operating system as Scheme can hold it: bytes that are no UTF-8 become U+FFFD."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class SystemHost(Host):
    """Grants what the process itself may do.

    arguments: the command line that the program sees, its own name first.
    """

    def __init__(self, arguments: list[str] | None = None) -> None:
        self._arguments = list(sys.argv if arguments is None else arguments)
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                with suppress(OSError):  # it writes what is held back; whoever writes next is told that it cannot be
                    reconfigure(encoding="utf-8", errors=stream.errors, newline="")
        self._output = TextOutput(sys.stdout or _Closed(), "the standard output", is_standard=True)
        self._error = TextOutput(sys.stderr or Nowhere(), "the standard error", is_standard=True)
        self._input = self._standard_input()
        self._files = OpenFiles()

    def _standard_input(self) -> TextInput:
        name = "the standard input"
        octets = getattr(sys.stdin, "buffer", None)
        if octets is None:
            return TextInput("", UNLABELLED, name)
        return TextInput("", UNLABELLED, name, TextSource(ByteSource(octets, name, self.flush)))

    def open_text_input(self, path: str) -> TextInput:
        return file_input(open(path, "rb"), path)

    def open_binary_input(self, path: str) -> BinaryInput:
        return BinaryInput(b"", path, ByteSource(open(path, "rb"), path))

    def open_text_output(self, path: str) -> TextOutput:
        stream = open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115 - it lives as long as the port
        port = TextOutput(stream, path)
        self._files.add(port, stream)
        return port

    def open_binary_output(self, path: str) -> BinaryOutput:
        stream = open(path, "wb")  # noqa: SIM115 - likewise
        port = BinaryOutput(stream, path)
        self._files.add(port, stream)
        return port

    def file_exists(self, path: str) -> bool:
        return os.path.exists(path)

    def delete_file(self, path: str) -> None:
        os.unlink(path)

    def read_source(self, path: str, relative_to: str | None = None) -> Source:
        name = os.path.join(os.path.dirname(relative_to), path) if relative_to else path
        with open(name, "rb") as stream:
            octets = stream.read()
        try:
            return Source(name, octets.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            message = f"{name} is not UTF-8 text: byte {error.start} (counted from 0) starts no character"
            raise failure("file", None, message) from None

    def command_line(self) -> list[str]:
        return [_shown(argument) for argument in self._arguments]

    def environment_variable(self, name: str) -> str | None:
        value = os.environ.get(name)
        return None if value is None else _shown(value)

    def environment_variables(self) -> dict[str, str]:
        return {_shown(name): _shown(value) for name, value in os.environ.items()}

    def current_second(self) -> float:
        return time.time()

    def current_jiffy(self) -> int:
        return time.perf_counter_ns() // 1000

    def jiffies_per_second(self) -> int:
        return 1_000_000

    def standard_input(self) -> TextInput:
        return self._input

    def standard_output(self) -> TextOutput:
        return self._output

    def standard_error(self) -> TextOutput:
        return self._error

    def flush(self) -> None:
        self._output.flush()
        self._error.flush()

    def close(self) -> None:
        self._files.close()
