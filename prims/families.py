"""All primitives that there are, family by family."""

from __future__ import annotations

from nodwyn.prims import (
    compaction,
    fs,
    git,
    guarding,
    helping,
    index_grep,
    index_search,
    index_update,
    notes,
    plan,
    recall,
    sessions,
    shell,
)
from nodwyn.prims.summaries import primitives as summaries

ALL = (
    *fs.PRIMITIVES,
    *shell.PRIMITIVES,
    *git.PRIMITIVES,
    *index_grep.PRIMITIVES,
    *index_search.PRIMITIVES,
    *index_update.PRIMITIVES,
    *recall.PRIMITIVES,
    *sessions.PRIMITIVES,
    *guarding.PRIMITIVES,
    *helping.PRIMITIVES,
    *summaries.PRIMITIVES,
    *compaction.PRIMITIVES,
    *notes.PRIMITIVES,
    *plan.PRIMITIVES,
)
"""Every primitive; a session that is not told otherwise has them all."""
