"""Versions of the window's rules, and a recipe's numbers."""

from __future__ import annotations

from typing import Any

import pytest

from nodwyn.loop.window.policy import ADDED, DEFAULTS, VERSION, Numbers, UnknownRecipe, numbers_of, policy_for
from nodwyn.prims.log.events import Recipe


def recipe(version: int = VERSION, policy: Any = None) -> Recipe:
    return Recipe(version=version, system="", tools=[], policy=policy, provider="p", model="m")


def test_one_place_says_what_each_version_added() -> None:
    assert list(ADDED) == list(range(1, VERSION + 1))
    assert all(ADDED.values())


def test_the_numbers_of_version_1_are_for_ever() -> None:
    assert DEFAULTS == {
        "context": 200_000,
        "high_water": 150_000,
        "low_water": 100_000,
        "result": 24_000,
        "result_tail": 8_000,
        "attachment": 48_000,
        "argument": 400,
        "carried": 4_096,
    }


def test_a_policy_is_made_for_a_models_context() -> None:
    policy = policy_for(32_000)
    assert (policy["context"], policy["high_water"], policy["low_water"]) == (32_000, 24_000, 16_000)
    assert numbers_of(recipe(policy=policy)) == numbers_of(recipe())


def test_a_recipe_may_change_some_numbers() -> None:
    assert numbers_of(recipe(policy={"result": 100, "unknown": "x"})) == Numbers.of(DEFAULTS)._replace(result=100)


def test_an_unknown_version_is_named() -> None:
    with pytest.raises(UnknownRecipe, match=r"has version 99 of the window's rules; this program knows 1\."):
        numbers_of(recipe(version=99))


@pytest.mark.parametrize("value", [-1, 1.5, "100", True, None])
def test_a_number_that_is_none_is_refused(value: Any) -> None:
    with pytest.raises(UnknownRecipe, match="for carried: not a whole number from 0"):
        numbers_of(recipe(policy={"carried": value}))
