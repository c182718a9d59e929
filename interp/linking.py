"""From compiled units to functions in an interpreter's globals: units that were just compiled, and those from disk."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any

from nodwyn.interp.data import Symbol, Value
from nodwyn.interp.flatten import Flat, UnflattenableError, flatten, restore, restore_all
from nodwyn.interp.redefinition import (
    Code,
    Text,
    Texts,
    all_code,
    copied,
    defined_in,
    has_functions,
    mentioned_in,
)
from nodwyn.interp.runtime.units import Unit

if TYPE_CHECKING:
    from nodwyn.interp.builtins import Builtins
    from nodwyn.interp.core import Fact, Global, Node
    from nodwyn.interp.generate.unit import Compiled
    from nodwyn.interp.syntax import Source

Form = Callable[[], Value]
"""A top-level form: a function that runs it."""

SWEEP = 64
"""Units that come to those that were left the last time before all are looked through."""

KEY_DIGITS = 20
"""Digits of a digest that are enough to tell the units of one interpreter apart."""


class KeptUnit:
    """A compiled unit as it is on disk.

    key: its name, made from all that its code depends on. source: the name of its text. codes and forms: see
    ``generate.unit.Compiled``. modules: those of the builtins that the code refers to. constants: their names, and a
    table of their values. nodes: the analysed routines that code for continuations and messages for errors are made
    from, as a table that only these look into. assumed: keys of the globals that its code takes for constant though
    they can change. defined: names by key of those that it defines or assigns. mentioned: names of all that it refers
    to. written: its forms before the compiler rewrote them,
    for the day one of the former changes.
    """

    __slots__ = (
        "assumed",
        "codes",
        "constants",
        "defined",
        "forms",
        "key",
        "mentioned",
        "modules",
        "nodes",
        "source",
        "written",
    )

    def __init__(
        self,
        key: str,
        source: str,
        codes: list[CodeType],
        forms: list[str],
        modules: list[str],
        constants: tuple[list[str], Flat],
        nodes: bytes,
        assumed: list[str],
        defined: dict[str, str],
        mentioned: list[str],
        written: bytes,
    ) -> None:
        self.key = key
        self.source = source
        self.codes = codes
        self.forms = forms
        self.modules = modules
        self.constants = constants
        self.nodes = nodes
        self.assumed = assumed
        self.defined = defined
        self.mentioned = mentioned
        self.written = written

    def fields(self) -> tuple[Any, ...]:
        """Return what the constructor takes."""
        code = self.key, self.source, self.codes, self.forms, self.modules, self.constants
        return *code, self.nodes, self.assumed, self.defined, self.mentioned, self.written


class Linker:
    """Puts units into the globals of one runtime, and the builtins that they refer to."""

    def __init__(self, variables: dict[str, Any], builtins: Builtins) -> None:
        self.globals = variables
        self.builtins = builtins
        self._units = 0
        self._constants: dict[str, dict[str, object]] = {}
        self._shared: dict[str, dict[int, str]] = {}
        """By key, the names of the constants of units that have the same key in every process, by their ``id``."""
        self.texts = Texts(variables, self._recompile)
        self._passing: dict[str, Compiled] = {}
        """Units that are not kept, by key."""
        self._left = 0

    def is_linked(self, key: str) -> bool:
        """Say whether there is a unit of that key."""
        return key in self.globals["%units"].named

    def compile(
        self,
        nodes: list[Node],
        source: str,
        stamp: str = "",
        sources: dict[int, str] | None = None,
        below: Iterable[str] = (),
        *,
        assuming: bool = False,
        tail: bool = False,
    ) -> tuple[list[Form], KeptUnit | None]:
        """Compile core forms; return their functions, and the unit as it can be kept on disk, or None.

        source: the name of their text. stamp: a digest of all that they depend on, if the unit is to be kept.
        sources: names for the texts of spans, by ``id``. below: keys of the units that are always linked before it.
        assuming: they belong to the interaction environment. tail: a call that the last form ends in is a tail call.
        Raises SchemeError of kind "limit".
        """
        from nodwyn.interp.generate.unit import compile_unit

        written = self._prepare(nodes) if assuming else []

        key = stamp[:KEY_DIGITS]
        is_kept = bool(key) and not self.is_linked(key)
        if not is_kept:
            self._units += 1
            key = str(self._units)
        compiled = compile_unit(nodes, key, source, assuming=assuming, tail=tail)
        loaded = compiled.routines, compiled.constants
        Unit(key, source, self.globals, lambda: loaded)
        if assuming:
            code = Code(compiled.codes, compiled.routines)
            self.texts.texts[key] = Text(source, compiled.assumed, mentioned_in(written), lambda: (written, code))
        # Before the heap code of continuations adds some.
        constants = dict(compiled.constants.values)
        unit = self._keep(compiled, source, self._shared_by(below), sources or {}, written) if is_kept else None
        if unit is not None:
            self._share(key, constants)
        forms = self._execute(constants, compiled.codes, compiled.forms)
        if not is_kept:
            self._note(compiled)
        return forms, unit

    def _note(self, compiled: Compiled) -> None:
        """Take note of a unit that is not kept; now and then, forget those that nothing can come back to.

        A program may evaluate any number of forms, and most leave no procedure behind.
        """
        self._passing[compiled.key] = compiled
        if len(self._passing) < 2 * self._left + SWEEP:
            return
        units = self.globals["%units"]
        for key, each in list(self._passing.items()):
            self.texts.forget_dead(key)
            if not has_functions(each.codes, units.codes) and units.forget(key, all_code(each.codes)):
                del self._passing[key]
                for name, value in each.constants.values.items():
                    if not isinstance(value, Symbol):
                        self.globals.pop(name, None)
        self._left = len(self._passing)

    def link_kept(self, unit: KeptUnit, sources: Callable[[], Mapping[str, Source]]) -> list[Form]:
        """Return the functions of a unit from disk. sources: gives the texts of spans in it by their names."""

        def load() -> Any:
            from nodwyn.interp.generate.expressions import Constants

            self.builtins.bind_all()
            constants = Constants(unit.key, frozenset(unit.assumed), self.constants(unit))
            return restore(marshal.loads(unit.nodes), self.globals | dict(sources())), constants

        self.builtins.bind(unit.modules)
        Unit(unit.key, unit.source, self.globals, load)
        if unit.written:
            self.texts.make_way(unit.defined)

            def forms_and_code() -> tuple[list[Node], Code]:
                written = restore(marshal.loads(unit.written), self.globals | dict(sources()))
                return written, Code(unit.codes, load()[0])

            self.texts.texts[unit.key] = Text(unit.source, set(unit.assumed), set(unit.mentioned), forms_and_code)
        return self._execute(self.constants(unit), unit.codes, unit.forms)

    def _execute(self, constants: dict[str, object], codes: list[CodeType], forms: list[str]) -> list[Form]:
        self.globals.update(constants)
        for code in codes:
            exec(code, self.globals)  # noqa: S102  code of the generator
        return [self.globals.pop(name) for name in forms]

    def constants(self, unit: KeptUnit) -> dict[str, object]:
        """Return the constants of a unit from disk by name, the same ones each time."""
        known = self._constants.get(unit.key)
        if known is None:
            names, values = unit.constants
            known = dict(zip(names, restore(values, self.globals)))
            self._share(unit.key, known)
        return known

    def _share(self, key: str, constants: dict[str, object]) -> None:
        self._constants[key] = constants
        self._shared[key] = {id(value): name for name, value in constants.items() if not isinstance(value, Symbol)}

    def _shared_by(self, keys: Iterable[str]) -> dict[int, str]:
        """Return the names of the constants of some units.

        One object can be a constant of several: it came with a procedure that was inlined or with a macro. A unit may
        call it by the name that it has in another only where that one is there whenever this one is.
        """
        shared: dict[int, str] = {}
        for key in keys:
            shared |= self._shared.get(key, {})
        return shared

    def _prepare(self, nodes: list[Node]) -> list[Node]:
        """Make way for what forms of the interaction environment define; return a copy of the forms."""
        self.texts.make_way(defined_in(nodes))
        return copied(nodes)

    def _recompile(self, nodes: list[Node], source: str, distrusted: frozenset[str]) -> tuple[Code, set[str]]:
        from nodwyn.interp.generate.unit import compile_unit

        self._units += 1
        compiled = compile_unit(nodes, str(self._units), source, assuming=True, distrusted=distrusted)
        loaded = compiled.routines, compiled.constants
        Unit(compiled.key, source, self.globals, lambda: loaded)
        self.globals.update(compiled.constants.values)
        self._passing[compiled.key] = compiled
        return Code(compiled.codes, compiled.routines), compiled.assumed

    def _keep(
        self, compiled: Compiled, source: str, shared: dict[int, str], sources: dict[int, str], written: list[Node]
    ) -> KeptUnit | None:
        from nodwyn.interp.core import Fact

        constants = compiled.constants.values
        own = {id(value): name for name, value in constants.items()}
        # What is inlined has been inlined.
        without = {Fact: frozenset(["body"])}
        try:
            values = flatten(list(constants.values()), shared)
            named = shared | own | sources
            nodes = flatten(compiled.routines, named, without)
            forms = marshal.dumps(flatten(written, named, without)) if written else b""
        except UnflattenableError:
            return None
        kept = list(constants), values
        return KeptUnit(
            compiled.key,
            source,
            compiled.codes,
            compiled.forms,
            self.builtins.modules_for(compiled.codes),
            kept,
            marshal.dumps(nodes),
            sorted(compiled.assumed),
            defined_in(written),
            sorted(mentioned_in(written)),
            forms,
        )

    def keep_facts(self, facts: dict[str, Fact], keys: Iterable[str], sources: dict[int, str]) -> bytes:
        """Return what is known of a library's variables as it can be kept, given it by their names.

        keys: of the units of the library and of those below it. sources: names for the texts of spans, by ``id``.
        """
        from nodwyn.interp.core import Global

        # The variables in it are known to the libraries that define them.
        return marshal.dumps(flatten(facts, self._shared_by(keys) | sources, {Global: frozenset(["fact"])}))

    def restore_facts(
        self, kept: bytes, unit: KeptUnit | None, sources: Mapping[str, Source]
    ) -> tuple[dict[str, Fact], list[Global]]:
        """Return what :meth:`keep_facts` kept, and the variables in it, of which nothing is known.

        unit: that of the library, which need not be linked yet; those that it imports have been here before.
        """
        from nodwyn.interp.core import Global

        if unit is not None:
            self.globals.update(self.constants(unit))
        facts, made = restore_all(marshal.loads(kept), self.globals | dict(sources))
        return facts, [each for each in made if each.__class__ is Global]
