"""Which names are near one that is unknown."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], limit: int = 2) -> list[str]:
    """Return up to ``limit`` of the known names that ``name`` may be a misspelling of, nearest first."""
    import difflib

    pool = [each for each in known if abs(len(each) - len(name)) <= 3 and each != name]
    return difflib.get_close_matches(name, pool, n=limit, cutoff=0.75)
