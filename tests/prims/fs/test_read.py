"""fs-read: whole to 1 MiB, in ranges of lines, and what is no UTF-8 text is refused with what it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.session import Session
from tests.prims.conftest import events

MIB = 1 << 20


def text(session: Session, expression: str) -> str:
    return str(session.evaluate(expression).text())


@pytest.mark.parametrize(
    "content", ["", "a", "a\n", "a\r\nb\r\n", "\ufeffa\n", "größe 🌲\n", "a\n\n\n", "a\u2028b\x0c\n"]
)
def test_a_whole_file_is_returned_exactly(session: Session, root: Path, content: str) -> None:
    (root / "a.txt").write_bytes(content.encode())
    assert text(session, '(fs-read "a.txt")') == content


LINES = "one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("range", "expected"),
    [
        ("2", "[lines 2-5 of 5]\ntwo\nthree\nfour\nfive\n"),
        ("2 2", "[lines 2-3 of 5]\ntwo\nthree\n"),
        ("1 1", "[lines 1-1 of 5]\none\n"),
        ("5 100", "[lines 5-5 of 5]\nfive\n"),
        ("1 5", f"[lines 1-5 of 5]\n{LINES}"),
        ("#f 2", "[lines 1-2 of 5]\none\ntwo\n"),
    ],
)
def test_a_range_of_lines_comes_behind_a_heading(session: Session, root: Path, range: str, expected: str) -> None:
    (root / "a.txt").write_text(LINES)
    assert text(session, f'(fs-read "a.txt" {range})') == expected


def test_a_last_line_without_an_end_stays_without(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("one\ntwo")
    assert text(session, '(fs-read "a.txt" 2)') == "[lines 2-2 of 2]\ntwo"


def test_only_line_feeds_end_lines(session: Session, root: Path) -> None:
    (root / "a.txt").write_bytes("a\u2028b\x0cc\r\nd\n".encode())
    assert text(session, '(fs-read "a.txt" 2)') == "[lines 2-2 of 2]\nd\n"


def test_a_file_of_1_mib_is_whole_and_a_larger_one_is_read_in_parts(session: Session, root: Path) -> None:
    (root / "a.txt").write_bytes(b"x" * (MIB - 1) + b"\n")
    assert len(text(session, '(fs-read "a.txt")')) == MIB
    (root / "b.txt").write_bytes(b"line\n" * MIB)
    with pytest.raises(SchemeError, match="it has 5242880 bytes, more than 1048576; read it in parts"):
        session.evaluate('(fs-read "b.txt")')
    assert text(session, '(fs-read "b.txt" 1000000 1)') == f"[lines 1000000-1000000 of {MIB}]\nline\n"
    with pytest.raises(SchemeError, match="lines 1 to 500000 have more than 1048576 bytes; ask for fewer"):
        session.evaluate('(fs-read "b.txt" 1 500000)')


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is a PNG image, 16 bytes"),
        (b"\x7fELF\2\1\1\0", "it is an ELF program or library, 8 bytes"),
        (b"a\0b", "it is binary data, 3 bytes"),
        ("text".encode("utf-16"), "it is UTF-16 text, 10 bytes"),
        (b"%PDF-1.7\xff", "it is a PDF document, 9 bytes"),
        (b"RIFF\xff\0\0\0WEBP", "it is a WebP image, 12 bytes"),
        ("one\nétage\n".encode("latin-1"), "it is not UTF-8: the byte 0xE9 in line 2 starts no character"),
        (b"\xed\xa0\x80", "it is not UTF-8"),
    ],
)
def test_what_is_no_text_is_refused_with_what_it_is(session: Session, root: Path, content: bytes, said: str) -> None:
    (root / "a").write_bytes(content)
    with pytest.raises(SchemeError) as raised:
        session.evaluate('(fs-read "a")')
    assert str(raised.value).startswith(f"fs-read: a: {said}")


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ('(fs-read "none.txt")', "none.txt: there is no such file or directory"),
        ('(fs-read "folder")', "folder: it is a directory; fs-list lists it"),
        ('(fs-read "a.txt" 7)', "start is 7, and a.txt has 5 lines"),
        ('(fs-read "empty.txt" 2)', "start is 2, and empty.txt has 0 lines"),
    ],
)
def test_what_cannot_be_read_is_said(session: Session, root: Path, expression: str, said: str) -> None:
    (root / "folder").mkdir()
    (root / "a.txt").write_text(LINES)
    (root / "empty.txt").write_text("")
    with pytest.raises(SchemeError, match=said):
        session.evaluate(expression)


@pytest.mark.parametrize("name", ["pipe", "/dev/zero"])
def test_what_is_no_regular_file_is_refused_at_once(session: Session, root: Path, name: str) -> None:
    os.mkfifo(root / "pipe")
    with pytest.raises(SchemeError, match=r"regular|outside"):
        session.evaluate(f'(fs-read "{name}")')


def test_a_name_that_is_no_utf8_has_its_escape(session: Session, root: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (root / name).write_text("found\n")
    assert text(session, "(car (fs-list))") == "caf\ufdd0dce9.txt"
    assert text(session, "(fs-read (car (fs-list)))") == "found\n"
    assert events(session, "guard.decision")[-1].as_json()["subject"] == "caf\ufdd0dce9.txt"


def test_the_text_is_labelled(session: Session, root: Path) -> None:
    (root / "a.txt").write_text(LINES)
    assert text(session, '(car (provenance (string-append "x" (substring (fs-read "a.txt") 0 2))))') == "external:file"
