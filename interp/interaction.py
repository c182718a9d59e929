"""The interaction environment: what texts typed in, loaded or evaluated for a host define, and what later ones see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nodwyn.interp.cache import digest
from nodwyn.interp.data import FALSE, Symbol, intern, list_from
from nodwyn.interp.errors import Condition, SchemeError

if TYPE_CHECKING:
    from nodwyn.interp.core import Node
    from nodwyn.interp.expand import Expander, Toplevel
    from nodwyn.interp.libraries import Libraries
    from nodwyn.interp.syntax import Source, Syntax

NAME = "user"


class Interaction:
    """The interaction environment of one interpreter.

    state: a digest of all that has changed it and the libraries that programs define, None where that is not known.
    Its scope is only made when something is to be expanded in it; texts that ran from disk before are expanded then.
    """

    def __init__(self, libraries: Libraries) -> None:
        self.libraries = libraries
        self.state: str | None = ""
        self._scope: Toplevel | None = None
        self._pending: list[Callable[[Expander, Toplevel], object]] = []
        self._variables: dict[str, str] = {}

    @property
    def scope(self) -> Toplevel:
        """The scope of the environment."""
        expander = self.libraries.expander
        if self._scope is None:
            self._scope = expander.interaction_scope()
        while self._pending:
            # Stopped half way, it is made again.
            self._pending[0](expander, self._scope)
            del self._pending[0]
        return self._scope

    def is_scope(self, scope: Toplevel) -> bool:
        """Say whether a scope is that of this environment."""
        return scope is self._scope

    def expand(self, source: Source) -> list[Node]:
        """Expand the forms of a text. Raises SchemeError."""
        return expand_forms(source, self.libraries.expander, self.scope)

    def advance(self, kind: str, *parts: str) -> None:
        """Take note of a change. kind and parts: what it was, and all that its effect depends on."""
        if self.state is not None:
            self.state = digest(self.state, kind, *parts)

    def skip(self, source: Source, variables: dict[str, str]) -> None:
        """Take note of a text that ran from disk. variables: what is defined after it, as :meth:`variables` gave it."""
        self._pending.append(lambda expander, scope: expand_forms(source, expander, scope))
        self._variables = variables

    def skip_program(self, source: Source) -> None:
        """Take note of a program that ran from disk and defines libraries."""
        from nodwyn.interp.reader import read_source

        self._variables = self.variables()
        self._pending.append(lambda expander, scope: expander.program(read_source(source)))

    def without_failed_imports(self) -> _WithoutFailedImports:
        """Return a context to run libraries in: one that fails is only run again for a text that imports it again."""
        return _WithoutFailedImports(self)

    def drop_failed_imports(self) -> None:
        """Forget the imports of libraries that have not run, but for those that every text needs."""
        has_run = self.libraries.has_run

        def drop(expander: Expander, scope: Toplevel) -> None:
            from nodwyn.interp.expand.libraries import STANDARD

            scope.imports[:] = [name for name in scope.imports if name in STANDARD or has_run(name)]

        self.state = None
        self._variables = self.variables()
        self._pending.append(drop)

    def variables(self) -> dict[str, str]:
        """Return the global keys of the variables that are defined here, by name."""
        if self._scope is None or self._pending:
            return self._variables
        from nodwyn.interp.core import Global

        return {
            name.name: meaning.key
            for name, meaning in self._scope.bindings.items()
            if isinstance(name, Symbol) and isinstance(meaning, Global) and name not in self._scope.imported
        }

    def define(self, name: str) -> str:
        """Define a variable; return its key."""
        self.advance("define", name)
        key = f"{NAME}:{name}"
        self._variables = {**self.variables(), name: key}
        self._pending.append(lambda expander, scope: expander.interaction(_definition(name), scope))
        return key

    def key_of(self, name: str) -> str:
        """Return the key of the variable that a name means. Raises SchemeError if it means none."""
        own = self.variables().get(name)
        if own is not None:
            return own
        from nodwyn.interp.core import GlobalRef
        from nodwyn.interp.syntax import Identifier

        node = self.libraries.expander.expression(Identifier(intern(name), None), self.scope)
        if not isinstance(node, GlobalRef):
            raise SchemeError(Condition("type", f"{name} is not a variable"))
        return node.glob.key


class _WithoutFailedImports:
    """See :meth:`Interaction.without_failed_imports`."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        if kind is not None:
            self.interaction.drop_failed_imports()


def expand_forms(source: Source, expander: Expander, scope: Toplevel) -> list[Node]:
    """Expand the forms of a text in an interaction's scope. Raises SchemeError."""
    from nodwyn.interp.reader import read_source

    nodes: list[Node] = []
    for form in read_source(source):
        nodes.extend(expander.interaction(form, scope))
    return nodes


def _definition(name: str) -> Syntax:
    from nodwyn.interp.expand import to_syntax

    return to_syntax(list_from([intern("define"), intern(name), FALSE]))
