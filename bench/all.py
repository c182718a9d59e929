"""Every figure of docs/performance.md, one part after the other, with its yardstick: ``make bench``.

    python bench/all.py [--only PART]... [--list]

Each part is a program of this folder in a process of its own; the whole takes less than ten minutes on two quiet cores.
What needs a repository to search takes this one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent

PARTS: dict[str, tuple[str, ...]] = {
    "scheme": ("scheme/run.py", "--repeat", "3"),
    "guard": ("guard/reads.py",),
    "lines": ("guard/lines.py", "3000"),
    "log": ("log/run.py", "10000"),
    "sessions": ("log/sessions.py", "10000"),
    "redact": ("redact/run.py", "--rounds", "1"),
    "window": ("window/run.py", "1000", "10000"),
    "loop": ("loop/rounds.py", "--events", "100", "10000"),
    "providers": ("providers/decode.py",),
    "grep": ("grep/run.py",),
    "index": ("retrieval/speed.py", str(ROOT)),
    "ranking": ("retrieval/evaluate.py", str(ROOT), "--commits", "40"),
    "memory": ("memory/run.py",),
}
"""What each part runs, relative to this folder."""


def main() -> int:
    """Run the parts; return 1 when one of them failed."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("--only", action="append", choices=PARTS, metavar="PART", help="this part (may be repeated)")
    line.add_argument("--list", action="store_true", help="say what each part runs, and run nothing")
    given = line.parse_args()
    failed = []
    begun = time.monotonic()
    for name in given.only or PARTS:
        program, *arguments = PARTS[name]
        print(f"\n== {name}: python bench/{program} {' '.join(arguments)}".rstrip(), flush=True)
        if given.list:
            continue
        started = time.monotonic()
        done = subprocess.run([sys.executable, str(BENCH / program), *arguments], cwd=ROOT, check=False)
        if done.returncode:
            failed.append(name)
        print(f"-- {name}: {time.monotonic() - started:.0f} s", flush=True)
    if not given.list:
        print(f"\nall: {time.monotonic() - begun:.0f} s", f"failed: {', '.join(failed)}" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
