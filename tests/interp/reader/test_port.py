"""Section 6.13.2, ``read``: one datum from a port at a time, and no character more."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nodwyn.interp.data import EOF, UNLABELLED, Origin, String, Value, origin_of
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.ports import TextInput
from nodwyn.interp.printer import write
from nodwyn.interp.reader import IncompleteError, read_datum

EXTERNAL = origin_of(frozenset({"external:file"}))


class Trickle(TextInput):
    """A port to which its text comes in pieces."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: list[str], origin: Origin = UNLABELLED) -> None:
        super().__init__("", origin, "a trickle")
        self.pieces = [piece for piece in pieces if piece]

    def _more(self) -> str:
        return self.pieces.pop(0) if self.pieces else ""


def read_all(port: TextInput) -> list[Value]:
    data = []
    while (datum := read_datum(port)) is not EOF:
        data.append(datum)
    return data


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("(a b) c", " c"),
        ("abc def", " def"),
        ("abc(d)", "(d)"),
        ("abc\n(d)", "\n(d)"),
        ('"a" b', " b"),
        ("12\n", "\n"),
        ("'a b", " b"),
        ("#;a b c", " c"),
        ("#| x |# (a) ; y", " ; y"),
        ("|a|b", "b"),
        ("#\\a)", ")"),
        ("#t;x", ";x"),
        ("#0=(a)#0#", "#0#"),
        ("#u8(1)2", "2"),
    ],
)
def test_what_follows_the_datum_stays(text: str, rest: str) -> None:
    port = TextInput(text, UNLABELLED)
    assert read_datum(port) is not EOF
    assert port.read_text(100) == rest


@pytest.mark.parametrize("pieces", [["(a ", "b)"], ["(a b)"], ['"a b"'], ["|a b|"], ["'", "(a)"], ["#u8(1 ", "2)"]])
def test_a_datum_that_ends_by_itself_waits_for_nothing_more(pieces: list[str]) -> None:
    port = Trickle([*pieces, "more"])
    read_datum(port)
    assert port.pieces == ["more"]


TEXTS = [
    "(define (f x)\n  (+ x 12 1.5e3 -7/3)) ; done\n'sym `(a ,b ,@c) ...",
    '"a\\x41;b\\\n   c" |a b| #\\space #\\x41 #\\( #t #false #u8(1 2 255) #(a)',
    "#| one #| two |# |# #;(x y) z #0=(a . #0#) #!fold-case ABC #!no-fold-case ABC",
    "; only a comment\n#;a #;#;b c",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_how_a_text_is_cut_up_does_not_matter(text: str, size: int) -> None:
    whole = [write(datum) for datum in read_all(TextInput(text, UNLABELLED))]
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert [write(datum) for datum in read_all(Trickle(pieces))] == whole


@example("|#|", [2])
@given(st.text(alphabet="()'`,@.;#|\\\"ab1 \nx=u8t!-+", max_size=30), st.lists(st.integers(1, 5), max_size=30))
def test_any_text_reads_the_same_in_pieces(text: str, sizes: list[int]) -> None:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    pieces.append(text[at:])
    assert outcome(Trickle(pieces)) == outcome(TextInput(text, UNLABELLED))


def outcome(port: TextInput) -> list[str]:
    """Return the data of a port as text, with the messages of its errors; reading ends."""
    found: list[str] = []
    while True:
        try:
            datum = read_datum(port)
        except SchemeError as error:
            found.append(f"! {error.payload.message}")
            continue
        if datum is EOF:
            return found
        found.append(write(datum))


def test_strings_and_characters_carry_the_origin_of_the_port() -> None:
    datum = read_datum(TextInput('("a" #\\b |c|)', EXTERNAL))
    assert datum.car.origin is EXTERNAL
    assert datum.cdr.car.origin is EXTERNAL


def test_strings_that_are_read_can_be_changed() -> None:
    datum = read_datum(TextInput('"a"', UNLABELLED))
    assert isinstance(datum, String)
    assert not datum.frozen


def test_folding_stays_with_the_port() -> None:
    port = TextInput("#!fold-case ABC DEF", UNLABELLED)
    assert [datum.name for datum in read_all(port)] == ["abc", "def"]
    assert port.fold_case


def test_the_end_is_reached_again_and_again() -> None:
    port = TextInput(" ; nothing\n", UNLABELLED)
    assert [read_datum(port), read_datum(port)] == [EOF, EOF]
    assert port.read() == ""


def test_an_error_leaves_the_port_behind_what_was_wrong() -> None:
    port = TextInput("a ) #\\spcae b", UNLABELLED)
    assert outcome(port) == ["a", "! unexpected ): no list is open here", "! there is no character named spcae", "b"]


def test_an_unfinished_datum_is_incomplete() -> None:
    port = TextInput("(a b", UNLABELLED)
    with pytest.raises(IncompleteError):
        read_datum(port)
    assert read_datum(port) is EOF


def test_places_are_counted_from_the_datum() -> None:
    port = TextInput("a\nb\n\n (c\n #q)", UNLABELLED, "notes.txt")
    read_datum(port)
    read_datum(port)
    with pytest.raises(SchemeError) as error:
        read_datum(port)
    assert repr(error.value.payload.span) == "a datum of notes.txt:2:2"


def test_text_that_was_read_is_dropped() -> None:
    port = Trickle(["(aaaaaaaa) " * 10_000] * 5)
    assert len(read_all(port)) == 50_000
    assert len(port.buffer) < 200_000
