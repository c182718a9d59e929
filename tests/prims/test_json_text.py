"""JSON of others: read within bounds, as texts that UTF-8 can hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.recursion import RecursionLimit
from nodwyn.prims.json_text import encode, parse, sendable
from nodwyn.prims.surrogates import unescape

values: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)  # fmt: skip


@given(values)
def test_what_is_written_reads_back(value: Any) -> None:
    assert parse(encode(value)) == value


@given(st.text(st.characters(exclude_categories=())))
def test_a_text_is_as_it_was_or_escaped(text: str) -> None:
    sent = sendable(text)
    sent.encode()
    assert sent == text or unescape(sent) == text


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", "NaN", "[Infinity]", "1e999", "[" * 101 + "]" * 101, "[" * 1_000_000, "1" * 2000, '"\n"', "{} x"],
)
def test_what_breaks_a_bound_is_malformed(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text)


def test_brackets_in_texts_are_no_depth() -> None:
    text = json.dumps(["[" * 500, '"' + "{" * 500])
    assert parse(text) == json.loads(text)


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    assert parse(b'"\xff"') == "\ufffd"


def test_keys_are_escaped_too() -> None:
    assert sendable({"\udc80": ["\udc80"]}) == {"\ufdd0dc80": ["\ufdd0dc80"]}


def test_depth_is_looked_at_before_a_text_is_parsed() -> None:
    with RecursionLimit(4_000_000), pytest.raises(ValueError, match="nested deeper than"):
        parse('{"a":' + "[" * 1_000_000)
