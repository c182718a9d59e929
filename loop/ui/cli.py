"""The command ``nodwyn``: finds the subcommand and runs it. What a subcommand needs is imported when it is run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress

TYPE_CHECKING = False  # as in what the program begins with: until that runs, Ctrl-C is Python's own
if TYPE_CHECKING:
    from typing import NoReturn, TextIO

DONE, FAILED, USAGE, BUDGET, UNANSWERED, OWNED_ELSEWHERE, IDLE, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130
"""Exit statuses."""

SIGNALLED = 128
"""What is added to the number of a signal that ended a command."""

Run = Callable[[Sequence[str]], int]
"""Runs a subcommand with its arguments; returns the exit status."""


class Leaving(KeyboardInterrupt):
    """A signal ends the program; what runs puts its end on record on the way out. status: the exit status."""

    def __init__(self, status: int) -> None:
        from signal import strsignal

        super().__init__(strsignal(status - SIGNALLED) or f"signal {status - SIGNALLED}")
        self.status = status


class CommandError(Exception):
    """What the person asked for cannot be done; the message says why and what to do. status: the exit status."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("do one task without a terminal", "run"),
    "resume": ("go on with a session", "resume"),
    "demo": ("show a whole turn on a small repository, without a network", "demo"),
    "eval": ("evaluate Scheme with every primitive, and write the value", "evaluate"),
    "sessions": ("list the sessions of this project", "sessions"),
    "show": ("show a session, readable or as JSON", "show"),
    "undo": ("take back the file changes of a session", "undo"),
    "replay": ("show what a model was sent, built again and proved", "replay"),
    "archive": ("put sessions away, or take them back", "archive"),
    "delete": ("delete sessions for good", "delete"),
    "title": ("give a session a name that lists show", "title"),
    "import": ("read other agents' sessions into this project", "importing"),
    "summary": ("have a text stand for a span of a session, or list and drop such texts", "summary"),
    "memory": ("search and recall what was said and done in this project's tasks", "memory"),
    "earlier": ("say whether models may read this project's earlier tasks", "earlier"),
    "grep": ("search the files here for a pattern, as a model does", "grep"),
    "search": ("search the repository here by words, ranked", "search"),
    "index": ("say what the index of the repository holds, update or forget it", "index"),
    "trust": ("let scripts for the loop that this repository brings run here", "trust"),
    "models": ("list the servers of models, and which of them answer", "models"),
    "doctor": ("say what this machine offers and what is missing", "doctor"),
    "completions": ("write the completions of a shell", "completions"),
}
"""What each subcommand does, and the module of this package whose ``run`` does it."""


def program() -> NoReturn:
    """Be the program: run the command line of the process, and leave with the exit status."""
    try:
        from nodwyn.interp.process import heed_interrupts, run
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    run(lambda: main(begin=heed_interrupts))


def main(arguments: Sequence[str] | None = None, begin: Callable[[], None] = lambda: None) -> int:
    """Run the command line; return the exit status.

    arguments: without the program's name; those of the process when not given. begin: called when the command is
    imported, and about to run.
    """
    _open_streams()
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments), begin)
    finally:
        _stop_writing()


def _run(words: Sequence[str], begin: Callable[[], None]) -> int:
    """Run the command that the words name; return the exit status."""
    _bear_any_text()
    if words[:1] == ["help"] and len(words) > 1:
        words = [words[1], "--help"]
    if words[:1] in (["-h"], ["--help"], ["help"]):
        return _guarded(_written, [_help()], begin)
    if words[:1] in (["-V"], ["--version"]):
        from nodwyn.prims.version import PROGRAM

        return _guarded(_written, [f"{PROGRAM}\n"], begin)
    if not words or words[0].startswith("-"):
        return _guarded(_find("line"), words, begin)
    if words[0] not in COMMANDS:
        from nodwyn.prims.mistyped import hint

        advice = "; nodwyn run does a task" if " " in words[0] else hint(words[0], COMMANDS)
        complain(f"there is no command {words[0]!r}{advice}")
        return USAGE
    return _guarded(_find(COMMANDS[words[0]][1]), words[1:], begin)


def _bear_any_text() -> None:
    """Have what the locale's encoding has not be spelled out, and read bytes that are no UTF-8 as names of files are.

    No word of a file, and no key that a person hits, may end a command.
    """
    from io import TextIOWrapper

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _written(texts: Sequence[str]) -> int:
    sys.stdout.writelines(texts)
    return DONE


def _find(module: str) -> Run:
    """Return what runs a subcommand."""
    from importlib import import_module

    run: Run = import_module(f"nodwyn.loop.ui.{module}").run
    return run


