"""Measures how long a list of many sessions takes.

    python bench/log/sessions.py [COUNT]

Makes COUNT small sessions (10,000 unless given) and lists them with ``nodwyn sessions`` as a process of its own: with
nothing derived but what closing a session leaves, then with the list that the first run kept, then by two words.
Start-up is included; processor time is what counts where others use the machine.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nodwyn.prims import system_calls
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.log import Log
from nodwyn.prims.log.events import ModelResponse, SessionEnd, SessionStart, TurnEnd, TurnStart, UserMessage


def main() -> None:
    """Make the sessions, and print a line for each list."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as directory:
        os.environ["NODWYN_DATA_DIR"] = f"{directory}/data"
        os.environ["NODWYN_CONFIG_DIR"] = f"{directory}/config"
        root = Path(directory) / "work"
        root.mkdir()
        make(root, count)
        for what, words in (("first", []), ("later", []), ("later", []), ("by words", ["number", "77"])):
            wall, processor = listed(root, words)
            print(f"{count:,} sessions, {what:<8}  {wall * 1000:6.0f} ms, {processor * 1000:6.0f} ms of processor time")


def make(root: Path, count: int) -> None:
    """Make closed sessions of six events."""
    system_calls.sync_data = lambda descriptor: None
    system_calls.sync_directory = lambda path: None
    directory = sessions_directory(root)
    for number in range(count):
        name = f"2026{number % 12 + 1:02}{number % 28 + 1:02}T{number % 24:02}{number % 60:02}00Z-{number:08x}"
        start = SessionStart(program="bench", root=str(root))
        with Log.create(directory, start, redact=str, name=name) as log:
            log.append(UserMessage(text=f"Please look at the parser, number {number}, and tell me what is slow in it"))
            turn = log.append(TurnStart(message=2))
            log.append(ModelResponse(content=[{"type": "text", "text": "x" * 200}], stop="end", cost=1000))
            log.append(TurnEnd(turn=turn, how="done" if number % 3 else "stopped"))
            log.append(SessionEnd())


def listed(root: Path, words: list[str]) -> tuple[float, float]:
    """List the sessions; return the seconds that passed, and those of processor time."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "nodwyn.loop.ui.cli", "sessions", *words]
    subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
