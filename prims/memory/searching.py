"""Searching what was said and done: in this conversation, and in other tasks of the project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from nodwyn.prims.counting import counted
from nodwyn.prims.guard.proposal import Proposal
from nodwyn.prims.log import LogError, Reader
from nodwyn.prims.log.read import OpenLog
from nodwyn.prims.memory.cards import Card, one_line
from nodwyn.prims.memory.earlier import LEAVE, require_leave, tasks
from nodwyn.prims.memory.ranking import rank
from nodwyn.prims.memory.recalled import heading_of, shown_text
from nodwyn.prims.memory.remembered import Numbered, Remembered, remember
from nodwyn.prims.memory.texts import lines_of
from nodwyn.prims.retrieval.words import words

if TYPE_CHECKING:
    from nodwyn.prims.context import Context

LINES: Final = 3
"""So many lines are shown of each event that was found, those with most of the words."""

MOST_OF_LINE: Final = 240
MOST_OF_TITLE: Final = 80


class Found(NamedTuple):
    """An event that was found."""

    path: Path
    """Of its log."""
    seq: int
    score: float


class LookedUp(NamedTuple):
    """What one log has of the words that are looked for."""

    path: Path
    parts: tuple[Numbered, Numbered]
    damage: str


class Findings(NamedTuple):
    """What a search came to."""

    found: list[Found]
    events: int
    """How many were ranked."""
    logs: int
    """How many logs they are of."""
    damaged: list[str]
    """What is wrong with logs that could not be searched whole."""


def search_conversation(context: Context, query: str, limit: int) -> str:
    """Return the events of this conversation that a query's words find, as a text for a model.

    Raises: LogError, OSError.
    """
    log = context.session.log
    context.decide(Proposal("other", f"search this conversation: {query}", ground=_OWN))
    wanted = distinct(query)
    with remember(log.path) as known:
        findings = _find([_looked_up(log.path, known, wanted)], wanted, limit)
        blocks = _blocks(findings.found, wanted, known, log)
    return _report(findings, wanted, [text for _, text in blocks], "this conversation", "(recall SEQ)")


def search_earlier(context: Context, query: str, limit: int) -> str:
    """Return the events of the project's other tasks that a query's words find, if the person allows it.

    Raises: Forbidden, LogError, OSError.
    """
    path = context.session.log.path
    require_leave(path)
    context.decide(Proposal("other", f"search earlier tasks: {query}", ground=LEAVE))
    return search_tasks(tasks(path.parent, path), query, limit)


def search_tasks(paths: Sequence[Path], query: str, limit: int, *, how: str = '(recall SEQ 0 0 "TASK")') -> str:
    """Return the events of some tasks that a query's words find, ranked as one collection.

    paths: of their logs; equally good events are found in this order. how: how one is recalled.
    """
    wanted = distinct(query)
    findings = find_in(paths, wanted, limit)
    blocks: list[tuple[float, str]] = []
    for path in dict.fromkeys(each.path for each in findings.found):
        with suppress(LogError, OSError), remember(path) as known, Reader(path) as log:  # deleted in between
            own = [each for each in findings.found if each.path == path]
            blocks += _blocks(own, wanted, known, log, _title(log))
    ordered = [text for _, text in sorted(blocks, key=lambda block: -block[0])]
    return _report(findings, wanted, ordered, f"{counted(findings.logs, 'task')} of this project", how)


def find_in(paths: Sequence[Path], wanted: Sequence[str], limit: int) -> Findings:
    """Return the events of some logs that have words, ranked as one collection. Hidden sessions are left out."""
    looked_up = []
    for path in paths:
        with suppress(LogError, OSError), remember(path) as known:  # deleted since
            if not known.hidden:
                looked_up.append(_looked_up(path, known, wanted))
    return _find(looked_up, wanted, limit)


def distinct(query: str) -> list[str]:
    """Return the words of a query, each once."""
    return list(dict.fromkeys(words(query)))


def best_lines(lines: Sequence[str], wanted: Sequence[str]) -> list[tuple[int, str]]:
    """Return the lines of a text that hold most of some words, in their order, each with its number."""
    of_query = set(wanted)
    holding = []
    for number, line in enumerate(lines, 1):
        if line.isascii():
            lowered = line.lower()
            if not any(word in lowered for word in wanted):
                continue
        held = len(of_query.intersection(words(line)))
        if held:
            holding.append((-held, number))
    return [(number, lines[number - 1]) for number in sorted(number for _, number in sorted(holding)[:LINES])]


def _looked_up(path: Path, known: Remembered, wanted: Sequence[str]) -> LookedUp:
    return LookedUp(path, known.parts(wanted), known.damage)


def _find(logs: Sequence[LookedUp], wanted: Sequence[str], limit: int) -> Findings:
    numbered = [(each.path, part) for each in logs for part in each.parts]
    hits = rank([part.part for _, part in numbered], wanted, limit)
    found = [Found(numbered[hit.part][0], numbered[hit.part][1].seqs[hit.number], hit.score) for hit in hits]
    events = sum(len(part.seqs) for _, part in numbered)
    return Findings(found, events, len(logs), [each.damage for each in logs if each.damage])


def _blocks(
    found: Sequence[Found], wanted: Sequence[str], known: Remembered, log: OpenLog, task: str = ""
) -> list[tuple[float, str]]:
    """Return the events found in one log, under their turns: each turn with the score of its best event.

    Raises: LogError, OSError.
    """
    turns: dict[str, list[Found]] = {}
    for each in found:
        turns.setdefault(_turn_line(known.card(each.seq), each.seq, task), []).append(each)
    blocks = []
    for line, events in turns.items():
        shown = [line]
        for each in events:
            shown += _event_lines(log, each.seq, wanted)
        blocks.append((events[0].score, "\n".join(shown)))
    return blocks


def _turn_line(card: Card | None, seq: int, task: str) -> str:
    of_task = f" of task {task}" if task else ""
    if card is None:
        return f"outside of a turn{of_task}:"
    after = "after " if card.how and seq > card.through else ""
    span, _, rest = one_line(card).partition(", ")
    return f"{after}turn {span}{of_task}, {rest}"


def _event_lines(log: OpenLog, seq: int, wanted: Sequence[str]) -> Iterator[str]:
    event = log.event(seq)
    yield f"  {heading_of(log, event)}"
    for number, line in best_lines(lines_of(shown_text(log, event)), wanted):
        yield f"    {number}: {_excerpt(line.strip(), wanted)}"


def _excerpt(line: str, wanted: Sequence[str]) -> str:
    """Return a line, or what of a long one is around the first of the words."""
    if len(line) <= MOST_OF_LINE:
        return line
    lowered = line.lower()
    place = min((place for word in wanted if (place := lowered.find(word)) >= 0), default=0)
    start = max(0, min(place - MOST_OF_LINE // 3, len(line) - MOST_OF_LINE))
    cut = line[start : start + MOST_OF_LINE]
    return f"{'…' if start else ''}{cut}{'…' if start + MOST_OF_LINE < len(line) else ''}"


def _title(log: Reader) -> str:
    """Return a task in words: its name, what it was about, the day of its last event, whether it is put away."""
    overview = log.overview
    title = " ".join((overview.title or overview.first).split())
    shown = title if len(title) <= MOST_OF_TITLE else f"{title[: MOST_OF_TITLE - 1]}…"
    archived = ", archived" if overview.archived else ""
    return f'{log.path.stem} ("{shown}", {overview.last[:10]}{archived})'


def _report(findings: Findings, wanted: Sequence[str], blocks: Sequence[str], where: str, how: str) -> str:
    """Return the answer to a search."""
    ranked = counted(findings.events, "event")
    if not wanted:
        parts = ["The query has no words to look for."]
    elif not blocks:
        parts = [f"Nothing in {where} has any of the words {', '.join(wanted)} ({ranked} looked at)."]
    else:
        parts = [f"The best {len(findings.found)} of {ranked} of {where}; {how} returns one whole.", *blocks]
    parts += [f"Not searched behind the damage: {damage}" for damage in findings.damaged]
    return "\n\n".join(parts)


_OWN: Final = ("session", "it is what this session recorded")
