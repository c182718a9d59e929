"""Texts of one interpreter: read, expanded, compiled, kept on disk, and run once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from types import FrameType
from typing import TYPE_CHECKING, Any

from nodwyn.interp import evaluating
from nodwyn.interp.builtins import Builtins
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.cache import open_cache
from nodwyn.interp.data import UNSPECIFIED, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.interaction import Interaction
from nodwyn.interp.libraries import Libraries
from nodwyn.interp.library_path import LibraryPath
from nodwyn.interp.linking import Form, KeptUnit, Linker
from nodwyn.interp.reads import Reads
from nodwyn.interp.runtime import Runtime, control
from nodwyn.interp.runtime.frames import SPECIAL, Frames
from nodwyn.interp.runtime.state import State
from nodwyn.interp.store import KeptText, Store, stamp_of
from nodwyn.interp.syntax import Source

if TYPE_CHECKING:
    from nodwyn.interp.core import Node
    from nodwyn.interp.expand import Expander, Library

INTERACTION, PROGRAM = "interaction", "program"
"""What a text can be: forms for the interaction environment, or a program of its own (section 5.1)."""


class Programs:
    """Compiles and runs texts in one runtime, and keeps its libraries and its interaction environment."""

    def __init__(self, runtime: Runtime, directories: Iterable[str]) -> None:
        self.runtime = runtime
        self.sequence = _make_sequence(runtime.tc)
        self.reads = Reads(LibraryPath(list(directories), runtime.host.read_source))
        self.builtins = Builtins(runtime)
        self.linker = Linker(runtime.globals, self.builtins)
        cache = open_cache()
        self.store = None if cache is None else Store(cache, self.reads, self.reads.path.directories)
        self.libraries = Libraries(self.linker, self.reads, self.store, self._make_expander, self.execute)
        self.interaction = Interaction(self.libraries)
        self._texts: set[str] = set()
        """Keys of the units of the interaction environment that are on disk."""
        own = Table()
        control.bind(runtime, own)
        evaluating.bind(self, own)
        self.builtins.install(own)

    def _make_expander(self, cached: Callable[[str, Source], Library | None]) -> Expander:
        from nodwyn.interp.builtins.system import FEATURES
        from nodwyn.interp.expand import Expander
        from nodwyn.interp.reader import configure_cache, read_source

        if self.store is not None:
            configure_cache(self.store.cache)
        return Expander(
            read_source,
            self.reads.find,
            self.reads.include,
            FEATURES,
            self.builtins.bind_all(),
            cached=cached,
            known_libraries=self.reads.path.names,
        )

    def read(self, path: str) -> Source:
        """Return the text of a file, read through the host. Raises SchemeError of kind "file" where it cannot be."""
        return self.reads.path.include(path, None)

    def evaluate(self, source: Source, *, keep: bool = False) -> Value:
        """Evaluate a text in the interaction environment; return the last form's value.

        keep: whether the text is likely to come again in another process, so that its code is worth keeping.
        """
        return self.execute(self.forms(INTERACTION, source, keep))

    def run(self, source: Source) -> None:
        """Run a program."""
        self.execute(self.forms(PROGRAM, source, True))

    def execute(self, forms: list[Form]) -> Value:
        """Run top-level forms; return the last one's value."""
        return self.runtime.call(self.sequence, forms) if forms else UNSPECIFIED

    def define(self, name: str, value: Value) -> Value:
        """Define a variable of the interaction environment."""
        key = self.interaction.define(name)
        self.linker.texts.make_way({key: name})
        self.runtime.globals[key] = value
        return UNSPECIFIED

    def lookup(self, name: str) -> Value:
        """Return the value of a variable of the interaction environment."""
        key = self.interaction.key_of(name)
        if key not in self.runtime.globals:
            self.libraries.run_all(self.interaction.scope.imports)
            if key not in self.runtime.globals:
                raise SchemeError(Condition("unbound", f"unbound variable: {name}"))
        return self.runtime.globals[key]

    def imported_in(self, sources: Container[str]) -> set[str]:
        """Return the names of builtins and imported variables that texts of the interaction environment refer to.

        sources: the names of these texts.
        """
        mentioned = [text.mentioned for text in self.linker.texts.texts.values() if text.source in sources]
        return {name for name in set().union(*mentioned) if not name.startswith("%")}

    def expand(self, kind: str, source: Source) -> list[Node]:
        """Return the core forms of a text, whose libraries have run. kind: INTERACTION or PROGRAM."""
        self.reads.begin()
        nodes, imports, _ = self._expanded(kind, source)
        self.libraries.run_all(imports)
        return nodes

    def forms(self, kind: str, source: Source, keep: bool) -> list[Form]:
        """Return the forms of a text, whose libraries have run.

        kind: INTERACTION or PROGRAM.
        """
        self.reads.begin()
        state = self.interaction.state
        key = self.store.text_key(kind, state, source) if self.store is not None and keep and state is not None else ""
        if key:
            kept = self._kept(key)
            if kept is not None:
                return self._forms_kept(kind, source, kept)
        return self._forms_compiled(kind, source, key)

    def _kept(self, key: str) -> KeptText | None:
        assert self.store is not None
        kept = self.store.text(key)
        if kept is None or not self.libraries.can_run(kept.runs):
            return None
        return None if kept.unit is not None and self.linker.is_linked(kept.unit.key) else kept

    def _forms_kept(self, kind: str, source: Source, kept: KeptText) -> list[Form]:
        if kind == INTERACTION:
            self.interaction.skip(source, kept.variables)
        elif kept.defines:
            self.interaction.skip_program(source)
        if kind == INTERACTION or kept.defines:
            self.interaction.advance(kind, source.name, source.text, stamp_of("", kept.record))
        with self.interaction.without_failed_imports():
            self.libraries.run_kept(kept.runs, kept.record)
        self.reads.pin(kept.record)
        if kept.unit is None:
            return []
        self._note(kind, kept.unit)
        return self.linker.link_kept(kept.unit, lambda: self.reads.sources(kept.record, source))

    def _forms_compiled(self, kind: str, source: Source, key: str) -> list[Form]:
        interaction = self.interaction
        state, interaction.state = interaction.state, None
        nodes, imports, defines = self._expanded(kind, source)
        asked = dict(self.reads.asked_by(""))
        since = self.libraries.count
        with interaction.without_failed_imports():
            self.libraries.run_all(imports, key)
        record = asked | self.libraries.record(imports)
        stamp = stamp_of(key, record) if key else ""
        forms: list[Form] = []
        unit = None
        if nodes:
            names = self.reads.names_of(record, source)
            below = self.libraries.keys_below(imports) | self._texts
            forms, unit = self.linker.compile(nodes, source.name, stamp, names, below, assuming=kind == INTERACTION)
        self._note(kind, unit)
        interaction.state = state
        if kind == INTERACTION or defines:
            interaction.advance(kind, source.name, source.text, stamp_of("", record))
        runs = self.libraries.runs(imports, since) if key else None
        if self.store is not None and runs is not None and (unit is not None or not nodes):
            variables = interaction.variables() if kind == INTERACTION else {}
            self.store.keep_text(key, KeptText(record, runs, unit, variables, defines))
        return forms

    def _note(self, kind: str, unit: KeptUnit | None) -> None:
        if kind == INTERACTION and unit is not None:
            self._texts.add(unit.key)

    def _expanded(self, kind: str, source: Source) -> tuple[list[Node], list[str], bool]:
        """Return the core forms of a text, what it imports, and whether it defines libraries."""
        from nodwyn.interp.reader import read_source

        expander = self.libraries.expander
        known = expander.defined()
        if kind == PROGRAM:
            program = expander.program(read_source(source))
            nodes, imports = program.body, program.imports
        else:
            nodes = self.interaction.expand(source)
            imports = self.interaction.scope.imports
        return nodes, imports, expander.defined() != known


def _make_sequence(tc: State) -> Callable[[list[Form]], Value]:
    """Return the procedure that runs top-level forms one after another."""
    run = tc.run

    def sequence(forms: list[Form]) -> Value:
        value: Value = UNSPECIFIED
        index = 0
        while index < len(forms):
            index += 1
            value = forms[index - 1]()
            if value is None:
                value = run()
        return value

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        variables = frame.f_locals
        return _resume_sequence, (tc, variables["forms"], variables["index"]), frames

    # All interpreters share the code: what is kept under it must know none of them.
    SPECIAL[id(sequence.__code__)] = special
    return sequence


def _resume_sequence(value: Value, live: Any) -> Value:
    tc, forms, index = live
    if index == len(forms):
        return value
    tc.frames = (_resume_sequence, (tc, forms, index + 1), tc.frames)
    result: Value = forms[index]()
    return result
