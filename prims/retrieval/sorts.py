"""What sort of file a path names, as far as that says how likely it is what a search is after: code before words on it.

A change log has the words of every change and is changed by none of them; a guide or settings name all that there is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

CODE: Final = 1.0
"""What a file's score counts that is of no other sort."""

CHANGE_LOG: Final = 0.4
PROSE: Final = 0.6
SETTINGS: Final = 0.7
"""Settings and data, what a program wrote, and what is hidden."""

_PROSE: Final = frozenset("adoc asciidoc markdown md mdx org pod rst tex texi txt 1 3 5 7 8".split())

_SETTINGS: Final = frozenset(
    """cfg conf csv ini json json5 jsonc jsonl lock map ndjson po pot properties snap sum svg toml tsv xml yaml
    yml""".split()
)

_CHANGE_LOG: Final = re.compile(
    r"(?:change-?(?:s|logs?)|history|news|release[-_ ]?notes?|releases|whats?[-_]?new)(?:[-_.\d].*)?"
    r"|changelog\.d|\.changesets?|newsfragments?"
)


@lru_cache(maxsize=1 << 15)
def weight_of(path: str) -> float:
    """Return what the score of a file counts, by its path relative to the root."""
    folders, _, name = path.lower().rpartition("/")
    stem, _, ending = name.rpartition(".")
    is_prose = ending in _PROSE if stem else name.isalpha() and _CHANGE_LOG.fullmatch(name) is not None
    if is_prose:
        parts = [*folders.split("/")[-2:], stem or name]
        return CHANGE_LOG if any(map(_CHANGE_LOG.fullmatch, parts)) else PROSE
    if ending in _SETTINGS or "/." in f"/{path}" or name.endswith((".min.js", ".min.css")):
        return SETTINGS
    return CODE
