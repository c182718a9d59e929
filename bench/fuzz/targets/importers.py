"""Other programs' sessions: any file becomes a whole session that can be read, or is refused and leaves nothing.

Case: bytes of a file.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from target import Case, Target, changed, changed_value, holds

from nodwyn.loop.importers.importing import import_file
from nodwyn.loop.importers.lines import ImportRefused
from nodwyn.loop.window.build import Window
from nodwyn.prims import system_calls
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.log import LogError, Reader, read, sessions
from nodwyn.prims.memory.remembered import remember

TOKENS = [
    b"\n",
    b'{"type":',
    b"null",
    b"\xff",
    b"\\ud800",
    b'"2026-13-45T99:99:99Z"',
    b"1e999",
    b'"timestamp":',
    b'"parentUuid":',
]
MOST = 12_000


class Importers(Target):
    """See the module."""

    anew = 0.02

    def __init__(self, workspace: Path) -> None:
        system_calls.sync_data = lambda descriptor: None
        system_calls.sync_directory = lambda path: None
        os.environ["NODWYN_DATA_DIR"] = str(workspace / "data")
        self.project = workspace / "app"
        self.project.mkdir()
        self.file = workspace / "session.jsonl"
        self.whole = [*self._lines_of_pi(), *self._lines_of_claude_code(), *self._trajectories()]

    def _lines_of_pi(self) -> Iterator[bytes]:
        from tests.loop.importers.test_pi import Writer, call, text

        writer = Writer(str(self.project))
        lines = [
            writer.head,
            writer.says("List"),
            writer.replies({"type": "thinking", "thinking": "hm"}, call("c1"), stop="toolUse"),
        ]
        lines += [
            writer.result("c1", text("a.txt"), is_error=True),
            writer.replies(text("There is a.txt")),
            writer.says([text("b")]),
        ]
        lines += [
            writer.entry("compaction", summary="short", firstKeptEntryId="e2", tokensBefore=5),
            writer.replies(text("c"), stop="error"),
        ]
        yield b"\n".join(json.dumps(line).encode() for line in lines)

    def _lines_of_claude_code(self) -> Iterator[bytes]:
        from tests.loop.importers.test_claude_code import Writer

        writer = Writer(str(self.project))
        use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
        picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
        lines = [
            writer.says("first"),
            writer.replies({"type": "text", "text": "I look"}, use),
            writer.answers("t1", "a.txt"),
        ]
        lines += [
            writer.replies({"type": "text", "text": "done"}),
            writer.says([{"type": "text", "text": "see"}, picture]),
        ]
        lines += [
            writer.line("summary", summary="x", leafUuid="u1"),
            writer.replies({"type": "thinking", "thinking": "hm", "signature": "s"}),
        ]
        lines += [writer.line("system", subtype="compact_boundary", content="x"), writer.says("side", isSidechain=True)]
        yield b"\n".join(json.dumps(line).encode() for line in lines)

    def _trajectories(self) -> Iterator[bytes]:
        from tests.loop.importers.test_swe_agent import HISTORY

        info = {"exit_status": "submitted", "submission": "d", "model_stats": {"instance_cost": 0.25, "tokens_sent": 9}}
        steps = [
            {"action": "ls", "observation": "a.py", "response": "I look"},
            {"action": "submit", "observation": "handed in"},
        ]
        yield json.dumps({"history": HISTORY, "info": info, "trajectory": steps}).encode()
        yield json.dumps({"trajectory": steps, "info": info}).encode()

    def seeds(self) -> Iterator[Case]:
        yield from self.whole

    def create(self, chance: random.Random) -> Case:
        return b"".join(chance.choices(TOKENS, k=chance.randint(0, 5)))

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        if chance.random() < 0.8:
            return _changed_lines(chance, case, other)[:MOST]
        place = chance.randint(0, max(0, len(case) - 3000))
        return (case[:place] + changed(chance, case[place : place + 3000], other, TOKENS) + case[place + 3000 :])[:MOST]

    def check(self, data: Case) -> Any:
        self.file.write_bytes(data)
        os.utime(self.file, (1_772_600_000, 1_772_600_000))
        directory = sessions_directory(self.project)
        shutil.rmtree(directory, ignore_errors=True)
        try:
            imported = import_file(self.file, self.project, str)
        except (ImportRefused, LogError) as error:
            left = [path.name for path in directory.rglob("*") if path.is_file()] if directory.exists() else []
            holds(not left, "of a file that is refused nothing is left")
            return type(error).__name__, str(error).replace(str(self.file), "")[:30]
        path = directory / f"{imported.session}.jsonl"
        events = list(read(path))
        holds(len(events) == imported.events and events[-1].kind == "session.end", "a session is whole")
        with Reader(path) as log:
            holds(log.damage is None and log.overview.turns == imported.turns, "a session has the turns that were told")
            Window(log).entries()
        with remember(path) as known:
            holds(not known.damage, "what is imported is remembered")
            cards = len(known.cards())
        holds([session.name for session in sessions(directory)] == [imported.session], "a session is listed")
        holds(import_file(self.file, self.project, str).session == imported.session, "a file is imported once")
        kinds = tuple(sorted({event.kind for event in events}))
        return kinds, imported.turns, cards, tuple(sorted(imported.kept or ()))[:3]


def _changed_lines(chance: random.Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    way = chance.randrange(8)
    if way == 0:
        del lines[place]
    elif way == 1:
        lines.insert(chance.randrange(len(lines) + 1), lines[place])
    elif way == 2:
        lines.insert(place, chance.choice(other.split(b"\n")))
    else:
        try:
            value = json.loads(lines[place])
            lines[place] = json.dumps(changed_value(chance, value, value)).encode()
        except ValueError:
            pass
    return b"\n".join(lines)


def make(workspace: Path) -> Target:
    """Return the target."""
    return Importers(workspace)
