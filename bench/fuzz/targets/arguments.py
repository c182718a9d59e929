"""Arguments of primitives as a model gives them: each call is bound, or answered with what is wrong.

Case: a list with the number of a primitive and its arguments as JSON.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from target import ODD, Case, Target, changed_json, holds

from nodwyn.loop.primitives import PRIMITIVES as OF_THE_LOOP
from nodwyn.prims.declare import ArgumentError, Primitive
from nodwyn.prims.families import ALL
from nodwyn.prims.log.line import seal
from nodwyn.prims.log.record import redacted

TEXTS = [
    "a",
    "src/größe.py",
    "*.py",
    "{a,b}/**",
    "[",
    "",
    "..",
    "/etc",
    "a\0b",
    "\ud800",
    "\ufdd0d800",
    "caf\udce9",
    "x" * 5000,
    "HEAD",
    "ls -l | cat",
]


class Arguments(Target):
    """See the module."""

    anew = 0.4

    def __init__(self) -> None:
        self.primitives: list[Primitive] = list({each.name: each for each in (*ALL, *OF_THE_LOOP)}.values())

    def seeds(self) -> Iterator[Case]:
        chance = random.Random(5)
        for number in range(len(self.primitives)):
            for _ in range(3):
                yield [number, self._arguments(chance, number)]

    def create(self, chance: random.Random) -> Case:
        number = chance.randrange(len(self.primitives))
        return [number, self._arguments(chance, number)]

    def _arguments(self, chance: random.Random, number: int) -> Any:
        """Return arguments that fit the schema, by and large."""
        given = {}
        for parameter in self.primitives[number].parameters:
            if parameter.is_required or chance.random() < 0.5:
                try:
                    schema = parameter.kind.schema()
                except Exception:  # what only Scheme has
                    schema = {}
                given[parameter.name] = self._value(chance, schema)
        return given

    def _value(self, chance: random.Random, schema: Any) -> Any:
        if "enum" in schema:
            return chance.choice(schema["enum"])
        kind = schema.get("type")
        if kind == "integer":
            return chance.choice((1, 2, 0, 3.0, -1, 10**6, 2**70, schema.get("minimum", 1), schema.get("maximum", 5)))
        if kind == "boolean":
            return chance.choice((True, False))
        if kind == "array":
            return [self._value(chance, schema.get("items") or {}) for _ in range(chance.randint(0, 3))]
        if kind == "object":
            return {name: self._value(chance, part) for name, part in (schema.get("properties") or {}).items()}
        return chance.choice(TEXTS) if kind == "string" else chance.choice(ODD)

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        return [case[0], *(changed_json(chance, case[1:], other[1:]) or [None])]

    def check(self, case: Case) -> Any:
        if len(case) != 2 or type(case[0]) is not int:
            return None
        primitive = self.primitives[case[0] % len(self.primitives)]
        given = json.loads(json.dumps(case[1]))
        try:
            bound = primitive.bind_json(given)
        except ArgumentError as error:
            holds(0 < len(str(error)) < 6000, "what is wrong is said in few words")
            return primitive.name, str(error)[:30]
        holds(given == json.loads(json.dumps(case[1])), "arguments are not changed")
        seal({"kind": "x", "arguments": redacted(bound.recorded, str, "x")}, b"0" * 32)
        again = primitive.bind_json(bound.recorded)
        holds(again.values.keys() == bound.values.keys(), "what is recorded is bound again")
        holds(repr(again.values) == repr(bound.values), "what is recorded is bound to the same")
        holds(
            all(parameter.name in bound.values for parameter in primitive.parameters if parameter.is_required),
            "what is required is there",
        )
        return primitive.name, tuple(bound.values)


def make(workspace: Path) -> Target:
    """Return the target."""
    return Arguments()
