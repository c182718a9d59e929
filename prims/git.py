"""Asking git about the repository around the root."""

from __future__ import annotations

from typing import Annotated

from nodwyn.prims.context import Context
from nodwyn.prims.declare import primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.kinds import Whole
from nodwyn.prims.parameters import Paths, Revision, Revisions


@primitive("git-status", effect=Effect.READ, provenance="external:file", is_concurrent=True)
def git_status(context: Context) -> str:
    """Return the branch, and the files that differ from its last commit, as git status --porcelain does."""
    return context.repository.status()


@primitive("git-diff", effect=Effect.READ, provenance="external:file", is_concurrent=True)
def git_diff(
    context: Context,
    revisions: Annotated[Revisions, "none for the work tree, one such as HEAD or main..topic, or two"] = (),
    paths: Annotated[Paths, "the files and directories that it is narrowed to; all when none"] = (),
    staged: Annotated[bool, "compare what is staged"] = False,
    summary: Annotated[bool, "lines changed by file, instead of the changes"] = False,
) -> str:
    """Return what differs in the work tree from what is staged, what is staged, or what lies between revisions."""
    return context.repository.diff(revisions, paths, staged=staged, summary=summary)


@primitive("git-log", effect=Effect.READ, provenance="external:file", is_concurrent=True)
def git_log(
    context: Context,
    revision: Annotated[Revision, "where to begin, or a range such as main..topic"] = "HEAD",
    paths: Annotated[Paths, "only commits that touched these files or directories"] = (),
    limit: Annotated[int, Whole("a number of commits", 1, 1000), "how many"] = 20,
    skip: Annotated[int, Whole("a number of commits", 0, 10_000_000), "how many to pass over first"] = 0,
    files: Annotated[bool, "name the files that each commit changed"] = False,
) -> str:
    """Return commits, newest first: hash, author, date, message."""
    return context.repository.log(revision, paths, limit=limit, skip=skip, files=files)


@primitive("git-show", effect=Effect.READ, provenance="external:file", is_concurrent=True)
def git_show(
    context: Context,
    revision: Annotated[Revision, "a commit, or REVISION:PATH for a file or directory as it was then"] = "HEAD",
) -> str:
    """Return a commit with its changes, or a file as it was at a commit."""
    return context.repository.show(revision)


PRIMITIVES = (git_status, git_diff, git_log, git_show)
