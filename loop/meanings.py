"""What the names mean that the loop's scripts use: when the conversation began, and since the person typed Scheme.

Texts that are typed define in the same environment as the scripts, so that a person can change the loop. Whoever only
wants a name of their own may hit one of the loop's, or a standard procedure that it calls; so it is said, and can be
taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from nodwyn.interp.data import Value, Vector
from nodwyn.prims.counting import in_words
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.mistyped import hint

if TYPE_CHECKING:
    from nodwyn.interp import Interpreter


class Meanings:
    """The values of the names that the loop uses: its own, the primitives, and what its scripts import."""

    def __init__(self, scheme: Interpreter, bare: Callable[[Value], Value]) -> None:
        """Take up the names of one Scheme. bare: gives a procedure without its advice, which is no definition."""
        self._scheme = scheme
        self._bare = bare
        self._scripts: Collection[str] = ()
        self._before: dict[str, Value] = {}
        self._typed = set[str]()
        """Names to which typed texts gave another meaning. Some may have their first one again."""

    def note(self, scripts: Collection[str]) -> None:
        """Take note of what the names mean, before a typed text is evaluated.

        scripts: the names of the scripts that were loaded; at the first call nothing was typed so far.
        """
        self._scripts = scripts
        self._before = dict(self._now())

    def changed(self) -> list[str]:
        """Return the names to which the text gave another meaning, which is not the first one either."""
        now = dict(self._now())
        changed = [name for name, value in now.items() if value is not self._before[name]]
        self._typed.update(changed)
        return sorted(name for name in changed if now[name] is not self._first[name])

    def standing(self) -> list[str]:
        """Return the names that a typed text gave a meaning which is not the first one."""
        if not self._typed:
            return []
        return sorted(name for name, value in self._now() if name in self._typed and value is not self._first[name])

    def restore(self, name: str | None) -> None:
        """Give a name, or all of them, the meaning that it had before anything was typed.

        Raises: PrimitiveError when it is none that the loop uses.
        """
        if name is not None and name not in self._first:
            raise PrimitiveError(f"{name} is no name that the loop uses{hint(name, self._first, otherwise='')}")
        for each in self._typed if name is None else [name]:
            self._scheme.programs.define(each, self._first[each])

    @cached_property
    def _first(self) -> dict[str, Value]:
        programs = self._scheme.programs
        own = {name: self._bare(programs.lookup(name)) for name in programs.interaction.variables()}
        imported = sorted(programs.imported_in(self._scripts) - own.keys())
        values = self._scheme.eval_scheme(f"(vector {' '.join(imported)})", "<meanings>", keep=True)
        assert isinstance(values, Vector)
        return own | dict(zip(imported, values.items, strict=True))

    def _now(self) -> Iterator[tuple[str, Value]]:
        programs = self._scheme.programs
        keys, values = programs.interaction.variables(), programs.runtime.globals
        for name, first in self._first.items():
            yield name, self._bare(values.get(keys.get(name, ""), first))


def used_by_the_loop(names: Sequence[str]) -> str:
    """Return what is said of names of the loop's that were given another meaning, and how that is taken back."""
    if len(names) == 1:
        return f"the loop uses {names[0]}, which now means what you defined: (restore! '{names[0]}) takes that back"
    back = f"(restore! '{names[0]}) takes one back, (restore!) all"
    return f"the loop uses {in_words(names)}, which now mean what you defined: {back}"
