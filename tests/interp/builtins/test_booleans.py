"""Booleans: section 6.3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("not", [False], True),
        ("not", [[]], False),
        ("not", [0], False),
        ("boolean?", [True], True),
        ("boolean?", [0], False),
        ("boolean=?", [True, True], True),
        ("boolean=?", [False, False, False], True),
        ("boolean=?", [True, True, False], False),
    ],
)
def test_result(apply: Callable[..., Any], name: str, arguments: list[Any], result: Any) -> None:
    assert apply(name, *arguments) is result


def test_every_argument_is_checked(complaint: Callable[..., str]) -> None:
    message = "type: boolean=?: boolean must be a boolean, got 1"
    assert complaint("boolean=?", True, False, 1) == message
