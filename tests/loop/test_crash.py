"""A turn is killed at random moments; the session goes on with a valid request, and no tool was run twice."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.window.replay import rebuild
from nodwyn.prims.log import Event, read
from nodwyn.prims.log.read import Reader

NODWYN = [sys.executable, "-m", "nodwyn.loop.ui.cli"]

ROUNDS = 6

# Each round appends a line of its own to a file, and reads it beside that; the number is that of the calls so far.
MODEL = """
(import (only (srfi 1) filter))
(define (part record name) (cdr (assq name record)))
(define (calls request)
  (apply + (map (lambda (message)
                  (length (filter (lambda (block) (equal? (part block 'type) "call")) (part message 'content))))
                (part request 'messages))))
(define (reply request)
  (let ((number (quotient (calls request) 2)))
    (if (>= number ROUNDS)
        '("done")
        (list (list 'call 'shell-exec (cons 'line (string-append "echo " (number->string number) " >> lines.txt")))
              '(call fs-read (path . "lines.txt"))))))
""".replace("ROUNDS", str(ROUNDS))

SLEEPER = """
(define (reply request)
  (if (= 1 (length (cdr (assq 'messages request)))) '((call shell-exec (line . "sleep 20"))) '("done")))
"""

KILLS = 200


def start(arguments: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*NODWYN, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def shown(output: bytes) -> Iterator[dict[str, Any]]:
    """Yield the events that the process had shown; the last line may be torn."""
    for line in output.splitlines(keepends=True):
        if line.endswith(b"\n"):
            message = json.loads(line)
            if message["type"] == "event":
                yield message["event"]


def kill_in_turn(model: Path, seconds: float) -> list[dict[str, Any]]:
    """Begin a turn, kill it so many seconds after its first request, and return what it had shown."""
    process = start(["run", "go", "--json", "--model", f"scripted:{model}", "--approve", "edits"])
    assert process.stdout is not None
    output = b""
    while b'"llm.req"' not in output:
        output += process.stdout.readline()
    time.sleep(seconds)
    process.kill()
    output += process.stdout.read()
    process.wait()
    process.stdout.close()
    return list(shown(output))


def events_of(path: Path) -> list[Event]:
    return list(read(path))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_killed_turn_goes_on(root: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.scm"
    model.write_text(MODEL)
    subprocess.run(["git", "init", "-q"], check=True)
    chance = random.Random(20261130)
    endings: Counter[str] = Counter()
    for _ in range(KILLS):
        (root / "lines.txt").unlink(missing_ok=True)
        before = kill_in_turn(model, chance.uniform(0.0, 0.6))
        session = before[0]["session"]
        resumed = start(["resume", session, "go on", "--json", "--model", f"scripted:{model}", "--approve", "edits"])
        output, _ = resumed.communicate(timeout=60)
        assert resumed.returncode == 0, output[-2000:]
        (path,) = (tmp_path / "data").glob(f"projects/*/sessions/{session}.jsonl")
        check(path, before, root)
        endings["in a tool" if before[-1]["kind"] in ("tool.call", "guard.decision") else "elsewhere"] += 1
    assert len(endings) == 2, endings


def check(path: Path, before: list[dict[str, Any]], root: Path) -> None:
    events = events_of(path)
    recorded = [event.as_json() for event in events]
    assert [{**event, "barrier": None} for event in recorded[: len(before)]] == [
        {**event, "barrier": None} for event in before
    ], "what was shown was acknowledged"
    with Reader(path) as log:
        for event in events:
            if event.kind == "llm.req":
                rebuild(log, event.seq)
    calls = Counter((event["reply"], event["id"]) for event in recorded if event["kind"] == "tool.call")
    assert max(calls.values()) == 1, "no call was run twice"
    written = (root / "lines.txt").read_text().split()
    assert len(written) == len(set(written)), written
    assert recorded[-2]["kind"] == "turn.end"
    assert recorded[-2]["how"] == "done"


def test_a_session_that_another_process_owns_is_refused(root: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.scm"
    model.write_text(SLEEPER)
    process = start(["run", "go", "--json", "--model", f"scripted:{model}", "--approve", "edits"])
    assert process.stdout is not None
    try:
        first = json.loads(process.stdout.readline())["event"]
        done = subprocess.run(
            [*NODWYN, "resume", first["session"], "hi", "--model", f"scripted:{model}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 5
        assert str(process.pid) in done.stderr
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
