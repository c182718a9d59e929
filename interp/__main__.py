"""``python -m nodwyn.interp``: run a program, evaluate an expression, or talk to a read-eval-print loop."""

from __future__ import annotations

import gc
import sys

from nodwyn.interp.process import INTERRUPTED_STATUS, heed_interrupts, run

USAGE = """\
usage: python -m nodwyn.interp [OPTION…] [-e EXPR]… [FILE ARG…]

Runs the Scheme program FILE ("-" for standard input) with its arguments, or evaluates each EXPR and writes its value,
or reads and evaluates expressions from the terminal.

  -e EXPR             evaluate EXPR (may be repeated); of several expressions in it, write the last one's value
  -I DIR              look for libraries in DIR first (may be repeated)
  --time-limit S      stop after S seconds
  --memory-limit MB   stop when the process needs more than MB MiB
  --profile           afterwards, show where time went (on standard error)
  --expand            show the core forms instead of running
  --dis               show the Python code instead of running
  -h, --help          show this text

The library (my lib) is the file my/lib.sld in a directory of -I, one that NODWYN_LIBRARY_PATH lists, the standard
libraries' or FILE's own.
Environment: NODWYN_LIBRARY_PATH lists directories of libraries; NODWYN_CACHE_DIR is where compiled code is kept
("" for nowhere).
Exit status: that of (exit n), 0 at the end of the program, 70 after an error that nothing handled, 130 after Ctrl-C,
2 for a wrong command line.
Example: python -m nodwyn.interp -e '(map square (list 1 2 3))'
"""
USAGE_ERROR = 2
LARGEST = 1e8


class Options:
    """The command line, taken apart."""

    def __init__(self) -> None:
        self.seconds: float | None = None
        self.memory_mb: float | None = None
        self.expressions: list[str] = []
        self.libraries: list[str] = []
        self.arguments: list[str] = []
        self.show = ""


class UsageError(Exception):
    """The command line is wrong; the message says how."""


def parse(arguments: list[str]) -> Options:
    """Return the options of a command line. Raises UsageError."""
    options = Options()
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word.startswith("--") and "=" in word:
            word, _, value = word.partition("=")
            rest.insert(0, value)
        if word == "--time-limit":
            options.seconds = _number(word, rest)
        elif word == "--memory-limit":
            options.memory_mb = _number(word, rest)
        elif word == "-e":
            options.expressions.append(_value(word, rest, "an expression"))
        elif word.startswith("-I"):
            options.libraries.append(word[2:] or _value(word, rest, "a directory"))
        elif word in ("--profile", "--expand", "--dis", "-h", "--help"):
            options.show = word.strip("-")
        elif word.startswith("-") and word != "-":
            raise UsageError(f"unknown option {word}")
        else:
            options.arguments = [word, *rest]
            break
    if options.show in ("expand", "dis") and not (options.expressions or options.arguments):
        raise UsageError(f"--{options.show} needs a FILE or -e EXPR")
    return options


def _value(option: str, rest: list[str], wanted: str) -> str:
    if not rest:
        raise UsageError(f"{option} needs {wanted}")
    return rest.pop(0)


def _number(option: str, rest: list[str]) -> float:
    text = _value(option, rest, "a number")
    try:
        value = float(text)
    except ValueError:
        raise UsageError(f"{option} needs a number, got {text}") from None
    if not 0 < value <= LARGEST:
        raise UsageError(f"{option} needs a number above 0 and up to {LARGEST:.0f}, got {text}")
    return value


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    try:
        options = parse(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        sys.stderr.write(f"{error}\n{USAGE}")
        return USAGE_ERROR
    if options.show in ("h", "help"):
        sys.stdout.write(USAGE)
        return 0
    try:
        return _run(options)
    except KeyboardInterrupt:
        # Before the program began, or after it ended.
        return INTERRUPTED_STATUS


def _run(options: Options) -> int:
    # Deep recursion keeps many frames and pairs alive; the default makes the collector look at them again and again.
    gc.set_threshold(50_000, 20, 50)
    _grow_stack()
    from nodwyn.interp.commands import Session

    heed_interrupts()
    session = Session(options.seconds, options.memory_mb, options.libraries, options.arguments)
    return session.run(options.expressions, options.arguments, options.show)


def _grow_stack() -> None:
    """Let the main thread's stack grow further: callbacks through C functions use it."""
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
        wanted = 64 * 1024 * 1024
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    except (ImportError, ValueError, OSError):
        pass


if __name__ == "__main__":
    run(main)
