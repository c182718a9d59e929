"""Finding files by their names."""

from __future__ import annotations

from typing import Annotated

from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.declare import primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.fs.walk import Patience, candidates
from nodwyn.prims.parameters import GlobPattern, Path


@primitive("fs-find", effect=Effect.READ, provenance="external:file", is_concurrent=True)
def fs_find(
    context: Context,
    path: Annotated[Path, "the directory to look in, or one file, relative to the root"] = ".",
    glob: Annotated[
        GlobPattern | None, "which files, such as *.py, docs/**/*.md or !*.min.js; all when not given"
    ] = None,
) -> list[str]:
    """Return the paths of the files below a directory, sorted, relative to the root. No file is read.

    In the glob, * ? and [a-z] stay within one name, ** spans directories, {a,b} is either, and a leading ! keeps what
    the rest does not match. A glob without a slash is looked for in every part of the path; one with a slash from the
    start, relative to the directory searched or to the root. Hidden files, links and what is protected are left out;
    ignore files have no effect. More than 3,000 files are an error: narrow the path or the glob.
    """
    return list(map(surrogates.escape, candidates(context, path, glob, Patience(context)).names))
