"""The table of rules: each finds what it is for, wherever that may stand, and is named and tried as it must be."""

from __future__ import annotations

import hashlib
from random import Random
from types import ModuleType

import pytest

from nodwyn.prims.redact import POLICY_VERSION, find, judge, pem, redact
from nodwyn.prims.redact.engine import compile_pattern
from nodwyn.prims.redact.example import make_up
from nodwyn.prims.redact.rule import Rule
from nodwyn.prims.redact.rules import RULES
from nodwyn.prims.redact.scan import marks_in

IDS = [f"{number}-{rule.kind}" for number, rule in enumerate(RULES)]

BY_LOOKS = {"modal-token", "composio-key"}
"""Kinds whose prefix is so common that what follows must look random, which one in a hundred random values does not."""


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_a_secret_of_its_shape_is_found_in_every_context(rule: Rule, planting: ModuleType) -> None:
    random = Random(rule.example)
    left = [
        (planted.context, planted.text)
        for _ in range(2)
        for planted in planting.plant(rule, random)
        if planting.is_left(planted, redact(planted.text))
    ]
    assert left == [] or (rule.kind in BY_LOOKS and len(left) < 3)


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_its_example_is_found_by_itself_and_one_of_its_keywords_is_in_the_line(rule: Rule) -> None:
    text, secret = make_up(rule.example, Random(rule.example))
    octets = text.encode()
    found = compile_pattern(rule.pattern).search(octets)
    assert found is not None
    spans = [found.span(group) for group in range(compile_pattern(rule.pattern).groups + 1)]
    assert secret.encode() in {octets[start:end] for start, end in spans if start >= 0}
    start, end = found.span()
    assert any(compile_pattern(keyword).search(octets[start:end]) for keyword in rule.keywords)


@pytest.mark.parametrize("kind", sorted({rule.kind for rule in RULES} | {"line", "held-value", "private-key"}))
def test_every_kind_makes_a_mark_that_is_known_as_one(kind: str) -> None:
    assert marks_in(f"[redacted:{kind}]") == [f"[redacted:{kind}]"]


def test_no_rule_matches_across_lines() -> None:
    for rule in RULES:
        text, secret = make_up(rule.example, Random(1))
        place = text.index(secret) + len(secret) // 2
        for match in find(text[:place] + "\n" + text[place:]):
            assert not match.start <= place < match.end


def test_a_change_of_the_rules_has_a_new_number() -> None:
    """Recorded texts name the number of the rules that they were redacted by; when this fails, raise it."""
    table = [(rule.kind, rule.pattern, rule.keywords, rule.entropy, rule.judge.__name__) for rule in RULES]
    words = (judge.TOKEN_STOPS, judge.WORD_STOPS, judge.PUBLIC_NAMES, pem.TRIGGER, pem.LEAST)
    digest = hashlib.sha256(repr((table, words)).encode()).hexdigest()
    assert (POLICY_VERSION, digest[:16]) == (1, "7e176163f926e31f")
