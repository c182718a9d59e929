"""Section 2.4: datum labels, for shared and for circular data, in source and in what is read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.interp.data import NIL, Pair, Vector
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import write, write_shared
from nodwyn.interp.reader import parse_datum, read_source
from nodwyn.interp.syntax import ListSyntax, Literal, Source, strip


@pytest.mark.parametrize(
    "text",
    [
        "#0=(a . #0#)",
        "#0=(a b . #0#)",
        "#0=(#0#)",
        "#0=(#0# . #0#)",
        "#0=#(a #0#)",
        "#0=(a #1=(b #0# . #1#) . #1#)",
        "(#0=(a . #0#) #1=(b . #1#))",
        "(a . #0=(b . #0#))",
        "'#0=(a . #0#)",
        "#0='#0#",
    ],
)
def test_circular_data_read_back_as_written(text: str) -> None:
    assert write(parse_datum(text)) == text


@pytest.mark.parametrize(
    "text", ["(#0=(a) #0#)", "(#0=(a) . #0#)", "(#0=(a) #1=#(#0#) #1# #0#)", "(#0=(a . #1=(b)) #0# #1#)"]
)
def test_shared_data_read_back_as_written(text: str) -> None:
    assert write_shared(parse_datum(text)) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("#0=a", "a"),
        ("(#0=1 #0#)", "(1 1)"),
        ("(#7=(a) . #7#)", "((a) a)"),
        ('(#0="s" #0#)', '("s" "s")'),
        ("(#0=a #1=#0# #1#)", "(a a a)"),
        ("#0=(a #1=#0#)", "#0=(a #0#)"),
        ("(#;#0=a #0#)", "(a)"),
        ("#0=(a) #0=b", "(a)"),
    ],
)
def test_other_uses_of_labels(text: str, written: str) -> None:
    assert write(parse_datum(text)) == written


def test_a_label_names_one_object() -> None:
    data = parse_datum('(#0="s" #0# #1=() #1# #2=#u8(1) #2#)')
    assert data.car is data.cdr.car
    assert data.cdr.cdr.car is NIL
    octets = data.cdr.cdr.cdr.cdr
    assert octets.car is octets.cdr.car


def test_a_label_inside_a_circle_names_the_same_object_outside_of_it() -> None:
    data = parse_datum("(#0=(a #1=(b) . #0#) #1#)")
    assert data.car.cdr.car is data.cdr.car


def test_circular_source_is_a_literal_with_finished_data() -> None:
    (node,) = read_source(Source("test.scm", "(f '#0=(a . #0#))"))
    assert isinstance(node, ListSyntax)
    quotation = node.items[1]
    assert isinstance(quotation, ListSyntax)
    literal = quotation.items[1]
    assert isinstance(literal, Literal)
    assert isinstance(literal.value, Pair)
    assert literal.value.cdr is literal.value


def test_a_vector_that_holds_itself() -> None:
    value = parse_datum("#0=#(1 #0#)")
    assert isinstance(value, Vector)
    assert value.items[1] is value


def test_labels_end_with_the_outermost_datum(failing: Callable[[str], SchemeError]) -> None:
    assert failing("(#0=a) #0#").payload.message == "the label #0# is not defined"


def test_sharing_that_doubles_at_each_label_stays_shared() -> None:
    text = "(#0=(a)" + "".join(f" #{n + 1}=(#{n}# . #{n}#)" for n in range(200)) + ")"
    (node,) = read_source(Source("test.scm", text))
    value = strip(node)
    assert write_shared(value).count("=") == 200


def test_many_labels_take_linear_time() -> None:
    text = "".join(f"#{n}=(#{n}# " for n in range(20_000)) + ")" * 20_000
    assert parse_datum(text).__class__ is Pair
