"""Measures the index of a repository: building it, its size, and searches of it.

    python bench/retrieval/speed.py CHECKOUT [--files 5000 20000]

CHECKOUT is any git repository. For --files, trees of so many files are made of its own, each copy of a file with words
of its own, in a temporary directory. Each figure is the least of several; all searches are guarded, recorded and
redacted, and end with the results read again from the files. The processor's time is that of the process and of those
that it started.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nodwyn.prims.calling import perform
from nodwyn.prims.retrieval.about import status
from nodwyn.prims.session import Session

REPEATS = 7
QUERIES = ("read the settings of a person", "cache invalidation", "parse error in message", "timeout of a request")
SETTLED = 0.1
"""Seconds after which a change of a file shows in its times."""


class Took:
    """How long something took, in seconds by the clock and of the processor."""

    def __init__(self, work: Callable[[], None]) -> None:
        started, used = time.perf_counter(), _used()
        work()
        self.clock, self.processor = time.perf_counter() - started, _used() - used


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def call(session: Session, name: str, **arguments: object) -> str:
    """Call a primitive as a person does."""
    primitive = session.primitives[name]
    outcome = perform(session, primitive, primitive.bind_json(arguments), "person")
    if outcome.error is not None:
        raise outcome.error
    return str(outcome.value)


def search(session: Session, number: int = 0) -> None:
    """Search once."""
    call(session, "index-search", query=QUERIES[number % len(QUERIES)], scope="repo")


@contextmanager
def copied(checkout: Path, number: int | None) -> Iterator[Path]:
    """Have a copy of a repository's files, in a repository of its own; of so many files when a number is given."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "work"
        root.mkdir()
        os.environ["NODWYN_DATA_DIR"] = f"{folder}/data"
        os.environ["NODWYN_CONFIG_DIR"] = f"{folder}/config"
        names = subprocess.run(["git", "ls-files", "-z"], cwd=checkout, capture_output=True, check=True).stdout
        files = [name for name in os.fsdecode(names).split("\0") if name and (checkout / name).is_file()]
        for place in range(len(files) if number is None else number):
            name = files[place % len(files)]
            copy = place // len(files)
            target = root / (name if copy == 0 else f"copy{copy}/{name}")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(checkout / name, target)
            if copy:
                with open(target, "ab") as file:
                    file.write(f"\ncopy{copy}word{place}\n".encode())
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        subprocess.run(["git", "add", "-A"], cwd=root, check=True)
        subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "Begin"], cwd=root, check=True
        )
        time.sleep(SETTLED)
        yield root


def shown(what: str, times: list[Took]) -> None:
    """Print a row."""
    clock = min(took.clock for took in times) * 1000
    processor = min(took.processor for took in times) * 1000
    print(f"| {what} | {clock:.0f} ms | {processor:.0f} ms |", flush=True)


def text_size(root: Path) -> int:
    """Return how many bytes the files of a tree have, but for those that are not indexed."""
    sizes = (file.stat().st_size for file in root.rglob("*") if file.is_file() and ".git" not in file.parts)
    return sum(size for size in sizes if size <= 1 << 20)


def measure(checkout: Path, number: int | None) -> None:
    """Print the rows of one tree."""
    with copied(checkout, number) as root:
        with Session.start(root, client="bench") as session:
            builds = list(_built(session))
            found = status(root)
            assert found is not None
            size = text_size(root)
            print(
                f"\n{found.trees[0].files} files, {size / 1e6:.1f} MB, {found.chunks} chunks; store"
                f" {found.size / 1e6:.1f} MB, {found.size / size:.2f} of the text\n"
            )
            print("| what | clock | processor |\n| --- | ---: | ---: |")
            for place, took in enumerate(builds, 1):
                shown("build" if place == 1 else f"build, call {place}", [took])
            search(session)
            shown("search, unchanged", [Took(lambda n=n: search(session, n)) for n in range(REPEATS)])
            shown("search after one file changed", [_changed(session, root, n) for n in range(REPEATS)])
        shown("search as a new process", [Took(lambda: _process(root)) for _ in range(REPEATS)])


def _built(session: Session) -> Iterator[Took]:
    """Yield how long each update took, until nothing is left."""
    said: list[str] = []
    while not said or "are left" in said[-1]:
        yield Took(lambda: said.append(call(session, "index-update")))


def _changed(session: Session, root: Path, number: int) -> Took:
    file = sorted(path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)[number * 3]
    with open(file, "ab") as opened:
        opened.write(f"\nchanged{number}\n".encode())
    time.sleep(SETTLED)
    return Took(lambda: search(session, number))


def _process(root: Path) -> None:
    command = [sys.executable, "-m", "nodwyn.loop.ui.cli", "search", *QUERIES[0].split()]
    subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def main() -> None:
    """Print the tables."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("checkout", type=Path)
    line.add_argument("--files", type=int, nargs="*", default=[])
    given = line.parse_args()
    for number in (None, *given.files):
        measure(given.checkout, number)


if __name__ == "__main__":
    main()
