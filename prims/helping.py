"""Help in Scheme, made from the declarations."""

from __future__ import annotations

from typing import Annotated

from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import SCHEME, Effect
from nodwyn.prims.help import described, found, listed
from nodwyn.prims.mistyped import hint
from nodwyn.prims.parameters import Name, Words


@primitive("describe", effect=Effect.NONE, callers=SCHEME)
def describe(context: Context, name: Annotated[Name, "a primitive, as a symbol or string"]) -> None:
    """Show how a primitive is called, what it does, and what its parameters are."""
    primitive = context.session.primitives.get(name)
    if primitive is None:
        near = hint(name, context.session.primitives, otherwise='; (apropos "") lists all')
        raise PrimitiveError(f"there is no primitive {name}{near}")
    context.session.show(described(primitive))


@primitive("apropos", effect=Effect.NONE, callers=SCHEME)
def apropos(context: Context, words: Annotated[Words, "words to look for in names and descriptions"]) -> None:
    """List the primitives whose names or descriptions have all of the words."""
    matching = found(context.session.primitives, words)
    context.session.show(listed(matching) if matching else f"no primitive has {words!r} in its name or description")


PRIMITIVES = (describe, apropos)
