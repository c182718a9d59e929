"""Patterns: within one line, and errors at their place. Lines are those that ripgrep finds."""

from __future__ import annotations

import shutil
import subprocess
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.grep import pattern as module
from nodwyn.prims.grep.pattern import Pattern, PatternError


def numbers(pattern: str, data: bytes) -> list[int]:
    """Return the numbers of the lines that match."""
    return [data.count(b"\n", 0, place) + 1 for place in Pattern(pattern).lines(data)]


@pytest.mark.parametrize(
    ("pattern", "data", "found"),
    [
        ("a", b"a\nb\nxax", [1, 3]),
        ("a", b"", []),
        ("", b"a\n\nb\n", [1, 2, 3]),
        ("^", b"a\nb", [1, 2]),
        ("$", b"a\nb\n", [1, 2]),
        ("^$", b"\n\na\n", [1, 2]),
        ("x*", b"a\nxx\n", [1, 2]),
        ("a", b"aaa a\n", [1]),
        ("a$", b"a\r\na\n", [2]),
        (r"a\r$", b"a\r\na\n", [1]),
        (r"a\s*$", b"a\r\na\n", [1, 2]),
        # Never over the end of a line.
        (r"foo\s+bar", b"foo\nbar\nfoo  bar", [3]),
        ("a[^x]b", b"a\nb a-b", [2]),
        ("(?s)a.b", b"a\nb a-b", [2]),
        (r"a\Wb", b"a\nb", []),
        (r"a\nb", b"a\nb", []),
        (r"a[\n]b", b"a\nb", []),
        (r"a\Cb", b"a\nb a-b", [2]),
        (r"a\PLb", b"a\nb", []),
        # A line is a text of its own.
        (r"\Ab", b"a\nb", [2]),
        (r"a\z", b"a\nb", [1]),
        ("(?-m)^b$", b"a\nb\nc", [2]),
        ("(?s-m:a$)", b"a\nb", [1]),
        # Characters, not bytes.
        ("^.$", "é\nab\n🌲".encode(), [1, 3]),
        ("(?i)É", "é\n".encode(), [1]),
        (r"\pL", "é\n1".encode(), [1]),
        # A pattern is a pattern.
        ("--files", b"rg --files\n", [1]),
        ("(?i)ABC", b"abc", [1]),
        ("(a)(b)", b"ab", [1]),
        (r"\bb\b", b"a\nb\n", [2]),
    ],
)
def test_which_lines_match(pattern: str, data: bytes, found: list[int]) -> None:
    assert numbers(pattern, data) == found


@pytest.mark.parametrize(
    ("pattern", "said", "place"),
    [
        ("(", "a parenthesis is not closed", 1),
        (r"\(a(b(c)[(]", "a parenthesis is not closed", 4),
        ("a)", "a parenthesis closes nothing", 2),
        (r"\Q(\E)", "a parenthesis closes nothing", 6),
        ("x[ab", "a bracket is not closed", 2),
        (r"\(?=(?=x)", "RE2 has no look-around such as (?=", 5),
        ("a(?!x)", "RE2 has no look-around such as (?!", 2),
        ("(?<=x)y", "RE2 has no look-around such as (?<=", 1),
        ("(?<!x)y", "RE2 has no look-around such as (?<!", 1),
        (r"(a)\1", r"RE2 has no back-references such as \1", 4),
        ("(?P<n>a)(?P=n)", "RE2 has no back-references such as (?P=n)", 9),
        ("x**", "** repeats a repetition", 2),
        ("*a", "* has nothing before it to repeat", 1),
        ("a{2000}", "{2000} repeats more often than 1,000 times", 2),
        ("[z-a]", "z-a is no range or class of characters", 2),
        (r"\Z", r"RE2 has no \Z", 1),
        ("(?>x)", "RE2 has no (?>", 1),
        ("é\\", "it ends in a backslash", 2),
    ],
)
def test_an_error_is_shown_at_its_place(pattern: str, said: str, place: int) -> None:
    with pytest.raises(PatternError) as caught:
        Pattern(pattern)
    assert str(caught.value) == f"{said}, at character {place}\n  {pattern}\n  {' ' * (place - 1)}^"


def test_nothing_is_written_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PatternError):
        Pattern("(")
    assert capfd.readouterr().err == ""


def test_a_long_pattern_is_not_shown_again() -> None:
    with pytest.raises(PatternError, match=r"^a parenthesis is not closed, at character 501$"):
        Pattern("a" * 500 + "(")


@pytest.mark.parametrize(
    "pattern", [r"\pL{1000}", "[ab]{0,1000}" * 12, "[ab]{0,1000}" * 40, "(a|b){0,1000}" * 160, "x{0,1000}" * 1_000]
)
def test_a_pattern_that_is_too_large_is_an_error_at_once(pattern: str) -> None:
    started = time.process_time()
    with pytest.raises(PatternError, match=r"^it is too large; repeat less, or search for a part of it$"):
        Pattern(pattern)
    assert time.process_time() - started < 3


def test_a_search_that_takes_long_can_be_stopped() -> None:
    started = time.monotonic()

    def going_on() -> None:
        if time.monotonic() - started > 0.2:
            raise PrimitiveError("it was cancelled")

    with pytest.raises(PrimitiveError):
        Pattern("[ab]{0,1000}" * 9 + "c").search(b"ab" * 20_000, 1, going_on)
    assert time.monotonic() - started < 1.5


def test_a_long_search_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_STEPS", 1)
    assert Pattern("a").search(b"a\nb\na\na", 2, lambda: None) == [0, 4]


def test_the_spans_of_matches_count_characters() -> None:
    assert list(Pattern("b*").spans("éb🌲bb")) == [(1, 2), (3, 5)]


PIECES = st.lists(
    st.sampled_from(r"a b . ^ $ a* [^b] \s \S \w \W \b b? (a|b) \r x+".split()), min_size=1, max_size=5
).map("".join)
TEXTS = st.text("abx \r\né", max_size=30)


@pytest.mark.skipif(shutil.which("rg") is None, reason="the program rg (package ripgrep) is missing")
def test_the_lines_are_those_of_ripgrep(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("lines") / "text"

    # To ripgrep, \w, \s and \b are of Unicode, to RE2 of ASCII.
    @settings(max_examples=60)
    @given(PIECES, TEXTS.filter(str.isascii))
    def check(pattern: str, text: str) -> None:
        file.write_bytes(text.encode())
        command = ["rg", "--no-config", "-n", "-e", pattern, str(file)]
        found = subprocess.run(command, capture_output=True, check=False)
        expected = [int(line.partition(b":")[0]) for line in found.stdout.split(b"\n") if line]
        assert numbers(pattern, text.encode()) == expected

    check()


@given(PIECES, TEXTS)
def test_a_line_matches_by_itself_as_it_does_among_others(pattern: str, text: str) -> None:
    data = text.encode()
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    # A text that is empty has no line; a flag group is what makes each line be matched by itself.
    alone = [number for number, line in enumerate(lines, 1) if numbers(pattern, line + b"\n")]
    assert numbers(pattern, data) == alone == numbers(f"{pattern}(?-m:)", data)


def test_a_file_of_lines_takes_no_longer_than_its_length_says() -> None:
    started = time.perf_counter()
    assert len(numbers("", b"\n" * 20_000)) == 20_000
    assert time.perf_counter() - started < 2
