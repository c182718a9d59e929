"""Code of the interaction environment, compiled again when what it takes for constant changes.

Whatever is typed in is compiled as if the globals it calls stayed what they are: calls of known procedures are direct,
builtins are written out. When one of them is defined anew, or an imported name is defined for the first time, the
functions compiled before get new code in place, closures and all.

The functions that have some code are counted by the references to it, so that the heap is only searched for those
that are the value of no global.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Container, Iterable, Mapping
from sys import getrefcount
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from nodwyn.interp.analyse.nodes import Routine
    from nodwyn.interp.core import Node

FEW = 16
"""Code objects that are cheaper to look for at once, each in all references, than in the list of all objects."""


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
    """Return the names by which forms refer to globals that are imported: a definition may give them a new meaning."""
    from nodwyn.interp.analyse.uses import walk
    from nodwyn.interp.core import GlobalRef
    from nodwyn.interp.interaction import NAME

    referred = [node.glob for form in forms for node in walk(form) if isinstance(node, GlobalRef)]
    return {each.name for each in referred if each.key != f"{NAME}:{each.name}"}


class Texts:
    """All texts of an interaction environment.

    variables: the globals of their code. compile: compiles forms again, given the keys not to take for constant;
    returns the code and what it assumes.
    """

    def __init__(
        self,
        variables: Mapping[str, Any],
        compile: Callable[[list[Node], str, frozenset[str]], tuple[Code, set[str]]],
    ) -> None:
        self.variables = variables
        self.compile = compile
        self.texts: dict[str, Text] = {}
        """The texts by the keys of their units."""

    def make_way(self, defined: dict[str, str]) -> None:
        """Compile again what takes any of these globals for constant, or means an imported one by one of their names.

        defined: the names by key of globals that are about to change. Code that no function has is forgotten.
        """
        changing = frozenset(defined)
        shadowing = {name: key for key, name in defined.items() if key not in self.variables}
        replacements: dict[CodeType, CodeType] = {}
        try:
            for unit, text in list(self.texts.items()):
                assumes = not changing.isdisjoint(text.assumed)
                mentions = not text.mentioned.isdisjoint(shadowing)
                if not assumes and not mentions:
                    continue
                if not has_functions(text.code.codes, self.variables["%units"].codes):
                    del self.texts[unit]
                    continue
                shadowed = _shadow(text.forms, shadowing) if mentions else set()
                if assumes or shadowed:
                    replacements |= self._again(text, changing if assumes else frozenset(shadowed))
        finally:
            # What is already compiled again has taken the place of what functions have.
            if replacements:
                replace_code(replacements, self.variables)

    def forget_dead(self, key: str) -> None:
        """Forget the text of this key if no function has its code."""
        text = self.texts.get(key)
        if text is not None and not has_functions(text.code.codes, self.variables["%units"].codes):
            del self.texts[key]

    def _again(self, text: Text, keys: frozenset[str]) -> dict[CodeType, CodeType]:
        """Compile a text again; return the new code of procedures by the old."""
        old = text.code
        text.distrusted |= keys
        new, assumed = self.compile(copied(text.forms), text.source, text.distrusted)
        text.has(new, assumed)
        return _replacements(old, new)


def _shadow(forms: list[Node], shadowing: dict[str, str]) -> set[str]:
    """Let forms refer to variables that now have the names of imported ones; return the keys of those they refer to.

    shadowing: the keys of the new variables by name.
    """
    from nodwyn.interp.analyse.uses import walk
    from nodwyn.interp.core import Global, GlobalRef

    own = {name: Global(name, key) for name, key in shadowing.items()}
    shadowed = set()
    for node in (node for form in forms for node in walk(form)):
        if isinstance(node, GlobalRef) and node.glob.name in own and _is_written(node):
            new = own[node.glob.name]
            if node.glob.key != new.key:
                node.glob = new
                shadowed.add(new.key)
    return shadowed


def _is_written(node: Node) -> bool:
    """Say whether a reference stands in the source by its name, and was not inserted by a derived form."""
    from nodwyn.interp.core import GlobalRef

    span = node.span
    assert isinstance(node, GlobalRef)
    return span is not None and span.source.text[span.start : span.end] == node.glob.name


def all_code(codes: Iterable[CodeType]) -> list[CodeType]:
    """Return the code in modules, at every depth."""
    found: list[CodeType] = []
    pending = list(codes)
    while pending:
        inner = [each for each in pending.pop().co_consts if isinstance(each, CodeType)]
        found += inner
        pending += inner
    return found


def _never_called() -> Callable[[], None]:
    return lambda: None


def _holders(codes: list[CodeType], known: Container[int]) -> list[int]:
    """Return how many functions, and frames that run, have each code. known: a table that has some of it, by ``id``."""
    counts = [getrefcount(code) for code in codes]
    # How many references there are without a function differs between versions of Python.
    (least,) = [getrefcount(code) for code in all_code([_never_called.__code__])]
    return [count - least - (id(code) in known) for code, count in zip(codes, counts)]


def has_functions(modules: Iterable[CodeType], known: Container[int]) -> bool:
    """Say whether a function has, or a frame runs, any code in modules. known: a table of some of it by ``id``."""
    return any(_holders(all_code(modules), known))


def replace_code(replacements: dict[CodeType, CodeType], variables: Mapping[str, Any]) -> None:
    """Give every live function the code that is to take the place of its own. variables: the globals of the code."""
    old = list(replacements)
    # The table of replacements has each once, too.
    holders = {code: count - 1 for code, count in zip(old, _holders(old, variables["%units"].codes))}
    found = {id(each): each for each in variables.values() if each.__class__ is FunctionType}
    for function in found.values():
        if function.__code__ in holders:
            holders[function.__code__] -= 1
    missing = [code for code, count in holders.items() if count > 0]
    if missing:
        others = gc.get_referrers(*missing) if len(missing) <= FEW else gc.get_objects()
        found.update((id(each), each) for each in others if each.__class__ is FunctionType)
    for function in found.values():
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
