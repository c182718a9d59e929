"""What a program has written to files is there when it has ended, whether it closed its ports or not."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nodwyn.interp import Condition, Exit, Interpreter, Limits, SchemeError, SystemHost
from nodwyn.interp.open_files import _holding

TEXT = '(define p (open-output-file "o")) (write-string "aλ" p)'
OCTETS = '(define p (open-binary-output-file "o")) (write-u8 97 p) (write-bytevector (bytevector #xce #xbb) p)'
LOCAL = '(let ((q (open-output-file "o"))) (write-string "aλ" q) (if #f #f))'
CYCLE = '(let ((q (open-output-file "o"))) (write-string "aλ" q) (let ((x (list q))) (set-cdr! x x) (if #f #f)))'
NESTED = '(call-with-output-file "o" (lambda (q) (write-string "aλ" q) {}))'
ENDS = {
    "its end": ("", 0),
    "exit": ("(exit)", 0),
    "exit with a status": ("(exit 5)", 5),
    "an error": ("(car 5)", 70),
    "an object raised": ("(raise 'x)", 70),
    "the time limit": ("(let loop () (loop))", 70),
    "too deep a recursion": ("(let loop ((n 0)) (+ 1 (loop n)))", 70),
}


def run(*arguments: str, given: str = "") -> tuple[int, str]:
    """Return the exit status of the command and what it wrote on its standard error."""
    command = [sys.executable, "-m", "nodwyn.interp", *arguments]
    ended = subprocess.run(command, input=given, capture_output=True, check=False, text=True)
    return ended.returncode, ended.stderr


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One cache for all commands."""
    return str(tmp_path_factory.mktemp("cache") / "scheme")


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NODWYN_CACHE_DIR", cache)


def written() -> str:
    return Path("o").read_text(encoding="utf-8")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    "text", [TEXT, OCTETS, LOCAL, CYCLE, NESTED], ids=["text", "bytes", "local", "cycle", "nested"]
)
def test_it_is_written_however_the_program_ends(text: str, end: str) -> None:
    last, status = ENDS[end]
    program = text.format(last) if text is NESTED else f"{text} {last}"
    limit = ["--time-limit", "1"] if end == "the time limit" else ["--memory-limit", "90"]
    assert run(*limit, "-e", program)[0] == status
    assert written() == "aλ"


def test_programs_and_the_loop_write_it_too() -> None:
    Path("p.scm").write_text(f"(import (scheme base) (scheme file)) {TEXT}", encoding="utf-8")
    assert run("p.scm") == (0, "")
    assert written() == "aλ"
    Path("o").unlink()
    assert run(given=f"{TEXT}\n(exit 3)\n")[0] == 3
    assert written() == "aλ"


def begun(rest: str) -> subprocess.Popen[bytes]:
    """Begin a program that writes the file, and goes on."""
    command = [sys.executable, "-m", "nodwyn.interp", "-e", f"{TEXT} {rest}"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_ctrl_c_does_not_lose_it() -> None:
    with begun('(write-string "going\\n") (flush-output-port) (let loop () (loop))') as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"going\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    assert written() == "aλ"


def test_nobody_reading_the_output_does_not_lose_it() -> None:
    with begun('(let loop () (write-string "more\\n") (loop))') as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert (process.wait(10), process.stderr.read()) == (141, b"")
    assert written() == "aλ"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize("opening", ["open-output-file", "open-binary-output-file"])
def test_what_cannot_be_written_is_told(opening: str) -> None:
    port = f'({opening} "/dev/full")'
    put = '(write-string "abc" p)' if opening == "open-output-file" else "(write-u8 1 p)"
    program = f"(define p {port}) {put} {{}}"
    told = "error: cannot write /dev/full: No space left on device\n"
    assert run("-e", program.format("")) == (70, told)
    assert run("-e", program.format("(exit 5)")) == (5, told)
    garbage = f"(define (f) (let* ((p {port}) (x (list p))) {put} (set-cdr! x x) 1)) (define n (f))"
    assert run("-e", garbage) == (70, told)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_what_the_program_was_told_is_not_told_again() -> None:
    program = (
        '(define p (open-output-file "/dev/full")) (write-string "abc" p)'
        "(define told (guard (e ((file-error? e) #t)) (close-port p) #f)) (exit (if told 7 8))"
    )
    assert run("-e", program) == (7, "")


# Embedded in a program of Python.


@pytest.mark.parametrize("text", [TEXT, OCTETS, CYCLE])
def test_a_host_that_is_closed_writes_it(text: str) -> None:
    host = SystemHost([])
    Interpreter(host=host).eval(text)
    host.close()
    host.close()
    assert written() == "aλ"


@pytest.mark.parametrize("text", [TEXT, OCTETS, LOCAL, CYCLE])
def test_an_interpreter_that_goes_away_writes_it(text: str) -> None:
    Interpreter(host=SystemHost([])).eval(text)
    gc.collect()
    assert written() == "aλ"
    assert not _holding


def test_a_port_that_goes_away_closes_its_file() -> None:
    scheme = Interpreter(host=SystemHost([]))
    scheme.eval(f"(do ((i 0 (+ i 1))) ((= i 20)) {LOCAL})")
    assert written() == "aλ"
    assert not _holding


def test_the_end_of_the_process_writes_it() -> None:
    host = "from nodwyn.interp import Interpreter, SystemHost\nscheme = Interpreter(host=SystemHost([]))\n"
    ended = subprocess.run([sys.executable, "-c", f"{host}scheme.eval({TEXT!r})"], capture_output=True, check=True)
    assert (ended.stdout, ended.stderr, written()) == (b"", b"", "aλ")
    if Path("/dev/full").exists():
        program = host + "scheme.eval(" + repr(TEXT.replace('"o"', '"/dev/full"')) + ")"
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
        assert ended.stderr == b"error: cannot write /dev/full: No space left on device\n"


def test_a_host_that_is_closed_tells_of_all_that_cannot_be_written() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no device that is full")
    host = SystemHost([])
    Path("fuller").symlink_to("/dev/full")
    scheme = Interpreter(host=host)
    for name in ("/dev/full", "fuller", "o"):
        scheme.eval(
            TEXT.replace('"o"', f'"{name}"')
            .replace("define p", f"define p{len(name)}")
            .replace(" p)", f" p{len(name)})")
        )
    with pytest.raises(SchemeError) as raised:
        host.close()
    condition = raised.value.payload
    assert isinstance(condition, Condition)
    full = "No space left on device"
    assert (condition.kind, condition.message) == (
        "file",
        f"cannot write /dev/full: {full}; cannot write fuller: {full}",
    )
    assert written() == "aλ"
    host.close()


def test_embedded_programs_that_exit_or_are_stopped_keep_their_ports() -> None:
    host = SystemHost([])
    scheme = Interpreter(host=host, limits=Limits(seconds=0.5))
    with pytest.raises(Exit):
        scheme.eval(f"{TEXT} (exit)")
    with pytest.raises(SchemeError):
        scheme.eval("(let loop () (loop))")
    scheme.eval('(write-string "more" p)')
    host.close()
    assert written() == "aλmore"
