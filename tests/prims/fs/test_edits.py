"""Exact replacements: all or none, and what they do not name stays as it is."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.fs.edits import Edit, EditError, apply_edits, nearest_text

CODE = "def f(x):\n    return x + 1\n\n\ndef g(x):\n    return x + 2\n"


@pytest.mark.parametrize(
    ("text", "edits", "expected", "lines"),
    [
        ("a b c\n", [Edit("b", "B")], "a B c\n", [1]),
        ("a\nb\nc\n", [Edit("b\n", "x\ny\n")], "a\nx\ny\nc\n", [2]),
        ("a\na\n", [Edit("a", "b", True)], "b\nb\n", [1, 2]),
        ("a\nb\n", [Edit("a", "x\nx"), Edit("b", "y")], "x\nx\ny\n", [1, 3]),
        ("a\n", [Edit("a", "b"), Edit("b", "c")], "c\n", [1]),
        # The lines are those of the whole result, whatever came later.
        ("a\nb\nc\n", [Edit("c", "C"), Edit("a\n", "")], "b\nC\n", [1, 2]),
        ("a\nb\nc\n", [Edit("c", "C"), Edit("a", "x\nx")], "x\nx\nb\nC\n", [1, 4]),
        ("a\nb\nc\n", [Edit("c\n", "C\n"), Edit("a\nb\nC\n", "z")], "z", [1]),
        ("a\nb\na\nc\n", [Edit("c", "C"), Edit("a\n", "", True)], "b\nC\n", [1, 2]),
        ("a\n", [Edit("a\n", "")], "", [1]),
        # Line ends.
        ("a\r\nb\r\n", [Edit("a\nb", "x\ny")], "x\r\ny\r\n", [1]),
        ("a\r\nb\r\n", [Edit("a\r\nb", "x\r\ny")], "x\r\ny\r\n", [1]),
        ("a\r\nb\nc\n", [Edit("b\nc", "x")], "a\r\nx\n", [2]),
        # A byte order mark.
        ("\ufeffa\n", [Edit("a", "b")], "\ufeffb\n", [1]),
        ("\ufeffa\n", [Edit("\ufeffa", "b")], "\ufeffb\n", [1]),
        # A missing last line end.
        ("a\nb", [Edit("b\n", "c\n")], "a\nc", [2]),
        ("a\r\nb", [Edit("b\n", "c\n")], "a\r\nc", [2]),
        ("a\nb", [Edit("b", "c\n")], "a\nc\n", [2]),
    ],
)
def test_what_an_edit_makes(text: str, edits: list[Edit], expected: str, lines: list[int]) -> None:
    assert apply_edits(text, edits) == (expected, lines)


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([Edit("return x", "y")], "the text to replace is there 2 times, at lines 2, 6. Give more of the text"),
        ([Edit("return y", "z")], "the text to replace is not there"),
        ([Edit("def f", "def h"), Edit("nothing like it whatever", "z")], "edit 2: the text to replace is not there"),
        ([Edit("\ufeff", "z")], "the text to replace is empty but for a byte order mark, which stays"),
        ([Edit("\ufeff", "z", True)], "the text to replace is empty but for a byte order mark, which stays"),
        ([Edit("def f", "def h"), Edit("\ufeff", "z", True)], "edit 2: the text to replace is empty but for"),
        ([Edit("\r\n", "z")], "the text to replace is not there"),
        ([Edit("\n\n\n\n", "z")], "the text to replace is not there"),
        ([Edit("return x + 1", "return x + 1")], "the new text is the old text"),
        ([Edit("def f", "def h"), Edit("def h", "def f")], "the new text is the old text"),
    ],
)
def test_what_does_not_fit_is_said(edits: list[Edit], said: str) -> None:
    with pytest.raises(EditError, match=said):
        apply_edits(CODE, edits)


@pytest.mark.parametrize("text", ["ab", "", "a\rb", "\ufeff", "ab\r"])
@pytest.mark.parametrize("old", ["\r\n", "\n", "\ufeff\r\n", "\ufeff\n"])
def test_of_a_line_end_alone_that_a_text_lacks_nothing_is_left_to_replace(text: str, old: str) -> None:
    with pytest.raises(EditError, match="the text to replace is not there"):
        apply_edits(text, [Edit(old, "z")])


def test_the_nearest_text_is_shown_with_its_lines() -> None:
    with pytest.raises(EditError) as raised:
        apply_edits(CODE, [Edit("def g(y):\n  return x + 2\n", "z")])
    assert "The nearest, lines 5-6 are:\ndef g(x):\n    return x + 2\n" in str(raised.value)


@pytest.mark.parametrize("no_line_end", ["\f", "\v", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\r"])
def test_what_ends_no_line_counts_for_none(no_line_end: str) -> None:
    text = f"{no_line_end}\n{no_line_end}{no_line_end}\n{CODE}"
    first, last, found = nearest_text(text, "def g(y):\n  return x + 2\n") or (0, 0, "")
    assert found == "\n".join(text.split("\n")[first - 1 : last]) == "def g(x):\n    return x + 2"


def test_many_places_are_not_all_named() -> None:
    with pytest.raises(EditError, match="there 50 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more"):
        apply_edits("a\n" * 50, [Edit("a", "b")])


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        ("    retrun x + 1", (2, 2, "    return x + 1")),
        ("return x+1", (2, 2, "    return x + 1")),
        ("def f(x):\n\treturn x + 1", (1, 2, "def f(x):\n    return x + 1")),
        ("\n\n", None),
        ("wholly different words", None),
    ],
)
def test_what_is_nearest(old: str, expected: tuple[int, int, str] | None) -> None:
    assert nearest_text(CODE, old) == expected


def test_the_nearest_text_of_a_large_file_is_found_fast() -> None:
    import time

    text = "".join(f"def function_{number}(value):\n    return value + {number}\n\n" for number in range(20_000))
    started = time.perf_counter()
    assert nearest_text(text, "def function_777(values):\n   return value + 777") == (
        2332,
        2333,
        "def function_777(value):\n    return value + 777",
    )
    nearest_text("x " * 500_000, "x y z")
    assert time.perf_counter() - started < 5


@given(st.text("ab\n", max_size=30), st.text("ab\n", min_size=1, max_size=4), st.text("abc\n", max_size=4))
def test_replacing_all_is_what_python_replaces(text: str, old: str, new: str) -> None:
    if old in text and text.replace(old, new) != text:
        assert apply_edits(text, [Edit(old, new, True)])[0] == text.replace(old, new)


MARKED = st.builds(str.__add__, st.sampled_from(["", "\ufeff"]), st.text("ab\r\n", max_size=30))
EDITS = st.lists(st.builds(Edit, st.text("ab\n", min_size=1, max_size=3), st.text("c", max_size=3)))


@given(MARKED, EDITS)
def test_whatever_is_asked_a_byte_order_mark_stays_and_lines_are_named(text: str, edits: list[Edit]) -> None:
    with contextlib.suppress(EditError):
        changed, lines = apply_edits(text, edits)
        assert lines
        assert changed.startswith("\ufeff") == text.startswith("\ufeff")
