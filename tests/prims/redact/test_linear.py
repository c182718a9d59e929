"""Time in proportion to the text, whatever the text; little of it before the first use."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random

import pytest

from nodwyn.prims.redact import find
from nodwyn.prims.redact.example import make_up
from nodwyn.prims.redact.rule import Rule
from nodwyn.prims.redact.rules import RULES

SIZE = 60_000
TIMES = 8
LINEAR = 3.0
"""How many times its share a text of eight times the size may take; what is quadratic takes eight times its share."""

REPEATED = [
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "-----END RSA PRIVATE KEY-----\n",
    "-----BEGIN RSA PRIVATE KEY-----\n" + "A1b" * 20 + "\n",
    "-----END RSA PRIVATE KEY-----\n" + "A1b" * 20 + "\n",
    "UFJJVkFURSBLRV",
    "[redacted:",
    "[redacted:secret]",
    "password=",
    "token = ",
    "token.",
    "eyJ",
    "eyJa.",
    "://a:",
    "curl -u a:bbb ",
    "mysql -p",
    "Cookie: a=b; ",
    '\\"key\\": ',
    "a" * 60 + "\n",
    "é",
    "\udc80",
]


def seconds(text: str) -> float:
    """Return the least processor time of three searches."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        find(text)
        times.append(time.process_time() - begin)
    return min(times)


def excess(text: str) -> float:
    """Return how many times its share a text takes, compared with its first eighth."""
    whole = seconds(text)
    return whole / TIMES / max(seconds(text[: len(text) // TIMES]), 0.001)


def grown(unit: str) -> str:
    return (unit * (SIZE * TIMES // len(unit) + 1))[: SIZE * TIMES]


@pytest.mark.parametrize("unit", REPEATED, ids=range(len(REPEATED)))
def test_repetition_takes_its_share_of_time(unit: str) -> None:
    find("")
    assert excess(grown(unit)) < LINEAR


def hostile(rule: Rule) -> Iterator[str]:
    """Yield texts made of what a rule looks for, whole and cut, and of its beginning before endless repetition."""
    text, secret = make_up(rule.example, Random(rule.example))
    place = text.index(secret)
    for unit in (text, text + " ", text[:-1] + " ", text[: place + 4], text[:place] or text[:6]):
        yield grown(unit)
    for unit in (" ", "a", "A1b", "=", '"', ".", "\\"):
        yield text[: place + 4] + grown(unit)
        yield text[:place] + grown(unit)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("rule", RULES, ids=[f"{number}-{rule.kind}" for number, rule in enumerate(RULES)])
def test_what_a_rule_looks_for_takes_its_share_of_time(rule: Rule) -> None:
    assert max(map(excess, hostile(rule))) < LINEAR


FIRST_USE = """
import sys, time
begin = time.process_time()
from nodwyn.prims.redact import redact
imported = time.process_time()
assert "re2" not in sys.modules
redact("token = 1")
print(imported - begin, time.process_time() - imported)
"""


def test_importing_costs_little_and_the_first_use_not_much() -> None:
    done = [
        subprocess.run([sys.executable, "-c", FIRST_USE], capture_output=True, text=True, check=True) for _ in range(3)
    ]
    imports, uses = zip(*(map(float, run.stdout.split()) for run in done), strict=True)
    assert min(imports) < 0.04
    assert min(uses) < 0.06
