"""Several processes at one index while files change and one of them is killed: answers are those of a fresh build."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims.retrieval import ranking, store
from nodwyn.prims.retrieval.index import index_of
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin
from tests.prims.retrieval.conftest import Git, found, put, search, settle

WORDS = [f"animal{number}" for number in range(30)]

WORKER = """
import sys
from pathlib import Path
from nodwyn.prims.calling import perform
from nodwyn.prims.session import Session
with Session.start(Path(sys.argv[1]), client="test") as session:
    number = 0
    while not Path(sys.argv[2]).exists():
        number += 1
        name, arguments = ("index-update", {}) if number % 5 == 0 else (
            "index-search", {"query": f"animal{number % 30}", "scope": "repo"})
        primitive = session.primitives[name]
        error = perform(session, primitive, primitive.bind_json(arguments), "person").error
        assert error is None, repr(error)
"""


def write_some(root: Path, chance: random.Random, number: int) -> None:
    """Make, change and remove a few files."""
    for _ in range(number):
        path = root / f"d{chance.randrange(4)}" / f"f{chance.randrange(30)}.py"
        path.parent.mkdir(exist_ok=True)
        if chance.random() < 0.2:
            path.unlink(missing_ok=True)
        else:
            lines = [f"def {chance.choice(WORDS)}():\n" + "    pass\n" * chance.randrange(30) for _ in range(5)]
            path.write_text("".join(lines))


def answers(session: Session) -> list[str]:
    """Return what each word finds."""
    return [search(session, word, 20) for word in WORDS]


@contextmanager
def elsewhere(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[None]:
    """Have the index in another place meanwhile."""
    with monkeypatch.context() as patched:
        patched.setenv("NODWYN_DATA_DIR", str(folder))
        yield


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_answers_are_those_of_a_fresh_build(
    begin: Begin, root: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(5)
    write_some(root, chance, 80)
    stop = tmp_path / "stop"

    def worker() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", WORKER, str(root), str(stop)], stderr=subprocess.PIPE)

    session = begin()
    workers = [worker(), worker()]
    for turn in range(6):
        until = time.monotonic() + 2
        while time.monotonic() < until:
            write_some(root, chance, 5)
            time.sleep(0.02)
        workers[turn % 2].kill()
        workers[turn % 2].communicate()
        workers[turn % 2] = worker()
        settle()
        mine = answers(session)
        with elsewhere(monkeypatch, tmp_path / f"data{turn}"), Session.start(root, client="test") as fresh:
            assert answers(fresh) == mine
    stop.touch()
    for each in workers:
        _, errors = each.communicate(timeout=60)
        assert each.returncode == 0, errors.decode()


def test_two_sessions_of_one_process_share_what_either_wrote(begin: Begin, root: Path) -> None:
    (root / "a.py").write_text("zebra\n")
    settle()
    first, second = begin(), begin()
    assert found(search(first, "zebra")) == ["a.py"]
    (root / "b.py").write_text("zebra\n")
    settle()
    assert found(search(second, "zebra")) == ["a.py", "b.py"]
    assert found(search(first, "zebra")) == ["a.py", "b.py"]


def test_what_another_process_changes_during_a_search_is_ranked_again(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a_py="zebra\n")
    search(session, "zebra")
    put(root, b_py="zebra zebra\n")
    settle()
    expected = search(session, "zebra")
    other = store.Store(index_of(session).store.database.directory)
    rank = ranking.rank
    ranked: list[object] = []

    def rank_late(*given: Any) -> ranking.Ranking:
        if not ranked:
            other.write("/other", store.Batch())  # makes the small segments into one
        ranked.append(given)
        return rank(*given)

    monkeypatch.setattr(ranking, "rank", rank_late)
    monkeypatch.setattr(store, "MOST_SEGMENTS", 1)
    monkeypatch.setattr(store, "MERGED_SEGMENTS", 0)
    assert search(session, "zebra") == expected
    assert len(ranked) == 2
    assert search(session, "zebra") == expected
    assert len(ranked) == 3
