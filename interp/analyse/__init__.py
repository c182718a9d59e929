"""Analysis: what the generator must know of a unit before it writes Python."""

from __future__ import annotations

from nodwyn.interp.analyse.convert import Converter
from nodwyn.interp.analyse.finish import Finisher
from nodwyn.interp.analyse.nodes import Routine
from nodwyn.interp.analyse.uses import Uses
from nodwyn.interp.core import Node


def analyse(forms: list[Node]) -> list[Routine]:
    """Return a routine for each top-level form of a unit, ready for the generator."""
    converter = Converter(Uses(forms))
    made = [converter.form(form) for form in forms]
    Finisher().finish(converter.routines)
    return made
