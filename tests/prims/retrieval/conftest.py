"""What the tests of the index share: a repository to index, and what is asked of it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims.calling import perform
from nodwyn.prims.retrieval.refreshing import TICK
from nodwyn.prims.session import Session
from tests.prims.conftest import events

Git = Callable[..., str]


def run_git(folder: Path, *words: str) -> str:
    """Run git in a folder; return what it writes."""
    identity = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def git(root: Path) -> Git:
    """Return what runs git in the root, which is a repository."""
    run_git(root, "init", "-q", "-b", "main")
    return lambda *words: run_git(root, *words)


def put(folder: Path, **files: str) -> None:
    """Write files; ``__`` in a name is a slash, ``_`` before the ending a dot."""
    for name, text in files.items():
        path = folder / "/".join(name.split("__")).replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def settle() -> None:
    """Wait until a change of a file shows in its time."""
    time.sleep(2 * TICK / 1e9)


def call(session: Session, name: str, **arguments: Any) -> Any:
    """Call a primitive as the person does; return its value.

    Raises: what it fails with.
    """
    primitive = session.primitives[name]
    outcome = perform(session, primitive, primitive.bind_json(arguments), "person")
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


def search(session: Session, query: str, limit: int = 8, path: str | None = None) -> str:
    """Return what index-search finds in the repository."""
    text = call(session, "index-search", query=query, scope="repo", limit=limit, path=path)
    assert isinstance(text, str)
    return text


def update(session: Session, path: str | None = None) -> str:
    """Return what index-update says."""
    text = call(session, "index-update", path=path)
    assert isinstance(text, str)
    return text


def found(text: str) -> list[str]:
    """Return the paths of the results, each once, best first."""
    blocks = text.split("\n\n")[1:]
    return list(dict.fromkeys(block.split(":", 1)[0] for block in blocks))


def updates(session: Session) -> list[dict[str, object]]:
    """Return the records of updates of the index."""
    return [event.as_json() for event in events(session, "index.update")]


def reads(session: Session) -> list[str]:
    """Return the files of which the guard decided that they may be read, or not."""
    decisions = [event.as_json() for event in events(session, "guard.decision")]
    return [
        each["subject"] for each in decisions if each["effect"] == "read" and not each["subject"].startswith("git ")
    ]
