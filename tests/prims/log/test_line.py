"""Lines: valid UTF-8 whatever the text, each chained to the one before."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.recursion import RecursionLimit
from nodwyn.prims.log.line import START, NotARecord, checksum_of, seal, timestamp, unseal

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=20) | st.text("\ud800\udfff\ufdd0dc80")
ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=20,
)


@given(ANY_JSON, st.binary(min_size=16, max_size=16))
def test_a_line_is_utf_8_and_gives_back_what_it_was_given(value: object, before: bytes) -> None:
    members = {"seq": 7, "at": "", "kind": "note", "agent": "main", "text": "", "value": value}
    previous = before.hex().encode()
    line, checksum = seal(members, previous)
    assert line.decode("utf-8", "strict").count("\n") == 1
    assert json.loads(line)["sum"] == checksum.decode()
    again, same = unseal(line[:-1], previous, 7)
    assert (json.dumps(again), same) == (json.dumps(members), checksum)


MEMBERS = {"seq": 1, "at": "", "kind": "note", "agent": "main", "text": ""}


def test_a_line_belongs_to_the_line_before() -> None:
    line, checksum = seal(MEMBERS, START.checksum)
    with pytest.raises(NotARecord, match="the checksum is not that of the line"):
        unseal(line[:-1], checksum, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"seq":2,"at":"","kind":"note","agent":"main"',
        b'{"seq":1.0,"at":"","kind":"note","agent":"main"',
        b'{"seq":true,"at":"","kind":"note","agent":"main"',
        b'{"seq":"1","at":"","kind":"note","agent":"main"',
        b'{"seq":1,"at":"","kind":"note"',
        b'{"seq":1,"at":"","kind":null,"agent":"main"',
        b'{"seq":1,"at":"","kind":"note","agent":"main","x":NaN',
        b'{"seq":1,"at":"","kind":"note","agent":"main","x":"\xff"',
        b'{"seq":1,"at":"","kind":"note","agent":"main"} {',
        b'{"seq":1,"at":"","kind":"note","agent":"main","x":' + b"[" * 100_000,
        b"[1",
    ],
)
def test_a_right_checksum_alone_makes_no_event(body: bytes) -> None:
    line = body + b',"sum":"' + checksum_of(body, START.checksum) + b'"}'
    with pytest.raises(NotARecord, match="the checksum is right, but the line is no"):
        unseal(line, START.checksum, 1)


def test_a_line_that_is_nested_too_deeply_is_no_event_while_scheme_runs() -> None:
    """Python's limit on depth is too high then to stop a parser, which would outgrow its stack."""
    body = b'{"seq":1,"at":"","kind":"note","agent":"main","x":' + b"[" * 1_000_000
    line = body + b',"sum":"' + checksum_of(body, START.checksum) + b'"}'
    with RecursionLimit(4_000_000), pytest.raises(NotARecord, match="is no event"):
        unseal(line, START.checksum, 1)


def test_time_is_utc_with_milliseconds() -> None:
    before, after = timestamp(), timestamp()
    assert before <= after
    assert len(before) == len("2026-10-09T03:48:03.123Z")
