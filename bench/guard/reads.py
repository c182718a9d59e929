"""Reads of 3,000 files through the guard, each decision on record, against ``open().read()``, in processor time.

python bench/guard/reads.py
"""

from __future__ import annotations

import os
import shutil
import sysconfig
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

FILES = 3000
ROUNDS = 11
LARGEST = 1 << 20


def sample(root: Path) -> list[str]:
    """Copy FILES modules of Python's standard library below ``root``, again and again; return their names."""
    sources = sorted(
        path for path in Path(sysconfig.get_path("stdlib")).rglob("*.py") if "site-packages" not in path.parts
    )
    names = []
    for number in range(FILES):
        source = sources[number % len(sources)]
        name = f"part{number // 100}/{number}_{source.name}"
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(source, root / name)
        names.append(name)
    return [name for name in names if is_text(root / name)]


def is_text(path: Path) -> bool:
    """Return whether a file is UTF-8 text."""
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


def microseconds(works: Sequence[Callable[[str], object]], names: list[str]) -> list[float]:
    """Return how much processor time one file takes each work in the best of ROUNDS; the works take turns."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for number, work in enumerate(works):
            started = time.process_time()
            for name in names:
                work(name)
            best[number] = min(best[number], time.process_time() - started)
    return [seconds / len(names) * 1e6 for seconds in best]


def main() -> None:
    """Measure, and print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NODWYN_DATA_DIR"] = f"{folder}/data"
        root = Path(folder, "work")
        root.mkdir()
        names = sample(root)
        os.chdir(root)
        from nodwyn.prims.context import Context
        from nodwyn.prims.effects import Effect
        from nodwyn.prims.fs.read import read_text
        from nodwyn.prims.guard.proposal import Call
        from nodwyn.prims.session import Session

        def plain(name: str) -> str:
            with open(name, encoding="utf-8") as file:
                return file.read()

        with Session.start(root, client="bench") as session:
            context = Context(session, Call(0, "bench", "person", {}), Effect.READ)
            before = session.log.last
            yardstick, guarded, searched = microseconds(
                [
                    plain,
                    lambda name: read_text(context, name, LARGEST),
                    lambda name: context.files.search(name, largest=LARGEST),
                ],
                names,
            )
            recorded = session.log.last - before
        size = sum(os.path.getsize(name) for name in names) / len(names)
        print(f"{len(names)} files of {size:.0f} bytes, {recorded // ROUNDS // 2} decisions a round")
        print(f"open().read()  {yardstick:7.1f} µs a file")
        print(f"guarded        {guarded:7.1f} µs a file, {guarded / yardstick:.2f} times as long (at most 2.5)")
        print(f"in a search    {searched:7.1f} µs a file, {searched / yardstick:.2f} times as long")


if __name__ == "__main__":
    main()
