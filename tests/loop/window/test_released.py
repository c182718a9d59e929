"""Logs of every version of the window's rules replay for ever. Those in tests/logs are never made again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from nodwyn.loop.window.policy import ADDED
from nodwyn.loop.window.replay import rebuild_all
from nodwyn.prims.log import Reader
from nodwyn.prims.log.events import ModelRequest, Recipe

ROOT = Path(__file__).parents[3]
LOGS = ROOT / "tests/logs"

# Each log, the version of its recipes, its hash, its number of requests.
RELEASED = [
    ("20261130T184018Z-001d9e94", 1, "e810214face11161a548afb9d83a5789b395d3ca2ded4be191abd647b7fdd927", 25),
]

USED = {
    "agent.start": 1,
    "attachment": 1,
    "context.drop": 1,
    "context.narrow": 3,
    "elide": 4,
    "fold": 2,
    "interruption": 3,
    "llm.error": 1,
    "pin": 1,
    "summary": 2,
    "summary.drop": 1,
}
"""What a log must have of each kind, so that every rule of version 1 is applied in it."""

PROVE = """
import sys
from pathlib import Path
from nodwyn.loop.window.replay import rebuild_all
from nodwyn.prims.log import Reader
with Reader(Path(sys.argv[1])) as log:
    print(*[each.built.digest for each in rebuild_all(log)])
"""


@pytest.fixture(params=RELEASED, ids=[name for name, *_ in RELEASED])
def released(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the path of a copy of a released log, and of nothing else."""
    return Path(shutil.copy(LOGS / f"{request.param[0]}.jsonl", tmp_path))


@pytest.mark.parametrize(("name", "version", "digest", "requests"), RELEASED)
def test_a_released_log_is_never_made_again(name: str, version: int, digest: str, requests: int) -> None:
    path = LOGS / f"{name}.jsonl"
    assert sha256(path.read_bytes()).hexdigest() == digest
    with Reader(path) as log:
        assert {log.event(seq).as_json()["version"] for seq in log.seqs("recipe")} == {version}
        assert len(list(log.seqs("llm.req"))) == requests


def test_there_is_a_log_of_every_version() -> None:
    assert {version for _, version, *_ in RELEASED} == set(ADDED)


def test_every_request_of_a_released_log_is_proved(released: Path) -> None:
    with Reader(released) as log:
        built = list(rebuild_all(log))
        requests = [log.event(seq) for seq in log.seqs("llm.req")]
        assert [each.seq for each in built] == [request.seq for request in requests]
        for each, request in zip(built, requests):
            assert isinstance(request, ModelRequest)
            assert each.built.digest == request.digest
            assert each.built.broken == request.broken


def test_the_log_of_version_1_has_a_bit_of_everything() -> None:
    with Reader(LOGS / f"{RELEASED[0][0]}.jsonl") as log:
        kinds = Counter(event.kind for event in log.events())
        assert {kind: kinds[kind] for kind in USED} == USED
        recipes = [log.event(seq) for seq in log.seqs("recipe")]
        assert len({recipe.model for recipe in recipes if isinstance(recipe, Recipe)}) == 3


@pytest.mark.parametrize(
    "surroundings",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8"},
    ],
)
@pytest.mark.parametrize("python", ["python3.11", "python3.12", "python3.13"])
def test_the_surroundings_make_no_difference(released: Path, python: str, surroundings: dict[str, str]) -> None:
    program = found(python)
    if program is None:
        pytest.skip(f"there is no {python} here")
    environment = {"PATH": os.defpath, "PYTHONPATH": str(ROOT / ".types"), **surroundings}
    ran = subprocess.run([program, "-c", PROVE, released], env=environment, capture_output=True, text=True, check=True)
    with Reader(released) as log:
        assert ran.stdout.split() == [each.built.digest for each in rebuild_all(log)]


def found(python: str) -> str | None:
    """Return the program of a version of Python, if it is there and runs."""
    if python == f"python{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    candidates = [shutil.which(python), *map(str, Path.home().glob(f".pyenv/versions/{python[6:]}.*/bin/{python}"))]
    for program in filter(None, candidates):
        if subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0:
            return program
    return None
