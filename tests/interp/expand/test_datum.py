"""Data as syntax, which eval needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.interp.data import NIL, Pair, Value, Vector, cons, intern, list_from
from nodwyn.interp.equality import equal
from nodwyn.interp.errors import Condition
from nodwyn.interp.expand import to_syntax
from nodwyn.interp.reader import parse_datum
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, strip


@pytest.mark.parametrize(
    "text", ["a", "1.5", '"s"', "()", "(a (b . c) #(d (e)) . f)", "#()", "#u8(1 2)", "((a . b) . c)"]
)
def test_a_datum_comes_back_from_its_syntax(text: str) -> None:
    datum = parse_datum(text)
    assert equal(strip(to_syntax(datum)), datum)


def test_lists_are_flat_and_symbols_identifiers() -> None:
    syntax = to_syntax(parse_datum("(a b . c)"))
    assert isinstance(syntax, ListSyntax)
    assert len(syntax.items) == 2
    assert isinstance(syntax.tail, Identifier)


def test_shared_data_may_be_code() -> None:
    shared = list_from([1])
    assert equal(strip(to_syntax(list_from([shared, shared]))), parse_datum("((1) (1))"))


def test_depth_is_no_matter() -> None:
    deep: Value = NIL
    for _ in range(100_000):
        deep = cons(deep, NIL)
    assert isinstance(to_syntax(deep), ListSyntax)


def _circular_list() -> Value:
    pair = Pair()
    pair.car = 1
    pair.cdr = pair
    return pair


def _list_in_itself() -> Value:
    pair = Pair()
    pair.cdr = NIL
    pair.car = pair
    return pair


def _vector_in_itself() -> Value:
    vector = Vector([])
    vector.items.append(cons(1, vector))
    return vector


CIRCULAR = [_circular_list(), _list_in_itself(), _vector_in_itself()]


@pytest.mark.parametrize("circular", CIRCULAR)
def test_circular_data_are_literals(circular: Value) -> None:
    syntax = to_syntax(list_from([intern("quote"), circular]))
    assert isinstance(syntax, ListSyntax)
    assert isinstance(syntax.items[1], Literal)
    assert strip(syntax.items[1]) is circular


def test_what_is_quoted_is_the_same_object() -> None:
    datum = parse_datum("(1 #(2 (3)))")
    syntax = to_syntax(list_from([intern("quote"), datum]))
    assert isinstance(syntax, ListSyntax)
    assert strip(syntax.items[1]) is datum


@pytest.mark.parametrize("code", ["#0=(car . #0#)", "(car #0=('x #0#))"])
def test_circular_data_cannot_be_code(code: str, mistake: Callable[[str], Condition]) -> None:
    assert mistake(f"(import (nodwyn syntax) (nodwyn builtins)) {code}").message == "circular data cannot be code"
