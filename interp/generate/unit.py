"""A unit: top-level forms compiled together."""

from __future__ import annotations

import ast
from types import CodeType

from nodwyn.interp.analyse import analyse
from nodwyn.interp.analyse.nodes import Routine
from nodwyn.interp.core import Node
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.closures import identity_of
from nodwyn.interp.generate.compiling import compile_module
from nodwyn.interp.generate.expressions import Constants
from nodwyn.interp.generate.statements import Statements


class Compiled:
    """The result of compiling a unit.

    codes: modules to execute in order, each defining functions of no parameters, named in ``forms``, one for each
    top-level form. routines and constants: what heap code is later made from.
    """

    __slots__ = ("assumed", "codes", "constants", "forms", "key", "routines")

    def __init__(self, key: str, routines: list[Routine], constants: Constants, assumed: set[str]) -> None:
        self.assumed = assumed
        self.key = key
        self.routines = routines
        self.constants = constants
        self.codes: list[CodeType] = []
        self.forms: list[str] = []


def compile_unit(
    forms: list[Node],
    key: str,
    source: str,
    *,
    assuming: bool = False,
    distrusted: frozenset[str] = frozenset(),
    tail: bool = False,
) -> Compiled:
    """Compile core forms.

    key: the unit's name, unique in the process. source: the name of the text, where a form has no span.
    assuming, distrusted and tail: see :func:`nodwyn.interp.analyse.analyse`.
    Raises SchemeError of kind "limit" for forms nested too deeply.
    """
    routines, assumed = analyse(forms, assuming=assuming, distrusted=distrusted, tail=tail)
    compiled = Compiled(key, routines, Constants(key, assumed), assumed)
    group: list[ast.stmt] = []
    group_source = ""
    for routine in routines:
        form_source = routine.span.source.name if routine.span is not None else source
        if group and form_source != group_source:
            compiled.codes.append(compile_module(group, group_source))
            group = []
        group_source = form_source
        name = f"%form{key}.{routine.number}"
        compiled.forms.append(name)
        group.append(_form(routine, name, compiled.constants))
    if group:
        compiled.codes.append(compile_module(group, group_source))
    return compiled


def _form(routine: Routine, name: str, constants: Constants) -> ast.FunctionDef:
    body = Statements(routine, constants, heap=False).whole()
    made = py.function(name, [], None, body, identity_of(constants, routine))
    py.place(made, routine.span.line if routine.span is not None else 1, routine.number)
    return made
