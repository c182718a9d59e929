"""Compiled texts and libraries in the cache: under which names they are, and what is in them."""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from typing import Any

from nodwyn.interp.cache import Cache, digest, fingerprint
from nodwyn.interp.linking import KeptUnit
from nodwyn.interp.reads import Reads, Record
from nodwyn.interp.syntax import Source


class KeptLibrary:
    """A library on disk.

    file: the name of its entry. stamp: a digest of its text and all that its code depends on. record: what was read to
    compile it, in other libraries too. imports: the libraries to run before it, in order. unit: its code, None if it
    has none. dump: what ``expand.dump`` makes of it. facts: what the compiler knows of its variables.
    """

    __slots__ = ("dump", "facts", "file", "imports", "record", "stamp", "unit")

    def __init__(
        self,
        file: str,
        stamp: str,
        record: Record,
        imports: list[str],
        unit: KeptUnit | None,
        dump: bytes,
        facts: bytes,
    ) -> None:
        self.file = file
        self.stamp = stamp
        self.record = record
        self.imports = imports
        self.unit = unit
        self.dump = dump
        self.facts = facts


class Run:
    """A library to run before a text: one with an entry of its own (``file`` and ``stamp``), or with its code here."""

    __slots__ = ("file", "name", "stamp", "unit")

    def __init__(self, name: str, file: str, stamp: str, unit: KeptUnit | None) -> None:
        self.name = name
        self.file = file
        self.stamp = stamp
        self.unit = unit


class KeptText:
    """A text on disk.

    record: what was read to compile it, in libraries too. runs: the libraries with code to run before it, in order.
    unit: its own code, None if it has none. variables: the global keys of what it and the texts before it have
    defined, by name. defines: whether it defines libraries itself.
    """

    __slots__ = ("defines", "record", "runs", "unit", "variables")

    def __init__(
        self, record: Record, runs: list[Run], unit: KeptUnit | None, variables: dict[str, str], defines: bool
    ) -> None:
        self.record = record
        self.runs = runs
        self.unit = unit
        self.variables = variables
        self.defines = defines


class Store:
    """The entries of one interpreter's libraries and texts.

    directories: where it looks for libraries.
    """

    def __init__(self, cache: Cache, reads: Reads, directories: Iterable[str]) -> None:
        self.cache = cache
        self.reads = reads
        self._base = digest(fingerprint(), *directories)

    def text_key(self, kind: str, state: str, source: Source) -> str:
        """Return the key of a text. state: a digest of what the interpreter has seen before it."""
        return digest(self._base, kind, state, source.name, source.text)

    def library_key(self, name: str, source: Source) -> str:
        """Return the key of a library, whatever it imports."""
        return digest(self._base, "library", name, source.name, source.text)

    def text(self, key: str) -> KeptText | None:
        """Return a text's entry if all that it depends on is as it was."""
        fields = self._load(f"{key}.text")
        if fields is None:
            return None
        record, runs, unit, variables, defines = fields
        if not self.reads.agree(record):
            return None
        made = [Run(name, file, stamp, _unit(unit)) for name, file, stamp, unit in runs]
        return KeptText(record, made, _unit(unit), variables, defines)

    def keep_text(self, key: str, text: KeptText) -> None:
        """Write a text's entry."""
        runs = [(run.name, run.file, run.stamp, _fields(run.unit)) for run in text.runs]
        self._write(f"{key}.text", (text.record, runs, _fields(text.unit), text.variables, text.defines))

    def library(self, name: str, source: Source) -> KeptLibrary | None:
        """Return a library's entry if all that it depends on is as it was."""
        kept = self.library_entry(f"{self.library_key(name, source)}.library")
        return kept if kept is not None and self.reads.agree(kept.record) else None

    def library_entry(self, file: str) -> KeptLibrary | None:
        """Return an entry by its name, whatever has become of what it depends on."""
        fields = self._load(file)
        if fields is None:
            return None
        stamp, record, imports, unit, dump, facts = fields
        return KeptLibrary(file, stamp, record, imports, _unit(unit), dump, facts)

    def keep_library(self, kept: KeptLibrary) -> None:
        """Write a library's entry."""
        fields = (kept.stamp, kept.record, kept.imports, _fields(kept.unit), kept.dump, kept.facts)
        self._write(kept.file, fields)

    def _load(self, file: str) -> tuple[Any, ...] | None:
        octets = self.cache.read(file)
        return None if octets is None else marshal.loads(octets)

    def _write(self, file: str, fields: tuple[Any, ...]) -> None:
        try:
            octets = marshal.dumps(fields)
        except ValueError:
            # Procedures nested more deeply than marshal goes.
            return
        self.cache.write(file, octets)


def _unit(fields: tuple[Any, ...] | None) -> KeptUnit | None:
    return None if fields is None else KeptUnit(*fields)


def _fields(unit: KeptUnit | None) -> tuple[Any, ...] | None:
    return None if unit is None else unit.fields()


def stamp_of(key: str, record: Record) -> str:
    """Return a digest of a library's key and all that its code depends on."""
    return digest(key, *(part for read in sorted(record) for part in (*read, record[read])))
