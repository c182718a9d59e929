"""Analysis: what the generator must know of a unit before it writes Python."""

from __future__ import annotations

from nodwyn.interp.analyse.convert import Converter
from nodwyn.interp.analyse.copying import Copier
from nodwyn.interp.analyse.finish import Finisher
from nodwyn.interp.analyse.inlining import Inliner, Procedure, inlinable
from nodwyn.interp.analyse.nodes import Routine
from nodwyn.interp.analyse.uses import Uses
from nodwyn.interp.core import CaseLambda, Fact, GlobalRef, Lambda, Node


def analyse(forms: list[Node]) -> list[Routine]:
    """Return a routine for each top-level form of a unit, ready for the generator."""
    uses = Uses(forms)
    bodies = inlinable_bodies(uses)
    inliner = Inliner(lambda reference: known_procedure(reference, bodies), uses.assigned)
    forms = [inliner.form(form) for form in forms]
    uses.forget_forms()
    converter = Converter(uses)
    made = [converter.form(form) for form in forms]
    Finisher().finish(converter.routines)
    for routine in uses.routines.values():
        note_fact(routine, bodies)
    for key, body in bodies.items():
        if isinstance(body, CaseLambda):
            uses.globals[key].fact = Fact("procedure", 0, None, direct=False, body=body)
    return made


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


def known_procedure(reference: GlobalRef, bodies: dict[str, Procedure]) -> Procedure | None:
    """Return the inlinable body of the procedure that a global is known to be."""
    glob = reference.glob
    own = bodies.get(glob.key)
    if own is not None:
        return own
    body = glob.fact.body if glob.constant and glob.fact is not None else None
    return body if isinstance(body, (Lambda, CaseLambda)) else None


def note_fact(routine: Routine, bodies: dict[str, Procedure]) -> None:
    """Keep what is known of a global procedure for the units that import it."""
    glob = routine.glob
    assert glob is not None
    count = len(routine.parameters)
    most = count if routine.rest is None else None
    glob.fact = Fact("procedure", count, most, direct=routine.direct, body=bodies.get(glob.key))
