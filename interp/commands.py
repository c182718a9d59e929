"""What ``python -m nodwyn.interp`` does, behind its command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from nodwyn.interp.data import EOF, UNSPECIFIED, Value, Values
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.interp.host import SystemHost
from nodwyn.interp.interpreter import Interpreter
from nodwyn.interp.limits import Limits
from nodwyn.interp.report import report
from nodwyn.interp.syntax import Source

SOFTWARE_ERROR = 70
INTERRUPTED = 130


class Session:
    """One run of the command."""

    def __init__(self, seconds: float | None, memory_mb: float | None, arguments: list[str]) -> None:
        self.host = SystemHost(arguments)
        library = [directory for directory in os.environ.get("NODWYN_LIBRARY_PATH", "").split(os.pathsep) if directory]
        self.scheme = Interpreter(limits=Limits(seconds, memory_mb), host=self.host, library_path=library)

    def run(self, expressions: list[str], arguments: list[str], show: str) -> int:
        """Do what the command line asks for; return the exit status."""
        if show in ("expand", "dis"):
            from nodwyn.interp.inspection import show_code

            return self.guarded(lambda: show_code(self.scheme, expressions, arguments, show))
        if show == "profile":
            return self._profiled(expressions, arguments)
        return self._work(expressions, arguments)

    def _work(self, expressions: list[str], arguments: list[str]) -> int:
        if expressions:
            return self.guarded(lambda: self._evaluate(expressions))
        if arguments:
            return self.guarded(lambda: self._program(arguments[0]))
        from nodwyn.interp.repl import converse

        return self.guarded(lambda: converse(self.scheme, self.host))

    def _evaluate(self, expressions: list[str]) -> None:
        for text in expressions:
            show_value(self.scheme.eval_scheme(text, "<-e>", keep=True), self.host.standard_output().write)

    def _program(self, path: str) -> None:
        self.scheme.run_program(program_source(self.scheme, path))

    def guarded(self, work: Callable[[], Any]) -> int:
        """Run ``work``; turn how it ended into an exit status, an error into a report on standard error."""
        status = 0
        try:
            work()
        except Exit as left:
            status = left.status
        except SchemeError as error:
            self._flush()
            sys.stderr.write(report(error) + "\n")
            status = INTERRUPTED if str(error) == "interrupted" else SOFTWARE_ERROR
        except KeyboardInterrupt:
            status = INTERRUPTED
        except BrokenPipeError:
            status = SOFTWARE_ERROR
        self._flush()
        return status

    def _flush(self) -> None:
        try:
            self.host.flush()
        except BrokenPipeError:
            # Nobody reads any more; Python would complain again when it closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _profiled(self, expressions: list[str], arguments: list[str]) -> int:
        import cProfile
        import pstats

        profile = cProfile.Profile()
        status = profile.runcall(self._work, expressions, arguments)
        pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(25)
        return status


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
