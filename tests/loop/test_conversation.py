"""A conversation begins: what the person is told before anything else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nodwyn.interp.cache import cache_place
from tests.loop.conftest import Converse

MODEL = '(define (reply request) \'("done"))'


@pytest.mark.parametrize(
    ("home", "is_told"), [(".", True), ("below/it", True), ("../elsewhere", False), ("..", False), ("link", True)]
)
def test_a_root_that_has_the_whole_home_in_it_is_told(
    converse: Converse, root: Path, monkeypatch: pytest.MonkeyPatch, home: str, is_told: bool
) -> None:
    (root / home).mkdir(parents=True, exist_ok=True) if home != "link" else (root.parent / "link").symlink_to(root)
    monkeypatch.setenv("NODWYN_CACHE_DIR", os.path.join(*(cache_place() or ("",))))  # not a new one in the new home
    monkeypatch.setenv("HOME", str(root.parent / home if home == "link" else root / home))
    notes = [event["text"] for event in converse(MODEL).events("note")]
    assert any(f"the root is {root}: your whole home directory" in note for note in notes) is is_told