def _guarded(run: Run, arguments: Sequence[str], begin: Callable[[], None]) -> int:
    """Run a subcommand; what goes wrong is said in a line on standard error, and is an exit status."""
    from nodwyn.prims.log import LogError, OwnedElsewhere
    from nodwyn.prims.private import NotPrivate

    try:
        begin()
        status = run(arguments)
        # Where a signal ended it, such as that of a closed terminal, that is what counts.
        with suppress(OSError) if status > SIGNALLED else nullcontext():
            sys.stdout.flush()
        return status
    except OwnedElsewhere as error:
        complain(error)
        return OWNED_ELSEWHERE
    except CommandError as error:
        complain(error)
        return error.status
    except (LogError, NotPrivate) as error:
        complain(error)
    except BrokenPipeError:
        pass
    except Leaving as leaving:
        return leaving.status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        complain(_what_failed(error))
    except Exception as fault:
        if sys.flags.dev_mode:
            raise
        complain(_fault(fault))
    except BaseException as stop:
        from nodwyn.interp.ports import Disconnected

        if not isinstance(stop, Disconnected):
            raise
    return FAILED


def complain(said: object, *, in_one_line: bool = False) -> None:
    """Say on standard error what is wrong.

    The one place that does: an error has names in it, and a name may have what a terminal obeys. Whoever raises one
    leaves it as it is.

    said: an error, or words. in_one_line: whether line ends are in names alone, and written out too.
    """
    from nodwyn.prims.guard.display import escape_in_one_line, escape_unseen

    escape = escape_in_one_line if in_one_line else escape_unseen
    with suppress(OSError):  # there is nowhere else to say it
        sys.stderr.write(f"nodwyn: {escape(str(said))}\n")


def _fault(fault: Exception) -> str:
    """Return what a person is told of a fault of the program itself: what it is, where, and how to see all of it."""
    place, trace = "", fault.__traceback__
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return (
        f"this is a fault of nodwyn itself: {type(fault).__name__}: {fault} ({place})."
        " What was recorded is kept; python -X dev -m nodwyn.loop.ui.cli and the same words show all of it"
    )


def _what_failed(error: OSError) -> str:
    """Return an error of the system in words: with the file that it is about, or what it must be about."""
    import os
    from errno import EBADF

    if error.filename:
        return f"{error.filename}: {error.strerror or error}{_another_place(str(error.filename))}"
    if error.errno == EBADF and _is_unreadable(sys.stdin):
        return "cannot read the standard input: it was opened for writing alone"
    if error.errno == EBADF:
        return "cannot write the standard output: it is closed"
    try:
        os.getcwd()
    except FileNotFoundError:
        return "the current directory was removed; go to another one"
    return f"the system says: {error.strerror or error}"


def _is_unreadable(stream: TextIO) -> bool:
    """Return whether a stream was opened so that nothing can be read from it."""
    import os
    from fcntl import F_GETFL, fcntl

    with suppress(OSError):
        return fcntl(stream.fileno(), F_GETFL) & os.O_ACCMODE == os.O_WRONLY
    return False


def _another_place(path: str) -> str:
    """Return what to do when it is nodwyn's own directory, or what it is to be made in, that gives trouble."""
    import os

    from nodwyn.prims.directories import data_path
    from nodwyn.prims.private import NotPrivate

    try:
        own = os.path.abspath(data_path())
    except NotPrivate:
        return ""
    longest = os.path.commonpath((own, os.path.abspath(path)))
    return "; NODWYN_DATA_DIR names another directory" if longest in (own, os.path.abspath(path)) else ""


def _open_streams() -> None:
    """Have a standard stream that was closed, as a service or a timer may do, hold nothing.

    What is written to standard error is lost. That there is something for the standard output is an error.
    """
    import os

    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="backslashreplace"))  # noqa: SIM115 - it stays open


def _stop_writing() -> None:
    """Have Python not try again, when it ends, to write what could not be written."""
    import os

    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _help() -> str:
    from nodwyn.loop.ui.options import options_of, parser_of

    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {what}" for name, (what, _) in COMMANDS.items()]
    return "\n".join(
        [
            "nodwyn [OPTION…]    a conversation in the current directory",
            "nodwyn COMMAND …",
            "",
            *lines,
            "",
            "nodwyn COMMAND --help says more, with an example.",
            "",
            options_of(parser_of(_find("line")), "options of a conversation"),
        ]
    )


if __name__ == "__main__":
    # The module that subcommands import, and not a second copy of it: its error is the one that they raise.
    from nodwyn.loop.ui import cli

    cli.program()
