"""What is kept beside a log: SESSION.mem, SESSION.idx and .list, damaged or made up.

Case: bytes of one of the files, behind a letter for which (``m``, ``i``, ``l``) and one for how: ``d`` damaged, then
every answer must be what it is without the file; ``f`` with its checksums made to fit, then there is an answer.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

from target import Case, Target, changed, changed_value, holds

import nodwyn.prims.log.listing as listing
from nodwyn.prims import system_calls
from nodwyn.prims.log import Log, LogError, Reader, sessions
from nodwyn.prims.log.events import (
    Narrow,
    SessionEnd,
    SessionStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.memory.mem import SECTIONS
from nodwyn.prims.memory.remembered import remember
from nodwyn.prims.memory.searching import distinct, find_in, search_tasks

WORDS = distinct("pager wrap fix größe zebra absent")
NAME = "20261009T034803Z-3981612f"
ENDINGS = {b"m": f"{NAME}.mem", b"i": f"{NAME}.idx", b"l": ".list"}
MOST = 20_000


class Memories(Target):
    """See the module."""

    anew = 0.05

    def __init__(self, workspace: Path) -> None:
        system_calls.sync_data = lambda descriptor: None
        system_calls.sync_directory = lambda path: None
        listing.FEWEST, listing.MOST_CHANGED = 1, 0
        self.folder = workspace / "sessions"
        self.folder.mkdir()
        self.path = self._written()
        self.log = self.path.read_bytes()
        self.answer = self._answer()
        with Reader(self.path) as reader:
            reader.keep_index()
        self._answer()
        self.whole = {letter: (self.folder / name).read_bytes() for letter, name in ENDINGS.items()}

    def _written(self) -> Path:
        log = Log.create(self.folder, SessionStart(program="nodwyn 0", root="/work/app"), redact=str, name=NAME)
        with log:
            for text in ("fix the pager", "wrap größe zebra", "again " * 30):
                message = log.append(UserMessage(text=text))
                turn = log.append(TurnStart(message=message))
                call = log.append(ToolCall(name="fs-read", arguments={"path": "pager.py"}, by="person"))
                log.append(ToolResult(call=call, ok=True, value=f"def wrap({text}): zebra"))
                log.append(Narrow(first=message, through=call, note=f"note of {text}"))
                log.append(TurnEnd(turn=turn, how="done"))
            log.append(SessionEnd())
        return log.path

    def _answer(self) -> tuple[Any, ...]:
        with remember(self.path) as known:
            told = known.cards(), known.notes(), known.damage, known.hidden, known.card(5)
        with Reader(self.path) as reader:
            read = reader.last, reader.overview.members(), list(reader.seqs("tool.call")), reader.event(3).as_json()
        found = find_in([self.path], WORDS, 50).found, search_tasks([self.path], " ".join(WORDS), 20)
        listed = [(session.name, session.overview.members(), session.damage) for session in sessions(self.folder)]
        return told, read, found, listed

    def seeds(self) -> Iterator[Case]:
        for letter, data in self.whole.items():
            yield letter + b"d" + data
            yield letter + b"f" + data

    def create(self, chance: random.Random) -> Case:
        letter = chance.choice(list(self.whole))
        return letter + chance.choice((b"d", b"f")) + self.whole[letter]

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        data = case[2:]
        lines = data.split(b"\n", 2)
        if case[1:2] == b"f" and len(lines) == 3 and chance.random() < 0.7:
            data = _changed_header(chance, lines)
        else:
            place = chance.randint(0, max(0, len(data) - 3000))
            data = (
                data[:place]
                + changed(chance, data[place : place + 3000], other, [b"\0\0\0\0", b"\xff" * 8])
                + data[place + 3000 :]
            )
        return case[:2] + data[:MOST]

    def check(self, case: Case) -> object:
        letter, forged, data = case[:1], case[1:2] == b"f", case[2:]
        if letter not in self.whole:
            return None
        for file in self.folder.iterdir():
            if file.suffix != ".jsonl":
                shutil.rmtree(file) if file.is_dir() else file.unlink()
        file = self.folder / ENDINGS[letter]
        file.write_bytes(made_to_fit(data) if forged else data)
        file.chmod(0o600)
        try:
            answer = self._answer()
        except LogError as error:
            holds(forged, "damage beside a log is no failure")
            return letter, type(error).__name__, str(error)[-40:]
        holds(forged or answer == self.answer, "damage beside a log changes no answer")
        holds(self.path.read_bytes() == self.log, "the log stays as it is")
        after = file.read_bytes() if file.exists() else b""
        return letter, forged, after == data, after == self.whole[letter], answer == self.answer, len(data) // 64


def _changed_header(chance: random.Random, lines: list[bytes]) -> bytes:
    try:
        header = changed_value(chance, json.loads(lines[1]), [[0, 1, -1, 2**62, 5, "x"], {"a": [None]}])
    except ValueError:
        return b"\n".join(lines)
    return b"\n".join((lines[0], json.dumps(header).encode(), lines[2]))


def made_to_fit(data: bytes) -> bytes:
    """Return a file whose checksums of the header and of the parts are those of what it holds."""
    first, _, rest = data.partition(b"\n")
    second, _, parts = rest.partition(b"\n")
    try:
        header = json.loads(second)
        place = 0
        for name, size in zip(SECTIONS, header.get("sizes", ())):
            if name in header.get("sums", {}):
                header["sums"][name] = crc32(parts[place : place + size])
            place += size
        if "columns" in header:
            header["columns"] = sha256(parts).hexdigest()
        second = json.dumps(header, separators=(",", ":")).encode()
    except (ValueError, TypeError, AttributeError):
        pass
    return b"%b %b\n%b\n%b" % (first.split(b" ")[0], sha256(second).hexdigest().encode(), second, parts)


def make(workspace: Path) -> Target:
    """Return the target."""
    return Memories(workspace)
