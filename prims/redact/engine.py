"""RE2, reached through this module alone: patterns over bytes, whose matches never cross the end of a line.

RE2 takes time in proportion to the text, whatever the text; Python's ``re`` does not, and never sees a text here.
It is imported when the first pattern is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

Span = tuple[int, int]


class Found(Protocol):
    """What a pattern matched."""

    def span(self, group: int = 0) -> Span:
        """Return where a group's text begins and ends; (-1, -1) when the group took no part."""


class Pattern(Protocol):
    """A compiled pattern."""

    @property
    def groups(self) -> int:
        """How many groups the pattern has."""

    def finditer(self, text: bytes, pos: int = 0, endpos: int | None = None) -> Iterator[Found]:
        """Yield the matches within ``text[pos:endpos]``, which sees what stands around it."""

    def match(self, text: bytes) -> Found | None:
        """Return the match at the beginning of ``text``."""

    def search(self, text: bytes) -> Found | None:
        """Return the first match in ``text``."""


class Alternatives(Protocol):
    """Patterns that are looked for at once."""

    def Match(self, text: bytes) -> Sequence[int] | None:
        """Return the numbers of those that match somewhere in ``text``."""


MEMORY = 32 * 2**20
"""Bytes that the automaton of many patterns may take. With a quarter of it the keywords of all rules are looked for
six times as slowly: it does not fit, and is built again and again."""


def compile_pattern(pattern: str, *, across_lines: bool = False) -> Pattern:
    """Compile RE2 syntax; ``^`` and ``$`` are the ends of lines.

    across_lines: whether a match may hold newlines.
    """
    import re2

    compiled: Pattern = re2.compile(_octets(pattern), _options(across_lines=across_lines))
    return compiled


def compile_alternatives(patterns: Sequence[str]) -> Alternatives:
    """Compile patterns to be looked for at once, within lines."""
    import re2

    options = _options(across_lines=False)
    options.max_mem = MEMORY
    alternatives = re2.Set.SearchSet(options)
    for pattern in patterns:
        alternatives.Add(_octets(pattern))
    alternatives.Compile()
    compiled: Alternatives = alternatives
    return compiled


def escape(literal: bytes) -> str:
    """Return the pattern that matches ``literal`` and nothing else."""
    return "".join(chr(octet) if chr(octet).isalnum() and octet < 128 else f"\\x{octet:02x}" for octet in literal)


def _octets(pattern: str) -> bytes:
    return b"(?m)" + pattern.encode("ascii")


def _options(*, across_lines: bool) -> Any:
    import re2

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.never_nl = not across_lines
    options.log_errors = False
    return options
