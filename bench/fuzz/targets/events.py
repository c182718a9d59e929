"""Logs with right checksums in which fields of known kinds are missing or are not what their kind declares.

Case: lines of JSON, as bytes; each is given its seq and its checksum. Whatever the fields are, the list of sessions,
the transcript, the window and the proof of its requests, the summaries, the cards, search and recall answer, or say in
an error which event of which log is not as it should be. None stumbles.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from target import ROOT, Case, Target, changed_value, digest, holds
from targets.log import NAME, sealed

from nodwyn.loop.protocol import Happened, to_line
from nodwyn.loop.ui import mended, show, summary
from nodwyn.loop.ui import sessions as listing
from nodwyn.loop.ui.colours import Paint
from nodwyn.loop.ui.opening import last_model
from nodwyn.loop.ui.printing import Printer
from nodwyn.loop.ui.replay import request_text
from nodwyn.loop.ui.transcript import transcript
from nodwyn.loop.window.build import Window
from nodwyn.loop.window.differences import differences
from nodwyn.loop.window.replay import rebuild_all
from nodwyn.prims import sessions as told
from nodwyn.prims import system_calls
from nodwyn.prims.compaction import notes_of
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.fs.undo import _versions
from nodwyn.prims.guard.approvals import nobody
from nodwyn.prims.log import Log, LogError, Reader, read, sessions
from nodwyn.prims.log.record import KINDS, Field
from nodwyn.prims.memory.cards import described, one_line
from nodwyn.prims.memory.loss import loss
from nodwyn.prims.memory.recalled import recall_text
from nodwyn.prims.memory.remembered import remember
from nodwyn.prims.memory.searching import search_tasks
from nodwyn.prims.summaries.editing import list_summaries

FITTING: dict[str, Any] = {
    "text": "words",
    "a list of texts": ["external:file"],
    "blocks with texts": [{"type": "text", "text": "said"}, {"type": "call", "id": "a", "name": "b", "arguments": {}}],
    "JSON": [{"type": "text", "text": "said", "what": "path", "seq": 2, "mark": "open"}],
    "a list of objects with what, text, seq": [{"what": "path", "text": "a.py", "seq": 2}],
    "an object": {"a.scm": "0123"},
    "an object of numbers from 0": {"input": 3, "tokens": 7, "cost": 5},
    "a SHA-256 in hexadecimal": "0123456789abcdef" * 4,
    "the seq of an event": 3,
    "a list of seqs": [2, 3],
    "a whole number from 0": 1,
    "true or false": True,
}
LONGEST_LOG = 30
"""Lines of a log that a case begins with."""


class Events(Target):
    """See the module."""

    anew = 0.05

    def __init__(self, workspace: Path) -> None:
        system_calls.sync_data = lambda descriptor: None
        self.folder = workspace
        self.path = workspace / f"{NAME}.jsonl"
        files = sorted(ROOT.glob("tests/**/logs/*.jsonl"))
        logs = [list(map(json.loads, file.read_bytes().splitlines()[:LONGEST_LOG])) for file in files]
        start = logs[0][0]
        every = [start, *(_complete(kind) for kind in KINDS), *(_complete(kind) for kind in KINDS)]
        self.whole = [_joined(lines) for lines in (*logs, every)]

    def seeds(self) -> Iterator[Case]:
        yield from self.whole

    def create(self, chance: random.Random) -> Case:
        return chance.choice(self.whole)

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        lines, others = _lines(case), _lines(other)
        for _ in range(chance.choice((1, 1, 2, 6))):
            place = chance.randrange(len(lines) or 1)
            if not lines or chance.random() < 0.2:
                lines[place : place + chance.randint(0, 2)] = chance.choices(others or [{}], k=chance.randint(0, 2))
            else:
                lines[place] = _changed(chance, lines[place], others)
        return _joined(lines[:LONGEST_LOG])

    def check(self, case: Case) -> object:
        for file in self.folder.iterdir():
            file.unlink()
        self.path.write_bytes(sealed(_joined(_lines(case))))
        self.path.chmod(0o600)
        said = []
        for view in VIEWS:
            try:
                view(self.path)
            except (LogError, PrimitiveError) as error:
                said.append(str(error).replace(str(self.path), "")[:120])
        kinds = {line.get("kind") for line in _lines(case) if isinstance(line.get("kind"), str)}
        return len(said), digest(said[-1] if said else "") % 64, digest(" ".join(sorted(kinds))) % 16


def _events(path: Path) -> None:
    printer = Printer(io.StringIO(), nobody, Paint(False), streams=True)
    for event in read(path):
        show.as_json(event)
        to_line(Happened(event))
        printer.event(event)
        mended._ended(event.as_json(), "")
        event.unknown_fields()


def _transcript(path: Path) -> None:
    list(transcript(read(path), full=True))


def _short_transcript(path: Path) -> None:
    list(transcript(read(path), paint=Paint(True)))


def _list(path: Path) -> None:
    for session in sessions(path.parent):
        listing._row(session)
        listing._days(session)


def _requests(path: Path) -> None:
    with Reader(path) as log:
        for rebuilt in rebuild_all(log):
            request_text(rebuilt.built.request)


def _window(path: Path) -> None:
    with Reader(path) as log:
        for agent in ("main", "words", "7"):
            Window(log, agent).entries()
        for recipe in log.seqs("recipe"):
            with suppress(LogError):
                request_text(Window(log).build(recipe).request)


def _differences(path: Path) -> None:
    with Reader(path) as log:
        requests = list(log.seqs("llm.req"))
        for other in requests[1:3]:
            list(differences(log, requests[0], other))


def _summaries(path: Path) -> None:
    for standing in list_summaries(path):
        summary._row(standing)


def _memory(path: Path) -> None:
    with remember(path) as known:
        for card in known.cards():
            one_line(card)
            described(card)
        known.notes()
    search_tasks([path], "pager words said file", 20)


def _recall(path: Path) -> None:
    with Reader(path) as log:
        for seq in range(1, log.last + 1):
            with suppress(PrimitiveError):
                recall_text(log, seq, 0, 0, most=2000)


def _notes(path: Path) -> None:
    with Reader(path) as log:
        for note in notes_of(log):
            holds(all(isinstance(entry.get("text", ""), str) for entry in note.lost), "what is lost has texts")
        list(loss(islice(log.events(), log.last), "note", []))
        _versions(log, None)


def _values(path: Path) -> None:
    with Reader(path) as log:
        for event in islice(log.events(), log.last):
            told._plain(event, str)


def _resumed(path: Path) -> None:
    last_model(path)
    with Log.open(path, redact=str) as log:
        mended.mended(log)
        Window(log).entries()


VIEWS: tuple[Callable[[Path], None], ...] = (
    _events,
    _transcript,
    _short_transcript,
    _list,
    _requests,
    _window,
    _differences,
    _summaries,
    _memory,
    _recall,
    _notes,
    _values,
    _resumed,
)


def _changed(chance: random.Random, line: dict[str, Any], others: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a line with a field changed, most often to something of another form."""
    changed = changed_value(chance, line, others)
    if not isinstance(changed, dict):
        return line
    if chance.random() < 0.8:
        changed |= {name: line[name] for name in ("kind", "agent", "at") if name in line}
    return changed


def _lines(case: Case) -> list[dict[str, Any]]:
    lines = []
    for text in case.split(b"\n"):
        with suppress(ValueError):
            line = json.loads(text)
            if isinstance(line, dict):
                lines.append(line)
    return lines


def _joined(lines: list[dict[str, Any]]) -> bytes:
    return b"\n".join(json.dumps({**line, "seq": seq}).encode() for seq, line in enumerate(lines, 1))


def _complete(kind: str) -> dict[str, Any]:
    """Return a line with every field of a kind."""
    fields = {name: _fitting(field) for name, field in KINDS[kind].fields.items()}
    return {"at": "2026-10-09T03:48:03.123Z", "kind": kind, **fields, "agent": "main", "when": ""}


def _fitting(field: Field) -> Any:
    return field.form.removeprefix("one of ").split(", ")[0] if field.form not in FITTING else FITTING[field.form]


def make(workspace: Path) -> Target:
    """Return the target."""
    return Events(workspace)
