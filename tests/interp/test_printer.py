"""Section 6.13.3: the text of values, for programs and for people; and that what is written reads back the same."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp import Interpreter
from nodwyn.interp.data import (
    DEFAULT,
    EOF,
    FALSE,
    NIL,
    TRUE,
    UNSPECIFIED,
    Box,
    Bytevector,
    Char,
    Environment,
    Pair,
    Promise,
    Record,
    RecordType,
    String,
    Symbol,
    Value,
    Vector,
    character,
    cons,
    intern,
    list_from,
    origin_of,
    several,
)
from nodwyn.interp.datum import Datum
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.numbers import Ratio, Rectangular, parse_number
from nodwyn.interp.ports import TextInput
from nodwyn.interp.printer import abbreviated, display, small, write, write_shared, write_simple
from nodwyn.interp.reader import parse_datum
from nodwyn.interp.traversal import origin
from nodwyn.interp.written import DISPLAYED, WRITTEN


class Point(Record):
    __slots__ = ("point_x", "point_y")
    point_x: Value
    point_y: Value
    record_type = RecordType("<point>", ("x", "y"), ("point_x", "point_y"), object)

    def __init__(self, x: Value) -> None:
        self.point_x = x


class Table(Datum):
    """A class that says itself what it is shown as."""

    __slots__ = ()

    def external_representation(self) -> str:
        return "#<hash-table of 3>"


class Damaged:
    """An object that cannot be asked anything."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name) if name.startswith("__") else RuntimeError(name)


def square(x: Value) -> Value:
    return x * x


@pytest.mark.parametrize(
    "text",
    [
        "()",
        "(a)",
        "(a b . c)",
        "(a (b (c)) ())",
        "#()",
        "#(a #(b) (c))",
        "#u8()",
        "#u8(0 127 255)",
        "#t",
        "#f",
        "0",
        "-17",
        "123456789012345678901234567890",
        "1/3",
        "1.5",
        "-0.0",
        "+inf.0",
        "-inf.0",
        "+nan.0",
        "1+2i",
        "'a",
        "`(a ,b ,@c)",
        "'()",
        "''a",
        "(quote)",
        "(quote a b)",
        "(quote . a)",
        "(a quote b)",
        '"a b"',
        r'"a\"b\\c\n\t\r\a\b\x0;\x7f;"',
        '"λ|;#"',
        r'"\x200b;\xa0;"',
        "#\\a",
        "#\\(",
        "#\\x",
        "#\\λ",
        "#\\space",
        "#\\newline",
        "#\\null",
        "#\\delete",
        "#\\x1",
        "#\\xa0",
        "a->b",
        "...",
        "+",
        "-",
        "->x",
        ".foo",
        "+.x",
        "1+",
        "λ",
        "||",
        "|a b|",
        "|a(b|",
        "|a'b|",
        "|a#b|",
        r"|a\|b\\c\nd\x0;|",
        "|.|",
        "|1|",
        "|-1.5|",
        "|1x|",
        "|+i|",
        "|+inf.0|",
        "|+NaN.0abc|",
        "|@a|",
        "|a\u3000b|",
        ",|@a|",
    ],
)
def test_written_forms_read_and_written_again_stay(text: str) -> None:
    # U+3000 is a space, and written as an escape.
    expected = text.replace("\u3000", r"\x3000;")
    assert write(parse_datum(text)) == expected
    assert write_shared(parse_datum(text)) == expected
    assert write_simple(parse_datum(text)) == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r'"a\"b\n"', 'a"b\n'),
        ("#\\a", "a"),
        ("#\\space", " "),
        ("|a b|", "a b"),
        (r'("a" (#\b . |c d|) #("e"))', "(a (b . c d) #(e))"),
        ("'x", "'x"),
        ("#0=(a . #0#)", "#0=(a . #0#)"),
        ("1.5", "1.5"),
    ],
)
def test_display(text: str, shown: str) -> None:
    assert display(parse_datum(text)) == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (UNSPECIFIED, "#<unspecified>"),
        (EOF, "#<eof>"),
        (DEFAULT, "#<default>"),
        (square, "#<procedure square>"),
        (lambda: None, "#<procedure>"),
        (math.floor, "#<procedure floor>"),
        (Box(1), "#<box 1>"),
        (several((1, intern("a"))), "#<values 1 a>"),
        (Promise(True, 1), "#<promise>"),
        (Environment("(scheme base)", None), "#<environment (scheme base)>"),
        (Point.record_type, "#<record-type point>"),
        (Point(String("a")), '#<point x: "a" y: #<unspecified>>'),
        (Table(), "#<hash-table of 3>"),
        (TextInput("", origin_of(frozenset()), "notes.txt"), "#<text-input notes.txt>"),
        (Condition("error", "no such thing:", (intern("x"), String("y"))), '#<condition error: no such thing: x "y">'),
        (Condition("type", "pair must be a pair, got 5", (5,), procedure="car"),
         "#<condition type: car: pair must be a pair, got 5>"),
        (Ratio(-1, 3), "-1/3"),
        (Rectangular(1, 2), "1+2i"),
        (Symbol("uninterned"), "uninterned"),
    ],
)  # fmt: skip
def test_values_without_a_form_that_can_be_read(value: Value, text: str) -> None:
    assert write(value) == text
    assert write(list_from([value])) == f"({text})"


