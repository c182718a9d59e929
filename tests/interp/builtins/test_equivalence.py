"""The builtins of section 6.1; what they decide is tested with nodwyn.interp.equality."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("eq?", ["'a", "'a"], True),
        ("eq?", [[1], [1]], False),
        ("eq?", [[], []], True),
        ("eqv?", [10**20, 10**20], True),
        ("eqv?", [1, 1.0], False),
        ("eqv?", ["a", "a"], False),
        ("equal?", [["a", (1, 2)], ["a", (1, 2)]], True),
        ("equal?", [["a"], ["b"]], False),
    ],
)
def test_result(apply: Callable[..., Any], name: str, arguments: list[Any], result: bool) -> None:
    assert apply(name, *arguments) is result
