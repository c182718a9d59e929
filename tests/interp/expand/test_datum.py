"""Data as syntax, which eval needs."""

from __future__ import annotations

import pytest

from nodwyn.interp.data import NIL, Pair, Value, Vector, cons, list_from
from nodwyn.interp.equality import equal
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.expand import to_syntax
from nodwyn.interp.reader import parse_datum
from nodwyn.interp.syntax import Identifier, ListSyntax, strip


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


@pytest.mark.parametrize("circular", [_circular_list(), _list_in_itself(), _vector_in_itself()])
def test_circular_data_cannot_be_code(circular: Value) -> None:
    with pytest.raises(SchemeError) as caught:
        to_syntax(circular)
    assert caught.value.payload.message == "circular data cannot be code"
