"""The escape of lone surrogates."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.surrogates import escape, unescape

ANY_TEXT = st.text(st.characters(exclude_categories=[])) | st.text("\ud800\udc80\udfff\ufdd0dc80")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("", ""),
        ("größe 🌲", "größe 🌲"),
        ("a\udc80b", "a\ufdd0dc80b"),
        ("\ufdd0", "\ufdd0fdd0"),
        ("\ufdd0dc80", "\ufdd0fdd0dc80"),
        ("\ud83c\udf32", "\ufdd0d83c\ufdd0df32"),
    ],
)
def test_what_it_looks_like(text: str, escaped: str) -> None:
    assert escape(text) == escaped
    assert unescape(escaped) == text


@given(ANY_TEXT)
def test_it_is_reversible_and_always_utf_8(text: str) -> None:
    escaped = escape(text)
    escaped.encode("utf-8", "strict")
    assert unescape(escaped) == text


@given(ANY_TEXT, ANY_TEXT)
def test_no_two_texts_have_the_same_form(one: str, other: str) -> None:
    assert (escape(one) == escape(other)) == (one == other)


@given(st.binary())
def test_every_file_name_comes_through(name: bytes) -> None:
    assert os.fsencode(unescape(escape(os.fsdecode(name)))) == name
