"""An update of the repository's index that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.prims import surrogates
from nodwyn.prims.counting import counted
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.guard.display import in_one_line
from nodwyn.prims.retrieval.added import MOST_ADDED
from nodwyn.prims.retrieval.collecting import collect
from nodwyn.prims.retrieval.index import Index
from nodwyn.prims.retrieval.refreshing import UPDATE_SECONDS, Refresh, Refreshed
from nodwyn.prims.retrieval.searching import again_if_damaged, inside, left_out, partial, using

if TYPE_CHECKING:
    from nodwyn.prims.context import Context


def update(context: Context, path: str | None) -> str:
    """Bring the index up to date, and say what it covers.

    path: covered from now on, whatever git ignores.

    Raises: PrimitiveError, Refused.
    """
    with using(context) as index:
        said = _added(context, index, path) if path is not None else ""
        refreshed = again_if_damaged(index, lambda: Refresh(context, index, UPDATE_SECONDS).run(always=True))
        collect(index.store, at_once=True)
        return f"{said}{report(refreshed)}"


def report(refreshed: Refreshed) -> str:
    """Return what an update did, in words."""
    lines = [
        f"The index holds {counted(refreshed.files, 'file')}. Read {refreshed.read}, removed {refreshed.removed};"
        f" {counted(refreshed.skipped, 'is', 'are')} binary, not UTF-8 or larger than 1 MiB."
    ]
    if refreshed.refused:
        lines.append(left_out(refreshed.refused))
    if refreshed.left:
        left = counted(refreshed.left, "changed file is", "changed files are")
        lines.append(f"{left} left; call index-update again to go on.")
    if refreshed.partial:
        lines.append(partial(refreshed.partial))
    return "\n".join(lines)


def _added(context: Context, index: Index, path: str) -> str:
    """Cover a path from now on, if it is not covered as it is.

    Raises: PrimitiveError, Refused.
    """
    relative = inside(context, path)
    if relative == "." or relative in index.added():
        return ""
    if len(index.added()) >= MOST_ADDED:
        raise PrimitiveError(f"{MOST_ADDED} paths were added already; `nodwyn index forget` forgets them")
    index.add(relative)
    return f"{in_one_line(surrogates.escape(relative))} is indexed from now on, whatever git ignores.\n"
