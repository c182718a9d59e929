"""Section 6.13: ports as Python code sees them. The builtins over them have tests of their own."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from nodwyn.interp.data import EOF, UNLABELLED, origin_of
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.ports import (
    BinaryInput,
    BinaryOutput,
    Disconnected,
    TextInput,
    TextOutput,
    file_input,
)
from nodwyn.interp.sources import ByteSource, TextSource

EXTERNAL = origin_of(frozenset({"external:file"}))


class Trickle(io.RawIOBase):
    """A stream that gives its bytes in the pieces it was made of."""

    def __init__(self, *pieces: bytes) -> None:
        super().__init__()
        self._pieces = list(pieces)

    def read1(self, size: int = -1) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""


def arriving(*pieces: bytes) -> TextInput:
    return file_input(cast(BinaryIO, Trickle(*pieces)), "notes.txt", EXTERNAL)


def opened(file: Path | int, mode: str) -> Any:
    """Return an open file that the port under test is to close."""
    return open(file, mode)


def condition(error: pytest.ExceptionInfo[SchemeError]) -> Condition:
    assert isinstance(error.value.payload, Condition)
    return error.value.payload


def test_characters_are_peeked_and_taken_to_the_end() -> None:
    port = TextInput("aλ", UNLABELLED)
    assert [port.peek(), port.read(), port.peek(), port.read()] == ["a", "a", "λ", "λ"]
    assert [port.peek(), port.read(), port.read()] == ["", "", ""]


def test_reading_goes_on_behind_characters_that_were_looked_at() -> None:
    port = arriving(b"abc\ndef\nghi", b"jkl")

    def next_char() -> object:
        return (port.waiting or port.look_ahead()).pop()

    assert [next_char(), (port.waiting or port.look_ahead())[-1]] == ["a", "b"]
    assert port.read_line() == "bc"
    assert next_char() == "d"
    assert port.peek() == "e"
    assert port.read_text(3) == "ef\n"
    assert [next_char() for _ in range(6)] == ["g", "h", "i", "j", "k", "l"]
    assert [next_char() is EOF, next_char() is EOF, port.read(), port.read_line()] == [True, True, "", None]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb\r", ["a", "b"]),
        ("\n\n", ["", ""]),
        ("\r\r\n\n", ["", "", ""]),
        ("x" * 200_000 + "\ny", ["x" * 200_000, "y"]),
    ],
)
def test_a_line_ends_in_linefeed_or_carriage_return_or_both(text: str, lines: list[str]) -> None:
    whole = TextInput(text, UNLABELLED)
    by_bytes = arriving(*(bytes((octet,)) for octet in text[:50].encode())) if len(text) < 50 else None
    for port in filter(None, (whole, by_bytes)):
        found = []
        while (line := port.read_line()) is not None:
            found.append(line)
        assert found == lines


def test_a_line_that_ends_in_a_lone_return_does_not_wait_for_the_next_byte() -> None:
    pieces = Trickle(b"a\r", b"\nb")
    port = file_input(cast(BinaryIO, pieces), "x")
    assert port.read_line() == "a"
    assert pieces._pieces == [b"\nb"]
    assert port.read() == "b"


def test_text_is_read_by_count_across_arrivals() -> None:
    port = arriving(b"ab", b"cd", b"e")
    assert [port.read_text(3), port.read_text(0), port.read_text(10), port.read_text(1)] == ["abc", "", "de", ""]


def test_the_reader_may_ask_for_more_and_keep_what_it_has() -> None:
    port = arriving(b"(a", b" b)")
    assert port.read() == "("
    assert port.fill()
    assert (port.buffer, port.position) == ("(a b)", 1)
    assert not port.fill()


def test_characters_may_be_split_between_arrivals() -> None:
    octets = "aλ🎈z".encode()
    port = arriving(*(octets[i : i + 1] for i in range(len(octets))))
    assert port.read_text(10) == "aλ🎈z"


@pytest.mark.parametrize(
    ("pieces", "good", "byte"),
    [
        ((b"ab\xffcd",), "ab", 2),
        ((b"\xff",), "", 0),
        ((b"a", b"\xce", b"!"), "a", 1),
        ((("λ" * 5).encode() + b"\xce",), "λλλλλ", 10),
        ((b"\xed\xa0\x80",), "", 0),
    ],
)
def test_what_is_no_utf8_is_an_error_that_names_the_byte(pieces: tuple[bytes, ...], good: str, byte: int) -> None:
    port = arriving(*pieces)
    assert port.read_text(len(good)) == good
    for _ in range(2):
        with pytest.raises(SchemeError) as error:
            port.read()
        assert condition(error).kind == "file"
        assert condition(error).message == (
            f"notes.txt is not UTF-8 text: byte {byte} (counted from 0) starts no character"
        )


def test_prompts_are_flushed_before_a_read_that_may_wait() -> None:
    flushed: list[bool] = []
    source = ByteSource(cast(BinaryIO, Trickle(b"ab")), "x", lambda: flushed.append(True))
    port = TextInput("", UNLABELLED, "x", TextSource(source))
    port.read()
    port.read()
    assert flushed == [True]


def test_readiness_of_a_pipe_is_that_of_its_descriptor() -> None:
    import os

    reading, writing = os.pipe()
    port = file_input(opened(reading, "rb"), "a pipe")
    assert not port.is_ready()
    os.write(writing, b"ab")
    assert port.is_ready()
    assert port.read() == "a"
    assert port.is_ready()
    os.close(writing)
    assert port.read() == "b"
    assert port.is_ready()
    port.close()


def test_bytes_are_peeked_taken_and_counted() -> None:
    port = BinaryInput(b"", "x", ByteSource(cast(BinaryIO, Trickle(b"\x00\xff", b"abc")), "x"))
    assert [port.peek_octet(), port.read_octet(), port.read_octet()] == [0, 0, 255]
    assert [port.read_octets(2), port.read_octets(5), port.read_octets(1)] == [b"ab", b"c", b""]
    assert [port.peek_octet(), port.read_octet()] == [-1, -1]
    assert port.is_octet_ready()


def test_a_string_port_gathers_and_can_be_asked_again() -> None:
    port = TextOutput()
    assert port.contents() == ""
    port.write("a")
    port.write("b")
    assert port.contents() == "ab"
    port.write("c")
    assert port.contents() == "abc"


def test_closed_ports_have_nothing_to_offer(tmp_path: Path) -> None:
    path = tmp_path / "x"
    ports = [
        TextInput("a", UNLABELLED),
        BinaryInput(b"a"),
        TextOutput(),
        BinaryOutput(),
        TextOutput(opened(path, "w"), "x"),
        BinaryOutput(opened(path, "wb"), "x"),
        file_input(opened(path, "rb"), "x"),
        BinaryInput(b"", "x", ByteSource(opened(path, "rb"), "x")),
    ]
    for port in ports:
        assert port.is_open
        port.close()
        port.close()
        assert not port.is_open
        for operation in ("write", "emit", "buffer", "octets_left"):
            assert not hasattr(port, operation)


def test_a_closed_standard_output_is_not_closed_for_the_host() -> None:
    stream = io.StringIO()
    TextOutput(stream, "the standard output", is_standard=True).close()
    assert not stream.closed


class Broken(io.StringIO):
    """A stream whose writes fail."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self._error = error

    def write(self, text: str) -> int:
        raise self._error

    def flush(self) -> None:
        raise self._error


def test_a_failing_write_is_a_file_error() -> None:
    port = TextOutput(Broken(OSError(28, "No space left on device")), "out.txt")
    acts: list[Callable[[], object]] = [lambda: port.write("a"), port.flush]
    for act in acts:
        with pytest.raises(SchemeError) as error:
            act()
        assert condition(error).kind == "file"
        assert condition(error).message == "cannot write out.txt: No space left on device"


def test_a_reader_that_went_away_ends_the_program_without_a_word() -> None:
    port = TextOutput(Broken(BrokenPipeError(32, "Broken pipe")), "the standard output", is_standard=True)
    with pytest.raises(Disconnected):
        port.write("a")
    with pytest.raises(Disconnected):
        port.flush()


def test_a_failing_read_is_a_file_error() -> None:
    class Failing(io.RawIOBase):
        def read1(self, size: int = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(SchemeError) as error:
        file_input(cast(BinaryIO, Failing()), "in.txt").read()
    assert condition(error).message == "cannot read in.txt: Input/output error"
