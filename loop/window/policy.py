"""The versions of the window's rules, and the numbers that they take.

A recipe names its version and records its numbers. A request is for ever built by the rules of its recipe's version:
whoever changes what any recorded request would be built to adds a version here, and keeps the old rules running. Which
summaries hold (prims/summaries/standing.py) is part of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from nodwyn.prims.log import LogError
from nodwyn.prims.log.events import Recipe

VERSION = 1
"""The version that new recipes record."""

ADDED: dict[int, str] = {
    1: "canonical requests; folds; elision that lasts until an edit of the conversation; results cut at a cap;"
    " notes that replace a span and carry the person's words; pins; the person's revocable summaries; thinking"
    " only for the model whose it is; calls without a result answered as interrupted or not run",
}
"""What each version of the rules added to the one before."""

DEFAULTS: dict[str, int] = {
    "context": 200_000,
    "high_water": 150_000,
    "low_water": 100_000,
    "result": 24_000,
    "result_tail": 8_000,
    "attachment": 48_000,
    "argument": 400,
    "carried": 4_096,
}
"""The numbers of a policy that names no others. They belong to version 1: a recipe that leaves one out means these.

context, high_water, low_water: tokens that the model takes, that the scripts begin to make room at, and that they make
room down to; the window itself applies neither. result: characters of a result that are shown, result_tail of them
from its end. attachment: the same of an attached file. argument: characters of an argument that an elided reply still
shows. carried: bytes of a message that a note carries whole.
"""


class Numbers(NamedTuple):
    """The numbers by which the window itself cuts."""

    result: int
    result_tail: int
    attachment: int
    argument: int
    carried: int

    @classmethod
    def of(cls, policy: Mapping[str, Any]) -> Numbers:
        """Return those of a policy; DEFAULTS has what it leaves out."""
        return cls(**{name: policy.get(name, DEFAULTS[name]) for name in cls._fields})


class UnknownRecipe(LogError):
    """A recipe cannot be applied by this program."""


def policy_for(context: int) -> dict[str, int]:
    """Return the numbers for a recipe whose model takes ``context`` tokens."""
    return {**DEFAULTS, "context": context, "high_water": context * 3 // 4, "low_water": context // 2}


def numbers_of(recipe: Recipe) -> Numbers:
    """Return the numbers that a recipe records.

    Raises: UnknownRecipe when its version, or one of its numbers, means nothing to this program.
    """
    if recipe.version not in ADDED:
        known = ", ".join(map(str, ADDED))
        raise UnknownRecipe(
            f"recipe {recipe.seq} has version {recipe.version} of the window's rules; this program knows {known}."
            f" A later nodwyn may know it."
        )
    numbers = Numbers.of(recipe.policy if isinstance(recipe.policy, dict) else {})
    for name, value in numbers._asdict().items():
        if type(value) is not int or value < 0:
            raise UnknownRecipe(f"recipe {recipe.seq} has {value!r} for {name}: not a whole number from 0")
    return numbers
