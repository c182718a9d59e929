"""Every builtin on data, given every kind of value for every argument, answers or says what is wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import product
from types import FunctionType
from typing import Any

import pytest

from nodwyn.interp.builtins.hash_tables import HashTable
from nodwyn.interp.data import (
    EOF,
    FALSE,
    NIL,
    TRUE,
    UNLABELLED,
    UNSPECIFIED,
    Box,
    Bytevector,
    Promise,
    RecordType,
    String,
    Symbol,
    Value,
    Vector,
    character,
    cons,
    intern,
    list_from,
    literal_string,
    several,
)
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.numbers import Ratio, Rectangular
from nodwyn.interp.ports import BinaryInput, BinaryOutput, TextInput, TextOutput

Builtins = dict[str, Callable[..., Value]]

_VARARGS = 0x04


def circle() -> Value:
    pair = cons(1, NIL)
    pair.cdr = pair
    return pair


def closed(port: Any) -> Value:
    port.close()
    return port


def a_procedure() -> Value:
    return UNSPECIFIED


KINDS: list[Callable[[], Value]] = [
    lambda: 0,
    lambda: 1,
    lambda: -1,
    lambda: 3,
    lambda: 10**30,
    lambda: 1.0,
    lambda: Ratio(1, 2),
    lambda: Rectangular(1, 2),
    lambda: TRUE,
    lambda: FALSE,
    lambda: NIL,
    lambda: UNSPECIFIED,
    lambda: EOF,
    lambda: list_from([1, 2, 3]),
    lambda: cons(1, 2),
    lambda: list_from([list_from([1, 2]), 3]),
    circle,
    lambda: intern("equal"),
    lambda: Symbol("uninterned"),
    lambda: character("x"),
    lambda: String("abc"),
    lambda: String(list("abc")),
    lambda: literal_string("abc"),
    lambda: Vector([1, 2]),
    lambda: Vector([character("x")]),
    lambda: Bytevector(bytearray(b"ab\xff")),
    lambda: several((1, 2)),
    lambda: Box(1),
    lambda: Promise(True, 1),
    lambda: Condition("error", "message"),
    lambda: RecordType("r", (), (), object),
    lambda: HashTable("equal"),
    lambda: HashTable("string"),
    lambda: TextInput("ab", UNLABELLED),
    TextOutput,
    lambda: BinaryInput(b"ab"),
    BinaryOutput,
    lambda: closed(TextInput("ab", UNLABELLED)),
    lambda: closed(TextOutput()),
    lambda: closed(BinaryInput(b"ab")),
    lambda: closed(BinaryOutput()),
    lambda: a_procedure,
]

MESSAGE = re.compile(
    r".+ must be .+, got .+|.* above the limit of .*|this program has no access to .*"
    r"|the hash table is empty|bytevector must be UTF-8, but byte 2 .*|.*the written form has more than .*",
    re.DOTALL,
)


def argument_counts(procedure: Any) -> range:
    """Return the numbers of arguments that a builtin takes; of any number, up to three."""
    if not isinstance(procedure, FunctionType):
        return range(0)
    code = procedure.__code__
    least = code.co_argcount - len(procedure.__defaults__ or ())
    return range(least, 4 if code.co_flags & _VARARGS else code.co_argcount + 1)


def check(name: str, procedure: Callable[..., Value], arguments: list[Value]) -> None:
    """Apply a builtin, and judge the error if there is one."""
    try:
        result = procedure(*arguments)
    except SchemeError as error:
        condition = error.payload
        assert isinstance(condition, Condition)
        if condition.kind != "read":
            # What only libraries call is spoken of by the name that programs know.
            public = name.replace("%table-make", "make-hash-table").replace("%table", "hash-table").lstrip("%")
            assert (condition.procedure or public).lstrip("%") == public
            assert MESSAGE.fullmatch(condition.message), condition.message
    else:
        assert result is not None


@pytest.fixture(scope="module")
def names(builtins: Builtins) -> list[str]:
    """The names of the builtins; write-simple is left out, since it is right that it does not end on cycles."""
    return sorted(set(builtins) - {"write-simple"})


@pytest.mark.slow
def test_one_and_two_arguments_of_all_kinds(builtins: Builtins, names: list[str]) -> None:
    for name in names:
        counts = argument_counts(builtins[name])
        for count in (0, 1, 2):
            if count in counts:
                for kinds in product(KINDS, repeat=count):
                    check(name, builtins[name], [kind() for kind in kinds])


@pytest.mark.slow
def test_more_arguments_of_kinds_drawn_at_random(builtins: Builtins, names: list[str]) -> None:
    draw = random.Random(1)
    for name in names:
        for count in argument_counts(builtins[name]):
            if count > 2:
                for _ in range(500):
                    check(name, builtins[name], [draw.choice(KINDS)() for _ in range(count)])
