"""Globs: the same paths match as a second matcher finds, which tries every way there is and knows no RE2.

Case: the glob, a newline, and paths one a line.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from target import LARGEST, Case, Target, changed, digest, holds, literals, proportionate

from nodwyn.prims.fs.globs import GlobError, matcher
from nodwyn.prims.surrogates import escape

PIECES = (
    "* ** *** ? a b ab / // [ab] [!ab] [^a] [a-c] [+-9] [] []] [!]a] [a-] [-a] { } {a,b} {,a} {a/b,**} , ! \\ \\* \\[ "
    ". .. ./ é 🌲 ß A ] - ^ $ ( | + x/**/y **/ /** [/] [!/] [\\] [.-0] {{a,b},c} \\/"
).split()  # fmt: skip
NAMES = "a b ab abc . .. .a a.b é 🌲 A - * [ ] { } , ! \\ + x y aa 0 ^ \n ß İ".split(" ")
MOST_STEPS = 60_000


class Globs(Target):
    """See the module."""

    anew = 0.4

    def seeds(self) -> Iterator[Case]:
        table = literals("tests/prims/fs/test_globs.py")
        paths = "\n".join(sorted({path for text in table for path in text.split(" ") if path}))[: LARGEST // 4]
        for glob in table:
            if "\n" not in glob:
                yield f"{glob}\n{paths}"

    def create(self, chance: random.Random) -> Case:
        glob = "".join(chance.choices(PIECES, k=chance.randint(1, 9)))
        paths = ("/".join(chance.choices(NAMES, k=chance.randint(1, 4))).replace("\n", "") for _ in range(12))
        return "\n".join((glob, *paths))

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        glob, _, paths = case.partition("\n")
        glob = changed(chance, glob, other.partition("\n")[0], PIECES).replace("\n", "x")
        return f"{glob}\n{paths}"

    def check(self, case: Case) -> object:
        # What comes here is text that UTF-8 can hold: whoever calls has escaped the rest.
        glob, *paths = escape(case).split("\n")
        try:
            match = matcher(glob)
        except GlobError as error:
            return str(error).translate({ord(digit): None for digit in "0123456789"})[:30]
        negative = glob.startswith("!")
        found = []
        for path in paths:
            path = path.strip("/")
            if path and "//" not in path:
                expected = matches(glob[negative:], path)
                if expected is not None:
                    holds(match(path) is (expected is not negative), "a glob matches what the second matcher finds")
                    found.append(expected)
        if len(glob) < 40 and digest(glob) % 50 == 0:
            proportionate(match, "a/b" + glob.strip("/"), "the path")
        return tuple(found[:6]), tuple(sorted({char for char in glob if not char.isalnum()}))


class OutOfSteps(Exception):
    """Trying all ways takes too long."""


def matches(glob: str, path: str) -> bool | None:
    """Return whether a path or a directory above it matches, by trying; None when there are too many ways."""
    anchored = "/" in glob.rstrip("/")
    pattern = glob.removeprefix("./").strip("/")
    starts = [0] if anchored else [0, *(place + 1 for place, char in enumerate(path) if char == "/")]
    ends = {len(path), *(place for place, char in enumerate(path) if char == "/")}
    steps = [0]
    try:
        return any(
            end in ends
            for start in starts
            for tokens in (_tokens(pattern),)
            for end in _ends(tokens, path, start, steps)
        )
    except OutOfSteps:
        return None


Token = tuple[str, object]


@lru_cache(maxsize=256)
def _tokens(pattern: str) -> tuple[Token, ...]:
    """Return a pattern as tokens; braces hold their alternatives' tokens."""
    tokens, place = _alternatives(pattern, 0, 0)
    assert place == len(pattern)
    return tokens[0]


def _alternatives(pattern: str, place: int, depth: int) -> tuple[list[tuple[Token, ...]], int]:
    branches: list[tuple[Token, ...]] = []
    tokens: list[Token] = []
    while place < len(pattern):
        char = pattern[place]
        if char == "}" and depth:
            break
        if char == "," and depth:
            branches.append(tuple(tokens))
            tokens = []
            place += 1
        elif char == "{":
            inner, place = _alternatives(pattern, place + 1, depth + 1)
            place += 1
            tokens.append(("any", tuple(inner)))
        elif char == "*":
            end = place
            while end < len(pattern) and pattern[end] == "*":
                end += 1
            alone = (place == 0 or pattern[place - 1] in "/{,") and (end == len(pattern) or pattern[end] in "/},")
            if end - place == 2 and alone:
                directories = pattern[end : end + 1] == "/"
                tokens.append(("directories" if directories else "all", None))
                end += directories
            else:
                tokens.append(("run", None))
            place = end
        elif char == "?":
            tokens.append(("one", None))
            place += 1
        elif char == "[":
            negative = pattern[place + 1 : place + 2] in ("!", "^")
            first = place + 1 + negative
            end = pattern.index("]", first + 1)
            tokens.append(("none of" if negative else "one of", _members(pattern[first:end])))
            place = end + 1
        else:
            place += char == "\\"
            tokens.append(("char", pattern[place]))
            place += 1
    return [*branches, tuple(tokens)], place


def _members(text: str) -> tuple[tuple[str, str], ...]:
    ranges = []
    place = 0
    while place < len(text):
        if place + 2 < len(text) and text[place + 1] == "-":
            ranges.append((text[place], text[place + 2]))
            place += 3
        else:
            ranges.append((text[place], text[place]))
            place += 1
    return tuple(ranges)


def _ends(tokens: tuple[Token, ...], path: str, start: int, steps: list[int]) -> set[int]:
    """Return all places at which a match from ``start`` on may end."""
    places = {start}
    for kind, value in tokens:
        steps[0] += len(places)
        if steps[0] > MOST_STEPS:
            raise OutOfSteps
        places = set().union(*(_after(kind, value, path, place, steps) for place in places))
    return places


def _after(kind: str, value: object, path: str, place: int, steps: list[int]) -> set[int]:
    if kind == "any":
        return set().union(*(_ends(branch, path, place, steps) for branch in value))  # type: ignore[attr-defined]
    if kind == "all":
        return set(range(place, len(path) + 1))
    if kind == "run":
        end = path.find("/", place)
        return set(range(place, (len(path) if end < 0 else end) + 1))
    if kind == "directories":
        # Components that are not empty, each with its slash.
        found = {place}
        while (slash := path.find("/", place)) > place:
            place = slash + 1
            found.add(place)
        return found
    if place == len(path):
        return set()
    char = path[place]
    if kind == "char":
        fits = char == value
    else:
        inside = any(low <= char <= high for low, high in value or ())  # type: ignore[attr-defined]
        fits = char != "/" and (kind == "one" or inside is (kind == "one of"))
    return {place + 1} if fits else set()


def make(workspace: Path) -> Target:
    """Return the target."""
    return Globs()
