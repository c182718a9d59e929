"""What ``python -m nodwyn.interp`` does, behind its command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from nodwyn.interp.data import EOF, UNSPECIFIED, Value, Values
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.interp.host import SystemHost
from nodwyn.interp.interpreter import Interpreter
from nodwyn.interp.limits import INTERRUPTED, Limits
from nodwyn.interp.ports import Disconnected
from nodwyn.interp.process import INTERRUPTED_STATUS
from nodwyn.interp.report import report
from nodwyn.interp.syntax import Source

SOFTWARE_ERROR = 70
DISCONNECTED_STATUS = 141
"""As of a program that the system ends because nobody reads its output."""


class Session:
    """One run of the command.

    libraries: directories of libraries, before those that the environment names. arguments: the program's name and its
    arguments, as it sees them.
    """

    def __init__(
        self, seconds: float | None, memory_mb: float | None, libraries: list[str], arguments: list[str]
    ) -> None:
        self.host = SystemHost(arguments)
        named = [directory for directory in os.environ.get("NODWYN_LIBRARY_PATH", "").split(os.pathsep) if directory]
        self.scheme = Interpreter(
            limits=Limits(seconds, memory_mb),
            host=self.host,
            library_path=[*libraries, *named],
            program_directory=_directory_of(arguments),
        )

    def run(self, expressions: list[str], arguments: list[str], show: str) -> int:
        """Do what the command line asks for; return the exit status.

        show: "expand", "dis", "profile" or "".
        """
        if show == "profile":
            from nodwyn.interp.profiling import profiled

            return profiled(self.scheme, lambda: self._guarded(self._work(expressions, arguments)))
        if show:
            from nodwyn.interp.inspection import show_code

            def inspect() -> None:
                sources = self._sources(expressions, arguments)
                show_code(self.scheme, sources, show, self.write, whole=not expressions)

            return self._guarded(inspect)
        return self._guarded(self._work(expressions, arguments))

    def write(self, text: str) -> None:
        """Write to the standard output, unless the program has closed it."""
        port = self.host.standard_output()
        if port.is_open:
            port.write(text)

    def _work(self, expressions: list[str], arguments: list[str]) -> Callable[[], None]:
        if expressions:
            return lambda: self._evaluate(expressions)
        if arguments:
            return lambda: self.scheme.run_program(program_source(self.scheme, arguments[0]))
        return self._converse

    def _converse(self) -> None:
        from nodwyn.interp.repl import Conversation

        conversation = Conversation(self.scheme, self.host)
        conversation.hold()
        if conversation.has_failed and not conversation.is_terminal:
            raise Exit(SOFTWARE_ERROR)

    def _evaluate(self, expressions: list[str]) -> None:
        for text in expressions:
            show_value(self.scheme.eval_scheme(text, "<-e>", keep=True), self.write)

    def _sources(self, expressions: list[str], arguments: list[str]) -> list[Source]:
        if expressions:
            return [Source("<-e>", text) for text in expressions]
        return [program_source(self.scheme, path) for path in arguments[:1]]

    def _guarded(self, work: Callable[[], None]) -> int:
        """Run ``work``; return the exit status for how it ended. An error is reported on the standard error."""
        try:
            status = self._status_of(work)
            unwritten = self._status_of(self.host.flush)
        except Disconnected:
            status = unwritten = DISCONNECTED_STATUS
        unclosed = self._status_of(self.host.close)
        if unwritten and sys.stdout is not None:
            # Python would try again when it ends, and complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return status or unwritten or unclosed

    def _status_of(self, work: Callable[[], None]) -> int:
        try:
            work()
        except Exit as left:
            return left.status
        except SchemeError as error:
            show_error(error, self.host)
            return INTERRUPTED_STATUS if is_interrupt(error) else SOFTWARE_ERROR
        except KeyboardInterrupt:
            # Outside of the program, such as while its value is written.
            return INTERRUPTED_STATUS
        return 0


def _directory_of(arguments: list[str]) -> str:
    """Return the directory of the program, "" where it is none on disk."""
    return os.path.dirname(os.path.realpath(arguments[0])) if arguments and os.path.isfile(arguments[0]) else ""


def program_source(scheme: Interpreter, path: str) -> Source:
    """Return the text of a program file; ``-`` is standard input."""
    if path == "-":
        return Source("<stdin>", scheme.runtime.host.standard_input().read_text(sys.maxsize))
    return scheme.programs.read(path)


def show_value(value: Value, write: Callable[[str], Any]) -> None:
    """Write a value and a newline, or several; nothing for the unspecified value."""
    from nodwyn.interp import printer

    if value is UNSPECIFIED or value is EOF:
        return
    for each in value.results if value.__class__ is Values else (value,):
        write(printer.write(each) + "\n")


def show_error(error: SchemeError, host: SystemHost) -> None:
    """Write the report of an error to the standard error, after all output before it."""
    try:
        host.flush()
    except SchemeError:
        # Told when the session ends.
        pass
    port = host.standard_error()
    if port.is_open:
        port.write(report(error) + "\n")


def is_interrupt(error: SchemeError) -> bool:
    """Say whether an error is that Ctrl-C was pressed."""
    payload = error.payload
    return isinstance(payload, Condition) and payload.message is INTERRUPTED
