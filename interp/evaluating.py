"""Builtins that evaluate: ``eval`` and its environments (section 6.12), ``load``, and leaving (6.14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, TRUE, UNSPECIFIED, Environment, String, Value
from nodwyn.interp.errors import wrong_type
from nodwyn.interp.runtime.state import Unwind
from nodwyn.interp.syntax import Source, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.core import Node
    from nodwyn.interp.expand import Toplevel
    from nodwyn.interp.linking import Form
    from nodwyn.interp.programs import Programs


class Exit(Unwind):
    """``exit`` was called: the program ends with this status, outstanding ``dynamic-wind`` exits having run."""

    def __init__(self, status: int) -> None:
        self.status = status


def bind(programs: Programs, define: Table) -> None:
    """Declare the builtins of one interpreter that evaluate."""
    _bind_evaluation(programs, define)
    _bind_environments(programs, define)

    @define("emergency-exit", "%exit")
    def leave(status: Value = UNSPECIFIED) -> Value:
        raise Exit(_exit_status(status))


def _exit_status(value: Value) -> int:
    if value is UNSPECIFIED or value is TRUE:
        return 0
    if value is FALSE:
        return 1
    if value.__class__ is not int:
        return 1
    # The system keeps eight bits; another failure is one all the same.
    return value & 0xFF or int(value != 0)


def _bind_evaluation(programs: Programs, define: Table) -> None:
    tc = programs.runtime.tc
    libraries, interaction = programs.libraries, programs.interaction

    def run(forms: list[Form]) -> Value:
        tc.f, tc.a = programs.sequence, (forms,)
        return None

    def compiled(nodes: list[Node], scope: Toplevel, name: str) -> list[Form]:
        with interaction.without_failed_imports():
            libraries.run_all(scope.imports)
        return programs.linker.compile(nodes, name, assuming=interaction.is_scope(scope), tail=True)[0]

    @define("eval")
    def evaluate(expression: Value, environment: Value) -> Value:
        from nodwyn.interp.expand import to_syntax

        if not isinstance(environment, Environment):
            raise wrong_type("eval", "environment", "an environment", environment)
        scope = environment.scope
        if interaction.is_scope(scope):
            interaction.state = None
            nodes = libraries.expander.interaction(to_syntax(expression), interaction.scope)
        else:
            nodes = [libraries.expander.expression(to_syntax(expression), scope)]
        return run(compiled(nodes, scope, "<eval>"))

    @define("load")
    def load(path: Value, environment: Value = UNSPECIFIED) -> Value:
        from nodwyn.interp.interaction import expand_forms

        if not isinstance(path, String):
            raise wrong_type("load", "filename", "a string", path)
        source = programs.read(path.text())
        if isinstance(environment, Environment) and not interaction.is_scope(environment.scope):
            nodes = expand_forms(source, libraries.expander, environment.scope)
            return run(compiled(nodes, environment.scope, source.name))
        return run(programs.forms("interaction", source, True))


def _bind_environments(programs: Programs, define: Table) -> None:
    libraries = programs.libraries

    def made(name: str, import_sets: Iterable[Syntax]) -> Environment:
        scope = libraries.expander.environment(import_sets)
        libraries.run_all(scope.imports)
        if libraries.defined():
            # Which of these have run is no longer said by the texts so far.
            programs.interaction.state = None
        return Environment(name, scope)

    @define("environment")
    def environment(*import_sets: Value) -> Value:
        from nodwyn.interp.expand import to_syntax

        return made("environment", [to_syntax(each) for each in import_sets])

    def named(procedure: str, library: str) -> None:
        @define(procedure)
        def named_environment(version: Value) -> Value:
            from nodwyn.interp.reader import read_source

            if version.__class__ is not int or version not in (5, 7):
                raise wrong_type(procedure, "version", "5 or 7", version)
            return made(procedure, read_source(Source(procedure, library)))

    named("scheme-report-environment", "(scheme r5rs)")
    named("null-environment", "(nodwyn syntax)")

    @define("interaction-environment")
    def interaction_environment() -> Value:
        return Environment("interaction", programs.interaction.scope)
