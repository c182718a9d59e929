"""What compiling a text has read besides it: texts of libraries, and files that are included.

Code on disk is only used where reading all this again gives the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nodwyn.interp.cache import digest
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.library_path import LibraryPath
from nodwyn.interp.syntax import Source

Read = tuple[str, ...]
"""``("library", name)``, or ``("include", name, file that it is in or "")``."""

Record = dict[Read, str]
"""Reads, and the digest of what each gave: "" for a library that there is not."""


class Reads:
    """Reads texts for one interpreter, each once in an operation, and keeps account of who asked for what.

    path: where libraries are. loading: the libraries that are being expanded, innermost last; the expander's own.
    """

    def __init__(self, path: LibraryPath) -> None:
        self.path = path
        self.loading: list[str] = []
        self._pinned: dict[Read, Source | None] = {}
        self._fresh: dict[Read, Source | None] = {}
        self._asked: dict[str, Record] = {}

    def begin(self) -> None:
        """Begin an operation: what was read before is read again, but for what libraries in use were made from."""
        self._fresh.clear()
        self._asked.pop("", None)

    def pin(self, reads: Iterable[Read]) -> None:
        """Keep what was read for as long as the interpreter lives, since libraries in use were made from it."""
        for read in reads:
            if read in self._fresh:
                self._pinned[read] = self._fresh[read]

    def find(self, name: str) -> Source | None:
        """Return the text of a library by its printed name, or None, on behalf of the library being expanded."""
        return self._noted(("library", name))

    def include(self, name: str, base: str | None) -> Source:
        """Return the text of an included file, on behalf of the library being expanded."""
        source = self._noted(("include", name, base or ""))
        assert source is not None
        return source

    def _noted(self, read: Read) -> Source | None:
        source = self.give(read)
        owner = self.loading[-1] if self.loading else ""
        self._asked.setdefault(owner, {})[read] = digest_of(source)
        return source

    def give(self, read: Read) -> Source | None:
        """Return what a read gives. Raises SchemeError where a file cannot be read."""
        for known in (self._pinned, self._fresh):
            if read in known:
                return known[read]
        if read[0] == "library":
            source = self.path.find(read[1])
        else:
            source = self.path.include(read[1], read[2] or None)
        self._fresh[read] = source
        return source

    def asked_by(self, owner: str) -> Record:
        """Return the reads of a library by its name, or, for "", those of the operation's own text."""
        return self._asked.get(owner, {})

    def agree(self, record: Record) -> bool:
        """Say whether every read of a record gives what it gave when the record was made."""
        try:
            return all(digest_of(self.give(read)) == known for read, known in record.items())
        except SchemeError:
            return False

    def names_of(self, record: Iterable[Read], text: Source | None = None) -> dict[int, str]:
        """Return names for the sources of a record's reads, and for a text, by the ``id`` of each."""
        names = {id(self.give(read)): name for name, read in _named(record)}
        names.pop(id(None), None)
        if text is not None:
            names[id(text)] = "text"
        return names

    def sources(self, record: Iterable[Read], text: Source | None = None) -> Mapping[str, Source]:
        """Return the sources by the names that :meth:`names_of` gave them."""
        found = {name: source for name, read in _named(record) if (source := self.give(read)) is not None}
        if text is not None:
            found["text"] = text
        return found


def _named(record: Iterable[Read]) -> list[tuple[str, Read]]:
    return [(" ".join(read), read) for read in record]


def digest_of(source: Source | None) -> str:
    """Return the digest of a text and its name; "" for none."""
    return "" if source is None else digest(source.name, source.text)
