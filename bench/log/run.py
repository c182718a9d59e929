"""Measures the log against what the same lines cost without it.

    python bench/log/run.py [COUNT]

Appends a session of COUNT events (20,000 unless given) as an agent's work has them: requests, replies, calls, decisions
and results, of almost 1 KB each, with a barrier before each request. Then opens it, reads it whole and by seq. The
yardsticks are a plain write of each line, and `json.loads` of each line. Redaction is measured by itself elsewhere.
Writing and opening are in seconds of the clock, reading in seconds of the processor.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from nodwyn.prims.log import Event, Log, Reader, read
from nodwyn.prims.log.events import (
    GuardDecision,
    ModelRequest,
    ModelResponse,
    Note,
    SessionStart,
    ToolCall,
    ToolResult,
    UserMessage,
)

REPEATS = 5
LOOKUPS = 2000


def as_it_is(text: str) -> str:
    """The redactor of a text without secrets."""
    return text


def work(count: int) -> Iterator[tuple[Event, bool]]:
    """Yield events of an agent's work, and whether a barrier is due after each."""
    chance = random.Random(1)
    words = [f"{stem}_{number}" for stem in ("window", "recipe", "größe", "index", "guard") for number in range(40)]

    def prose(length: int) -> str:
        return " ".join(chance.choices(words, k=length))

    yield UserMessage(text=prose(30)), False
    seq = 2
    while seq < count:
        yield ModelRequest(recipe=1, digest=f"{seq:064x}", tokens=seq), True
        call = {"type": "call", "id": f"call_{seq}", "name": "fs-read", "arguments": {"path": f"src/{seq}.py"}}
        yield ModelResponse(request=seq, content=[{"type": "text", "text": prose(40)}, call], stop="calls"), False
        yield ToolCall(name="fs-read", arguments=call["arguments"], by="model", reply=seq + 1, id=f"call_{seq}"), False
        for file in range(4):
            subject = f"src/module_{file}/file_{seq}.py"
            yield (
                GuardDecision(effect="read", subject=subject, decision="allow", layer="pin", reason="in the root"),
                False,
            )
        result = "\n".join(prose(8) for _ in range(chance.randint(5, 120)))
        yield ToolResult(call=seq + 2, ok=True, value=result, labels=["external:file"], decisions=[seq + 3]), False
        seq += 8


def append_all(directory: Path, count: int) -> tuple[Path, float, list[float]]:
    """Append the work; return the log, the seconds between barriers and those of each barrier."""
    events = list(work(count))
    log = Log.create(directory, SessionStart(program="bench", root="/"), redact=as_it_is)
    barriers: list[float] = []
    begun = time.perf_counter()
    for event, due in events:
        log.append(event)
        if due:
            reached = time.perf_counter()
            log.barrier()
            barriers.append(time.perf_counter() - reached)
    seconds = time.perf_counter() - begun - sum(barriers)
    log.close()
    return log.path, seconds, barriers


def write_plainly(path: Path, lines: list[bytes]) -> None:
    """Write each line by a call of its own."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for line in lines:
        os.write(descriptor, line)
    os.close(descriptor)


def open_and_append(path: Path) -> None:
    """Open a log at its end and append to it, without the closing."""
    log = Log.open(path, redact=as_it_is)
    log.append(Note(text="here"))
    opened.append(log)


opened: list[Log] = []


def close_opened() -> None:
    while opened:
        opened.pop().close()


def best(
    function: Callable[[], object],
    after: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Return the least seconds of several runs: of processor time, as what is read lies in memory."""
    times = []
    for _ in range(REPEATS):
        begun = clock()
        function()
        times.append(clock() - begun)
        after()
    return min(times)


def main(count: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(dir=".", prefix=".bench-") as name:
        directory = Path(name)
        path, seconds, barriers = min((append_all(directory, count) for _ in range(3)), key=lambda run: run[1])
        lines = [line + b"\n" for line in path.read_bytes().split(b"\n")[:-1]]
        size = path.stat().st_size
        plainly = best(lambda: write_plainly(directory / "plain", lines), clock=time.perf_counter)
        opening = best(lambda: open_and_append(path), close_opened, time.perf_counter)
        reading = best(lambda: sum(1 for _ in read(path)))
        loading = best(lambda: [json.loads(line) for line in lines])
        with Reader(path) as reader:
            seqs = random.Random(2).choices(range(1, reader.last), k=LOOKUPS)
            looking = best(lambda: [reader.event(seq) for seq in seqs]) / LOOKUPS
        path.with_suffix(".idx").unlink()
        rebuilding = best(lambda: Reader(path).close(), lambda: path.with_suffix(".idx").unlink())
    print(f"{len(lines)} events, {size / 1e6:.1f} MB, {size / len(lines):.0f} bytes each, {len(barriers)} barriers")
    print(
        f"append between barriers   {len(lines) / seconds:9,.0f} events/s   (plain write: {len(lines) / plainly:,.0f})"
    )
    print(f"barrier                   {statistics.median(barriers) * 1e3:9.2f} ms, the median")
    print(f"open at the end, append   {opening * 1e3:9.1f} ms")
    print(f"open without an index     {rebuilding * 1e3:9.1f} ms, to read")
    print(f"read whole                {size / reading / 1e6:9.0f} MB/s       (json.loads: {size / loading / 1e6:.0f})")
    print(f"read one event by seq     {looking * 1e6:9.1f} µs")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
