"""Texts and libraries of one interpreter: read, expanded, compiled, and run once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

from nodwyn.interp.builtins import all_tables
from nodwyn.interp.builtins.system import FEATURES
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.core import Global, Node
from nodwyn.interp.data import UNSPECIFIED, Environment, String, Value, intern
from nodwyn.interp.errors import Condition, SchemeError, wrong_type
from nodwyn.interp.expand import Expander, LibraryPath, Toplevel, to_syntax
from nodwyn.interp.generate.unit import Compiled, compile_unit
from nodwyn.interp.reader import read_source
from nodwyn.interp.runtime import Runtime, control
from nodwyn.interp.runtime.frames import SPECIAL, Frames
from nodwyn.interp.runtime.state import State, Unwind
from nodwyn.interp.runtime.units import Unit
from nodwyn.interp.syntax import Source, Syntax


class Exit(Unwind):
    """``exit`` was called: the program ends with this status, outstanding ``dynamic-wind`` exits having run."""

    def __init__(self, status: int) -> None:
        self.status = status


class Programs:
    """Compiles and runs code in one runtime, and keeps its libraries and its interaction environment."""

    def __init__(self, runtime: Runtime, directories: Iterable[str]) -> None:
        self.runtime = runtime
        table = Table()
        for each in all_tables(runtime):
            table.procedures.update(each.procedures)
        control.bind(runtime, table)
        self._bind(table)
        runtime.install(table)
        self.path = LibraryPath(list(directories), runtime.host.read_source)
        self.expander = Expander(
            read_source,
            self.path.find,
            self.path.include,
            FEATURES,
            table.procedures,
            known_libraries=self.path.names,
        )
        self._loaded: set[str] = set()
        self._units = 0
        self._sequence = _make_sequence(runtime.tc)
        self._scope: Toplevel | None = None

    @property
    def scope(self) -> Toplevel:
        """The scope of the interaction environment."""
        if self._scope is None:
            self._scope = self.expander.interaction_scope()
        return self._scope

    def evaluate(self, source: Source) -> Value:
        """Evaluate a text in the interaction environment; return the last form's value."""
        nodes: list[Node] = []
        for form in read_source(source):
            nodes.extend(self.expander.interaction(form, self.scope))
        self._run_imports(self.scope.imports)
        return self._execute(nodes, source.name)

    def run(self, source: Source) -> None:
        """Run a program."""
        program = self.expander.program(read_source(source))
        self._run_imports(program.imports)
        self._execute(program.body, source.name)

    def define(self, name: str, value: Value) -> None:
        """Define a variable of the interaction environment."""
        node = self.expander.interaction(to_syntax_of_definition(name), self.scope)
        self._run_imports(self.scope.imports)
        self._execute(node, "<define>")
        self.runtime.globals[self._global(name).key] = value

    def lookup(self, name: str) -> Value:
        """Return the value of a variable of the interaction environment."""
        self._run_imports(self.scope.imports)
        key = self._global(name).key
        if key not in self.runtime.globals:
            raise SchemeError(Condition("unbound", f"unbound variable: {name}"))
        return self.runtime.globals[key]

    def _global(self, name: str) -> Global:
        from nodwyn.interp.core import GlobalRef
        from nodwyn.interp.syntax import Identifier

        node = self.expander.expression(Identifier(intern(name), None), self.scope)
        if not isinstance(node, GlobalRef):
            raise SchemeError(Condition("type", f"{name} is not a variable"))
        return node.glob

    def _run_imports(self, names: Iterable[str]) -> None:
        for name in names:
            self.run_library(name)

    def run_library(self, name: str) -> None:
        """Run a library's code, and that of those it imports, unless it has run."""
        if name in self._loaded:
            return
        self._loaded.add(name)
        library = self.expander.library(name)
        self._run_imports(library.imports)
        if library.body:
            self._execute(library.body, name)
            library.body = []

    def _execute(self, nodes: list[Node], source: str) -> Value:
        if not nodes:
            return UNSPECIFIED
        return self.runtime.call(self._sequence, self.compiled(nodes, source))

    def compiled(self, nodes: list[Node], source: str) -> list[Callable[[], Value]]:
        """Compile core forms; return a function for each."""
        self._units += 1
        compiled = compile_unit(nodes, str(self._units), source)
        return self._link(compiled, source)

    def _link(self, compiled: Compiled, source: str) -> list[Callable[[], Value]]:
        variables = self.runtime.globals
        Unit(compiled.key, source, variables, lambda: (compiled.routines, compiled.constants))
        variables.update(compiled.constants.values)
        for code in compiled.codes:
            exec(code, variables)
        return [variables.pop(name) for name in compiled.forms]

    def _bind(self, define: Table) -> None:
        runtime = self.runtime
        tc = runtime.tc

        @define("eval")
        def evaluate(expression: Value, environment: Value) -> Value:
            if not isinstance(environment, Environment):
                raise wrong_type("eval", "environment", "an environment", environment)
            scope = environment.scope
            syntax = to_syntax(expression)
            if scope is self._scope:
                nodes = self.expander.interaction(syntax, scope)
            else:
                nodes = [self.expander.expression(syntax, scope)]
            self._run_imports(scope.imports)
            tc.f, tc.a = self._sequence, (self.compiled(nodes, "<eval>"),)
            return None

        @define("environment")
        def environment(*import_sets: Value) -> Value:
            scope = self.expander.environment([to_syntax(each) for each in import_sets])
            self._run_imports(scope.imports)
            return Environment("environment", scope)

        @define("scheme-report-environment")
        def scheme_report_environment(version: Value) -> Value:
            return named_environment("scheme-report-environment", version, "(scheme r5rs)")

        @define("null-environment")
        def null_environment(version: Value) -> Value:
            return named_environment("null-environment", version, "(nodwyn syntax)")

        def named_environment(procedure: str, version: Value, library: str) -> Value:
            if version.__class__ is not int or version not in (5, 7):
                raise wrong_type(procedure, "version", "5 or 7", version)
            (import_set,) = read_source(Source(procedure, library))
            scope = self.expander.environment([import_set])
            self._run_imports(scope.imports)
            return Environment(procedure, scope)

        @define("interaction-environment")
        def interaction_environment() -> Value:
            return Environment("interaction", self.scope)

        @define("load")
        def load(path: Value, environment: Value = UNSPECIFIED) -> Value:
            if not isinstance(path, String):
                raise wrong_type("load", "filename", "a string", path)
            scope = environment.scope if isinstance(environment, Environment) else self.scope
            source = runtime.host.read_source(path.text(), None)
            nodes: list[Node] = []
            for form in read_source(source):
                nodes.extend(self.expander.interaction(form, scope))
            self._run_imports(scope.imports)
            tc.f, tc.a = self._sequence, (self.compiled(nodes, source.name),)
            return None

        @define("%exit", "emergency-exit")
        def leave(status: Value = UNSPECIFIED) -> Value:
            raise Exit(_exit_status(status))


def to_syntax_of_definition(name: str) -> Syntax:
    """Return ``(define name #f)`` as syntax."""
    from nodwyn.interp.data import FALSE, list_from

    return to_syntax(list_from([intern("define"), intern(name), FALSE]))


def _exit_status(value: Value) -> int:
    from nodwyn.interp.data import FALSE, TRUE

    if value is UNSPECIFIED or value is TRUE:
        return 0
    if value is FALSE:
        return 1
    return value & 0xFF if value.__class__ is int else 1


def _make_sequence(tc: State) -> Callable[[list[Callable[[], Value]]], Value]:
    """Return the procedure that runs top-level forms one after another."""
    run = tc.run

    def sequence(forms: list[Callable[[], Value]]) -> Value:
        value: Value = UNSPECIFIED
        index = 0
        while index < len(forms):
            index += 1
            value = forms[index - 1]()
            if value is None:
                value = run()
        return value

    def resume(value: Value, live: Any) -> Value:
        forms, index = live
        if index == len(forms):
            return value
        tc.frames = (resume, (forms, index + 1), tc.frames)
        return forms[index]()

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        variables = frame.f_locals
        return resume, (variables["forms"], variables["index"]), frames

    SPECIAL[sequence.__code__] = special
    return sequence
