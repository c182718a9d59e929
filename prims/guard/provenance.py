"""Text from elsewhere in what is about to be done: which part of it, and where that came from.

A text in Scheme carries labels, and a command, an outside path or a network target that Scheme built from labelled text
is a question. A model's arguments carry ``external:model``; that alone is no question. In every question, what repeats
a stretch of labelled text on record is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from nodwyn.prims.guard.proposal import Call, Finding, Proposal, external
from nodwyn.prims.json_text import texts_in
from nodwyn.prims.log.append import Log

LEAST = 24
"""Characters of a stretch that is called a repetition."""

STRIDE = LEAST // 2
"""Every stretch of LEAST characters holds a whole one of so many that begins at a multiple of so many."""

MOST_SHOWN = 5
MOST_TEXT = 4_000_000
"""Characters of recorded texts that are looked through, the latest first."""

ORIGINS: Mapping[str, str] = {
    "external:file": "a file",
    "external:log": "an earlier record",
    "external:shell": "a command's output",
    "external:model": "a model",
    "external:net": "the network",
}
"""What each label says, in words."""


class Source(NamedTuple):
    """A labelled text on record."""

    name: str
    text: str


class Repetition(NamedTuple):
    """A stretch that a text shares with a labelled one."""

    source: str
    line: int
    """Of the labelled text, from 1."""
    text: str


def questions(proposal: Proposal, call: Call) -> list[Finding]:
    """Return the question that labelled text in a command, an outside path or a network target is."""
    if not proposal.reaches_out or call.by == "model":
        return []
    labelled = {name: labels for name in call.labels if (labels := external(call.labels[name]))}
    if not labelled:
        return []
    said = "; ".join(f"{name} has text from {in_words(labels)}" for name, labels in labelled.items())
    return [Finding("confirm", "provenance", f"it was made from text of elsewhere: {said}")]


def in_words(labels: Iterable[str]) -> str:
    """Return where text with these labels came from."""
    return ", ".join(f"{ORIGINS.get(label, 'elsewhere')} ({label})" for label in sorted(labels))


def repetitions(text: str, sources: Iterable[Source]) -> list[Repetition]:
    """Return the stretches of ``text`` that labelled texts have too, of LEAST characters or more."""
    found: list[Repetition] = []
    for source in sources:
        found += _shared(text, source)
        if len(found) >= MOST_SHOWN:
            break
    return found[:MOST_SHOWN]


def recorded_sources(log: Log) -> Iterator[Source]:
    """Yield the labelled texts of the session's results, the latest first, up to a bound."""
    left = MOST_TEXT
    for seq in reversed(list(log.seqs("tool.result"))):
        event = log.event(seq)
        labels = getattr(event, "labels", ())
        if labels and left > 0:
            call: Any = log.event(getattr(event, "call", 1))
            text = "\n".join(texts_in(getattr(event, "value", None)))[:left]
            left -= len(text)
            yield Source(f"the result of {getattr(call, 'name', 'a call')} (event {seq})", text)


def _shared(text: str, source: Source) -> Iterator[Repetition]:
    """Yield the longest shared stretch around each block that both have."""
    begin = 0
    while begin + STRIDE <= len(text):
        block = text[begin : begin + STRIDE]
        place = source.text.find(block) if not block.isspace() else -1
        end = begin + STRIDE
        if place >= 0:
            start, stop = _grown(text, source.text, begin, place)
            if stop - start >= LEAST:
                line = source.text.count("\n", 0, place) + 1
                yield Repetition(source.name, line, text[start:stop])
                end = max(end, stop)
        begin = -(-end // STRIDE) * STRIDE


def _grown(text: str, other: str, begin: int, place: int) -> tuple[int, int]:
    """Return the bounds in ``text`` of the stretch around equal blocks at which both stay equal."""
    back = 0
    while back < min(begin, place) and text[begin - back - 1] == other[place - back - 1]:
        back += 1
    ahead = STRIDE
    most = min(len(text) - begin, len(other) - place)
    while ahead < most and text[begin + ahead] == other[place + ahead]:
        ahead += 1
    return begin - back, begin + ahead
