"""Feeds made-up input to a part of the program and looks at what comes of it; docs/testing.md says what is looked for.

    python bench/fuzz/run.py TARGET [--seconds N] [--seed S] [--keep DIRECTORY]
    python bench/fuzz/run.py all --seconds N

Each case is a change of an earlier one or is made anew. One that comes to something new stays, to be changed on. A case
that breaks a law, takes too long or raises what it must not is made as small as can be and put into the directory, by
default under the system's temporary one. The exit status is 1 when there is such a case.
"""

from __future__ import annotations

import argparse
import importlib
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn
from zlib import crc32

from target import Case, Target

TARGETS = "reader programs log events memory streams redactor globs lines edits arguments canonical importers".split()
MOST_KEPT = 3000
"""Cases that are kept to be changed on."""

MOST_MEMORY = 4 << 30
"""Bytes of address space of the process."""

LONGEST = 20.0
"""Seconds that a case may take, unless its target says otherwise. The machine may be busy."""

SHRINKING = 20.0
"""Seconds that go into making one case smaller."""


class Overdue(BaseException):
    """A case takes too long."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("target", choices=(*TARGETS, "all"))
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each target is run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "nodwyn-fuzz")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    names = TARGETS if given.target == "all" else (given.target,)
    found = [Fuzzing(name, given.seed, given.keep / name).run(given.seconds) for name in names]
    return 1 if any(found) else 0


class Fuzzing:
    """One target being run."""

    def __init__(self, name: str, seed: int, keep: Path) -> None:
        self.name = name
        self.keep = keep
        self.chance = random.Random(f"{name} {seed}")
        self.workspace = tempfile.TemporaryDirectory(prefix=f"nodwyn-fuzz-{name}-")
        target: Target = importlib.import_module(f"targets.{name}").make(Path(self.workspace.name))
        self.target = target
        self.kept: list[Case] = []
        self.outcomes: set[Any] = set()
        self.findings: dict[str, Case] = {}
        self.count = 0

    def run(self, seconds: float) -> int:
        """Run for some seconds; return how many kinds of findings there were."""
        begin = time.monotonic()
        seeds = list(self.target.seeds())
        self.chance.shuffle(seeds)
        while seeds and time.monotonic() - begin < seconds / 2:
            self._try(seeds.pop())
        while time.monotonic() - begin < seconds:
            self._try(self._next())
        took = time.monotonic() - begin
        print(
            f"{self.name}: {self.count} cases in {took:.0f} s, {len(self.outcomes)} outcomes,"
            f" {len(self.kept)} cases kept, {len(self.findings)} findings",
            flush=True,
        )
        self.workspace.cleanup()
        return len(self.findings)

    def _next(self) -> Case:
        if not self.kept or self.chance.random() < self.target.anew:
            return self.target.create(self.chance)
        # Later cases came to something rarer.
        place = max(self.chance.randrange(len(self.kept)), self.chance.randrange(len(self.kept)))
        return self.target.change(self.chance, self.kept[place], self.chance.choice(self.kept))

    def _try(self, case: Case) -> None:
        self.count += 1
        broken, outcome = self._outcome(case)
        if broken:
            self._report(broken, case)
        elif outcome not in self.outcomes:
            self.outcomes.add(outcome)
            if len(self.kept) < MOST_KEPT:
                self.kept.append(case)
            else:
                self.kept[self.chance.randrange(MOST_KEPT)] = case

    def _outcome(self, case: Case) -> tuple[str, Any]:
        """Return what is wrong in few words, or nothing and what the case came to."""

        def late(number: int, frame: FrameType | None) -> NoReturn:
            raise Overdue

        # Of processor time: on a busy machine any case takes long by the clock.
        before = signal.signal(signal.SIGPROF, late)
        signal.setitimer(signal.ITIMER_PROF, self.target.longest or LONGEST)
        try:
            return "", self.target.check(case)
        except Overdue:
            return "it takes too long", None
        except Exception as error:
            return _described(error), None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    def _report(self, broken: str, case: Case) -> None:
        if broken in self.findings:
            return
        self.findings[broken] = case
        smaller = self._smallest(broken, case)
        self.keep.mkdir(parents=True, exist_ok=True)
        file = self.keep / f"{crc32(broken.encode()):08x}.txt"
        file.write_text(f"{broken}\n\n{smaller!r}\n\n{case!r}\n", encoding="utf-8", errors="backslashreplace")
        print(f"{self.name}: {broken}\n    {ascii(smaller)[:600]}\n    kept in {file}", flush=True)

    def _smallest(self, broken: str, case: Case) -> Case:
        """Return the case with all left out that is not needed for the same to be wrong."""
        until = time.monotonic() + SHRINKING
        size = max(1, len(case) // 2)
        while size:
            place = 0
            while place < len(case) and time.monotonic() < until:
                shorter = case[:place] + case[place + size :]
                if self._outcome(shorter)[0] == broken:
                    case = shorter
                else:
                    place += size
            size //= 2
        return case


def _described(error: Exception) -> str:
    """Return a name for what went wrong: the same for cases in which the same does."""
    if isinstance(error, AssertionError):
        return f"law broken: {error}"
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {place.name} ({Path(place.filename).name}:{place.lineno})"


if __name__ == "__main__":
    sys.exit(main())
