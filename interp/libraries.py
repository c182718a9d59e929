"""The libraries of one interpreter: each is run once, from compiled code on disk or from its text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from nodwyn.interp.data import Value
from nodwyn.interp.flatten import UnflattenableError
from nodwyn.interp.linking import KEY_DIGITS, Form, KeptUnit, Linker
from nodwyn.interp.reads import Reads, Record, digest_of
from nodwyn.interp.store import KeptLibrary, Run, Store, stamp_of

if TYPE_CHECKING:
    from nodwyn.interp.core import Fact
    from nodwyn.interp.expand import Expander, Library
    from nodwyn.interp.syntax import Source


class Libraries:
    """Expands, compiles and runs libraries.

    make_expander: makes the expander when it is first needed, given what it is to ask for compiled libraries.
    execute: runs top-level forms.
    """

    def __init__(
        self,
        linker: Linker,
        reads: Reads,
        store: Store | None,
        make_expander: Callable[[Callable[[str, Source], Library | None]], Expander],
        execute: Callable[[list[Form]], Value],
    ) -> None:
        self.linker = linker
        self.reads = reads
        self.store = store
        self._make_expander = make_expander
        self._execute = execute
        self._expander: Expander | None = None
        self._ran: dict[str, Run | None] = {}
        """The libraries that run or have run, and for those that have code, how to run them in another process."""
        self._unfinished: dict[str, tuple[list[Form], Run | None]] = {}
        """Those that were compiled here and have not run to their end."""
        self._order: dict[str, int] = {}
        self._defined: dict[str, Library] = {}
        """Those of them that programs defined."""
        self.count = 0
        """How often a library has begun to run."""
        self._kept: dict[str, KeptLibrary] = {}
        self._accepted: set[str] = set()
        """The libraries that the expander has from disk."""
        self._records: dict[str, Record] = {}
        self._storable: set[str] = set()
        self._facts: dict[str, Fact] = {}
        self._learnt: set[str] = set()

    @property
    def expander(self) -> Expander:
        """The expander."""
        if self._expander is None:
            self._expander = self._make_expander(self._cached)
            self.reads.loading = self._expander.registry.loading
        return self._expander

    # Running.

    def run_all(self, names: Iterable[str], text_key: str = "") -> None:
        """Run libraries, and those that they import, unless they have run.

        text_key: the key of the text that imports them, if that is to be kept: with the code of libraries it defines.
        """
        for name in names:
            if name not in self._ran or self._is_defined_anew(name):
                try:
                    self._run(name, text_key)
                except BaseException:
                    # It may have been stopped half way: the next text that imports it has it run again.
                    del self._ran[name]
                    raise

    def has_run(self, name: str) -> bool:
        """Say whether a library has run, or is running."""
        return name in self._ran

    def _begin(self, name: str) -> None:
        self._ran[name] = None
        self._order[name] = self.count
        self.count += 1

    def _is_defined_anew(self, name: str) -> bool:
        """Say whether a program has defined a library, again perhaps, since one of that name has run."""
        library = self.defined().get(name)
        return library is not None and self._defined.get(name) is not library

    def defined(self) -> dict[str, Library]:
        """Return the libraries that programs, or the files of others, define, by name."""
        return {} if self._expander is None else self._expander.defined()

    def _run(self, name: str, text_key: str) -> None:
        self._begin(name)
        known = None if self._expander is None else self._expander.registry.libraries.get(name)
        is_from_text = known is not None and (known.source is None or name not in self._accepted)
        kept = None if is_from_text else self._entry(name)
        if kept is None:
            self._run_expanded(name, text_key)
            return
        self.run_all(kept.imports, text_key)
        self._records[name] = kept.record
        self._storable.add(name)
        if kept.unit is not None:
            self._ran[name] = Run(name, kept.file, kept.stamp, None)
            self._run_unit(kept.unit, kept.record)

    def _run_unit(self, unit: KeptUnit, record: Record) -> None:
        self.reads.pin(record)
        self._execute(self.linker.link_kept(unit, lambda: self.reads.sources(record)))

    def _run_expanded(self, name: str, text_key: str) -> None:
        library = self.expander.library(name)
        self._storable.discard(name)
        self._accepted.discard(name)
        if library.source is None:
            self._defined[name] = library
        self.run_all(library.imports, text_key)
        record = self._records[name] = self._record_of(name, library)
        self.reads.pin(record)
        defined = self.defined()
        if all(each in self._storable and each not in defined for each in library.imports) and name not in defined:
            self._storable.add(name)
        if name in self._unfinished:
            forms, self._ran[name] = self._unfinished[name]
        else:
            forms = self._compile(name, library, text_key)
            self._unfinished[name] = forms, self._ran[name]
        if forms:
            self._execute(forms)
        del self._unfinished[name]

    def _record_of(self, name: str, library: Library) -> Record:
        record = dict(self.reads.asked_by(name))
        if library.source is not None and library.source.text:
            record["library", name] = digest_of(library.source)
        return record | self.record(library.imports)

    def record(self, names: Iterable[str]) -> Record:
        """Return all that was read to compile libraries that have run."""
        record: Record = {}
        for name in names:
            record.update(self._records.get(name, {}))
        return record

    # Compiling.

    def _compile(self, name: str, library: Library, text_key: str) -> list[Form]:
        record = self._records[name]
        key = ""
        if self.store is not None and library.source is not None and library.source.text and name in self._storable:
            key = self.store.library_key(name, library.source)
        stamp = stamp_of(key or f"{text_key} {name}", record) if key or text_key else ""
        file = f"{key}.library" if key else ""
        forms: list[Form] = []
        unit = None
        below = self.keys_below(library.imports)
        if library.body:
            forms, unit = self.linker.compile(library.body, name, stamp, self.reads.names_of(record), below)
            self._ran[name] = Run(name, file if unit else "", stamp, None if file else unit)
        facts = own_facts(library)
        self._facts.update(facts)
        if file and (unit is not None or not library.body):
            self._keep(file, stamp, library, unit, facts, below)
        library.body = []
        return forms

    def _keep(
        self, file: str, stamp: str, library: Library, unit: KeptUnit | None, facts: dict[str, Fact], below: set[str]
    ) -> None:
        from nodwyn.interp.expand import dump_library

        assert self.store is not None
        record = self._records[library.name]
        try:
            keys = {*below, stamp[:KEY_DIGITS]}
            known = self.linker.keep_facts(facts, keys, self.reads.names_of(record))
        except UnflattenableError:
            return
        dump = dump_library(library)
        self.store.keep_library(KeptLibrary(file, stamp, record, library.imports, unit, dump, known))

    # Libraries and texts from disk.

    def _entry(self, name: str) -> KeptLibrary | None:
        """Return a library's entry on disk, if it has one that fits."""
        kept = self._kept.get(name)
        if kept is None and self.store is not None:
            source = self.reads.give(("library", name))
            kept = self.store.library(name, source) if source is not None else None
            if kept is not None:
                self._kept[name] = kept
        return kept

    def _cached(self, name: str, source: Source) -> Library | None:
        """Return a library for the expander from its entry, None if it is to be expanded."""
        from nodwyn.interp.expand import load_library

        kept = self._entry(name)
        if kept is None or self._depends_on_defined(kept) or not self._is_whole(kept):
            return None
        self._accepted.add(name)
        self._learn(name, kept)
        return load_library(kept.dump, self.expander.library, self._facts)

    def _depends_on_defined(self, kept: KeptLibrary) -> bool:
        """Say whether a library on disk imports, directly or not, one that a program has replaced."""
        defined = self.defined()
        pending = [kept] if defined else []
        while pending:
            for name in pending.pop().imports:
                if name in defined:
                    return True
                imported = self._entry(name)
                if imported is not None:
                    pending.append(imported)
        return False

    def _is_whole(self, kept: KeptLibrary) -> bool:
        """Say whether all that a library on disk imports, directly or not, is there too, or has been compiled here.

        What is known of it names constants of those; any entry may have gone from the cache.
        """
        pending = [kept]
        seen: set[str] = set()
        while pending:
            for name in pending.pop().imports:
                if name in seen or name in self._ran:
                    continue
                seen.add(name)
                imported = self._entry(name)
                if imported is not None:
                    pending.append(imported)
                elif self.reads.give(("library", name)) is not None:
                    return False
        return True

    def _learn(self, name: str, kept: KeptLibrary) -> None:
        """Take over what the compiler knows of a library's variables and of those that it imports."""
        if name in self._learnt:
            return
        self._learnt.add(name)
        for each in kept.imports:
            imported = self._entry(each)
            if imported is not None:
                self._learn(each, imported)
        sources = self.reads.sources(kept.record)
        facts, variables = self.linker.restore_facts(kept.facts, kept.unit, sources)
        self._facts.update(facts)
        for variable in variables:
            variable.fact = self._facts.get(variable.key)

    def runs(self, names: Iterable[str], since: int) -> list[Run] | None:
        """Return how another process is to run libraries, all of which have run: those with code, in order.

        since: the ``count`` before the text that imports them. What programs defined and ran before it, they define and
        run before it in the other process too. Returns None where another process cannot.
        """
        runs: list[Run] = []
        pending = [(name, False) for name in reversed(list(names))]
        seen: set[str] = set()
        while pending:
            name, imports_seen = pending.pop()
            run = self._ran.get(name)
            if imports_seen and run is not None:
                if not run.file and run.unit is None:
                    return None
                runs.append(run)
            elif name not in seen and (name in self._storable or self._order.get(name, -1) >= since):
                seen.add(name)
                pending.append((name, True))
                pending.extend((each, False) for each in reversed(self._imports_of(name)))
        return runs

    def keys_below(self, names: Iterable[str]) -> set[str]:
        """Return the keys of the units of libraries and of all that they import, directly or not."""
        seen: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name not in seen:
                seen.add(name)
                pending.extend(self._imports_of(name))
        runs = [self._ran.get(name) for name in seen]
        return {run.stamp[:KEY_DIGITS] for run in runs if run is not None}

    def _imports_of(self, name: str) -> list[str]:
        kept = self._kept.get(name)
        return kept.imports if kept is not None else self.expander.library(name).imports

    def can_run(self, runs: list[Run]) -> bool:
        """Say whether the libraries that a text on disk wants to run are there as they were when it was compiled."""
        for run in runs:
            if run.unit is not None:
                if self.linker.is_linked(run.unit.key):
                    return False
                continue
            if run.name in self._ran:
                continue
            assert self.store is not None
            kept = self._kept.get(run.name) or self.store.library_entry(run.file)
            if kept is None or kept.stamp != run.stamp:
                return False
            self._kept[run.name] = kept
        return True

    def run_kept(self, runs: list[Run], record: Record) -> None:
        """Run libraries for a text on disk. record: that of the text."""
        for run in runs:
            if run.unit is None and run.name in self._ran:
                continue
            kept = self._kept.get(run.name) if run.unit is None else None
            self._begin(run.name)
            self._records[run.name] = kept.record if kept is not None else record
            if kept is not None:
                self._storable.add(run.name)
            unit = run.unit or (kept.unit if kept is not None else None)
            assert unit is not None
            try:
                self._run_unit(unit, self._records[run.name])
            except BaseException:
                del self._ran[run.name]
                raise
            self._ran[run.name] = run


def own_facts(library: Library) -> dict[str, Fact]:
    """Return what the compiler knows of the variables that a library defines, by key."""
    from nodwyn.interp.core import Global

    return {
        meaning.key: meaning.fact
        for name, meaning in library.scope.bindings.items()
        if isinstance(meaning, Global) and meaning.fact is not None and name not in library.scope.imported
    }
