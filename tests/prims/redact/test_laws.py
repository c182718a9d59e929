"""The laws of redaction, over texts made of secrets, halves of secrets, keywords, marks, keys and noise."""

from __future__ import annotations

from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodwyn.prims.redact import Redactor, Stream, find, redact, scan
from nodwyn.prims.redact.example import make_up
from nodwyn.prims.redact.rule import Rule
from nodwyn.prims.redact.rules import RULES

RANDOM = Random(7)
SECRETS = [make_up(rule.example, RANDOM)[0] for rule in RULES]
HALVES = [secret[: len(secret) // 2] for secret in SECRETS] + [secret[len(secret) // 2 :] for secret in SECRETS]
NAMES = [rule.example.partition("«")[0] for rule in RULES if "«" in rule.example]
BODY = "".join(make_up("<64 base64>\n", RANDOM)[0] for _ in range(3))
KEYS = [
    f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}-----END RSA PRIVATE KEY-----\n",
    f"-----BEGIN PRIVATE KEY-----\n{BODY}",
    f"{BODY}-----END PRIVATE KEY-----\n",
    BODY,
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "Private-Lines: 3\n",
]
MARKS = ["[redacted:secret]", "[redacted:", "[redacted:private-key]", "[redacted:Secret]"]
NOISE = [
    "\n",
    " ",
    "\n\n",
    '"',
    "'",
    ": ",
    "=",
    "@",
    "://",
    "\\n",
    "%22",
    "\t",
    "\r\n",
    "é",
    "鍵",
    "\udc80",
    "\x00",
    "x",
    "abc def",
]

pieces = st.one_of(
    st.sampled_from(SECRETS),
    st.sampled_from(HALVES),
    st.sampled_from(NAMES),
    st.sampled_from(KEYS),
    st.sampled_from(MARKS),
    st.sampled_from(NOISE),
    st.text(st.characters(codec=None), max_size=6),
)
texts = st.lists(pieces, max_size=14).map("".join)
EXAMPLES = settings(max_examples=400)


@EXAMPLES
@given(texts)
def test_a_redacted_text_is_its_own_redaction(text: str) -> None:
    redacted = redact(text)
    assert redact(redacted) == redacted
    assert find(redacted) == []


@EXAMPLES
@given(texts)
def test_what_is_found_is_in_order_apart_and_all_that_changes(text: str) -> None:
    pieces: list[str] = []
    place = 0
    for kind, start, end in find(text):
        assert place <= start < end <= len(text)
        pieces += text[place:start], f"[redacted:{kind}]"
        place = end
    assert redact(text) == "".join([*pieces, text[place:]])


@EXAMPLES
@given(texts, st.integers(1, 40))
def test_how_the_text_falls_into_chunks_does_not_matter(text: str, size: int) -> None:
    whole = find(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "CHUNK", size)
        assert find(text) == whole


@EXAMPLES
@given(texts, st.data())
def test_a_text_in_pieces_is_redacted_as_the_whole(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    stream = Stream(Redactor())
    parts = [stream.feed(text[start:end]) for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert "".join([*parts, stream.finish()]) == redact(text)


@EXAMPLES
@given(st.sampled_from(RULES), st.integers(0, 2**32), st.data())
def test_of_a_secret_that_is_found_no_eight_characters_are_left(
    planting: ModuleType, rule: Rule, seed: int, data: st.DataObject
) -> None:
    planted = data.draw(st.sampled_from(list(planting.plant(rule, Random(seed)))))
    start = planted.text.index(planted.secret)
    end = start + len(planted.secret)
    if any(match.start < end and match.end > start for match in find(planted.text)):
        assert not planting.is_left(planted, redact(planted.text))
