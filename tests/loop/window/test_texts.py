"""Where something is cut or left out, the request says so and how to get it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.loop.window import texts
from nodwyn.prims.memory.texts import lines_of

LINE = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=30) | st.just("z" * 2500)
LINES = st.lists(LINE, max_size=40).map("\n".join)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a\n", "a\n"),
        (None, ""),
        ({"exit": 0, "output": "ö"}, '{"exit": 0, "output": "ö"}'),
        ([1, 2], "[1, 2]"),
        (True, "true"),
    ],
)
def test_a_value_is_text_or_json(value: object, shown: str) -> None:
    assert texts.value_text(value) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a", "a"), ("", "(nothing)"), (" \n", "(nothing but white space, 2 characters)")],
)
def test_no_text_is_blank(text: str, shown: str) -> None:
    assert texts.spelled_out(text) == shown


def test_a_text_within_the_cap_stays() -> None:
    assert texts.cut("a" * 100, 100, 40, 7, numbered=True) == "a" * 100


def test_a_cut_text_keeps_whole_lines_and_numbers_those_left_out() -> None:
    text = "\n".join(f"line {number}" for number in range(1, 101)) + "\n"
    shown = texts.cut(text, 100, 40, 812, numbered=True)
    assert shown.startswith("line 1\nline 2\n")
    assert shown.endswith("\nline 99\nline 100\n")
    assert "[703 characters of seq 812 left out here; (recall 812 9 88) reads them]" in shown


def test_a_long_line_is_cut_within() -> None:
    shown = texts.cut("a" * 50 + "b" * 50, 20, 5, 9, numbered=False)
    assert shown == f"{'a' * 15}\n[80 characters of seq 9 left out here; (recall 9) reads them]\n{'b' * 5}"


@given(LINES, st.integers(0, 200) | st.integers(0, 6000), st.integers(0, 80))
def test_head_tail_and_the_lines_that_are_named_are_the_whole_text(text: str, most: int, tail: int) -> None:
    shown = texts.cut(text, most, tail, 5, numbered=True)
    if len(text) <= most:
        assert shown == text
        return
    mark = re.search(r"\n\[([\d,]+) characters of seq 5 left out here; \(recall 5 (\d+) (\d+)\) reads them\]\n", shown)
    assert mark is not None
    head, rest = shown[: mark.start()], shown[mark.end() :]
    assert len(head) + len(rest) <= most
    assert len(head) + len(rest) + int(mark[1].replace(",", "")) == len(text)
    assert text.startswith(head)
    assert text.endswith(rest)
    first, count = int(mark[2]), int(mark[3])
    left_out = text[len(head) : len(text) - len(rest)]
    assert left_out in "".join(lines_of(text)[first - 1 : first - 1 + count])


@pytest.mark.parametrize(("letter", "count"), [("a", 4096), ("ö", 2048)])
def test_a_message_of_4_kib_is_carried_whole(letter: str, count: int) -> None:
    assert texts.cut_message(letter * count, 4096, 3) == letter * count
    cut = texts.cut_message(letter * (count + 1), 4096, 3)
    assert len(cut.encode()) < 4096
    assert re.fullmatch(
        f"{letter}+\n\\[[\\d,]+ characters of this message left out here; \\(recall 3\\) reads it whole\\]\n{letter}+",
        cut,
    )
