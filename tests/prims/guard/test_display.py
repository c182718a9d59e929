"""What is shown for approval: complete, unambiguous, nothing hidden, and named by its digest."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims import surrogates
from nodwyn.prims.guard.display import escape_name, escape_unseen, is_unseen, show, show_environment


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ls -la", "ls -la"),
        ("grep 'é' ñ.txt # 漢字 עברית", "grep 'é' ñ.txt # 漢字 עברית"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\rb", "a⟨U+000D⟩b"),
        ("a\x00b\x7f", "a⟨U+0000⟩b⟨U+007F⟩"),
        ("\x1b[2K\x1b[1A", "⟨U+001B⟩[2K⟨U+001B⟩[1A"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("a\u202eb\u2066c", "a⟨U+202E⟩b⟨U+2066⟩c"),
        ("a\u200bb\u200d\ufeff\u00ad", "a⟨U+200B⟩b⟨U+200D⟩⟨U+FEFF⟩⟨U+00AD⟩"),
        ("a\u00a0b\u3000c\u2028", "a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2028⟩"),
        ("\ue000\U000f0000", "⟨U+E000⟩⟨U+F0000⟩"),
        ("\u0378\U000e0fff", "⟨U+0378⟩⟨U+E0FFF⟩"),
        ("\udc80\ud800", "⟨U+DC80⟩⟨U+D800⟩"),
        ("\U000e0041\ufe0f\U000e0100\u3164\u2800\u034f", "⟨U+E0041⟩⟨U+FE0F⟩⟨U+E0100⟩⟨U+3164⟩⟨U+2800⟩⟨U+034F⟩"),
        ("⟨U+200B⟩", "⟨U+27E8⟩U+200B⟨U+27E9⟩"),
        ("ls" + " " * 200 + "; rm x", "ls⟨200 spaces⟩; rm x"),
        ("ls" + "\n" * 50 + "rm x", "ls\n⟨49 empty lines⟩\nrm x"),
        ("ls" + "\t" * 40 + "rm x", "ls⟨40 tabs⟩rm x"),
        (" " * 40 + "x", " " * 40 + "x"),
    ],
)
def test_what_is_not_seen_is_spelled(text: str, shown: str) -> None:
    assert escape_unseen(text) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("bad\udcff.txt", "bad⟨\\xff⟩.txt"),
        ("caf\udcc3(", "caf⟨\\xc3⟩("),
        ("a\nb\x1b", "a⟨U+000A⟩b⟨U+001B⟩"),
        ("\ufdd0dcff", "⟨U+FDD0⟩fdd0dcff"),
        ("\\xff⟨", "\\xff⟨U+27E8⟩"),
        ("\ud800", "⟨U+FDD0⟩d800"),
    ],
)
def test_bytes_of_a_name_that_are_no_text_are_spelled_as_shells_do(name: str, shown: str) -> None:
    recorded = surrogates.escape(name)
    assert escape_name(recorded) == shown
    if "\n" not in name:
        assert show([("file", recorded)]).text == f"file: {shown}"
    assert "\\x" not in show([("line", recorded)]).text or "\\x" in name


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(" \n\t⟨⟩U+20 spacesempty lin7\u200b"))))
def test_the_text_can_be_got_back_from_what_is_shown(text: str) -> None:
    import re

    def restore(match: re.Match[str]) -> str:
        code, count, kind = match.groups()
        if code:
            return chr(int(code, 16))
        return {" spaces": " ", " tabs": "\t"}[kind] * int(count)

    shown = escape_unseen(text)
    lines = re.sub(r"\n⟨(\d+) empty lines⟩\n", lambda match: "\n" * (int(match[1]) + 1), shown)
    assert re.sub(r"⟨(?:U\+([0-9A-F]+)|(\d+)( spaces| tabs))⟩", restore, lines) == text


@given(st.text())
def test_nothing_unseen_is_left(text: str) -> None:
    shown = escape_unseen(text)
    assert not any(is_unseen(char) for char in shown)
    assert not any(unicodedata.bidirectional(char) in ("LRE", "RLE", "LRO", "RLO", "PDF") for char in shown)


def test_every_field_is_shown_whole_and_none_can_be_faked() -> None:
    shown = show([("command", "ls\ncwd: /safe"), ("cwd", "/w/app"), ("content", "x" * 100_000)])
    assert shown.text == "command:\n    ls\n    cwd: /safe\ncwd: /w/app\ncontent: " + "x" * 100_000


@given(st.lists(st.text(), min_size=2, max_size=2), st.lists(st.text(), min_size=2, max_size=2))
def test_the_digest_is_that_of_what_is_shown(first: list[str], second: list[str]) -> None:
    names = ("command", "cwd")
    shown = [show(zip(names, values)) for values in (first, second)]
    assert (shown[0].digest == shown[1].digest) is (first == second)


def test_content_changed_after_approval_has_another_digest() -> None:
    assert show([("content", "a")]).digest != show([("content", "a ")]).digest


def test_a_variable_of_several_lines_stands_for_itself_alone() -> None:
    honest = show_environment([("A", "1"), ("B", "2")])
    assert honest == "A=1\nB=2"
    assert show_environment([("A", "1\nB=2")]) != honest
