"""What to say of a name that is unknown: which names are near, and which libraries have it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache

INTERNAL = "(nodwyn "
"""How the names of libraries begin that are there for others, most of them."""

PUBLIC = ("(nodwyn match)",)
MOST = 2
"""Names or libraries in a hint."""


def nearest(name: str, known: Iterable[str], limit: int = MOST) -> list[str]:
    """Return up to ``limit`` of the known names that ``name`` may be a misspelling of, nearest first."""
    import difflib

    # As much of a short name would leave nothing of it.
    most = min(3, 1 + len(name) // 4)
    pool = {each: None for each in known if abs(len(each) - len(name)) <= most and each != name}
    # Of a short name two swapped letters are so large a part that it is like no other.
    swapped = [each for place in range(len(name) - 1) if (each := _swapped(name, place)) in pool]
    close = difflib.get_close_matches(name, pool, n=limit, cutoff=0.75)
    return list(dict.fromkeys((*swapped, *close)))[:limit]


def _swapped(name: str, place: int) -> str:
    """Return a name with the characters at a place and behind it in the other order."""
    return f"{name[:place]}{name[place + 1]}{name[place]}{name[place + 2 :]}"


class Exports:
    """What the libraries in a directory export, as far as their files say so in so many words."""

    def __init__(self, directory: str) -> None:
        self.libraries: dict[str, list[str]] = {}
        """The printed names of libraries by the names that they export."""
        for library, path in _files(directory):
            for name in _exported(path):
                self.libraries.setdefault(name, []).append(library)

    def hint(self, name: str) -> str:
        """Return a hint that says which libraries have a name, "" if none has."""
        found = sorted(self.libraries.get(name, ()), key=_precedence)[:MOST]
        return f"{name} is in {' and in '.join(found)}: (import {found[0]})" if found else ""


@cache
def exported_names(directory: str) -> frozenset[str]:
    """Return all names that the libraries in a directory export: it does not change while programs run."""
    return frozenset(Exports(directory).libraries)


def _precedence(library: str) -> tuple[bool, bool, int, str]:
    return not library.startswith("(scheme "), library == "(scheme r5rs)", len(library), library


def _files(directory: str) -> Iterator[tuple[str, str]]:
    for parent, _, files in os.walk(directory):
        parts = os.path.relpath(parent, directory).split(os.sep)
        for file in files:
            library = f"({' '.join([*parts, file[:-4]])})"
            if file.endswith(".sld") and (library in PUBLIC or not library.startswith(INTERNAL)):
                yield library, os.path.join(parent, file)


def _exported(path: str) -> Iterator[str]:
    try:
        with open(path, encoding="utf-8") as file:
            text = " ".join(line.partition(";")[0] for line in file)
    except (OSError, ValueError):
        return
    for part in text.split("(export")[1:]:
        depth = 1
        last = ""
        for word in part.replace("(", " ( ").replace(")", " ) ").split():
            depth += (word == "(") - (word == ")")
            if depth == 0:
                break
            if word == ")":
                # (rename inner outer)
                yield last
            elif depth == 1 and word != "(":
                yield word
            last = word
