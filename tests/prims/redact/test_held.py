"""Values that are known to be secret, wherever they stand and however they are written."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from re import sub
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.redact import Redactor, held
from nodwyn.prims.redact.rule import Rule

VALUE = 'plain words/of+a "key"? éà'
MARK = "[redacted:held-value]"

FORMS = {
    "itself": VALUE,
    "JSON": json.dumps(VALUE, ensure_ascii=False)[1:-1],
    "ASCII JSON": json.dumps(VALUE)[1:-1],
    "an address": quote(VALUE, safe=""),
    "a path": quote(VALUE),
    "a form": quote_plus(VALUE),
    "an address in lower case": sub("%..", lambda found: found[0].lower(), quote(VALUE, safe="")),
    "hexadecimal": VALUE.encode().hex(),
}


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor([VALUE, "short"])


@pytest.mark.parametrize("form", FORMS)
def test_a_held_value_is_found_as(form: str, redactor: Redactor) -> None:
    assert redactor.redact(f"x{FORMS[form]}y") == f"x{MARK}y"


@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "user:"])
def test_a_held_value_is_found_in_base64(before: str, encode: object, redactor: Redactor) -> None:
    assert callable(encode)
    encoded = encode((before + VALUE + "after").encode()).decode()
    redacted = redactor.redact(encoded)
    assert MARK in redacted
    left = redacted.replace(MARK, "\n")
    core = encoded[len(before) * 4 // 3 + 2 : -10]
    assert not any(core[place : place + 8] in left for place in range(len(core) - 7))


@pytest.mark.parametrize("size", range(8, 80))
@pytest.mark.parametrize("unit", ["a", "0", "*", "ab", "é"])
def test_a_held_value_that_repeats_itself_is_found(unit: str, size: int) -> None:
    value = unit * size
    redactor = Redactor([value])
    assert redactor.redact(f"the code is {value}\n") == f"the code is {MARK}\n"
    assert value not in redactor.redact(f"password={value}")


def test_a_value_of_few_characters_is_not_looked_for(redactor: Redactor) -> None:
    assert redactor.redact("a short text") == "a short text"


def test_of_a_value_of_several_lines_each_is_found() -> None:
    redactor = Redactor(["first line of it\nsecond line of it\r\nend"])
    assert redactor.redact("> second line of it\n> first line of it\n> end") == f"> {MARK}\n> {MARK}\n> end"


def test_nothing_held_is_no_rule() -> None:
    assert Redactor([]).redact("text") == "text"


@given(
    st.text(st.characters(codec=None, exclude_categories=["Cc", "Zl", "Zp"]), min_size=8, max_size=30),
    st.text(),
    st.text(),
)
def test_whatever_the_value_it_is_not_left(value: str, before: str, after: str) -> None:
    if len(value.strip().encode("utf-8", "surrogatepass")) >= 8 and len(value.splitlines()) == 1:
        redactor = Redactor([value])
        redacted = redactor.redact(before + value + after)
        assert value.strip() not in redacted.replace(MARK, "\n") or value.strip() in MARK
        assert redactor.redact(redacted) == redacted


def test_a_value_that_comes_while_others_are_made_ready_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    redactor = Redactor(["the first value"])
    make = held.held_rule

    def held_meanwhile(values: Iterable[str]) -> Rule | None:
        rule = make(values)
        redactor.hold("the second value")
        return rule

    monkeypatch.setattr(held, "held_rule", held_meanwhile)
    redactor.redact("a text")
    assert redactor.redact("the first value, the second value") == f"{MARK}, {MARK}"
