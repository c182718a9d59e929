"""Graphs as tables and back: what was one object is one again, and nothing is too deep."""

from __future__ import annotations

import marshal
import math
from typing import Any

import pytest

from nodwyn.interp.core import Const, Fact, Global, GlobalRef, If
from nodwyn.interp.data import (
    EOF,
    FALSE,
    NIL,
    TRUE,
    Bytevector,
    Pair,
    Singleton,
    String,
    Symbol,
    Vector,
    character,
    intern,
    list_from,
    literal_string,
    origin_of,
)
from nodwyn.interp.flatten import UnflattenableError, flatten, restore, restore_all
from nodwyn.interp.numbers.ratio import Ratio
from nodwyn.interp.printer import write
from nodwyn.interp.syntax import Source, Span


def again(value: Any, **options: Any) -> Any:
    """Write a graph as an entry of the cache is, and read it."""
    return restore(marshal.loads(marshal.dumps(flatten(value, **options))))


@pytest.mark.parametrize("value", [0, -5, 2**100, True, None, "", "text", "λ", b"octets", 0.0, 1e300, (1, ("a", None))])
def test_python_values_come_back(value: Any) -> None:
    assert again([value]) == [value]
    assert type(again([value])[0]) is type(value)


def test_equal_atoms_of_two_kinds_stay_apart() -> None:
    values = again([0.0, -0.0, 0, False, 1, True, 1.0, math.nan])
    assert [repr(value) for value in values] == ["0.0", "-0.0", "0", "False", "1", "True", "1.0", "nan"]


@pytest.mark.parametrize("value", [TRUE, FALSE, NIL, EOF, intern("name"), intern("")])
def test_what_there_is_one_of_comes_back_itself(value: Any) -> None:
    assert again([value])[0] is value


@pytest.mark.parametrize(
    "value",
    [
        list_from([1, list_from([2]), literal_string("three"), character("4")], intern("tail")),
        Vector([Ratio(1, 3), Bytevector(bytearray(b"\1\2"))]),
    ],
)
def test_scheme_data_comes_back(value: Any) -> None:
    assert write(again(value)) == write(value)


def test_literals_stay_literals() -> None:
    assert again(literal_string("text")).frozen


def test_what_was_one_object_is_one_again() -> None:
    shared = list_from([1])
    first, second = again([shared, Vector([shared])])
    assert second.items[0] is first


def test_cycles_come_back() -> None:
    pair: Pair = list_from([1, 2])
    pair.cdr.cdr = pair
    made = again(pair)
    assert made.cdr.cdr is made


def test_depth_is_no_limit() -> None:
    deep: Any = NIL
    for _ in range(100_000):
        deep = list_from([deep])
    made = again(deep)
    for _ in range(100_000):
        made = made.car
    assert made is NIL


def test_nodes_keep_what_is_set_and_what_is_not() -> None:
    source = Source("file.scm", "(if #f 1)")
    node = If(Const(FALSE), Const(1, Span(source, 7, 8)), Const(2))
    node.number = 7
    made = again(node)
    assert (type(made), made.number, made.then.value, repr(made.then.span)) == (If, 7, 1, "file.scm:1:8")
    assert not hasattr(made, "sites")


def test_sets_and_dictionaries_refer_to_the_same_objects() -> None:
    glob = Global("x", "user:x")
    made, members, by_name = again([glob, {glob}, {"x": glob}])
    assert members == {made}
    assert by_name == {"x": made}


def test_a_tuple_may_hold_objects() -> None:
    glob = Global("x", "user:x")
    made, pair = again([glob, (glob, 1)])
    assert pair == (made, 1)


def test_named_objects_are_the_readers_own() -> None:
    outside = object()
    flat = flatten([outside, outside], {id(outside): "outside"})
    mine = object()
    assert restore(flat, {"outside": mine}) == [mine, mine]


def test_slots_can_be_left_out() -> None:
    glob = Global("f", "(lib):f")
    glob.fact = Fact("procedure", 1, 1, direct=True, quiet=True, body=GlobalRef(glob))
    made = again(glob, without={Fact: frozenset(["body"])})
    assert (made.fact.role, made.fact.body) == ("procedure", None)


def test_all_objects_can_be_had() -> None:
    glob = Global("f", "(lib):f")
    _, objects = restore_all(flatten([GlobalRef(glob), GlobalRef(glob)]))
    assert [each.key for each in objects if isinstance(each, Global)] == ["(lib):f"]


@pytest.mark.parametrize(
    "value",
    [
        len,
        object(),
        Symbol("uninterned"),
        Singleton("NIL", "another ()"),
        String("mutable"),
        String("labelled", origin_of(frozenset(["web"])), True),
        Exception("from elsewhere"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_lives_in_its_process_alone_is_refused(value: Any) -> None:
    with pytest.raises(UnflattenableError):
        flatten([value])


@pytest.mark.parametrize("kind", ["os:system", "nodwyn.interp.data:intern", "nodwyn.interp.data:nothing"])
def test_a_table_makes_objects_of_the_engine_alone(kind: str) -> None:
    with pytest.raises((ValueError, AttributeError)):
        restore((0, [kind], [(0,)], []))
