"""Keeping the two ends of an output."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.capture import LONGEST_SPLIT_LINE, Capture, Captured
from nodwyn.prims.surrogates import escape, unescape


def captured(pieces: list[bytes], head: int, tail: int) -> Captured:
    capture = Capture(head, tail)
    for piece in pieces:
        capture.add(piece)
    capture.add(b"")
    return capture.finish()


@given(st.lists(st.binary(max_size=20)))
def test_what_fits_is_kept_whole_however_it_came(pieces: list[bytes]) -> None:
    kept = captured([piece for piece in pieces if piece], 1000, 1000)
    assert kept.cut == 0
    assert kept.text().encode("utf-8", "surrogateescape") == b"".join(pieces)


@given(st.binary())
def test_bytes_that_are_no_utf8_survive_being_recorded(data: bytes) -> None:
    text = captured([data] if data else [], 1000, 1000).text()
    assert unescape(escape(text)).encode("utf-8", "surrogateescape") == data


def test_a_character_that_comes_in_two_pieces_is_one() -> None:
    capture = Capture(10, 10)
    assert [capture.add(b"a\xc3"), capture.add(b"\xa9"), capture.add(b"\xe2\x82"), capture.add(b"")] == [
        "a",
        "é",
        "",
        "\udce2\udc82",
    ]


@given(st.lists(st.sampled_from([b"short\n", b"a longer line\n", b"\n", "wide 漢字\n".encode()])), st.integers(0, 60))
def test_what_is_cut_is_counted(pieces: list[bytes], size: int) -> None:
    whole = b"".join(pieces).decode()
    kept = captured(pieces, size, size)
    assert whole.startswith(kept.head)
    assert whole.endswith(kept.tail)
    assert len(kept.head) + kept.cut + len(kept.tail) == len(whole)


@pytest.mark.parametrize(
    ("output", "head", "tail"),
    [
        (b"first\nsecond\n" + b"x" * 90 + b"\nlast\n", "first\n", "last\n"),
        (b"one two three" + b"x" * 90 + b"four five", "one two ", "five"),
        (b"x" * 200, "x" * 10, "x" * 10),
    ],
)
def test_the_cut_goes_between_lines_or_words(output: bytes, head: str, tail: str) -> None:
    kept = captured([output], 10, 10)
    assert (kept.head, kept.tail) == (head, tail)


def test_the_text_says_what_was_left_out() -> None:
    assert captured([b"a\n", b"b" * 100, b"\nc\n"], 2, 2).text() == "a\n[101 characters left out]\nc\n"
    assert captured([b"b" * 100], 2, 2).text() == "bb\n[96 characters left out]\nbb"


def test_an_endless_output_takes_no_more_room_than_its_ends() -> None:
    capture = Capture(1000, 1000)
    for _ in range(1000):
        capture.add(b"x" * 1000)
    assert sum(map(len, capture._tail)) <= 2 * 1000 + LONGEST_SPLIT_LINE + 1000
    assert capture.finish().cut == 998_000
