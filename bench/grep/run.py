"""What a search costs, in parts and in all, against ``rg -j1`` on the same files.

    python bench/grep/run.py [DIRECTORY [PATTERN…]]

DIRECTORY is searched as it is; without one, 3,000 modules of Python's standard library, copied. Times are the best of
several rounds in turn, of the processor and of the clock; the lines that both find are compared.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILES = 3000
ROUNDS = 9
PATTERNS = ("def (read|write)_?", r"import\s+os\b", r"(?i)todo|fixme", "zebra[0-9]+", r"^class \w+\(.*Error\):$")


def sample(root: Path) -> None:
    """Copy FILES modules of the standard library below ``root``, some of them again and again."""
    sources = sorted(
        path for path in Path(sysconfig.get_path("stdlib")).rglob("*.py") if "site-packages" not in path.parts
    )
    for number in range(FILES):
        source = sources[number % len(sources)]
        (root / f"part{number // 100}").mkdir(exist_ok=True)
        shutil.copyfile(source, root / f"part{number // 100}" / f"{number}_{source.name}")


def processor() -> float:
    """Return the seconds of the processor that this process and those that it waited for took."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def best(works: dict[str, Callable[[], Any]]) -> dict[str, tuple[float, float]]:
    """Return the least seconds of the processor and of the clock for each work; they take turns."""
    least = {name: (float("inf"), float("inf")) for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            started, begun = processor(), time.perf_counter()
            work()
            taken = processor() - started, time.perf_counter() - begun
            least[name] = (min(least[name][0], taken[0]), min(least[name][1], taken[1]))
    return least


def count_by_ripgrep(root: Path, pattern: str) -> int:
    """Return how many lines ``rg -j1`` finds."""
    command = ["rg", "-j1", "--no-config", "--no-ignore", "--no-messages", "--max-filesize", "1M"]
    counted = subprocess.run([*command, "-c", "-e", pattern, "."], cwd=root, capture_output=True, check=False)
    return sum(int(line.rpartition(b":")[2]) for line in counted.stdout.splitlines())


def measure(root: Path, patterns: list[str]) -> None:
    """Measure the search of a directory, and print the figures."""
    from nodwyn.prims import index_grep
    from nodwyn.prims.calling import perform
    from nodwyn.prims.context import Context
    from nodwyn.prims.effects import Effect
    from nodwyn.prims.fs.walk import Patience, candidates
    from nodwyn.prims.grep.matches import text_bytes
    from nodwyn.prims.grep.pattern import Pattern
    from nodwyn.prims.guard.proposal import Call
    from nodwyn.prims.session import Session

    with Session.start(root, client="bench") as session:
        context = Context(session, Call(0, "bench", "person", {}), Effect.READ)

        def walk() -> list[str]:
            return candidates(context, ".", None, Patience(context)).names

        names = walk()
        read = [context.files.search(name, largest=index_grep.LARGEST_FILE) for name in names]
        texts = [text for data in read if data is not None and (text := text_bytes(data)) is not None]
        print(f"{len(names)} files, {sum(map(len, texts)) / 1e6:.1f} MB of text in {len(texts)} of them")
        for pattern in patterns:
            compiled = Pattern(pattern)

            def match(compiled: Pattern = compiled) -> int:
                return sum(1 for text in texts for _ in compiled.lines(text))

            def search(pattern: str = pattern) -> dict[str, Any]:
                bound = index_grep.index_grep.bind_json({"path": ".", "pattern": pattern})
                found: dict[str, Any] = perform(session, index_grep.index_grep, bound, "person").value
                return found

            # A search ends at a hundred lines: one that finds fewer reads every file.
            parts = best({"walk": walk, "match": match, "rg -j1": lambda: count_by_ripgrep(root, pattern)})  # noqa: B023
            ours, theirs = match(), count_by_ripgrep(root, pattern)
            print(f"{pattern}: {ours} lines, {theirs} by rg")
            if not search()["truncated"]:
                parts.update(best({"index-grep in all": search}))
            for name, (processor_seconds, seconds) in parts.items():
                print(f"  {name:18}{processor_seconds * 1e3:8.1f} ms of the processor{seconds * 1e3:8.1f} ms")


def main() -> None:
    """Take the command line."""
    words = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NODWYN_DATA_DIR"] = f"{folder}/data"
        root = Path(words[0]).resolve() if words else Path(folder, "work")
        if not words:
            root.mkdir()
            sample(root)
        os.chdir(root)
        measure(root, words[1:] or list(PATTERNS))


if __name__ == "__main__":
    main()
