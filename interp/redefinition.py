"""Code of the interaction environment, compiled again when what it takes for constant changes.

Whatever is typed in is compiled as if the globals it calls stayed what they are: calls of known procedures are direct,
builtins are written out. When one of them is defined anew, or an imported name is defined for the first time, the
functions compiled before get new code in place, closures and all.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Set
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nodwyn.interp.analyse.nodes import Routine
    from nodwyn.interp.core import Node


class Code(NamedTuple):
    """Compiled code: its modules, and the routines of its top-level forms."""

    codes: list[CodeType]
    routines: list[Routine]


class Text:
    """A text of the interaction environment.

    assumed: keys of the globals that its code takes for constant. mentioned: names of all globals that it refers to.
    load: gives its forms as they were expanded, and its code; called when the first of these globals changes.
    """

    __slots__ = ("_loaded", "assumed", "distrusted", "load", "mentioned", "source")

    def __init__(
        self, source: str, assumed: set[str], mentioned: set[str], load: Callable[[], tuple[list[Node], Code]]
    ) -> None:
        self.source = source
        self.assumed = assumed
        self.mentioned = mentioned
        self.load = load
        self.distrusted: frozenset[str] = frozenset()
        self._loaded: tuple[list[Node], Code] | None = None

    @property
    def forms(self) -> list[Node]:
        """The forms as they were expanded."""
        return self._parts()[0]

    @property
    def code(self) -> Code:
        """The code that the text's functions have now."""
        return self._parts()[1]

    def _parts(self) -> tuple[list[Node], Code]:
        if self._loaded is None:
            self._loaded = self.load()
        return self._loaded

    def has(self, code: Code, assumed: set[str]) -> None:
        """Take note of new code."""
        self._loaded = self.forms, code
        self.assumed = assumed


def copied(forms: list[Node]) -> list[Node]:
    """Return a copy of forms; compiling rewrites what it is given."""
    from nodwyn.interp.analyse.copying import Copier

    return [Copier({}).copy(form) for form in forms]


def defined_in(forms: Iterable[Node]) -> dict[str, str]:
    """Return the names of the globals that forms define or assign, by key."""
    from nodwyn.interp.analyse.uses import walk
    from nodwyn.interp.core import GlobalDefine, GlobalSet

    nodes = (node for form in forms for node in walk(form))
    return {node.glob.key: node.glob.name for node in nodes if isinstance(node, (GlobalDefine, GlobalSet))}


def mentioned_in(forms: Iterable[Node]) -> set[str]:
    """Return the names of the globals that forms refer to."""
    from nodwyn.interp.analyse.uses import walk
    from nodwyn.interp.core import GlobalRef

    return {node.glob.name for form in forms for node in walk(form) if isinstance(node, GlobalRef)}


class Texts:
    """All texts of an interaction environment.

    compile: compiles forms again, given the keys not to take for constant; returns the code and what it assumes.
    """

    def __init__(self, compile: Callable[[list[Node], str, frozenset[str]], tuple[Code, set[str]]]) -> None:
        self.compile = compile
        self.texts: dict[str, Text] = {}
        """The texts by the keys of their units."""

    def forget_dead(self, keys: Iterable[str], live: Set[int]) -> None:
        """Forget those of the texts with these keys none of whose code a function has. live: see :func:`live_code`."""
        for key in keys:
            text = self.texts.get(key)
            if text is not None and live.isdisjoint(map(id, all_code(text.code.codes))):
                del self.texts[key]

    def change(self, keys: Iterable[str]) -> None:
        """Compile again what takes any of these globals for constant: their values change."""
        changing = frozenset(keys)
        for text in list(self.texts.values()):
            if not changing.isdisjoint(text.assumed):
                self._again(text, changing)

    def shadow(self, key: str, name: str) -> None:
        """Let code compiled before refer to a variable that now has the name of an imported one."""
        for text in list(self.texts.values()):
            if name in text.mentioned:
                self._shadow_in(text, key, name)

    def _shadow_in(self, text: Text, key: str, name: str) -> None:
        from nodwyn.interp.analyse.uses import walk
        from nodwyn.interp.core import Global, GlobalRef

        own = Global(name, key)
        stale = [
            node
            for form in text.forms
            for node in walk(form)
            if isinstance(node, GlobalRef) and node.glob.name == name and node.glob.key != key
            if _is_written(node)
        ]
        for node in stale:
            node.glob = own
        if stale:
            self._again(text, frozenset([key]))

    def _again(self, text: Text, keys: frozenset[str]) -> None:
        old = text.code
        text.distrusted |= keys
        new, assumed = self.compile(copied(text.forms), text.source, text.distrusted)
        replace_code(old, new)
        text.has(new, assumed)


def _is_written(node: Node) -> bool:
    """Say whether a reference stands in the source by its name, and was not inserted by a derived form."""
    from nodwyn.interp.core import GlobalRef

    span = node.span
    assert isinstance(node, GlobalRef)
    return span is not None and span.source.text[span.start : span.end] == node.glob.name


def live_code() -> set[int]:
    """Return the ``id`` of the code of every function there is."""
    return {id(each.__code__) for each in gc.get_objects() if each.__class__ is FunctionType}


def all_code(codes: Iterable[CodeType]) -> list[CodeType]:
    """Return the code in modules, at every depth."""
    found: list[CodeType] = []
    pending = list(codes)
    while pending:
        inner = [each for each in pending.pop().co_consts if isinstance(each, CodeType)]
        found += inner
        pending += inner
    return found


def replace_code(old: Code, new: Code) -> None:
    """Give every live function of one compilation the code that the same procedure has in another."""
    replacements = _replacements(old, new)
    for function in gc.get_objects():
        if function.__class__ is FunctionType:
            code = replacements.get(function.__code__)
            if code is not None and code.co_freevars == function.__code__.co_freevars:
                function.__code__ = code


def _replacements(old: Code, new: Code) -> dict[CodeType, CodeType]:
    by_origin = {routine.origin: (code, routine) for code, routine in _procedures(new) if routine.origin}
    found = {}
    for code, routine in _procedures(old):
        match = by_origin.get(routine.origin)
        if match is not None and _alike(routine, match[1]):
            found[code] = match[0]
    return found


def _alike(old: Routine, new: Routine) -> bool:
    """Say whether what a closure holds means the same to both: which variables are in boxes."""
    boxed = {variable.identity: variable.boxed for variable in old.free}
    return all(boxed.get(variable.identity) == variable.boxed for variable in new.free)


def _procedures(compiled: Code) -> list[tuple[CodeType, Routine]]:
    """Return the code objects of procedures with their routines."""
    routines = {routine.number: routine for routine in _all_routines(compiled.routines)}
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


def _all_routines(outermost: list[Routine]) -> list[Routine]:
    from nodwyn.interp.analyse.finish import parts
    from nodwyn.interp.analyse.nodes import Routine as RoutineNode

    found: list[Routine] = []
    pending: list[Node] = list(outermost)
    while pending:
        node = pending.pop()
        if isinstance(node, RoutineNode):
            found.append(node)
        pending.extend(parts(node))
    return found
