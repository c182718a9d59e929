"""What shell lines cost: judging one, and running one in each kind of sandbox, with many files in the root.

    python bench/guard/lines.py [FILES]

FILES is how many files the root has, 10,000 when not given.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from nodwyn.prims import git_questions
from nodwyn.prims.guard.commands import judge
from nodwyn.prims.guard.sandbox import Kind, Offer, Sandbox, offer
from nodwyn.prims.guard.shell_reading import read_line
from nodwyn.prims.processes import run

LINES = {
    "one command": "ls -la src",
    "a chain": "cd src && rg -n 'def \\w+' | head -20 && wc -l *.py",
    "sixty commands": " && ".join(["ls -la"] * 60),
    "a here-document": "cat > x << 'END'\n" + "text\n" * 200 + "END",
}


def is_denied(path: str) -> str | None:
    """Deny about as much as a real policy, at about its price."""
    name = os.path.basename(path).lower()
    return "a secret" if name.endswith((".pem", ".key")) or name.startswith(".env") else None


def median(action: Callable[[], object], times: int) -> float:
    """Return the median time of an action in seconds, after one run that does not count."""
    action()
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        action()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def show(title: str, seconds: float) -> None:
    print(f"{title:46}{seconds * 1e6:10.0f} µs" if seconds < 1e-3 else f"{title:46}{seconds * 1e3:10.1f} ms")


def measure_judging(root: str) -> None:
    for name, line in LINES.items():
        show(f"reading {name} with the grammar", median(partial(read_line, line, "/home/x"), 200))
        show(f"judging {name}", median(partial(judge, line, root=root, cwd=root, is_denied=is_denied), 200))


def measure_running(root: str) -> None:
    environment = {"PATH": os.environ["PATH"]}
    plain = ["/usr/bin/env", "bash", "--noprofile", "--norc", "-c", "true"]
    show("running `true` with nothing around it", median(lambda: run(plain, cwd=root, environment=environment), 30))
    missing = {reason.partition(":")[0] for reason in offer().missing}
    kinds: tuple[Kind, ...] = ("none", "landlock", "bubblewrap")
    for kind in kinds:
        if kind in missing:
            print(f"{kind} cannot run here")
            continue
        begun = time.perf_counter()
        sandbox = Sandbox(root, is_denied=is_denied, offered=Offer(kind, ()))
        sandbox.run("true")
        show(f"{kind}: the first line", time.perf_counter() - begun)
        show(f"{kind}: a later line", median(partial(sandbox.run, "true"), 30))


def measure_git(root: str) -> None:
    subprocess.run(["git", "init", "-q", root], check=True)
    show("git status, hardened", median(partial(git_questions.status, root), 10))
    show("git status, plain", median(partial(subprocess.check_output, ["git", "status"], cwd=root), 10))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.realpath(folder)
        for number in range(count):
            file = Path(root, f"{number % 97}", f"{number}.txt")
            file.parent.mkdir(exist_ok=True)
            file.touch()
        time.sleep(1.1)  # what changed just now is looked at again
        measure_judging(root)
        measure_running(root)
        measure_git(root)


if __name__ == "__main__":
    main()
