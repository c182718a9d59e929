"""The page of all primitives is what their declarations say now; a tool of a model is never one of the loop's own."""

from __future__ import annotations

from pathlib import Path

from nodwyn.loop.primitives import PRIMITIVES
from nodwyn.prims.families import ALL
from nodwyn.prims.help import renewed

PAGE = Path(__file__).parents[2] / "docs" / "primitives.md"


def test_the_page_is_what_the_declarations_say() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == renewed(text, (*ALL, *PRIMITIVES)), "make reference brings docs/primitives.md up to date"


def test_no_model_is_offered_what_the_loop_is_made_of() -> None:
    assert [each.name for each in PRIMITIVES if "model" in each.callers] == []
