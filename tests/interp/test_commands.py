"""``python -m nodwyn.interp``: what it prints, and the exit status."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nodwyn.interp.__main__ import UsageError, parse

COMMAND = [sys.executable, "-m", "nodwyn.interp"]


class Ended(NamedTuple):
    status: int
    output: str
    errors: str


Run = Callable[..., Ended]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of the commands: one cache for all."""
    cache = tmp_path_factory.mktemp("cache") / "scheme"
    own = {"NODWYN_CACHE_DIR": str(cache), "PYTHONUNBUFFERED": "", "TERM": "dumb"}
    return {**os.environ, **own}


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path) -> Run:
    """Run the command in a directory of its own, and return how it ended."""

    def run_command(*arguments: str, typed: str = "", **options: Any) -> Ended:
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=typed,
            capture_output=True,
            check=False,
            text=True,
            cwd=tmp_path,
            env=environment,
            **options,
        )
        assert "Traceback" not in done.stderr
        return Ended(done.returncode, done.stdout, done.stderr)

    return run_command


# Expressions and programs.


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["-e", "(+ 1 1)"], "2\n"),
        (["-e", "(define x 5)", "-e", "(* x x)"], "25\n"),
        (["-e", '(values 1 "two" \'three)'], '1\n"two"\nthree\n'),
        (["-e", "(values)"], ""),
        (["-e", '(display "no newline")'], "no newline"),
        (["-e", "(command-line)", "-e", "1"], "()\n1\n"),
        (["-e", "(cdr (command-line))", "name", "-x", "--", "y z"], '("-x" "--" "y z")\n'),
        (["-e", '(string-length "λ→")', "-e", '(display "λ→")'], "2\nλ→"),
        (["-e", "'#0=(a . #0#)"], "#0=(a . #0#)\n"),
    ],
)
def test_expressions_print_their_values(arguments: list[str], output: str, run: Run) -> None:
    assert run(*arguments) == (0, output, "")


def test_a_program_has_its_arguments_and_its_directory(run: Run, tmp_path: Path) -> None:
    (tmp_path / "part.scm").write_text("(define part 'included)")
    (tmp_path / "program.scm").write_text(
        "#!/usr/bin/env scheme\n(import (scheme base) (scheme write) (scheme process-context))\n"
        '(include "part.scm")\n(write (list part (command-line)))\n'
    )
    assert run("program.scm", "-e", "--help") == (0, '(included ("program.scm" "-e" "--help"))', "")


def test_a_program_can_come_from_the_standard_input(run: Run) -> None:
    assert run("-", "argument", typed="(write (command-line))") == (0, '("-" "argument")', "")