SHARED = parse_datum("(#0=(a) #0# #1=#(#0# #1#))")


@pytest.mark.parametrize(
    ("value", "written", "shared"),
    [
        (SHARED, "((a) (a) #0=#((a) #0#))", "(#0=(a) #0# #1=#(#0# #1#))"),
        (parse_datum("(#0=(a) . #0#)"), "((a) a)", "(#0=(a) . #0#)"),
        (parse_datum("#0=(#0# . #0#)"), "#0=(#0# . #0#)", "#0=(#0# . #0#)"),
        (parse_datum("(1 . #0=(2 . #0#))"), "(1 . #0=(2 . #0#))", "(1 . #0=(2 . #0#))"),
        (parse_datum("(quote . #0=(x . #0#))"), "(quote . #0=(x . #0#))", "(quote . #0=(x . #0#))"),
        (parse_datum("(#0=(x) (quote . #0#))"), "((x) 'x)", "(#0=(x) (quote . #0#))"),
    ],
)
def test_labels_are_for_circles_or_for_all_that_is_shared(value: Value, written: str, shared: str) -> None:
    assert write(value) == written
    assert write_shared(value) == shared


def test_circles_through_records_boxes_and_conditions() -> None:
    point = Point(1)
    point.point_y = point
    box = Box(NIL)
    box.content = list_from([box])
    condition = Condition("error", "circular:", (box,))
    assert write(point) == "#0=#<point x: 1 y: #0#>"
    assert write(list_from([condition])) == "(#<condition error: circular: #0=#<box (#0#)>>)"


def test_large_circular_data() -> None:
    items = list_from(range(100_000))
    last = items
    while last.cdr is not NIL:
        last = last.cdr
    last.cdr = items
    assert write(items).endswith(" 99999 . #0#)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#0=(a . #0#)", "the written form has more than 100,000 characters, or no end"),
        ("#0=(#0#)", "the written form is more than 50,000 levels deep, or has no end"),
    ],
)
def test_write_simple_of_circular_data(monkeypatch: pytest.MonkeyPatch, text: str, message: str) -> None:
    monkeypatch.setattr("nodwyn.interp.printer.MOST_CHARACTERS", 100_000)
    monkeypatch.setattr("nodwyn.interp.printer.MOST_DEPTH", 50_000)
    with pytest.raises(SchemeError) as error:
        write_simple(parse_datum(text))
    assert (error.value.payload.kind, error.value.payload.message) == ("limit", message)


@pytest.mark.parametrize("form", [write, write_shared, write_simple, display])
def test_deep_data(form: Any) -> None:
    nested: Value = NIL
    for _ in range(100_000):
        nested = Vector([cons(nested, NIL)])
    assert len(form(nested)) == 500_002


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (parse_datum("(a b)"), "(a b)"),
        (parse_datum("#0=(a . #0#)"), "(a a a a a a a a a …"),
        (parse_datum("#0=(#0#)"), "(((((((((((((((((((…"),
        (String("x" * 1_000_000), '"xxxxxxxxxxxxxxxxxx…'),
        (Symbol("x" * 1_000_000), "xxxxxxxxxxxxxxxxxxx…"),
        (Bytevector(bytearray(1_000_000)), "#u8(0 0 0 0 0 0 0 0…"),
        (Vector([1] * 1_000_000), "#(1 1 1 1 1 1 1 1 1…"),
        (10**3000, "an integer of about…"),
        (None, "#<none-type>"),
        (True, "#<bool>"),
        (Damaged(), "#<Damaged>"),
        (Point.__new__(Point), "#<point x: #<unspec…"),
    ],
)
def test_messages_show_the_beginning_of_any_object(value: object, text: str) -> None:
    assert abbreviated(value, 20) == text


def test_the_origin_of_a_text_is_that_of_all_in_it() -> None:
    mail, web = origin_of(frozenset({"mail"})), origin_of(frozenset({"web"}))
    data = list_from([String("a", mail), Vector([Char("b", web)]), 1])
    data.cdr.cdr.cdr = data
    assert origin(data).labels == {"mail", "web"}
    assert origin(list_from([1, intern("a")])).labels == frozenset()


