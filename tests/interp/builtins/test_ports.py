"""Input and output: section 6.13, and (scheme file)."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nodwyn.interp.data import EOF, UNLABELLED, Bytevector, String, Value, intern, list_from, origin_of
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.host import ClosedHost, Host, SystemHost

Builtins = dict[str, Callable[..., Value]]

FILE = origin_of(frozenset({"external:file"}))
SHELL = origin_of(frozenset({"external:shell"}))

CONTENTS: dict[str, list[Any]] = {"open-input-string": ["a"], "open-input-bytevector": [b"a"]}


@pytest.fixture
def system(bind: Callable[[Host], Builtins]) -> Builtins:
    """The builtins with access to the files of the machine."""
    return bind(SystemHost(["program"]))


def written(builtins: Builtins, name: str, *arguments: Value) -> str:
    """Return what an output procedure writes to a string port; its port argument is the second."""
    port = builtins["open-output-string"]()
    builtins[name](arguments[0], port, *arguments[1:])
    text: str = builtins["get-output-string"](port).text()
    return text


def test_kinds_of_ports(builtins: Builtins, apply: Callable[..., Any]) -> None:
    predicates = ("port?", "input-port?", "output-port?", "textual-port?", "binary-port?")
    expected = {
        "open-input-string": (True, True, False, True, False),
        "open-output-string": (True, False, True, True, False),
        "open-input-bytevector": (True, True, False, False, True),
        "open-output-bytevector": (True, False, True, False, True),
    }
    for opener, answers in expected.items():
        port = apply(opener, *CONTENTS.get(opener, []))
        assert tuple(apply(predicate, port) for predicate in predicates) == answers
    assert [apply(predicate, 5) for predicate in predicates] == [False] * 5


def test_reading_text(apply: Callable[..., Any]) -> None:
    port = apply("open-input-string", "ab\ncd\r\nefgh")
    assert apply("char-ready?", port) is True
    assert apply("peek-char", port) == "#\\a"
    assert apply("read-char", port) == "#\\a"
    assert apply("read-line", port) == "b"
    assert apply("read-line", port) == "cd"
    assert apply("read-string", 2, port) == "ef"
    assert apply("read-string", 0, port) == ""
    assert apply("read-string", 10**30, port) == "gh"
    for name, *arguments in (("read-char",), ("peek-char",), ("read-line",), ("read-string", 1), ("read",)):
        assert apply(name, *arguments, port) is EOF
    assert apply("read-string", 0, port) == ""
    assert apply("eof-object?", apply("eof-object")) is True


def test_reading_data(apply: Callable[..., Any]) -> None:
    port = apply("open-input-string", "(a . (b)) 42 #!fold-case XY x")
    assert apply("read", port) == ["'a", "'b"]
    assert apply("read", port) == 42
    assert apply("read", port) == "'xy"
    assert apply("read-char", port) == "#\\ "
    assert apply("read", port) == "'x"
    assert apply("read", port) is EOF


def test_reading_bytes(apply: Callable[..., Any]) -> None:
    port = apply("open-input-bytevector", b"abcdefg")
    assert apply("u8-ready?", port) is True
    assert (apply("peek-u8", port), apply("read-u8", port)) == (97, 97)
    assert apply("read-bytevector", 2, port) == b"bc"
    target = Bytevector(bytearray(b"....."))
    assert apply("read-bytevector!", target, port, 1, 3) == 2
    assert target.octets == b".de.."
    assert apply("read-bytevector!", target, port) == 2
    assert target.octets == b"fge.."
    assert apply("read-bytevector!", target, port) is EOF
    assert apply("read-bytevector!", target, port, 1, 1) == 0
    assert apply("read-bytevector", 1, port) is EOF
    assert apply("read-bytevector", 0, port) == b""
    assert apply("read-u8", port) is EOF
    assert apply("peek-u8", port) is EOF


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("display", String("a\nb"), "a\nb"),
        ("display", FILE["x"], "x"),
        ("display", intern("A b"), "A b"),
        ("display", 42, "42"),
        ("display", 1.5, "1.5"),
        ("display", list_from([1, String("a"), FILE["x"]]), "(1 a x)"),
        ("write", String("a\nb"), '"a\\nb"'),
        ("write", FILE["x"], "#\\x"),
        ("write", intern("A b"), "|A b|"),
        ("write", intern("abc"), "abc"),
        ("write", 42, "42"),
        ("write", list_from([1, String("a")]), '(1 "a")'),
        ("write-char", FILE["x"], "x"),
        ("write-string", String("abc"), "abc"),
        ("write-string", String(list("abc")), "abc"),
    ],
)
def test_writing_text(builtins: Builtins, name: str, value: Value, text: str) -> None:
    assert written(builtins, name, value) == text


def test_parts_and_lines(builtins: Builtins) -> None:
    assert written(builtins, "write-string", String("abcd"), 2) == "cd"
    assert written(builtins, "write-string", String("abcd"), 1, 3) == "bc"
    port = builtins["open-output-string"]()
    builtins["newline"](port)
    assert builtins["get-output-string"](port).text() == "\n"


def test_labels_for_cycles_and_for_sharing(builtins: Builtins) -> None:
    part = list_from([1])
    shared = list_from([part, part])
    circular = list_from([1])
    circular.cdr = circular
    assert written(builtins, "write", shared) == "((1) (1))"
    assert written(builtins, "write-shared", shared) == "(#0=(1) #0#)"
    assert written(builtins, "write-simple", shared) == "((1) (1))"
    assert written(builtins, "write", circular) == "#0=(1 . #0#)"
    assert written(builtins, "display", circular) == "#0=(1 . #0#)"


def test_writing_bytes(apply: Callable[..., Any]) -> None:
    port = apply("open-output-bytevector")
    apply("write-u8", 255, port)
    apply("write-bytevector", b"abcd", port)
    apply("write-bytevector", b"abcd", port, 1, 3)
    assert apply("get-output-bytevector", port) == b"\xffabcdbc"
    assert apply("flush-output-port", port) is None


def test_what_was_written_keeps_its_origins(builtins: Builtins) -> None:
    for name, value in (
        ("write-char", FILE["x"]),
        ("write-string", String("x", FILE)),
        ("display", String("x", FILE)),
        ("display", FILE["x"]),
        ("write", String("x", FILE)),
        ("write", FILE["x"]),
        ("write", list_from([1, list_from([String("x", FILE)])])),
        ("display", list_from([1, list_from([FILE["x"]])])),
        ("write-shared", list_from([1, list_from([FILE["x"]])])),
        ("write-simple", list_from([1, list_from([FILE["x"]])])),
    ):
        port = builtins["open-output-string"]()
        builtins[name](value, port)
        assert builtins["get-output-string"](port).origin is FILE, name
        builtins["write-string"](String("y", SHELL), port)
        assert builtins["get-output-string"](port).origin.labels == {"external:file", "external:shell"}


def test_what_is_read_has_the_origin_of_its_text(builtins: Builtins) -> None:
    port = builtins["open-input-string"](String('abc\ndefg"x"', FILE))
    assert builtins["peek-char"](port) is FILE["a"]
    assert builtins["read-char"](port) is FILE["a"]
    assert builtins["read-line"](port).origin is FILE
    assert builtins["read-string"](4, port).origin is FILE
    assert builtins["read"](port).origin is FILE


CLOSING = {
    "open-input-string": ("close-input-port", ["read-char", "peek-char", "read-line", "read", "char-ready?"]),
    "open-output-string": ("close-output-port", ["newline", "flush-output-port"]),
    "open-input-bytevector": ("close-port", ["read-u8", "peek-u8", "u8-ready?"]),
    "open-output-bytevector": ("close-port", ["flush-output-port"]),
}


@pytest.mark.parametrize("opener", CLOSING)
def test_a_closed_port_is_refused(apply: Callable[..., Any], complaint: Callable[..., str], opener: str) -> None:
    closer, users = CLOSING[opener]
    port = apply(opener, *CONTENTS.get(opener, []))
    both = ["input-port-open?", "output-port-open?"]
    is_open, is_open_the_other_way = both if "input" in opener else both[::-1]
    assert apply(is_open, port) is True
    assert apply(is_open_the_other_way, port) is False
    apply(closer, port)
    apply(closer, port)
    assert apply(is_open, port) is False
    for user in users:
        assert complaint(user, port).startswith(f"type: {user}: port must be an open port, got ")
    assert apply("port?", port) is True


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("read-char", [5], "type: read-char: port must be a textual input port, got 5"),
        ("read-u8", [5], "type: read-u8: port must be a binary input port, got 5"),
        ("read-string", ["'a"], "type: read-string: k must be an exact non-negative integer, got a"),
        ("write-char", ["x"], 'type: write-char: char must be a character, got "x"'),
        ("write-char", ["#\\x", 5], "type: write-char: port must be a textual output port, got 5"),
        ("write-string", ["#\\x"], "type: write-string: string must be a string, got #\\x"),
        ("write-string", ["x", 5], "type: write-string: port must be a textual output port, got 5"),
        ("display", ["x", 5], "type: display: port must be a textual output port, got 5"),
        ("write", [[], []], "type: write: port must be a textual output port, got ()"),
        ("write-u8", [1, 5], "type: write-u8: port must be a binary output port, got 5"),
        ("newline", [5], "type: newline: port must be a textual output port, got 5"),
        ("flush-output-port", [5], "type: flush-output-port: port must be an output port, got 5"),
        ("close-port", [5], "type: close-port: port must be a port, got 5"),
        ("get-output-string", [5], "type: get-output-string: port must be a port made by open-output-string, got 5"),
        ("input-port-open?", ["x"], 'type: input-port-open?: port must be a port, got "x"'),
        ("open-input-string", [5], "type: open-input-string: string must be a string, got 5"),
        ("open-input-file", [5], "type: open-input-file: file name must be a string, got 5"),
    ],
)
def test_complaint(complaint: Callable[..., str], name: str, arguments: list[Any], message: str) -> None:
    assert complaint(name, *arguments) == message


def test_textual_and_binary_do_not_mix(apply: Callable[..., Any], complaint: Callable[..., str]) -> None:
    text, octets = apply("open-input-string", "a"), apply("open-input-bytevector", b"a")
    assert complaint("read-u8", text).startswith("type: read-u8: port must be a binary input port, got ")
    assert complaint("read-char", octets).startswith("type: read-char: port must be a textual input port, got ")
    text, octets = apply("open-output-string"), apply("open-output-bytevector")
    assert complaint("write-u8", 1, text).startswith("type: write-u8: port must be a binary output port, got ")
    assert complaint("display", 1, octets).startswith("type: display: port must be a textual output port, got ")
    assert complaint("get-output-bytevector", text).startswith("type: get-output-bytevector: port must be ")


def test_the_current_ports_are_used_without_an_argument(bind: Callable[[Host], Builtins]) -> None:
    stream = io.StringIO()
    builtins = bind(ClosedHost(stream))
    builtins["write-string"](String("a"))
    builtins["write-char"](UNLABELLED["b"])
    builtins["display"](1)
    builtins["write"](String("c"))
    builtins["newline"]()
    assert stream.getvalue() == 'ab1"c"\n'
    assert builtins["read-char"]() is EOF
    assert builtins["current-output-port"]() is builtins["current-error-port"]()


def test_without_a_stream_output_goes_nowhere(bind: Callable[[Host], Builtins]) -> None:
    builtins = bind(ClosedHost())
    builtins["display"](String("a"))
    builtins["flush-output-port"]()


def test_files(system: Builtins, tmp_path: Path) -> None:
    path = String(str(tmp_path / "λ.txt"))
    assert not system["file-exists?"](path)
    port = system["open-output-file"](path)
    system["write-string"](String("aλ\r\n"), port)
    system["close-port"](port)
    assert Path(path.text()).read_bytes() == b"a\xce\xbb\r\n"
    assert system["file-exists?"](path)
    port = system["open-input-file"](path)
    assert system["read-string"](100, port).text() == "aλ\r\n"
    system["close-port"](port)
    port = system["open-binary-input-file"](path)
    assert system["read-bytevector"](2, port).octets == b"a\xce"
    system["close-port"](port)
    port = system["open-binary-output-file"](path)
    system["write-u8"](255, port)
    system["close-port"](port)
    assert Path(path.text()).read_bytes() == b"\xff"
    system["delete-file"](path)
    assert not system["file-exists?"](path)


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("open-input-file", "open"),
        ("open-binary-input-file", "open"),
        ("open-output-file", "open"),
        ("open-binary-output-file", "open"),
        ("delete-file", "delete"),
    ],
)
@pytest.mark.parametrize(
    ("path", "reason"), [("no/such/directory/x", "No such file or directory"), ("a\0b", "embedded null byte")]
)
def test_file_errors_name_the_path_and_the_reason(
    system: Builtins, name: str, action: str, path: str, reason: str
) -> None:
    with pytest.raises(SchemeError) as error:
        system[name](String(path))
    condition = error.value.payload
    assert isinstance(condition, Condition)
    assert (condition.kind, condition.procedure) == ("file", name)
    assert condition.message == f"cannot {action} {path!r}: {reason}"
    assert system["file-error?"](condition)


@pytest.mark.parametrize("name", ["open-input-file", "open-output-file", "file-exists?", "delete-file"])
def test_a_closed_host_refuses_files(complaint: Callable[..., str], name: str) -> None:
    assert complaint(name, "/etc/passwd") == f"file: {name}: this program has no access to files"


def test_many_characters_are_gathered_in_linear_time(builtins: Builtins) -> None:
    port = builtins["open-output-string"]()
    for _ in range(100_000):
        builtins["write-char"](UNLABELLED["x"], port)
    assert builtins["get-output-string"](port).text() == "x" * 100_000
