"""Bringing the index of the repository up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from nodwyn.prims.context import Context
from nodwyn.prims.declare import primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.parameters import Path

if TYPE_CHECKING:
    from nodwyn.prims.session import Session


def _has_place(session: Session) -> bool:
    from nodwyn.prims.retrieval.index import has_place

    return has_place(session)


@primitive("index-update", effect=Effect.READ, provenance="external:file", can_serve=_has_place)
def index_update(
    context: Context,
    path: Annotated[Path | None, "a directory or file to index from now on, whatever git ignores"] = None,
) -> str:
    """Bring the index that index-search uses up to date, for a minute at most; say what it covers.

    A search does so by itself, for ten seconds: call this for a large repository, until nothing is left, or with a
    path to have an ignored directory or file indexed whole, from then on. It writes nothing in the repository.
    """
    from nodwyn.prims.retrieval.updating import update

    return update(context, path)


PRIMITIVES = (index_update,)
