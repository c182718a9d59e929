"""Measures what a request costs as the log grows.

    python bench/window/run.py [COUNT…]

For each COUNT (1,000, 10,000 and 20,000 unless given) a log of so many events is made, as an agent's work has them, and
nothing is folded, elided or narrowed: the window holds it all, which is the worst case. Then rounds of a reply, a call,
its decisions and its result follow, and the next request of each is timed, reading what is new included.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from nodwyn.loop.window.build import Window
from nodwyn.loop.window.policy import VERSION, policy_for
from nodwyn.loop.window.replay import rebuild
from nodwyn.prims.log import Log
from nodwyn.prims.log.events import (
    Elide,
    Fold,
    GuardDecision,
    ModelRequest,
    ModelResponse,
    Recipe,
    SessionStart,
    ToolCall,
    ToolResult,
    UserMessage,
)

ROUNDS = 200
EVENTS_A_ROUND = 8


def as_it_is(text: str) -> str:
    """The redactor of a text without secrets."""
    return text


class Work:
    """An agent's work on a log, round by round."""

    def __init__(self, directory: Path) -> None:
        self.chance = random.Random(1)
        self.words = [f"{stem}_{n}" for stem in ("window", "recipe", "größe", "index", "guard") for n in range(40)]
        self.log = Log.create(directory, SessionStart(program="bench", root="/"), redact=as_it_is)
        self.recipe = self.log.append(
            Recipe(
                version=VERSION,
                system=self.prose(800),
                tools=[{"name": f"tool-{n}", "description": self.prose(60), "schema": {}} for n in range(16)],
                policy=policy_for(1_000_000),
                provider="bench",
                model="bench",
            )
        )
        self.log.append(UserMessage(text=self.prose(30)))
        self.results: list[int] = []

    def prose(self, length: int) -> str:
        return " ".join(self.chance.choices(self.words, k=length))

    def round(self, digest: str) -> None:
        """Record a request and what comes of it."""
        append = self.log.append
        request = append(ModelRequest(recipe=self.recipe, digest=digest))
        call = {"type": "call", "id": f"c{request}", "name": "fs-read", "arguments": {"path": f"src/{request}.py"}}
        reply = append(
            ModelResponse(request=request, content=[{"type": "text", "text": self.prose(40)}, call], stop="calls")
        )
        asked = append(ToolCall(name="fs-read", arguments=call["arguments"], by="model", reply=reply, id=f"c{request}"))
        for file in range(4):
            append(
                GuardDecision(effect="read", subject=f"src/{file}.py", decision="allow", layer="pin", reason="inside")
            )
        result = "\n".join(self.prose(8) for _ in range(self.chance.randint(5, 120)))
        self.results.append(append(ToolResult(call=asked, ok=True, value=result, decisions=[asked + 1])))


def timed(window: Window, recipe: int) -> tuple[float, str]:
    """Return the milliseconds that a request takes, and its digest."""
    begun = time.perf_counter()
    built = window.build(recipe)
    return (time.perf_counter() - begun) * 1e3, built.digest


def rows(count: int, directory: Path) -> Iterator[tuple[str, float]]:
    """Yield what was measured at a log of ``count`` events, in milliseconds."""
    work = Work(directory)
    window = Window(work.log)
    digest = window.build(work.recipe).digest
    while work.log.last < count:
        work.round(digest)
        digest = window.build(work.recipe).digest
    times = []
    for _ in range(ROUNDS):
        work.round(digest)
        milliseconds, digest = timed(window, work.recipe)
        times.append(milliseconds)
    yield "request, median", statistics.median(times)
    yield "request, 99th percentile", statistics.quantiles(times, n=100)[98]
    folded = []
    for _ in range(ROUNDS // 4):
        work.round(digest)
        work.log.append(Fold(result=work.results[-1], text=work.prose(20), rule="bench"))
        milliseconds, digest = timed(window, work.recipe)
        folded.append(milliseconds)
    yield "request after a fold of the newest result, median", statistics.median(folded)
    begun = time.perf_counter()
    window.entries()
    yield "all entries", (time.perf_counter() - begun) * 1e3
    work.round(digest)
    work.log.append(Elide(events=work.results[: len(work.results) // 2], rule="bench"))
    milliseconds, digest = timed(window, work.recipe)
    yield "request after the elision of half of all results", milliseconds
    milliseconds, again = timed(Window(work.log), work.recipe)
    assert again == digest
    yield "first request of a resumed session", milliseconds
    request = work.log.append(ModelRequest(recipe=work.recipe, digest=digest))
    begun = time.perf_counter()
    rebuild(work.log, request)
    yield "the same request, proved by replay", (time.perf_counter() - begun) * 1e3
    work.log.close()


def main(counts: list[int]) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(dir=".", prefix=".bench-") as name:
        measured = [dict(rows(count, Path(name))) for count in counts]
    print(f"{'milliseconds, at a log of':52}" + "".join(f"{count:>10,}" for count in counts) + "  events")
    for what in measured[0]:
        print(f"{what:52}" + "".join(f"{each[what]:10.2f}" for each in measured))


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1_000, 10_000, 20_000])
