"""The files below a directory that a search considers: not hidden, no links, nothing protected; no file is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nodwyn.prims import surrogates
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.fs.globs import matcher

if TYPE_CHECKING:
    from nodwyn.prims.context import Context


def candidates(context: Context, path: str, glob: str | None, *, most: int) -> list[str]:
    """Return the files at or below ``path`` that match a glob, relative to the root, sorted by path.

    most: how many there may be.

    Raises: PrimitiveError when there are more, FileError, Refused.
    """
    wanted = _wanted(context.files.relative(path), glob)
    found = []
    for name in context.files.walk(path):
        name = surrogates.escape(name)
        if wanted(name):
            found.append(name)
            if len(found) > most:
                raise PrimitiveError(
                    f"more than {most} files match below {surrogates.escape(path)}; name a directory further down, or a"
                    f" narrower glob"
                )
    return sorted(found, key=lambda name: name.split("/"))


def _wanted(base: str, glob: str | None) -> Callable[[str], bool]:
    """Return what tells whether a path, relative to the root, matches a glob from ``base`` on, or from the root.

    base: the directory searched, or one file; relative to the root.
    """
    if glob is None:
        return lambda name: True
    match = matcher(glob)
    if base == ".":
        return match

    def below(name: str) -> str:
        return name.removeprefix(f"{base}/") if name != base else name.rpartition("/")[2]

    if "/" not in glob.rstrip("/"):
        return lambda name: match(below(name))
    # What a negative glob keeps, its rest matches from neither.
    decide = all if glob.startswith("!") else any
    return lambda name: decide((match(name), match(below(name))))
