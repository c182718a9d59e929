"""Importing files that the tests write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.importers.importing import Imported, import_file
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.log import Event, read


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory whose sessions the files are of; nodwyn's own directories are elsewhere."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "app"
    folder.mkdir()
    return folder


class Importer:
    """Imports files, and shows what became of them."""

    def __init__(self, folder: Path, project: Path) -> None:
        self.folder = folder
        self.project = project
        self.last: Imported | None = None

    def __call__(self, path: Path, redact: Callable[[str], str] = str) -> list[Event]:
        """Import a file; return the events of its session."""
        self.last = import_file(path, self.project, redact)
        return list(read(self.log))

    def lines(self, *lines: dict[str, Any] | str | bytes, name: str = "session.jsonl") -> Path:
        """Write a file of JSON lines."""
        path = self.folder / name
        path.write_bytes(b"".join(_line(line) for line in lines))
        return path

    @property
    def log(self) -> Path:
        """The log of the session that was imported last."""
        assert self.last is not None
        return sessions_directory(self.project) / f"{self.last.session}.jsonl"

    @property
    def kept(self) -> dict[str, int]:
        """The lines that were kept at the last import, counted."""
        assert self.last is not None
        return dict(self.last.kept or {})

    def files(self) -> list[str]:
        """Return the names of all files of the project's sessions."""
        return sorted(path.name for path in sessions_directory(self.project).rglob("*") if path.is_file())


def _line(line: dict[str, Any] | str | bytes) -> bytes:
    if isinstance(line, bytes):
        return line + b"\n"
    return (line if isinstance(line, str) else json.dumps(line)).encode() + b"\n"


@pytest.fixture
def importer(tmp_path: Path, project: Path) -> Importer:
    """Return what imports files."""
    folder = tmp_path / "files"
    folder.mkdir()
    return Importer(folder, project)


def shape(events: Iterable[Event]) -> list[str]:
    """Return the kinds of events, but for those that every import has."""
    return [event.kind for event in events if event.kind not in ("session.start", "import", "session.end")]


def only(events: Iterable[Event], kind: str) -> list[dict[str, Any]]:
    """Return the members of the events of a kind."""
    return [event.as_json() for event in events if event.kind == kind]
