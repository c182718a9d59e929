"""Texts in, redacted texts out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nodwyn.prims.redact.scan import Scanner

POLICY_VERSION = 1
"""The number of the rules as they are; every change of what is found raises it."""


class Match(NamedTuple):
    """A secret in a text."""

    kind: str
    """What it is, as its mark says: lower-case words with hyphens."""
    start: int
    """Its first character, from 0."""
    end: int
    """The character after its last."""


class Redactor:
    """Replaces secrets in texts by marks: all that has the shape of one, and given values."""

    def __init__(self, held: Iterable[str] = ()) -> None:
        """Make a redactor. Nothing is compiled before it is first used.

        held: values that are known to be secret, such as keys from the environment and the keyring. Those of fewer
            than eight bytes are not looked for.
        """
        self._held = tuple(held)
        self.held = len(self._held)
        """How many values are held: texts that were looked through before the last one came are to be again."""
        self._scanner: tuple[tuple[str, ...], Scanner] | None = None
        """What looks for the values that it is kept with."""

    def hold(self, value: str) -> None:
        """Look for one more value that is known to be secret, from now on."""
        if value not in self._held:
            self._held = (*self._held, value)
            self.held = len(self._held)  # last: whoever sees the new number has the value looked for

    def find(self, text: str) -> list[Match]:
        """Return the secrets in ``text``, in order; none overlaps another."""
        octets = text.encode("utf-8", "surrogatepass")
        finds = self._scan().find(octets)
        if len(octets) == len(text):
            return [Match(find.kind, find.start, find.end) for find in finds]
        matches = []
        place = characters = 0
        for find in finds:
            start = characters + _count(octets, place, find.start)
            place, characters = find.end, start + _count(octets, find.start, find.end)
            matches.append(Match(find.kind, start, characters))
        return matches

    def redact(self, text: str) -> str:
        """Return ``text`` with a mark in place of each secret; ``text`` itself when there is none."""
        matches = self.find(text)
        if not matches:
            return text
        pieces: list[str] = []
        place = 0
        for match in matches:
            pieces += text[place : match.start], f"[redacted:{match.kind}]"
            place = match.end
        pieces.append(text[place:])
        return "".join(pieces)

    def _scan(self) -> Scanner:
        held = self._held  # another thread may hold one more while the scanner for these is made
        if self._scanner is None or self._scanner[0] is not held:
            from nodwyn.prims.redact.held import held_rule
            from nodwyn.prims.redact.scan import Scanner

            self._scanner = held, Scanner(held_rule(held))
        return self._scanner[1]


def find(text: str) -> list[Match]:
    """Return what has the shape of a secret in ``text``, in order; see :meth:`Redactor.find`."""
    return _shapes().find(text)


def redact(text: str) -> str:
    """Return ``text`` with a mark in place of what has the shape of a secret; see :meth:`Redactor.redact`."""
    return _shapes().redact(text)


@cache
def _shapes() -> Redactor:
    return Redactor()


def _count(octets: bytes, start: int, end: int) -> int:
    """Return how many characters a stretch of UTF-8 has."""
    return len(octets[start:end].decode("utf-8", "surrogatepass"))
