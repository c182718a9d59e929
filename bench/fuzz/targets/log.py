"""Logs that were damaged, or written by whoever can compute their checksums.

Case: bytes of a log, behind one letter. ``d``: damaged; of what is read, nothing may differ from what was written.
``s``: the JSON of each line is given its checksum; whatever it is, it is read or refused, never stumbled over.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from target import ROOT, Case, Target, changed, changed_value, holds

from nodwyn.prims import system_calls
from nodwyn.prims.log import Damaged, Event, Log, LogError, Reader, read, sessions
from nodwyn.prims.log.events import GuardDecision, Note, SessionStart, ToolCall, ToolResult, UserMessage
from nodwyn.prims.memory.remembered import remember

TOKENS = [
    b"\0" * 512,
    b"\0",
    b"\n",
    b"\r\n",
    b'{"seq":',
    b',"sum":"',
    b'"}\n',
    b'"barrier":3,',
    b"\xff",
    b"\xef\xb7\x90d800",
]
MOST = 40_000
NAME = "20261009T034803Z-3981612f"


class Logs(Target):
    """See the module."""

    anew = 0.05

    def __init__(self, workspace: Path) -> None:
        system_calls.sync_data = lambda descriptor: None
        system_calls.sync_directory = lambda path: None
        self.folder = workspace
        self.path = workspace / f"{NAME}.jsonl"
        whole = [*(file.read_bytes() for file in sorted(ROOT.glob("tests/**/logs/*.jsonl"))), self._short()]
        self.whole = [data for data in whole if len(data) <= MOST]
        self.lines = {line for data in self.whole for line in data.split(b"\n")}

    def _short(self) -> bytes:
        """Return a log of a few events, small enough for a change to hit each part of it."""
        log = Log.create(self.folder, SessionStart(program="nodwyn 0", root="/work/app"), redact=str, name=NAME)
        with log:
            log.append(UserMessage(text="Räum auf 🌲"))
            log.barrier()
            log.append(ToolCall(name="fs-read", arguments={"path": "größe", "start": 1}, by="model", id="call_1"))
            log.append(GuardDecision(effect="read", subject="x", decision="allow", layer="pin", reason="inside"))
            log.append(ToolResult(call=3, ok=True, value="one\n\0\x7f\u2028\udc80\ufdd0", decisions=[4]))
            log.barrier()
            log.append(Note(text="x"))
        return self.path.read_bytes()

    def seeds(self) -> Iterator[Case]:
        for data in self.whole:
            yield b"d" + data
            yield b"s" + data

    def create(self, chance: random.Random) -> Case:
        return chance.choice((b"d", b"s")) + chance.choice(self.whole)

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        if case[:1] == b"d":
            return b"d" + _changed(chance, case[1:], other[1:])
        return b"s" + _changed_lines(chance, case[1:])

    def check(self, case: Case) -> object:
        data = case[1:]
        forged = case[:1] == b"s"
        for file in self.folder.iterdir():
            file.unlink()
        self.path.write_bytes(sealed(data) if forged else data)
        written = self.path.read_bytes()
        events, said = read_all(self.path)
        self._check_reader(events, said)
        if not forged:
            lines = written.split(b"\n")[: len(events)]
            holds(len(lines) == len(events) and self.lines.issuperset(lines), "what is read was written so")
        with_memory = _memory(self.path)
        listed = [session.name for session in sessions(self.folder)]
        holds(listed == ([NAME] if events or said else []), "a log with an event, or a damaged one, is listed")
        kept = self._check_resumed(written, len(events))
        kinds = tuple(sorted({event.kind for event in events}))
        return forged, said, with_memory, kept, kinds[:8], len(events) % 16

    def _check_reader(self, events: list[Event], said: str) -> None:
        """A reader with an index, without one and with a damaged one says the same."""
        index = self.path.with_suffix(".idx")
        with Reader(self.path) as reader:
            reader.keep_index()
            before = index.read_bytes() if index.exists() else b""
            view = _view(reader)
        holds(view[0] == len(events) and view[1] is (said != ""), "a reader has the events that are read")
        with Reader(self.path) as reader:
            holds(_view(reader) == view, "a reader with the kept index says the same")
        if before:
            place = len(before) * 31 // 97
            index.write_bytes(before[:place] + bytes((before[place] ^ 4,)) + before[place + 1 :])
            with Reader(self.path) as reader:
                holds(_view(reader) == view, "a reader with a damaged index says the same")
            index.unlink()
            with Reader(self.path) as reader:
                reader.keep_index()
            holds(index.read_bytes() == before, "an index that is made again is the same")

    def _check_resumed(self, written: bytes, count: int) -> str:
        """Going on with a log adds behind its whole events, moves aside a torn end at most, or does nothing."""
        try:
            log = Log.open(self.path, redact=str)
        except LogError as error:
            holds(self.path.read_bytes() == written, "a log that is refused stays as it is")
            holds(not list(self.folder.glob("*.torn-*")), "of a log that is refused nothing is moved aside")
            return type(error).__name__
        with log:
            log.append(Note(text="on"))
        whole = b"\n".join(written.split(b"\n")[:count]) + b"\n"
        after = self.path.read_bytes()
        holds(after.startswith(whole), "going on changes no event")
        torn = [file.read_bytes() for file in self.folder.glob("*.torn-*")]
        holds(torn == ([written[len(whole) :]] if len(written) > len(whole) else []), "a torn end is kept whole")
        events, said = read_all(self.path)
        holds(not said and events[-1].as_json().get("text") == "on", "what was added is read")
        return f"torn {bool(torn)}"


def read_all(path: Path) -> tuple[list[Event], str]:
    """Return the events of a log and in a word what ended it."""
    events = []
    try:
        for event in read(path):
            events.append(event)
    except Damaged as damage:
        return events, damage.reason[:24]
    return events, ""


def _view(reader: Reader) -> tuple[Any, ...]:
    return (
        reader.last,
        reader.damage is not None,
        reader.overview.members(),
        list(reader.seqs("user.msg", "note")),
        list(reader.seqs("note", "tool.call", agent="main")),
        [reader.event(seq).as_json() for seq in (1, reader.last) if 1 <= seq <= reader.last],
    )


def _memory(path: Path) -> str:
    """What is remembered of a log is told, or what is wrong with the log is said."""
    try:
        for _ in range(2):
            with remember(path) as known:
                told = len(known.cards()), len(known.notes()), bool(known.damage)
                known.parts(["pager", "x"])
    except LogError as error:
        return type(error).__name__
    return str(told)


def _changed(chance: random.Random, data: bytes, other: bytes) -> bytes:
    if chance.random() < 0.4:  # most often one byte, near an end of a line
        place = chance.randrange(len(data) or 1)
        return data[:place] + bytes((chance.randrange(256),)) + data[place + 1 :]
    if chance.random() < 0.3:
        lines = data.split(b"\n")
        place = chance.randrange(len(lines))
        lines[place : place + chance.randint(0, 2)] = chance.choices(
            [*lines, *other.split(b"\n")], k=chance.randint(0, 2)
        )
        return b"\n".join(lines)[:MOST]
    place = chance.randint(0, max(0, len(data) - 3000))  # `changed` cuts
    return data[:place] + changed(chance, data[place : place + 3000], other, TOKENS) + data[place + 3000 :]


def _changed_lines(chance: random.Random, data: bytes) -> bytes:
    lines = [_parsed(line) for line in data.split(b"\n") if line]
    if not lines:
        return data
    place = chance.randrange(len(lines))
    if chance.random() < 0.1:
        del lines[place]
    elif chance.random() < 0.1:
        lines.insert(place, chance.choice(lines))
    else:
        lines[place] = changed_value(chance, lines[place], lines)
    if chance.random() < 0.8:
        for seq, line in enumerate(lines, 1):
            if isinstance(line, dict):
                line["seq"] = seq
    return b"\n".join(json.dumps(line).encode() for line in lines)[:MOST]


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return line.decode("latin-1")


def sealed(data: bytes) -> bytes:
    """Return lines of JSON as a log has them, with the checksums that they must have."""
    checksum = b"0" * 32
    lines = []
    for line in data.split(b"\n"):
        value = _parsed(line)
        if not line:
            continue
        if isinstance(value, dict):
            value.pop("sum", None)
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))[:-1].encode("utf-8", "backslashreplace")
        checksum = sha256(checksum + body).hexdigest()[:32].encode()
        lines.append(b'%b,"sum":"%b"}\n' % (body, checksum))
    return b"".join(lines)


def make(workspace: Path) -> Target:
    """Return the target."""
    import nodwyn.prims.log.listing as listing

    listing.FEWEST = 1
    listing.MOST_CHANGED = 0
    return Logs(workspace)
