r"""How a text is looked through: line by line, but quickly.

One automaton looks for the keywords of all rules at once, in chunks of whole lines; a rule is tried on the chunks that
hold one of its keywords. No rule's match crosses the end of a line, so how the chunks fall does not matter.

What was found is then covered, and the lines that it was found in are looked through again, until nothing more is
found: redacting a redacted text changes nothing. What covers a secret is a newline, which no rule matches; a mark in a
text is covered in the same way before anything is looked for, so that a redacted text looks as the covered text did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from nodwyn.prims.redact import pem
from nodwyn.prims.redact.engine import Alternatives, Pattern, Span, compile_alternatives, compile_pattern
from nodwyn.prims.redact.judge import entropy
from nodwyn.prims.redact.rule import Rule
from nodwyn.prims.redact.rules import RULES

CHUNK = 16 * 1024
"""Bytes of a chunk, but for a line that is longer."""

PASSES = 4
"""How often a line is looked through before all of it is covered: what goes on revealing secrets is made to do so."""

LINE_KIND = "line"

MARK = r"\[redacted:[a-z][a-z0-9]{1,15}(?:-[a-z0-9]{1,15}){0,3}\]"


class Find(NamedTuple):
    """Where a secret is, in bytes, and of what kind."""

    start: int
    end: int
    kind: str


class Scanner:
    """Finds secrets in texts: those that have the shape of a rule, and given values."""

    def __init__(self, held: Rule | None = None) -> None:
        """Make a scanner.

        held: the rule that matches the given values, when there are any.
        """
        self._rules = RULES if held is None else (held, *RULES)
        self._keywords, self._tried = _prefilter(self._rules)

    def find(self, text: bytes) -> list[Find]:
        """Return what is secret in ``text``, in order, nothing twice."""
        covered = text
        if b"[redacted:" in text:
            covered = _cover(text, (found.span() for found in _compiled(MARK).finditer(text)))
        finds: list[Find] = []
        new, has_blocks = self._find_in(covered, _chunks(covered, 0, len(covered)))
        passes = 0
        while True:
            if has_blocks:
                new += [Find(*_whole_characters(text, span), pem.KIND) for span in pem.find_blocks(covered)]
            if not new:
                return finds
            passes += 1
            if passes >= PASSES:
                new = [Find(*line, LINE_KIND) for line in _lines_around(text, new)]
            finds = _merge(finds + new)
            covered = _cover(covered, (find[:2] for find in new))
            new = self._find_in(covered, _neighbours(covered, new))[0]

    def _find_in(self, text: bytes, chunks: Iterable[Span]) -> tuple[list[Find], bool]:
        """Return what the rules find in chunks of whole lines, and whether a block may be there."""
        finds: dict[Span, Find] = {}
        has_blocks = False
        for start, end in chunks:
            tried: set[int] = set()
            for number in self._keywords.Match(text[start:end]) or ():
                tried.update(self._tried[number])
            for number in sorted(tried):
                if number < 0:
                    has_blocks = True
                else:
                    _match(self._rules[number], text, (start, end), finds)
        return list(finds.values()), has_blocks


def marks_in(text: str) -> list[str]:
    """Return the marks in ``text``, in order."""
    octets = text.encode("utf-8", "surrogatepass")
    return [octets[slice(*found.span())].decode() for found in _compiled(MARK).finditer(octets)]


def _match(rule: Rule, text: bytes, chunk: Span, finds: dict[Span, Find]) -> None:
    """Add what a rule finds in a chunk to ``finds``; what another rule found there is not judged again."""
    pattern = _compiled(rule.pattern)
    groups = range(1, pattern.groups + 1)
    for found in pattern.finditer(text, *chunk):
        secret = next((span for span in map(found.span, groups) if span[0] >= 0), found.span())
        if secret in finds:
            continue
        value = text[secret[0] : secret[1]]
        if entropy(value) >= rule.entropy and rule.judge(value, _before(text, secret[0])):
            finds[secret] = Find(*_whole_characters(text, secret), rule.kind)


def _before(text: bytes, place: int) -> bytes:
    """Return what stands before ``place`` on its line, up to 80 bytes."""
    stretch = text[max(0, place - 80) : place]
    return stretch[stretch.rfind(b"\n") + 1 :]


@cache
def _compiled(pattern: str) -> Pattern:
    return compile_pattern(pattern)


@cache
def _prefilter(rules: tuple[Rule, ...]) -> tuple[Alternatives, list[list[int]]]:
    """Return the automaton of all keywords and, for each of them, which rules it lets try; -1 is a block."""
    tried: dict[str, list[int]] = {pem.TRIGGER: [-1]}
    for number, rule in enumerate(rules):
        for keyword in rule.keywords:
            tried.setdefault(keyword, []).append(number)
    return compile_alternatives(list(tried)), list(tried.values())


def _chunks(text: bytes, start: int, end: int) -> Iterator[Span]:
    """Yield ``text[start:end]``, which is whole lines, in chunks of whole lines."""
    while start < end:
        cut = start + CHUNK
        if cut < end:
            cut = text.rfind(b"\n", start, cut) + 1 or text.find(b"\n", cut, end) + 1 or end
        yield start, min(cut, end)
        start = cut


def _neighbours(text: bytes, finds: list[Find]) -> Iterator[Span]:
    """Yield what stands beside what was found and is now covered, up to the next newline or cover on either side."""
    last = 0
    for find in sorted(finds):
        start = max(text.rfind(b"\n", last, find.start) + 1, last)
        following = text.find(b"\n", find.end)
        last = len(text) if following < 0 else following
        yield from _chunks(text, start, find.start)
        yield from _chunks(text, find.end, last)


def _lines_around(text: bytes, finds: list[Find]) -> Iterator[Span]:
    """Yield the lines that ``finds`` are in, without their newlines."""
    last = 0
    for find in sorted(finds):
        if find.end > last:
            start = max(text.rfind(b"\n", last, find.start) + 1, last)
            following = text.find(b"\n", find.end)
            last = len(text) if following < 0 else following
            yield start, last


def _cover(text: bytes, spans: Iterable[Span]) -> bytes:
    """Return ``text`` with newlines in place of ``spans``."""
    covered = bytearray(text)
    for start, end in spans:
        covered[start:end] = b"\n" * (end - start)
    return bytes(covered)


def _merge(finds: list[Find]) -> list[Find]:
    """Return ``finds`` in order; those that overlap become one, of the kind of the longest."""
    merged: list[Find] = []
    longest = 0
    for find in sorted(finds, key=lambda find: (find.start, -find.end)):
        length = find.end - find.start
        if not merged or find.start >= merged[-1].end:
            merged.append(find)
            longest = length
            continue
        last = merged[-1]
        kind = find.kind if length > longest else last.kind
        longest = max(longest, length)
        merged[-1] = Find(last.start, max(last.end, find.end), kind)
    return merged


def _whole_characters(text: bytes, span: Span) -> Span:
    """Return ``span`` widened to whole characters of UTF-8."""
    start, end = span
    while start > 0 and text[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return start, end
