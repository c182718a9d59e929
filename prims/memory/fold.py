"""Taking up the events of a log: the words by which each is found, the cards of its turns, the notes of compactions.

What belongs to whole turns and what came after the last of them is kept apart: the former is what can be stored. The
outcome does not depend on where a fold began, as long as that was between two turns.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from nodwyn.prims.log import Event
from nodwyn.prims.log.events import Interruption, Narrow, SessionStart, ToolCall, ToolResult
from nodwyn.prims.log.line import Position
from nodwyn.prims.log.record import restore
from nodwyn.prims.memory.cards import Card, Turn, Turns
from nodwyn.prims.memory.texts import REPEATERS, is_ranked, ranked_texts
from nodwyn.prims.retrieval.words import counts

MOST_COUNT: Final = 2**31 - 1
"""The largest number of words that is told from more."""


class Note(NamedTuple):
    """What a compaction went on from."""

    seq: int
    first: int
    through: int
    """The span that it stands for."""
    text: str


class Entry(NamedTuple):
    """A ranked event."""

    seq: int
    counts: Mapping[str, int]
    """How often it has each word; those of a call thrice."""


class Whole:
    """All of some whole turns."""

    def __init__(self) -> None:
        self.seqs = array("Q")
        self.lengths = array("I")
        """How many words each event has."""
        self.postings: dict[str, array[int]] = {}
        """By word: the number of an event, from 0, and how often it has the word; and so on."""
        self.cards: list[Card] = []
        self.notes: list[Note] = []

    def add(self, entries: Iterable[Entry]) -> None:
        """Take up ranked events."""
        postings = self.postings
        for entry in entries:
            pair = array("I", (len(self.seqs), 0))
            for word, count in entry.counts.items():
                pair[1] = count if count < MOST_COUNT else MOST_COUNT
                known = postings.get(word)
                if known is None:
                    postings[word] = pair[:]
                else:
                    known.extend(pair)
            self.seqs.append(entry.seq)
            self.lengths.append(length_of(entry))


class Fold:
    """Takes up the events from a place between two turns on."""

    def __init__(self, position: Position, *, hidden: bool = False) -> None:
        """Begin behind a position. hidden: whether lists leave the session out, where its first event is before."""
        self.whole = Whole()
        self.line = 0
        """The offset of the last whole turn's last line."""
        self.position = position
        """The place behind it: where the whole turns end."""
        self.entries: list[Entry] = []
        """The ranked events behind it."""
        self.hidden = hidden
        self.damage = ""
        """What ended it before the log's end, if anything did."""
        self._notes: list[Note] = []
        self._turns = Turns()
        self._calls: dict[int, ToolCall] = {}
        self._reached, self._reached_line = position, 0

    def add(self, members: dict[str, Any], end: int, checksum: bytes) -> None:
        """Take up the next event. end: the offset of its line's end."""
        event = restore(members)
        over = self._turns.closes(event)
        if over is not None:
            self._close(over)
        over = self._turns.add(event)
        self._take(event)
        self._reached_line, self._reached = self._reached.offset, Position(end, event.seq, checksum)
        if over is not None:
            self._close(over)
        elif event.kind == "session.end" and self._turns.open is None:
            self._close(None)

    @property
    def reached(self) -> int:
        """The seq of the last event that was taken up."""
        return self._reached.seq

    @property
    def cards(self) -> list[Card]:
        """The cards behind the whole turns: that of the turn that is not over."""
        return [] if self._turns.open is None else [self._turns.open.card()]

    @property
    def notes(self) -> list[Note]:
        """The notes behind the whole turns."""
        return self._notes

    def _close(self, turn: Turn | None) -> None:
        """Count all that was taken up to the whole turns."""
        self.whole.add(self.entries)
        self.whole.notes += self._notes
        if turn is not None:
            self.whole.cards.append(turn.card())
        self.line, self.position = self._reached_line, self._reached
        self.entries, self._notes = [], []
        self._calls.clear()

    def _take(self, event: Event) -> None:
        """Take up what an event says."""
        if isinstance(event, ToolCall):
            self._calls[event.seq] = event
        elif isinstance(event, Interruption):
            self._calls.pop(event.of, None)
        elif isinstance(event, SessionStart):
            self.hidden = event.hidden
        elif is_ranked(event):
            call = self._calls.pop(event.call, None) if isinstance(event, ToolResult) else None
            if isinstance(event, Narrow):
                self._notes.append(Note(event.seq, event.first, event.through, event.note))
            if call is None or call.name not in REPEATERS:
                counted = _counted(event, call)
                if counted:  # an event without words, such as a reply that only searches, is never found
                    self.entries.append(Entry(event.seq, counted))


def length_of(entry: Entry) -> int:
    """Return how many words an event has."""
    return min(sum(entry.counts.values()), MOST_COUNT)


def _counted(event: Event, call: ToolCall | None) -> Mapping[str, int]:
    """Return how often an event has each word. call: the one that it is the result of."""
    found: dict[str, int] = {}
    texts = ranked_texts(event, call.name, call.arguments) if call else ranked_texts(event)
    for text, times in texts:
        counted = counts(text)
        if not found and times == 1:
            found = counted
        else:
            for word, count in counted.items():
                found[word] = found.get(word, 0) + count * times
    return found


def postings_of(entries: list[Entry], word: str) -> Iterable[tuple[int, int]]:
    """Yield the numbers of the events, from 0, that have a word, and how often each has it."""
    for number, entry in enumerate(entries):
        count = entry.counts.get(word)
        if count is not None:
            yield number, min(count, MOST_COUNT)
