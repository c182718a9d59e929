"""Measures memory: searches of one long conversation and of many tasks, and recall from a large log.

    python bench/memory/run.py [DIRECTORY]

Makes sessions out of the sources of Python's standard library, as an agent reads them: one of 50,000 events, of which
20,000 are ranked, 75 of 18,000 ranked ones in all, and one of 100 MB. They are kept in DIRECTORY, if one is given, for
the next run. Times within a process are of the processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nodwyn.prims import system_calls
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.log import Log, Reader
from nodwyn.prims.log.events import (
    GuardDecision,
    ModelRequest,
    ModelResponse,
    SessionEnd,
    SessionStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    UserMessage,
)

QUERIES = (
    "socket timeout non blocking",
    "parse command line arguments",
    "test_parse failed assertion",
    "where is the cache of compiled regular expressions",
    "deprecated",
)
REPEATS = 5


class Work:
    """An agent's work on the standard library, in events."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
        self._texts: dict[Path, list[str]] = {}

    def part(self, most: int) -> tuple[Path, str]:
        """Return some lines of a file."""
        path = self._chance.choice(self._files)
        lines = self._texts.setdefault(path, path.read_text(encoding="utf-8", errors="replace").split("\n"))
        start = self._chance.randrange(len(lines))
        return path, "\n".join(lines[start : start + self._chance.randint(1, most)])

    def sentence(self) -> str:
        """Return some words."""
        return " ".join(self.part(40)[1].split()[:20])

    def write(self, log: Log, events: int, most: int) -> None:
        """Append turns until the log has so many events. most: lines of a result."""
        while log.last < events:
            message = log.append(UserMessage(text=self.sentence()))
            turn = log.append(TurnStart(message=message))
            for _ in range(self._chance.randint(2, 12)):
                self._step(log, most)
            request = log.append(ModelRequest(recipe=1, digest=f"{turn:064x}"))
            text = [{"type": "text", "text": self.sentence()}]
            log.append(ModelResponse(request=request, content=text, stop="end", cost=900))
            log.append(TurnEnd(turn=turn, how="done", milliseconds=60_000))
        log.append(SessionEnd())

    def _step(self, log: Log, most: int) -> None:
        path, text = self.part(most)
        request = log.append(ModelRequest(recipe=1, digest="0" * 64))
        block = {"type": "call", "id": f"call_{request}", "name": "fs-read", "arguments": {"path": path.name}}
        content = [{"type": "text", "text": self.sentence()}, block]
        reply = log.append(ModelResponse(request=request, content=content, stop="calls", cost=1200))
        call = log.append(
            ToolCall(name="fs-read", arguments=block["arguments"], by="model", reply=reply, id=f"call_{request}")
        )
        decision = GuardDecision(effect="read", subject=path.name, decision="allow", layer="pin", reason="in the root")
        log.append(ToolResult(call=call, ok=True, value=text, decisions=[log.append(decision)]))


def session(directory: Path, events: int, seed: int, most: int = 100) -> Path:
    """Make a session; return its log."""
    log = Log.create(directory, SessionStart(program="bench", root="/"), redact=str)
    Work(seed).write(log, events, most)
    log.close()
    return log.path


def make(place: Path) -> dict[str, str]:
    """Make the sessions, unless they are there; return their directories and the large log."""
    known = place / "made.json"
    if known.exists():
        made: dict[str, str] = json.loads(known.read_text())
        return made
    system_calls.sync_data = lambda descriptor: None  # type: ignore[assignment]
    made = {}
    for name, count, events in (("one", 1, 50_000), ("many", 75, 600)):
        root = place / name
        root.mkdir()
        directory = sessions_directory(root)
        for seed in range(count):
            session(directory, events, seed)
        made[name] = str(root)
    made["large"] = str(session(place, 75_000, 7, 600))
    known.write_text(json.dumps(made))
    return made


def milliseconds(function: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median processor time of a call."""
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        function()
        times.append(time.process_time() - begun)
    return statistics.median(times) * 1000


def logs_in(root: str) -> list[Path]:
    """Return the logs of a project, the newest first."""
    return sorted(sessions_directory(Path(root)).glob("*.jsonl"), reverse=True)


def commands(root: str) -> Iterator[float]:
    """Yield the processor time of the whole command for each query, in milliseconds: other work does not count."""
    for query in QUERIES:
        yield of_processor([sys.executable, "-m", "nodwyn.loop.ui.cli", "memory", "search", *query.split()], root)


def of_processor(line: list[str], root: str) -> float:
    """Return the median processor time of a command, in milliseconds."""
    times = []
    for _ in range(REPEATS):
        before = os.times()
        subprocess.run(line, cwd=root, check=True, capture_output=True)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return statistics.median(times) * 1000


def resident() -> float:
    """Return the memory that this process has, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(place: Path) -> None:
    """Measure and print."""
    made = make(place)
    from nodwyn.prims.memory.recalled import recall_text
    from nodwyn.prims.memory.searching import search_tasks

    def row(what: str, figure: Any) -> None:
        print(f"{what:<58} {figure}")

    many = logs_in(made["many"])
    for path in many:
        path.with_suffix(".mem").unlink(missing_ok=True)
    before = resident()
    first = milliseconds(lambda: search_tasks(many, QUERIES[0], 8), 1)
    row(f"{len(many)} tasks: first search", f"{first:9.0f} ms")
    row("  it says", search_tasks(many, QUERIES[0], 8).partition(";")[0])
    later = [milliseconds(lambda query=query: search_tasks(many, query, 8)) for query in QUERIES]  # type: ignore[misc]
    row("  later ones, in a running session", f"{statistics.median(later):9.1f} ms, {max(later):.1f} at most")
    row("  left in memory", f"{resident() - before:9.1f} MB")
    size = sum(path.with_suffix(".mem").stat().st_size for path in many)
    row("  stored, of logs", f"{size / 1e6:9.1f} MB of {sum(path.stat().st_size for path in many) / 1e6:.1f} MB")
    one = logs_in(made["one"])
    one[0].with_suffix(".mem").unlink(missing_ok=True)
    row("one conversation: first search", f"{milliseconds(lambda: search_tasks(one, QUERIES[0], 8), 1):9.0f} ms")
    row("  it says", search_tasks(one, QUERIES[0], 8).partition(";")[0])
    later = [milliseconds(lambda query=query: search_tasks(one, query, 8)) for query in QUERIES]  # type: ignore[misc]
    row("  in a running session", f"{statistics.median(later):9.1f} ms, {max(later):.1f} at most")
    whole = list(commands(made["one"]))
    row("  the whole command", f"{statistics.median(whole):9.1f} ms, {max(whole):.1f} at most")
    start = of_processor([sys.executable, "-c", "1"], made["one"])
    row("  of which Python's start", f"{start:9.1f} ms")
    with Reader(Path(made["large"])) as log:
        kinds = ("user.msg", "llm.resp", "tool.result")
        seqs = random.Random(1).choices(list(log.seqs(*kinds)), k=300)
        times = [milliseconds(lambda seq=seq: recall_text(log, seq, 0, 0, most=24_000), 1) for seq in seqs]  # type: ignore[misc]
        size = Path(made["large"]).stat().st_size
        row(f"recall from a log of {size / 1e6:.0f} MB, {log.last} events", f"{statistics.median(times):9.2f} ms")
        row("  the slowest of 300", f"{max(times):9.2f} ms")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(sys.argv[1] if len(sys.argv) > 1 else temporary).resolve()
        os.environ["NODWYN_DATA_DIR"] = str(place / "data")
        measure(place)
