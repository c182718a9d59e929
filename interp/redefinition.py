"""Code of the interaction environment, compiled again when what it takes for constant changes.

Whatever is typed in is compiled as if the globals it calls stayed what they are: calls of known procedures are direct,
builtins are written out. When one of them is defined anew, or an imported name is defined for the first time, the
functions compiled before get new code in place, closures and all.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType

from nodwyn.interp.analyse.copying import Copier
from nodwyn.interp.analyse.nodes import Routine
from nodwyn.interp.analyse.uses import walk
from nodwyn.interp.core import Global, GlobalDefine, GlobalRef, GlobalSet, Node
from nodwyn.interp.generate.unit import Compiled


class Text:
    """Forms of the interaction environment as they were expanded, with the code they have now."""

    __slots__ = ("compiled", "distrusted", "forms", "source")

    def __init__(self, forms: list[Node], source: str, compiled: Compiled) -> None:
        self.forms = forms
        self.source = source
        self.compiled = compiled
        self.distrusted: frozenset[str] = frozenset()


def copied(forms: list[Node]) -> list[Node]:
    """Return a copy of forms; compiling rewrites what it is given."""
    return [Copier({}).copy(form) for form in forms]


def defined_in(forms: Iterable[Node]) -> set[str]:
    """Return the keys of the globals that forms define or assign."""
    return {node.glob.key for form in forms for node in walk(form) if isinstance(node, (GlobalDefine, GlobalSet))}


class Texts:
    """All texts of an interaction environment.

    compile: compiles forms again, given the keys not to take for constant, and registers them as a unit.
    """

    def __init__(self, compile: Callable[[list[Node], str, frozenset[str]], Compiled]) -> None:
        self.compile = compile
        self.texts: list[Text] = []

    def add(self, forms: list[Node], source: str, compiled: Compiled) -> None:
        """Remember a text: ``forms`` are a copy that compiling has not seen."""
        self.texts.append(Text(forms, source, compiled))

    def change(self, keys: set[str]) -> None:
        """Compile again what takes any of these globals for constant: their values change."""
        for text in self.texts:
            if text.compiled.assumed & keys:
                self._again(text, keys)

    def shadow(self, imported: Global, own: Global) -> None:
        """Let code compiled before refer to a variable that now has the name of an imported one."""
        for text in self.texts:
            changed = False
            for form in text.forms:
                for node in walk(form):
                    if isinstance(node, GlobalRef) and node.glob.key == imported.key and _is_written(node):
                        node.glob = own
                        changed = True
            if changed:
                self._again(text, {own.key})

    def _again(self, text: Text, keys: set[str]) -> None:
        old = text.compiled
        text.distrusted |= keys
        text.compiled = self.compile(copied(text.forms), text.source, text.distrusted)
        replace_code(old, text.compiled)


def _is_written(node: GlobalRef) -> bool:
    """Say whether a reference stands in the source by that name, and was not inserted by a derived form."""
    span = node.span
    return span is not None and span.source.text[span.start : span.end] == node.glob.name


def replace_code(old: Compiled, new: Compiled) -> None:
    """Give every live function of one compilation the code that the same procedure has in another."""
    replacements = _replacements(old, new)
    for function in gc.get_objects():
        if function.__class__ is FunctionType:
            code = replacements.get(function.__code__)
            if code is not None and code.co_freevars == function.__code__.co_freevars:
                function.__code__ = code


def _replacements(old: Compiled, new: Compiled) -> dict[CodeType, CodeType]:
    by_origin = {}
    for code, routine in _codes(new):
        if routine.origin:
            by_origin[routine.origin] = code, routine
    found = {}
    for code, routine in _codes(old):
        match = by_origin.get(routine.origin)
        if match is not None and _alike(routine, match[1]):
            found[code] = match[0]
    return found


def _alike(old: Routine, new: Routine) -> bool:
    """Say whether what a closure holds means the same to both: which variables are in boxes."""
    boxed = {variable.identity: variable.boxed for variable in old.free}
    return all(boxed.get(variable.identity) == variable.boxed for variable in new.free)


def _codes(compiled: Compiled) -> list[tuple[CodeType, Routine]]:
    """Return the code objects of a unit with their routines."""
    routines = {routine.number: routine for routine in compiled.all_routines()}
    found = []
    pending = list(compiled.codes)
    while pending:
        code = pending.pop()
        pending.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))
        identity = code.co_consts[0] if code.co_consts else None
        if isinstance(identity, str):
            parts = identity.split("#", 2)
            if len(parts) == 3 and parts[1].isdigit() and int(parts[1]) in routines:
                found.append((code, routines[int(parts[1])]))
    return found

