"""The one text of a request: the same for the same data, other for other data, and data again.

Case: a list with JSON data in it.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from target import ODD, ROOT, Case, Target, changed_json, holds

from nodwyn.loop.window.canonical import canonical, digest, plain

NUMBERS = [
    0.0,
    -0.0,
    1.0,
    1e16,
    1e21,
    1e22,
    1.5,
    5e-324,
    1.7976931348623157e308,
    2**53,
    2**64,
    -(2**63),
    0.1,
    1e-7,
    True,
    False,
]


class Canonical(Target):
    """See the module."""

    anew = 0.3

    def seeds(self) -> Iterator[Case]:
        for file in sorted(ROOT.glob("tests/loop/providers/recorded/*.json")):
            yield [json.loads(file.read_bytes())]
        yield [
            {
                "provider": "p",
                "model": "m",
                "system": "größe",
                "tools": [],
                "parameters": {"temperature": 1.0},
                "messages": [],
            }
        ]

    def create(self, chance: random.Random) -> Case:
        return [self._value(chance, 4)]

    def _value(self, chance: random.Random, depth: int) -> Any:
        way = chance.randrange(6 if depth else 3)
        if way == 0:
            return chance.choice(NUMBERS)
        if way == 1:
            return chance.choice(ODD)
        if way == 2:
            return "".join(chance.choices('aé"\\\n\0\x7f\u2028🌲\ud83c\udf32\udcff\ufdd0d8f', k=chance.randint(0, 6)))
        if way < 5:
            return {str(self._value(chance, 0)): self._value(chance, depth - 1) for _ in range(3)}
        return [self._value(chance, depth - 1) for _ in range(chance.randint(0, 3))]

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        return changed_json(chance, case, other) or [None]

    def check(self, case: Case) -> Any:
        value = case
        text = canonical(value)
        again = json.loads(text.decode("utf-8"))
        holds(canonical(again) == text, "a text that is read and written is the same text")
        holds(plain(again) == plain(value), "nothing is lost")
        holds(canonical(_turned(value)) == text, "the order of members does not matter")
        holds(b"\n" not in text, "a text is one line")
        holds(digest(value) == digest(again), "the digest is that of the text")
        numbers = [part for part in _scalars(again) if isinstance(part, (int, float))]
        holds(
            all(not isinstance(part, float) or not part.is_integer() for part in numbers),
            "integral numbers are integers",
        )
        holds(all(math.isfinite(part) for part in numbers), "numbers are finite")
        return len(text) // 40, text[:6]


def _turned(value: Any) -> Any:
    """Return the same data with the members of objects in the opposite order."""
    if isinstance(value, dict):
        return {name: _turned(value[name]) for name in reversed(value)}
    return [_turned(item) for item in value] if isinstance(value, list) else value


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _scalars(part)
    else:
        yield value


def make(workspace: Path) -> Target:
    """Return the target."""
    return Canonical()