def test_a_programs_own_directory_has_libraries_too_after_all_others(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own" / "srfi").mkdir(parents=True)
    text = (
        "(define-library {} (export receive answer) (import (scheme base))"
        " (begin (define answer 42) (define receive 1)))"
    )
    (tmp_path / "own" / "lib.sld").write_text(text.format("(lib)"))
    (tmp_path / "own" / "srfi" / "8.sld").write_text(text.format("(srfi 8)"))
    program = "(import (scheme base) (scheme write) (lib) (srfi 8)) (receive all (values answer) (write all))"
    (tmp_path / "own" / "program.scm").write_text(program.replace("(lib)", "(only (lib) answer)"))
    assert run("own/program.scm") == (0, "(42)", "")
    (tmp_path / "link.scm").symlink_to(tmp_path / "own" / "program.scm")
    assert run("link.scm") == (0, "(42)", "")
    assert run("-e", "(import (lib))").status == 70


def test_libraries_come_from_the_directories_of_the_command_line_first(run: Run, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name / "parts").mkdir(parents=True)
        (tmp_path / name / "lib.sld").write_text(
            '(define-library (lib) (export where) (import (scheme base)) (include "parts/where.scm"))'
        )
    (tmp_path / "first" / "parts" / "where.scm").write_text("(define where 'first)")
    (tmp_path / "second" / "parts" / "where.scm").write_text("(define where 'second)")
    assert run("-I", "first", "-I", "second", "-e", "(import (lib))", "-e", "where") == (0, "first\n", "")
    assert run("-Isecond", "-Ifirst", "-e", "(import (lib))", "-e", "where") == (0, "second\n", "")
    # A file to include that is not beside the library is looked for in the directories.
    (tmp_path / "second" / "parts" / "where.scm").unlink()
    assert run("-Isecond", "-Ifirst", "-e", "(import (lib))", "-e", "where") == (0, "first\n", "")
    (tmp_path / "first" / "parts" / "where.scm").unlink()
    assert "cannot read parts/where.scm: no such file" in run("-Isecond", "-Ifirst", "-e", "(import (lib))").errors


def test_libraries_come_from_the_directories_of_the_environment(run: Run, environment: Any, tmp_path: Path) -> None:
    (tmp_path / "my").mkdir()
    (tmp_path / "my" / "lib.sld").write_text(
        "(define-library (my lib) (export answer) (import (scheme base)) (begin (define answer 42)))"
    )
    environment = {**environment, "NODWYN_LIBRARY_PATH": f"/nowhere{os.pathsep}{tmp_path}"}
    done = subprocess.run(
        [*COMMAND, "-e", "(import (my lib))", "-e", "answer"],
        capture_output=True,
        check=True,
        text=True,
        env=environment,
    )
    assert done.stdout == "42\n"


@pytest.mark.parametrize("name", ["missing.scm", "directory", "latin.scm"])
def test_a_file_that_cannot_be_read_is_named(name: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "latin.scm").write_bytes(b"(display \xe9)")
    status, output, errors = run(name)
    assert (status, output) == (70, "")
    assert name in errors
    assert errors.count("\n") == 1


# How programs end.


@pytest.mark.parametrize(
    ("expression", "status"),
    [
        ("(exit)", 0),
        ("(exit #t)", 0),
        ("(exit #f)", 1),
        ("(exit 7)", 7),
        ("(exit 256)", 1),
        ("(exit 100000000000000000000000)", 1),
        ("(exit -1)", 255),
        ("(exit 'neither)", 1),
        ("(emergency-exit)", 0),
        ("(emergency-exit 3)", 3),
        ("(emergency-exit #f)", 1),
        ("(guard (e (#t (display 'caught))) (exit 4))", 4),
        ("(with-exception-handler (lambda (e) 0) (lambda () (exit 5)))", 5),
        ("(map (lambda (x) (exit x)) '(6 7))", 6),
        ("(import (srfi 132)) (list-sort (lambda (a b) (exit 8)) '(2 1))", 8),
        ("(call/cc (lambda (k) (dynamic-wind (lambda () #f) (lambda () (exit 9)) (lambda () (k 0)))))", None),
    ],
)
def test_exit_gives_the_status(expression: str, status: int | None, run: Run) -> None:
    ended = run("-e", expression, "-e", "(display 'on)")
    if status is None:
        # An exit of dynamic-wind that goes elsewhere: the program goes on from there.
        assert ended == (0, "0\non", "")
    else:
        assert ended == (status, "", "")


@pytest.mark.parametrize(
    ("leave", "output"),
    [("(exit 3)", "in,out,outer,"), ("(emergency-exit 3)", "in,")],
)
def test_exit_runs_what_dynamic_wind_owes_and_emergency_exit_does_not(leave: str, output: str, run: Run) -> None:
    text = (
        "(dynamic-wind (lambda () #f)"
        ' (lambda () (dynamic-wind (lambda () (display "in,"))'
        f' (lambda () (guard (e (#f #f)) {leave}) (display "not here")) (lambda () (display "out,"))))'
        ' (lambda () (display "outer,")))'
    )
    assert run("-e", text) == (3, output, "")


def test_output_comes_before_the_error_and_the_stack_is_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "program.scm").write_text(
        '(display "before")\n(define (inner x)\n  (vector-ref x 5))\n(define (outer x)\n  (+ 1 (inner x)))\n'
        "(display (outer (vector 1 2)))\n"
    )
    with open(tmp_path / "both", "w+") as both:
        status = subprocess.run(
            [*COMMAND, "program.scm"], check=False, stdout=both, stderr=subprocess.STDOUT, cwd=tmp_path
        ).returncode
        both.seek(0)
        text = both.read()
    assert status == 70
    assert text.startswith("before")
    assert "program.scm:3:3: error: vector-ref: " in text
    assert "\n    (vector-ref x 5))\n    ^" in text
    assert "in inner (program.scm:3:3)" in text
    assert "in outer (program.scm:5:8)" in text


