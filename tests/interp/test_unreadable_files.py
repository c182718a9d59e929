"""Files that cannot be read are conditions of kind "file" that name them, whoever asked for them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.interp import Condition, Interpreter, SchemeError, SystemHost

UNREADABLE = [
    ("none.scm", "cannot read none.scm: no such file or directory"),
    (".", "cannot read .: is a directory"),
    ("latin1.scm", "latin1.scm is not UTF-8 text: byte 1 (counted from 0) starts no character"),
]
ASKERS: dict[str, Callable[[Interpreter, str], object]] = {
    "load": lambda scheme, path: scheme.eval(f'(load "{path}")'),
    "include": lambda scheme, path: scheme.eval(f'(include "{path}")'),
    "the host program": lambda scheme, path: scheme.load(path),
}


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "latin1.scm").write_bytes(b'"\xe4"')
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize(("path", "message"), UNREADABLE)
def test_the_condition_names_the_file_and_the_reason(asker: str, path: str, message: str) -> None:
    with pytest.raises(SchemeError) as raised:
        ASKERS[asker](Interpreter(host=SystemHost([])), path)
    condition = raised.value.payload
    assert isinstance(condition, Condition)
    assert (condition.kind, condition.message) == ("file", message)


def run(*arguments: str, given: bytes = b"") -> tuple[int, str, str]:
    """Return the exit status of the command and what it wrote."""
    command = [sys.executable, "-m", "nodwyn.interp", *arguments]
    ended = subprocess.run(command, input=given, capture_output=True, check=False)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


@pytest.mark.parametrize(("path", "message"), UNREADABLE)
@pytest.mark.parametrize("option", [[], ["--expand"]])
def test_the_command_says_so(option: list[str], path: str, message: str) -> None:
    assert run(*option, path) == (70, "", f"error: {message}\n")


def test_a_program_may_come_from_the_standard_input() -> None:
    assert run("-", given=b"(import (scheme base) (scheme write)) (display 1)") == (0, "1", "")


def test_what_comes_from_the_standard_input_is_utf8() -> None:
    message = "the standard input is not UTF-8 text: byte 1 (counted from 0) starts no character"
    assert run("-", given=b'"\xe4"') == (70, "", f"error: {message}\n")


NOT_TEXT = [
    (b"ab\xffcd", 2),
    (b"\xff", 0),
    (b'(a "x\xff")', 5),
    (b"a |b\xff|", 4),
    (b"#|\xff|# a", 2),
    (b";\xff\na", 1),
    (b"#\\\xff", 2),
    (b"'\xff", 1),
    (b"#(1 \xc3", 4),
]
READS = {
    "read": "(let loop ((x (read))) (if (eof-object? x) x (loop (read))))",
    "read-char": "(let loop ((x (read-char))) (if (eof-object? x) x (loop (read-char))))",
    "read-line": "(let loop ((x (read-line))) (if (eof-object? x) x (loop (read-line))))",
    "read-string": "(read-string 100)",
}


@pytest.mark.parametrize("reads", READS)
@pytest.mark.parametrize(("octets", "byte"), NOT_TEXT)
def test_every_way_to_read_a_port_says_the_same_of_what_is_no_text(octets: bytes, byte: int, reads: str) -> None:
    Path("n").write_bytes(octets)
    caught = f"(guard (e (#t e)) {READS[reads]})"
    program = f'(call-with-input-file "n" (lambda (p) (parameterize ((current-input-port p)) {caught})))'
    scheme = Interpreter(host=SystemHost([]))
    assert scheme.eval(f"(define e {program}) (and (file-error? e) (not (read-error? e)))") is True
    message = f"n is not UTF-8 text: byte {byte} (counted from 0) starts no character"
    assert scheme.eval("(error-object-message e)") == message


def test_what_stands_before_it_can_still_be_read() -> None:
    Path("n").write_bytes(b"first (ab\xff")
    program = """
        (define (all port)
          (define datum (read port))
          (define failed (guard (e ((file-error? e) #t)) (read port)))
          (list datum failed (read-char port) (read-char port) (read-char port)))
    """
    expected = "'(first #t #\\( #\\a #\\b)"
    scheme = Interpreter(host=SystemHost([]))
    assert scheme.eval(f'{program} (equal? (call-with-input-file "n" all) {expected})') is True


def test_so_does_read_from_the_standard_input() -> None:
    status, _, errors = run("-e", "(read)", given=b"ab\xffcd")
    assert (status, errors.splitlines()[0]) == (
        70,
        "<-e>:1:1: error: the standard input is not UTF-8 text: byte 2 (counted from 0) starts no character",
    )
