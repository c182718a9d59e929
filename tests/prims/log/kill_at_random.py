"""Kills processes at random moments of their appending, and looks whether a log lacks what they acknowledged.

    python kill_at_random.py DIRECTORY COUNT SEED

A child appends events and says each seq on a pipe once it is appended. The parent kills it, opens the log as the next
owner, and compares. Every tenth process begins a new session; the others go on with the last. Prints how many
events were acknowledged.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

from nodwyn.prims.log import Log, read
from nodwyn.prims.log.events import Note, SessionStart, ToolCall

ROUNDS_OF_A_SESSION = 10


def as_it_is(text: str) -> str:
    return text


def words(seq: int) -> str:
    """Return the text that the event ``seq`` has: of a length that differs, and known from the seq."""
    return f"{seq} " + "wörds " * (seq * 7919 % 400)


def work(directory: Path, session: Path | None, say: int) -> NoReturn:
    """Append for ever."""
    if session is None:
        log = Log.create(directory, SessionStart(program="nodwyn 0", root="/"), redact=as_it_is)
    else:
        log = Log.open(session, redact=as_it_is)
    while True:
        seq = log.last + 1
        event = ToolCall(name="x", arguments=words(seq), by="model") if seq % 5 == 0 else Note(text=words(seq))
        os.write(say, b"%d\n" % log.append(event))
        if seq % 50 == 0:
            log.barrier()


def kill_one(directory: Path, session: Path | None, chance: random.Random) -> list[int]:
    """Let a process append, kill it, and return the seqs that it acknowledged."""
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hear)
        work(directory, session, say)
    os.close(say)
    heard = b""
    if chance.random() < 0.9:  # else it dies while it starts
        heard = os.read(hear, 65536)
    time.sleep(chance.random() ** 2 * 0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(hear, 65536):
        heard += more
    os.close(hear)
    return [int(line) for line in heard.split(b"\n")[:-1]]


def check(session: Path, acknowledged: list[int]) -> None:
    """Open the log as its next owner; fail unless all that was acknowledged is there, as it was."""
    with Log.open(session, redact=as_it_is) as log:
        assert log.last >= max(acknowledged, default=1)
    texts = {event.seq: event for event in read(session)}
    assert list(texts) == list(range(1, len(texts) + 1))
    for seq in acknowledged:
        event = texts[seq]
        assert (event.text if isinstance(event, Note) else event.as_json()["arguments"]) == words(seq), seq


def main(directory: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    acknowledged = 0
    session: Path | None = None
    for number in range(count):
        if number % ROUNDS_OF_A_SESSION == 0:
            session = None
        seqs = kill_one(directory, session, chance)
        acknowledged += len(seqs)
        if session is None:
            logs = sorted(directory.glob("*.jsonl"), key=lambda path: path.stat().st_ctime_ns)
            session = logs[-1] if seqs else None
        if session is not None:
            check(session, seqs)
    sys.stdout.write(f"{acknowledged}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