@pytest.mark.parametrize("raised", ["'a-symbol", "42", '(list 1 "two")'])
def test_any_object_can_end_a_program(raised: str, run: Run) -> None:
    status, output, errors = run("-e", f"(raise {raised})", "-e", "(display 'not)")
    assert (status, output) == (70, "")
    assert "uncaught" in errors


def test_a_limit_ends_a_program_and_is_named(run: Run) -> None:
    status, _, errors = run("--time-limit", "1", "-e", "(let loop () (loop))")
    assert status == 70
    assert errors.startswith("<-e>:1:1: error: the time limit of 1 second is used up\n  (let loop () (loop))\n  ^^^^")
    status, _, errors = run("--memory-limit=150", "-e", "(let loop ((x '())) (loop (cons x x)))", timeout=50)
    assert status == 70
    assert re.match("<-e>:1:[0-9]+: error: the memory limit of 150 MiB is used up\n", errors)


def test_exits_of_dynamic_wind_run_when_time_is_up(run: Run) -> None:
    text = '(dynamic-wind (lambda () #f) (lambda () (let loop () (loop))) (lambda () (display "out")))'
    assert run("--time-limit", "2", "-e", text).output == "out"


# Signals and streams.


def started(environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    return process


@pytest.mark.parametrize(
    "rest", ["(let loop () (loop))", "(read-line)", "(let loop ((i 0)) (loop (+ i 1)))", "(raise-continuable (loop))"]
)
def test_ctrl_c_ends_a_program(rest: str, environment: dict[str, str]) -> None:
    text = f'(define (loop) (loop)) (display "started\\n") (flush-output-port) {rest}'
    process = started(environment, "-e", text) if rest != "(read-line)" else _reading(environment, text)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert re.match("<-e>:1:[0-9]+: error: interrupted\n", errors)
    assert "Traceback" not in errors


def _reading(environment: dict[str, str], text: str) -> subprocess.Popen[str]:
    read, _write = os.pipe()
    process = subprocess.Popen(
        [*COMMAND, "-e", text], stdin=read, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_the_end_of_a_reader_ends_a_program_quietly(environment: dict[str, str]) -> None:
    text = '(display "started\\n") (let loop ((i 0)) (display i) (newline) (loop (+ i 1)))'
    process = started(environment, "-e", text)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert (process.wait(timeout=20), process.stderr.read()) == (141, "")
    process.stderr.close()


def test_the_end_of_a_reader_is_no_matter_to_what_never_writes_again(environment: dict[str, str]) -> None:
    process = started(environment, "-e", '(display "started\\n") (flush-output-port) (read-line)')
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.wait(timeout=20)
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
def test_output_that_cannot_be_written_is_an_error(environment: dict[str, str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "-e", "(display 1)"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
    assert (done.returncode, done.stderr) == (70, "error: cannot write the standard output: No space left on device\n")


def test_a_program_may_close_its_ports(run: Run) -> None:
    assert run("-e", "(close-port (current-output-port))", "-e", "(+ 1 1)") == (0, "", "")
    status, _, errors = run("-e", "(close-port (current-error-port))", "-e", "(car 1)")
    assert (status, errors) == (70, "")


UNWRITTEN = "error: cannot write the standard output: it is closed\n"


@pytest.mark.parametrize(
    ("expressions", "closed", "status", "said"),
    [
        (["(read-char)", "(display 1)", "(exit 3)"], "<&-", 3, ""),
        (["(read-char)", "(display 1)", "(exit 3)"], "2>&-", 3, ""),
        (["(car 1)"], "2>&-", 70, ""),
        (["(display 1)", "(exit 3)"], ">&-", 3, UNWRITTEN),
        (["(display 1)"], ">&-", 70, UNWRITTEN),
        (["(+ 1 1)"], ">&-", 70, UNWRITTEN),
        (["(exit 3)"], ">&-", 3, ""),
        (["(define x 1)"], ">&-", 0, ""),
    ],
)
def test_streams_may_be_missing(
    expressions: list[str], closed: str, status: int, said: str, environment: dict[str, str]
) -> None:
    command = f"exec {shlex.join([*COMMAND, *(word for each in expressions for word in ('-e', each))])} {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, text=True, input="", env=environment)
    assert (done.returncode, done.stderr) == (status, said)


# The command line.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--unknown"], "unknown option --unknown"),
        (["-x"], "unknown option -x"),
        (["-e"], "-e needs an expression"),
        (["-I"], "-I needs a directory"),
        (["--time-limit"], "--time-limit needs a number"),
        (["--time-limit", "soon"], "--time-limit needs a number, got soon"),
        (["--time-limit", "0"], "--time-limit needs a number above 0 and up to 100000000, got 0"),
        (["--time-limit", "nan"], "--time-limit needs a number above 0 and up to 100000000, got nan"),
        (["--memory-limit=inf"], "--memory-limit needs a number above 0 and up to 100000000, got inf"),
        (["--expand"], "--expand needs a FILE or -e EXPR"),
    ],
)
def test_a_wrong_command_line_is_told(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse(arguments)
    assert str(error.value) == message


def test_a_wrong_command_line_shows_the_usage(run: Run) -> None:
    status, output, errors = run("--tim-limit", "1")
    assert (status, output) == (2, "")
    assert errors.startswith("unknown option --tim-limit\nusage: ")


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_is_no_error(option: str, run: Run) -> None:
    status, output, errors = run(option)
    assert (status, errors) == (0, "")
    assert output.startswith("usage: ")


def test_options_end_at_the_file() -> None:
    options = parse(["--time-limit", "1.5", "-e", "1", "-e", "2", "file.scm", "-e", "--memory-limit", "3"])
    assert (options.seconds, options.memory_mb, options.expressions) == (1.5, None, ["1", "2"])
    assert options.arguments == ["file.scm", "-e", "--memory-limit", "3"]


# What became of a text.


def test_expand_shows_core_forms(run: Run, tmp_path: Path) -> None:
    (tmp_path / "program.scm").write_text("(define (f x) (cond ((assv x '((1 . 2))) => cdr) (else (let* ((y x)) y))))")
    assert run("--expand", "program.scm").output == (
        "(define f (lambda (x) (let ((value (assv x '((1 . 2))))) (if value (cdr value) (let ((y x)) y)))))\n"
    )
    assert run("--expand", "-e", "(when #t 1 2)", "-e", "'a").output == "(if #t (begin 1 2) #<unspecified>)\n'a\n"


def test_a_core_form_that_is_long_is_spread(run: Run) -> None:
    text = "(define (factorial-of n) (let loop ((n n) (product 1)) (if (= n 0) product (loop (- n 1) (* n product)))))"
    assert run("--expand", "-e", text).output == (
        "(define factorial-of\n"
        "  (lambda (n)\n"
        "    (letrec* ((loop (lambda (n product) (if (= n 0) product (loop (- n 1) (* n product))))))\n"
        "      (loop n 1))))\n"
    )


def test_dis_shows_python_with_scheme_names(run: Run) -> None:
    output = run("--dis", "-e", "(define (add-up n) (do ((i 0 (+ i 1)) (sum 0 (+ sum i))) ((= i n) sum)))").output
    assert "def user:add-up(n." in output
    assert "while True:" in output


def test_profile_shows_procedures(run: Run, tmp_path: Path) -> None:
    (tmp_path / "program.scm").write_text(
        "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))\n(display (fib 20))\n(exit 3)\n"
    )
    status, output, errors = run("--profile", "program.scm")
    assert (status, output) == (3, "6765")
    first, heading, top, *_ = errors.splitlines()
    assert first.startswith("profile: ")
    assert heading.split() == ["own", "s", "total", "s", "calls", "procedure"]
    assert top.split()[2:] == ["21891", "fib", "(program.scm:1)"]


# The read-eval-print loop.


def test_the_loop_reads_evaluates_and_prints(run: Run) -> None:
    typed = '(define x 2)\n(* x\n   21)\n"text" \'sym\n(values 1 2)\n; a comment\n\n(display "out")\n(exit 4)\n'
    assert run(typed=typed) == (4, "42\nsym\n1\n2\nout", "")


def test_the_loop_goes_on_after_an_error(run: Run) -> None:
    status, output, errors = run(typed="(car 1)\n)\n(foo)\n(+ 1 1)\n")
    assert (status, output) == (70, "2\n")
    assert [line.split(" error:")[0] for line in errors.splitlines() if " error:" in line] == [
        "<repl>:1:1:",
        "<repl>:1:1:",
        "<repl>:1:2:",
    ]


@pytest.mark.parametrize(
    ("typed", "status", "output"),
    [
        ("", 0, ""),
        ("(+ 1 1)", 0, "2\n"),
        ("(car 1)", 70, ""),
        ("(car 1)\n(+ 1 1)\n", 70, "2\n"),
        ("(+ 1 1)\n(car", 70, "2\n"),
        ("(car 1)\n(exit 3)", 3, ""),
    ],
)
def test_a_loop_at_no_terminal_ends_with_70_after_an_error(run: Run, typed: str, status: int, output: str) -> None:
    assert run(typed=typed)[:2] == (status, output)


def test_the_loop_and_the_program_read_the_same_input(run: Run) -> None:
    typed = '(define line (read-line))\nthis is for the program\n(string-append "got: " line)\n'
    assert run(typed=typed) == (0, '"got: this is for the program"\n', "")


def test_the_loop_tells_of_input_that_ends_too_early(run: Run) -> None:
    status, output, errors = run(typed="(+ 1\n(* 2 3)")
    assert (status, output) == (70, "")
    assert errors.startswith("<repl>:1:1: error: ")


def test_a_definition_typed_again_takes_effect(run: Run) -> None:
    typed = "(define (f) 1)\n(define (g) (f))\n(g)\n(define (f) 2)\n(g)\n"
    assert run(typed=typed).output == "1\n2\n"


class Terminal:
    """The command at a terminal."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(sys.executable, COMMAND, environment)
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def wait_for(self, text: str) -> str:
        """Return what is shown up to ``text``, which is then forgotten."""
        end = time.monotonic() + 20
        while text not in self.shown:
            left = max(0, end - time.monotonic())
            assert select.select([self.terminal], [], [], left)[0], f"no {text!r} in {self.shown!r}"
            try:
                self.shown += os.read(self.terminal, 4096).decode()
            except OSError:
                break
        before, found, self.shown = self.shown.partition(text)
        assert found, before
        return before

    def status(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@pytest.fixture
def terminal(environment: dict[str, str]) -> Any:
    made = Terminal(environment)
    yield made
    os.close(made.terminal)


def test_a_terminal_has_prompts(terminal: Terminal) -> None:
    terminal.wait_for("> ")
    terminal.type("(+ 1\n")
    terminal.wait_for("  ")
    terminal.type("2)\n")
    assert "3" in terminal.wait_for("> ")
    terminal.type("(car '())\n")
    assert "error: car: " in terminal.wait_for("> ")
    terminal.type("\x04")
    terminal.wait_for("\n")
    assert terminal.status() == 0


def test_ctrl_c_stops_what_runs_and_drops_what_is_typed(terminal: Terminal) -> None:
    terminal.wait_for("> ")
    terminal.type('(begin (display (string-append "run" "ning")) (flush-output-port) (let loop () (loop)))\n')
    terminal.wait_for("running")
    time.sleep(0.1)
    terminal.type("\x03")
    assert "error: interrupted" in terminal.wait_for("> ")
    terminal.type("(+ 1 ")
    time.sleep(0.2)
    terminal.type("\x03")
    terminal.wait_for("> ")
    terminal.type('(string->symbol "still here")\n')
    assert "|still here|" in terminal.wait_for("> ")
    terminal.type("(exit 5)\n")
    assert terminal.status() == 5


def test_a_program_reads_from_the_terminal(terminal: Terminal) -> None:
    terminal.wait_for("> ")
    terminal.type('(begin (display "name? ") (string-upcase (read-line)))\n')
    terminal.wait_for("name? ")
    terminal.type("ann\n")
    assert '"ANN"' in terminal.wait_for("> ")
    terminal.type("(exit)\n")
    assert terminal.status() == 0
