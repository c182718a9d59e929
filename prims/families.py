"""All primitives that there are, family by family."""

from __future__ import annotations

from nodwyn.prims import fs, git, guarding, helping, shell
from nodwyn.prims.summaries import primitives as summaries

ALL = (
    *fs.PRIMITIVES,
    *shell.PRIMITIVES,
    *git.PRIMITIVES,
    *guarding.PRIMITIVES,
    *helping.PRIMITIVES,
    *summaries.PRIMITIVES,
)
"""Every primitive; a session that is not told otherwise has them all."""
