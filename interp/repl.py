"""A plain read-eval-print loop."""

from __future__ import annotations

import sys

from nodwyn.interp.commands import show_value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.host import SystemHost
from nodwyn.interp.interpreter import Interpreter
from nodwyn.interp.reader import IncompleteError, read_source
from nodwyn.interp.report import report
from nodwyn.interp.syntax import Source

PROMPT = "> "
MORE = "  "


def converse(scheme: Interpreter, host: SystemHost) -> None:
    """Read, evaluate and print until the end of input. Input that is not complete is continued on the next line."""
    interactive = sys.stdin.isatty()
    text = ""
    while True:
        line = _line(MORE if text else PROMPT, interactive)
        if line is None:
            break
        text = f"{text}{line}"
        if not text.strip():
            text = ""
            continue
        if _complete(text):
            _evaluate(scheme, host, text)
            text = ""
    if text.strip():
        _evaluate(scheme, host, text)


def _line(prompt: str, interactive: bool) -> str | None:
    if not interactive:
        return sys.stdin.readline() or None
    try:
        import readline  # noqa: F401  gives input() editing and history

        return input(prompt) + "\n"
    except EOFError:
        sys.stdout.write("\n")
        return None
    except KeyboardInterrupt:
        sys.stdout.write("\n")
        return "\n"


def _complete(text: str) -> bool:
    try:
        for _ in read_source(Source("<repl>", text)):
            pass
    except IncompleteError:
        return False
    except SchemeError:
        return True
    return True


def _evaluate(scheme: Interpreter, host: SystemHost, text: str) -> None:
    try:
        show_value(scheme.eval_scheme(text, "<repl>"), host.standard_output().write)
    except SchemeError as error:
        host.flush()
        sys.stderr.write(report(error) + "\n")
    host.flush()


__all__ = ["Condition", "converse"]
