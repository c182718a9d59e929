"""Bytevectors: section 6.9. The conversions to and from strings are tested with strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.builtins.bytevectors import define
from nodwyn.interp.data import Bytevector, Value

Apply = Callable[..., Any]


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("bytevector?", [b""], True),
        ("bytevector?", [(1,)], False),
        ("make-bytevector", [2, 12], b"\x0c\x0c"),
        ("make-bytevector", [2], b"\0\0"),
        ("bytevector", [], b""),
        ("bytevector", [1, 255], b"\x01\xff"),
        ("bytevector-length", [b"abc"], 3),
        ("bytevector-u8-ref", [b"\x00\xff", 1], 255),
        ("bytevector-copy", [b"abc"], b"abc"),
        ("bytevector-copy", [b"abc", 1, 2], b"b"),
        ("bytevector-append", [], b""),
        ("bytevector-append", [b"a", b"", b"bc"], b"abc"),
    ],
)
def test_result(apply: Apply, name: str, arguments: list[Any], result: Any) -> None:
    assert apply(name, *arguments) == result


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("bytevector-u8-set!", [1, 255], b"a\xffcd"),
        ("bytevector-fill!", [120], b"xxxx"),
        ("bytevector-fill!", [120, 1, 2], b"axcd"),
        ("bytevector-copy!", [1, Bytevector(bytearray(b"xyz"))], b"axyz"),
        ("bytevector-copy!", [0, Bytevector(bytearray(b"xyz")), 1, 2], b"ybcd"),
    ],
)
def test_mutation(name: str, arguments: list[Value], result: bytes) -> None:
    bytevector = Bytevector(bytearray(b"abcd"))
    define.procedures[name](bytevector, *arguments)
    assert bytevector.octets == result


@pytest.mark.parametrize(("at", "start", "end", "result"), [(1, 0, 4, b"aabcd"), (0, 1, 5, b"bcdee")])
def test_a_bytevector_copied_into_itself_may_overlap(at: int, start: int, end: int, result: bytes) -> None:
    bytevector = Bytevector(bytearray(b"abcde"))
    define.procedures["bytevector-copy!"](bytevector, at, bytevector, start, end)
    assert bytevector.octets == result


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("bytevector-length", ["a"], 'type: bytevector-length: bytevector must be a bytevector, got "a"'),
        ("bytevector-u8-ref", [b"ab", 2], "range: bytevector-u8-ref: k must be an index from 0 to 1, got 2"),
        (
            "bytevector-u8-set!",
            [b"ab", 0, 256],
            "range: bytevector-u8-set!: byte must be an exact integer from 0 to 255, got 256",
        ),
        ("bytevector", [1, "'a"], "type: bytevector: byte must be an exact integer from 0 to 255, got a"),
        ("make-bytevector", [1, -1], "range: make-bytevector: byte must be an exact integer from 0 to 255, got -1"),
        ("make-bytevector", [2**40], "limit: make-bytevector: k is above the limit of 268435456 elements"),
        ("bytevector-copy!", [b"a", 0, b"bc"], "range: bytevector-copy!: end must be an index from 0 to 1, got 2"),
        ("bytevector-append", [b"a", 1], "type: bytevector-append: bytevector must be a bytevector, got 1"),
        ("string->utf8", [b"a"], "type: string->utf8: string must be a string, got #u8(97)"),
        ("utf8->string", ["a"], 'type: utf8->string: bytevector must be a bytevector, got "a"'),
    ],
)
def test_complaint(complaint: Callable[..., str], name: str, arguments: list[Any], message: str) -> None:
    assert complaint(name, *arguments) == message
