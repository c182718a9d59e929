"""Analysis: what the generator must know of a unit before it writes Python."""

from __future__ import annotations

from typing import NamedTuple

from nodwyn.interp.analyse.convert import Converter
from nodwyn.interp.analyse.copying import Copier
from nodwyn.interp.analyse.finish import Finisher
from nodwyn.interp.analyse.fusing import fuse
from nodwyn.interp.analyse.inlining import Inliner, Procedure, inlinable
from nodwyn.interp.analyse.nodes import Routine
from nodwyn.interp.analyse.uses import Uses, walk
from nodwyn.interp.core import CaseLambda, Fact, GlobalRef, Lambda, Let, Letrec, Node, Variable


class Analysis(NamedTuple):
    """Routines for the top-level forms of a unit, and the globals that the code takes for constant."""

    routines: list[Routine]
    assumed: set[str]


def analyse(
    forms: list[Node], *, assuming: bool = False, distrusted: frozenset[str] = frozenset(), tail: bool = False
) -> Analysis:
    """Return what the generator needs to know of a unit.

    assuming: the unit belongs to the interaction environment, whose globals are taken for constant until they
    change, but for those that are ``distrusted`` by key. tail: whether a call that a form ends in is a tail call; as
    it is no loop, its frame is better kept, for the place of an error.
    """
    count = number_source(forms)
    uses = Uses(forms, assuming=assuming, distrusted=distrusted)
    bodies = inlinable_bodies(uses)
    inliner = Inliner(
        lambda reference: known_procedure(reference, bodies, uses), uses.is_known_procedure, uses.assigned
    )
    forms = [inliner.form(form) for form in forms]
    uses.forget_forms()
    fuse(uses)
    uses.forget_forms()
    converter = Converter(uses)
    made = [converter.form(form, tail=tail) for form in forms]
    Finisher(count).finish(converter.routines)
    for routine in uses.routines.values():
        note_fact(routine, bodies)
    for key, body in bodies.items():
        if isinstance(body, CaseLambda):
            uses.globals[key].fact = Fact("procedure", 0, None, direct=False, quiet=False, body=body)
    return Analysis(made, uses.assumed)


def number_source(forms: list[Node]) -> int:
    """Number the procedures and variables of a text in order, the same way however it is then compiled.

    Returns the last number.
    """
    count = 0
    for form in forms:
        for node in walk(form):
            variables: list[Variable] = []
            if isinstance(node, Lambda):
                count += 1
                node.number = count
                variables = [*node.parameters, *([node.rest] if node.rest is not None else [])]
            elif isinstance(node, (Let, Letrec)):
                variables = node.variables
            for variable in variables:
                count += 1
                variable.identity = count
    return count


def inlinable_bodies(uses: Uses) -> dict[str, Procedure]:
    """Return copies of the unit's own global procedures that may be inlined, by key."""
    bodies: dict[str, Procedure] = {}
    for key, value in uses.procedures.items():
        if inlinable(key, value):
            copier = Copier({})
            copied = copier.copy(value)
            assert isinstance(copied, (Lambda, CaseLambda))
            uses.assigned |= {made for old, made in copier.variables.items() if old in uses.assigned}
            bodies[key] = copied
    return bodies


def known_procedure(reference: GlobalRef, bodies: dict[str, Procedure], uses: Uses) -> Procedure | None:
    """Return the inlinable body of the procedure that a global is known to be."""
    glob = reference.glob
    own = bodies.get(glob.key)
    if own is not None:
        if not glob.constant:
            uses.assumed.add(glob.key)
        return own
    fact = uses.fact(glob)
    body = fact.body if fact is not None else None
    return body if isinstance(body, (Lambda, CaseLambda)) else None


def note_fact(routine: Routine, bodies: dict[str, Procedure]) -> None:
    """Keep what is known of a global procedure for the units that import it."""
    glob = routine.glob
    assert glob is not None
    count = len(routine.parameters)
    most = count if routine.rest is None else None
    glob.fact = Fact("procedure", count, most, direct=routine.direct, quiet=routine.quiet, body=bodies.get(glob.key))