# What is written reads back as equal data.

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
EDGES = st.sampled_from(
    ["", ".", "..", "...", "+", "-1", "1+", "+i", "1/2", "1e3", "#t", "#foo", "@", "a|b", "é", "\u200d", "\u0301", "٣"]
)
LOOKALIKES = st.text("+-.0123456789einfa/@#", max_size=6)
INTEGERS = st.integers() | st.integers(-(10**40), 10**40)
NUMBERS = (
    INTEGERS
    | st.floats()
    | st.fractions().map(lambda each: parse_number(f"{each.numerator}/{each.denominator}"))
    | st.tuples(INTEGERS, INTEGERS).map(lambda parts: parse_number(f"{parts[0]}{parts[1]:+}i"))
)
ATOMS = (
    NUMBERS
    | st.sampled_from([TRUE, FALSE, NIL])
    | (TEXT | EDGES | LOOKALIKES).map(intern)
    | TEXT.map(String)
    | st.characters(codec="utf-8").map(character)
    | st.binary(max_size=6).map(lambda octets: Bytevector(bytearray(octets)))
    | st.sampled_from(["quote", "quasiquote", "unquote", "unquote-splicing"]).map(intern)
)
DATA = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=5).map(list_from)
        | st.tuples(st.lists(inner, min_size=1, max_size=3), inner).map(lambda parts: list_from(*parts))
        | st.lists(inner, max_size=5).map(Vector)
    ),
    max_leaves=20,
)


def outline(value: Value) -> object:
    """Return a Python value that is equal for data of equal form: containers met again by their number."""
    numbers: dict[int, int] = {}

    def visit(value: Value) -> object:
        if isinstance(value, (Pair, Vector)):
            if id(value) in numbers:
                return ("again", numbers[id(value)])
            numbers[id(value)] = len(numbers)
            parts = [value.car, value.cdr] if isinstance(value, Pair) else value.items
            return (type(value), *map(visit, parts))
        if isinstance(value, (Ratio, Rectangular)):
            return (type(value), write(value))
        for attribute in ("name", "char", "octets"):
            if hasattr(value, attribute):
                return (type(value), getattr(value, attribute))
        return (type(value), value.text() if isinstance(value, String) else repr(value))

    return visit(value)


@given(DATA)
def test_what_is_written_reads_back(value: Value) -> None:
    assert outline(parse_datum(write_shared(value))) == outline(value)
    assert outline(parse_datum(write_simple(parse_datum(write(value))))) == outline(parse_datum(write(value)))


@st.composite
def graphs(draw: st.DrawFn) -> Value:
    """Pairs and vectors that refer to each other at random."""
    containers: list[Any] = [Vector([]) if draw(st.booleans()) else cons(0, 0) for _ in range(draw(st.integers(1, 6)))]
    parts = st.sampled_from(containers) | ATOMS
    for container in containers:
        if isinstance(container, Pair):
            container.car, container.cdr = draw(parts), draw(parts)
        else:
            container.items = draw(st.lists(parts, max_size=3))
    return containers[0]


@given(graphs())
def test_circular_and_shared_data_read_back(value: Value) -> None:
    assert outline(parse_datum(write_shared(value))) == outline(value)
    # `write` loses what is shared and not circular, and that once.
    once = parse_datum(write(value))
    assert outline(parse_datum(write(once))) == outline(once)


@given(DATA | graphs())
def test_small_data_is_written_as_any_other_is(value: Value) -> None:
    assert small(value, WRITTEN) in (None, write(value))
    assert small(value, DISPLAYED) in (None, display(value))


LABELLED = String("from a file", origin_of(frozenset(["external:file"])))


@pytest.mark.parametrize(
    "value", [LABELLED, list_from([1, LABELLED]), Vector([list_from([LABELLED])]), cons(1, LABELLED)], ids=write
)
def test_the_origin_of_small_data_is_not_lost(value: Value) -> None:
    scheme = Interpreter()
    scheme.define("value", value)
    for form in ("write", "display"):
        text = scheme.eval_scheme(f"(let ((port (open-output-string))) ({form} value port) (get-output-string port))")
        assert text.origin.labels == {"external:file"}


def test_most_data_that_is_written_is_small() -> None:
    value = parse_datum('(define (f x) (if (< x 2) #(1 "a" #\\b 1.5) (list x (f (- x 1)))))')
    assert small(value, WRITTEN) == write(value)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("(let () (define (f) 1) f)", "#<procedure f>"),
        ("(lambda (x) x)", "#<procedure>"),
        ("(case-lambda ((x) x))", "#<procedure>"),
        ("(let ((f (case-lambda ((x) x)))) f)", "#<procedure f>"),
        ("pair?", "#<procedure pair?>"),
        ("map", "#<procedure map>"),
        ("(make-parameter 1)", "#<procedure>"),
    ],
)
def test_procedures_are_called_what_the_program_calls_them(expression: str, text: str) -> None:
    assert write(Interpreter().eval_scheme(expression)) == text
