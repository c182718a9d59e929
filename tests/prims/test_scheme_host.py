"""R7RS's own procedures for files, programs and the environment reach what the primitives reach, and are on record."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.prims.log import read
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events


def decisions(session: Session) -> list[tuple[str, str, str]]:
    return [
        (decision["effect"], decision["subject"], decision["decision"])
        for decision in (event.as_json() for event in events(session, "guard.decision"))
    ]


def test_a_file_is_read_with_its_label_and_on_record(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("(1 two)\nmore")
    assert session.evaluate('(cadr (call-with-input-file "a.txt" read))').name == "two"
    assert session.evaluate('(car (provenance (call-with-input-file "a.txt" read-line)))').text() == "external:file"
    assert decisions(session)[0] == ("read", "a.txt", "allow")


def test_bytes_are_read_too(session: Session, root: Path) -> None:
    (root / "a.bin").write_bytes(b"\xff\0")
    assert session.evaluate('(read-u8 (open-binary-input-file "a.bin"))') == 255


def test_what_a_port_wrote_is_one_guarded_write_when_it_is_closed(session: Session, root: Path) -> None:
    session.evaluate('(call-with-output-file "a.txt" (lambda (port) (write "größe" port) (newline port)))')
    assert (root / "a.txt").read_text() == '"größe"\n'
    assert decisions(session) == [("write", "a.txt", "allow")]
    assert len(events(session, "file.version")) == 1
    session.evaluate("(undo)")
    assert not (root / "a.txt").exists()


def test_a_flush_writes_what_there_is_and_the_rest_follows(session: Session, root: Path) -> None:
    session.evaluate('(define port (open-output-file "a.txt")) (write 1 port) (flush-output-port port)')
    assert (root / "a.txt").read_text() == "1"
    session.evaluate("(write 2 port) (close-port port)")
    assert (root / "a.txt").read_text() == "12"


def test_a_port_that_nobody_closed_is_written_when_the_session_ends(begin: Begin, root: Path) -> None:
    session = begin()
    session.evaluate('(write-u8 65 (open-binary-output-file "a.bin"))')
    session.close()
    assert (root / "a.bin").read_bytes() == b"A"


@pytest.mark.parametrize("meanwhile", ["changed", "a directory", "no directory"])
def test_a_session_is_closed_whatever_becomes_of_the_ports_that_nobody_closed(
    begin: Begin, root: Path, meanwhile: str
) -> None:
    session = begin()
    for name in ("first.txt", "in/second.txt", "third.txt"):
        port = f"port-{name[-7]}"
        session.evaluate(f'(define {port} (open-output-file "{name}")) (write-string "written" {port})')
    if meanwhile == "no directory":
        (root / "in").write_text("a file")
    elif meanwhile == "a directory":
        (root / "in" / "second.txt").mkdir(parents=True)
    else:
        (root / "in").mkdir()
        (root / "in" / "second.txt").write_text("2")
    with pytest.raises(OSError, match="not written as the session ended: ") as caught:
        session.close()
    assert caught.value.filename == "in/second.txt"
    assert [(root / name).read_text() for name in ("first.txt", "third.txt")] == ["written", "written"]
    *_, error, end = read(session.log.path)
    assert (error.kind, end.kind) == ("error", "session.end")
    assert "in/second.txt: not written as the session ended: " in error.as_json()["message"]
    Session.resume(session.name, client="test").close()


def test_a_port_that_was_closed_is_not_kept(session: Session) -> None:
    session.evaluate('(do ((i 0 (+ i 1))) ((= i 5)) (call-with-output-file "a.txt" (lambda (port) (write i port))))')
    assert len(session._host._opened) == 1


def test_files_are_deleted_and_looked_for(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("x")
    assert session.evaluate('(file-exists? "a.txt")').truth
    session.evaluate('(delete-file "a.txt")')
    assert not session.evaluate('(file-exists? "a.txt")').truth
    session.evaluate("(undo)")
    assert (root / "a.txt").read_text() == "x"


@pytest.mark.parametrize(
    "expression",
    [
        '(open-input-file "{path}")',
        '(open-binary-input-file "{path}")',
        '(open-output-file "{path}")',
        '(open-binary-output-file "{path}")',
        '(file-exists? "{path}")',
        '(delete-file "{path}")',
        '(load "{path}")',
        '(with-input-from-file "{path}" read)',
        '(include "{path}")',
    ],
)
@pytest.mark.parametrize("path", ["../outside.scm", "/etc/hostname", ".env"])
def test_what_may_not_be_reached_is_refused(
    begin: Begin, root: Path, tmp_path: Path, expression: str, path: str
) -> None:
    (tmp_path / "outside.scm").write_text("1")
    (root / ".env").write_text("1")
    person = Person(True)
    session = begin(person)
    with pytest.raises(SchemeError):
        session.evaluate(expression.format(path=path))
    assert decisions(session)[-1][2] == "deny"
    assert person.questions == []
    assert (tmp_path / "outside.scm").read_text() == (root / ".env").read_text() == "1"


def test_programs_are_loaded_and_included_through_the_guard(session: Session, root: Path) -> None:
    (root / "lib").mkdir()
    (root / "lib" / "two.scm").write_text("(define two 2)")
    (root / "lib" / "one.scm").write_text('(include "two.scm") (define one (- two 1))')
    assert session.evaluate('(load "lib/one.scm") (+ one two)') == 3
    assert [subject for _, subject, _ in decisions(session)] == ["lib/one.scm", "lib/two.scm"]


def test_the_libraries_of_the_language_need_no_decision(session: Session) -> None:
    assert session.evaluate("(import (srfi 1)) (last '(1 2 3))") == 3
    assert decisions(session) == []


def test_a_missing_file_is_a_file_error(session: Session) -> None:
    assert session.evaluate('(guard (e ((file-error? e) #t)) (open-input-file "none.txt"))').truth


def test_the_environment_is_given_without_secrets(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIN", "value")
    monkeypatch.setenv("SERVICE_API_KEY", "hidden")
    assert session.evaluate('(get-environment-variable "PLAIN")').text() == "value"
    with pytest.raises(SchemeError, match="variables with such names hold secrets"):
        session.evaluate('(get-environment-variable "SERVICE_API_KEY")')
    assert session.evaluate('(cdr (assoc "PLAIN" (get-environment-variables)))').text() == "value"
    assert not session.evaluate('(assoc "SERVICE_API_KEY" (get-environment-variables))').truth
    assert decisions(session)[1] == ("other", "environment variable SERVICE_API_KEY", "deny")


def test_exit_leaves_and_the_session_is_closed_in_order(begin: Begin) -> None:
    session = begin()
    with pytest.raises(Exit) as left:
        session.evaluate("(exit 3)")
    assert left.value.status == 3
    session.close("exit")
    assert session.log.path.read_text().count('"session.end"') == 1
