"""What tests of the reader share: syntax shown as plain Python values, so that a test is a text and what it means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.data import Boolean, Bytevector, Char, String
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.reader import read_source
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Source, Syntax, VectorSyntax


def shape(node: Syntax) -> Any:
    """Return a list for a list, a tuple for a vector, ``"'a"`` for the symbol a, ``"#\\a"`` for a character.

    What follows a dot stands after ``"."``; strings are ``str``, bytevectors ``bytes``, booleans ``bool``.
    """
    if isinstance(node, Identifier):
        return f"'{node.symbol.name}"
    if isinstance(node, ListSyntax):
        return [shape(item) for item in node.items] + ([] if node.tail is None else [".", shape(node.tail)])
    if isinstance(node, VectorSyntax):
        return tuple(shape(item) for item in node.items)
    assert isinstance(node, Literal)
    value = node.value
    if isinstance(value, String):
        return value.text()
    if isinstance(value, Char):
        return f"#\\{value.char}"
    if isinstance(value, Bytevector):
        return bytes(value.octets)
    return value.truth if isinstance(value, Boolean) else value


@pytest.fixture
def read() -> Callable[[str], list[Any]]:
    """Read a text; the result is the shapes of its data."""
    return lambda text: [shape(node) for node in read_source(Source("test.scm", text))]


@pytest.fixture
def failing() -> Callable[[str], SchemeError]:
    """Read a text that is not well formed; the result is the error."""

    def read_wrong(text: str) -> SchemeError:
        with pytest.raises(SchemeError) as error:
            list(read_source(Source("test.scm", text)))
        assert isinstance(error.value.payload, Condition)
        return error.value

    return read_wrong
