"""The forms of values inside encoded text."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote, unquote_to_bytes

from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.redact.encoded import in_base64, percent_decoded, percent_encoded


@given(st.binary(), st.binary(), st.binary())
def test_a_value_has_one_of_three_forms_in_any_base64(before: bytes, value: bytes, after: bytes) -> None:
    assert in_base64(value)[len(before) % 3] in b64encode(before + value + after)


@given(st.binary())
def test_percent_encoding_is_that_of_addresses(value: bytes) -> None:
    assert percent_encoded(value) == quote(value, safe="").encode()
    assert percent_encoded(value, b"/", upper=False).upper() == quote(value).encode().upper()
    assert percent_decoded(percent_encoded(value)) == value


@given(st.binary() | st.text("%aF0+ ").map(str.encode))
def test_what_is_no_escape_stays(value: bytes) -> None:
    assert percent_decoded(value) == unquote_to_bytes(value)
