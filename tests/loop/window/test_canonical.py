"""The canonical text of a request: one text for one request, on every machine."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.loop.window.canonical import canonical, digest, plain, well_formed

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"b": 1, "a": [True, None]}, b'{"a":[true,null],"b":1}'),
        ({"ö": "größe", "z": "a\n\u2028"}, '{"z":"a\\n\u2028","ö":"größe"}'.encode()),
        (1.0, b"1"),
        (-0.0, b"0"),
        (1e21, b"1000000000000000000000"),
        (0.1, b"0.1"),
        (1e-7, b"1e-07"),
        ("\udc80", '"\ufdd0dc80"'.encode()),
        ({"\udc80": 1}, '{"\ufdd0dc80":1}'.encode()),
    ],
)
def test_a_value_has_one_text(value: object, written: bytes) -> None:
    assert canonical(value) == written
    assert digest(value) == sha256(written).hexdigest()


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {"a": float("-inf")}])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical(value)


@given(JSON)
def test_the_text_is_json_and_says_the_same(value: object) -> None:
    written = canonical(value)
    assert json.loads(written) == plain(value)
    assert canonical(json.loads(written)) == written


@given(st.text(st.characters()))
def test_a_well_formed_text_stays(text: str) -> None:
    once = well_formed(text)
    assert once.encode().decode() == once == well_formed(once)
    assert (once == text) == (not any("\ud800" <= char <= "\udfff" for char in text))


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=6))
def test_the_order_of_keys_does_not_matter(value: dict[str, object]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)
