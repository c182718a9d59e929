"""Replacing parts of a text: what comes of it is what plain replacement gives, and no other character changes.

Case: a text and for each edit what is replaced, by what, and whether everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from target import Case, Target, changed, holds, literals

from nodwyn.prims.fs.edits import Edit, EditError, apply_edits

PIECES = [
    "a",
    "b",
    "aa",
    "\n",
    "\r\n",
    "\r",
    " ",
    "    return x\n",
    "def f(x):\n",
    "\ufeff",
    "é",
    "x",
    "",
    "\t",
    "\u2028",
    "\x0c",
]


class Edits(Target):
    """See the module."""

    anew = 0.5

    def seeds(self) -> Iterator[Case]:
        texts = literals("tests/prims/fs/test_edits.py")
        for text in texts:
            for old in texts[:20]:
                yield [text, [old, "z\n", True]]

    def create(self, chance: random.Random) -> Case:
        text = "".join(chance.choices(PIECES, k=chance.randint(0, 20)))
        return [
            text,
            *(
                [self._part(chance, text), self._part(chance, text), chance.random() < 0.5]
                for _ in range(chance.randint(1, 3))
            ),
        ]

    def _part(self, chance: random.Random, text: str) -> str:
        place = chance.randint(0, len(text))
        part = text[place : place + chance.randint(0, 6)]
        return part if chance.random() < 0.6 else "".join(chance.choices(PIECES, k=chance.randint(0, 3)))

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        text, *edits = case
        if chance.random() < 0.5:
            return [changed(chance, text, other[0], PIECES), *edits]
        return [text, *([changed(chance, old, text, PIECES), new, all] for old, new, all in edits)]

    def check(self, case: Case) -> Any:
        if not case or not isinstance(case[0], str) or any(isinstance(edit, str) for edit in case[1:]):
            return None
        text, *given = case
        edits = [Edit(*edit) for edit in given if edit[0]]
        expected = plainly(text, edits)
        try:
            result, lines = apply_edits(text, edits)
        except EditError as error:
            holds(expected is None or expected == text, "an edit that fits is made")
            holds(len(str(error)) < 4000, "what is said of a text that is not there is short")
            return str(error)[:24]
        holds(expected is not None and result == expected, "what comes of edits is what plain replacement gives")
        holds(
            lines == sorted(set(lines)) and all(1 <= line <= result.count("\n") + 1 for line in lines),
            "lines are lines of the result",
        )
        return len(lines), result.count("\n") - text.count("\n"), "\r\n" in text, text.startswith("\ufeff")


def plainly(text: str, edits: list[Edit]) -> str | None:
    """Return a text after edits, made in the plainest way; None when one does not fit."""
    mark = text[:1] if text.startswith("\ufeff") else ""
    body = text[len(mark) :]
    all_crlf = "\r\n" in body and "\n" not in body.replace("\r\n", "")
    for old, new, all in edits:
        old, new = old.removeprefix("\ufeff"), new.removeprefix("\ufeff")
        if all_crlf:
            old, new = ("\r\n".join(part.replace("\r\n", "\n").split("\n")) for part in (old, new))
        if not old:
            return None
        count = body.count(old)
        if count == 1 or (count and all):
            body = body.replace(old, new)
        elif count:
            return None
        else:
            shorter = old.removesuffix("\n").removesuffix("\r")
            if not old.endswith("\n") or len(old) == 1 or not shorter or not body.endswith(shorter):
                return None
            body = body[: len(body) - len(shorter)] + new.removesuffix("\n").removesuffix("\r")
    return mark + body


def make(workspace: Path) -> Target:
    """Return the target."""
    return Edits()
