"""A session, a window that stands for the real one, and budgets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nodwyn.loop.window.canonical import digest
from nodwyn.prims.log.events import Recipe
from nodwyn.prims.session import Session

JSON = Any


class Built(NamedTuple):
    request: JSON
    digest: str
    tokens: int
    broken: str


class StandIn:
    """Builds the same request every time."""

    def __init__(self, request: JSON, tokens: int = 100) -> None:
        self.request = request
        self.tokens = tokens

    def build(self, recipe_seq: int) -> Built:
        return Built(self.request, digest(self.request), self.tokens, "")


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "configuration"))
    root = tmp_path / "root"
    root.mkdir()
    with Session.start(root, client="eval", primitives=[]) as started:
        yield started


@pytest.fixture
def recipe(session: Session) -> int:
    return session.log.append(
        Recipe(version=1, system="Be brief.", tools=[], policy={}, provider="scripted", model="m")
    )
