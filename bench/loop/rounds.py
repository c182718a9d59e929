"""What a round of the loop costs beside the model and its tools, on logs of several lengths.

    python bench/loop/rounds.py [--rounds N] [--events 100 10000 20000]

A round is one request with the result of one small call. The time of the scripted model and of the tool itself is taken
off; what stays is the window, the digest, the decisions, the log with its barriers, and the scripts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


class Listing:
    """A model that asks for a list of the root so many times, and then is done."""

    name = "bench"

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.count = 0

    def secrets(self) -> list[str]:
        return []

    def outgoing(self, request: Any) -> Any:
        from nodwyn.loop.providers.base import Outgoing
        from nodwyn.loop.window.canonical import canonical

        return Outgoing("", "bench:", {}, canonical(request["messages"][-1:]), "")

    def send(self, outgoing: Any, **_: Any) -> Any:
        from nodwyn.loop.providers.base import Reply

        self.count += 1
        if self.count % self.rounds == 0:
            return Reply([{"type": "text", "text": "done"}], "end")
        return Reply([{"type": "call", "id": "", "name": "fs-list", "arguments": {"path": "."}}], "calls")


def main() -> None:
    """Measure and print."""
    line = argparse.ArgumentParser()
    line.add_argument("--rounds", type=int, default=30)
    line.add_argument("--events", type=int, nargs="+", default=[100, 10_000, 20_000])
    given = line.parse_args()
    for events in given.events:
        print(f"{events:>7} events: {measure(events, given.rounds):6.2f} ms a round")


def measure(events: int, rounds: int) -> float:
    """Return the milliseconds that a round costs on a log that had so many events before."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NODWYN_DATA_DIR"] = f"{folder}/data"
        os.environ["NODWYN_CONFIG_DIR"] = f"{folder}/config"
        root = Path(folder, "root")
        root.mkdir()
        return _measured(root, events, rounds)


def _measured(root: Path, events: int, rounds: int) -> float:
    from nodwyn.loop.conversation import Conversation
    from nodwyn.loop.protocol import Bystander
    from nodwyn.loop.providers.catalogue import Model
    from nodwyn.prims.session import Session

    with Session.start(root, client="bench") as session:
        _fill(session, events)
        listing: Any = Listing(rounds)
        model_used = Model("bench", "listing", 100_000_000, 1000, None, listing)
        conversation = Conversation(session, model_used, client=Bystander())
        conversation.scheme("(define max-repeats 1000000)")
        conversation.say("warm up")
        model = _timed(listing, "send")
        tools = _timed(conversation.tools, "run")
        costs = []
        for _ in range(3):
            model.clear()
            tools.clear()
            started = time.perf_counter()
            conversation.say("go")
            spent = time.perf_counter() - started - sum(model) - sum(tools)
            costs.append(spent / rounds * 1000)
        return statistics.median(costs)


def _fill(session: Any, events: int) -> None:
    """Record a finished conversation of so many events."""
    from nodwyn.prims.log.events import ModelResponse, ToolCall, ToolResult, UserMessage

    log = session.log
    while log.last < events:
        log.append(UserMessage(text="and what does this do? " * 3))
        request = log.last
        for number in range(20):
            content = [{"type": "call", "id": f"c{request}-{number}", "name": "fs-read", "arguments": {"path": "a"}}]
            reply = log.append(ModelResponse(request=request, content=content, stop="calls"))
            call = log.append(
                ToolCall(name="fs-read", arguments={"path": "a"}, by="model", reply=reply, id=f"c{request}-{number}")
            )
            log.append(ToolResult(call=call, ok=True, value="some text\n" * 4))
        log.append(ModelResponse(request=request, content=[{"type": "text", "text": "that"}], stop="end"))


def _timed(owner: Any, name: str) -> list[float]:
    """Have a method write down how long each call takes."""
    times: list[float] = []
    method = getattr(owner, name)

    def timed(*arguments: Any, **keywords: Any) -> Any:
        started = time.perf_counter()
        try:
            return method(*arguments, **keywords)
        finally:
            times.append(time.perf_counter() - started)

    setattr(owner, name, timed)
    return times


if __name__ == "__main__":
    sys.exit(main())
