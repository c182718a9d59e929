"""Symbols: section 6.5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.data import String, Symbol, Value, intern

Builtins = dict[str, Callable[..., Value]]


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("symbol?", ["'a"], True),
        ("symbol?", ["a"], False),
        ("symbol=?", ["'a", "'a", "'a"], True),
        ("symbol=?", ["'a", "'b"], False),
        ("symbol->string", ["'hello world"], "hello world"),
        ("string->symbol", ["A b"], "'A b"),
    ],
)
def test_result(apply: Callable[..., Any], name: str, arguments: list[Any], result: Any) -> None:
    assert apply(name, *arguments) == result


def test_equal_names_are_one_symbol(builtins: Builtins) -> None:
    assert builtins["string->symbol"](String(list("abc"))) is intern("abc")


def test_the_name_of_a_symbol_cannot_be_changed(builtins: Builtins, complaint: Callable[..., str]) -> None:
    name = builtins["symbol->string"](intern("abc"))
    assert complaint("string-set!", name, 0, "#\\x").startswith("type: string-set!: string must be")


def test_no_text_names_an_uninterned_symbol(builtins: Builtins) -> None:
    made = builtins["string->uninterned-symbol"](String("abc"))
    assert isinstance(made, Symbol)
    assert made is not intern("abc")
    first, second = builtins["generate-symbol"](), builtins["generate-symbol"](String("t"))
    assert first.name.startswith("g")
    assert second.name.startswith("t")
    assert intern(first.name) is not first
